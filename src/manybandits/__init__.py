"""manybandits reruns five papers on learning across many contextual bandits and judges their claims.

In Python::

    import manybandits as mb

    game = mb.games.synthetic(users=50, clusters=5)  # or of public data: mb.games.movielens("1m")
    runs = mb.play("club", game=game, horizon=2000, seeds=range(10), alpha=[0.1, 1])
    print(mb.compare(runs, mb.play("linucb_one", game=game, horizon=2000)))
    mb.plot(runs).savefig("club.png")

    bandit = mb.load("club", users=50, dimension=10, alpha=1)  # one decision at a time
    print(mb.evaluate("linucb", "log.csv"))  # its value on a log, with intervals

`manybandits.interface` has a module for `play` and `Policy` (``plays``), `read_runs`, `read_results` and `Runs`
(``runs``), `compare`, `plot` and `Comparison` (``comparison``), `load`, `restore` and `Bandit` (``bandit``), and
`evaluate` and `Evaluation` (``evaluation``); ``mb.games``, ``mb.data`` and ``mb.adapters`` are modules of it.
Importing the package imports none of them: each is imported when it is first used.
"""

__version__ = "0.1.0"

# Types are in the stub beside this file. Digests of sources skip what is under a test of __name__ (see
# manybandits.base.sources): nothing here changes what a job does.
if __name__ == "manybandits":

    def _places() -> dict[str, str]:
        """Return the names of the Python interface, each with its module in `manybandits.interface`."""
        named = {
            "plays": ("play", "Policy"),
            "runs": ("read_runs", "read_results", "Runs"),
            "comparison": ("compare", "plot", "Comparison"),
            "bandit": ("load", "restore", "Bandit"),
            "evaluation": ("evaluate", "Evaluation"),
        }
        return {name: module for module, names in named.items() for name in names}

    def __getattr__(name: str) -> object:
        """Import a part of the Python interface when it is first used."""
        import importlib

        places = _places()
        if name in ("adapters", "data", "games"):
            found: object = importlib.import_module(f"{__name__}.interface.{name}")
        elif name in places:
            found = getattr(importlib.import_module(f"{__name__}.interface.{places[name]}"), name)
        elif name == "InputError":
            found = importlib.import_module(f"{__name__}.base.exceptions").InputError
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = found
        return found

    def __dir__() -> list[str]:
        """Return the names of the Python interface, for completion."""
        return sorted({*_places(), "adapters", "data", "games", "InputError", "__version__"})
