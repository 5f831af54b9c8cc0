"""Every cure that the refusal of a call or of a command line names: what is refused goes on once it was followed."""

from __future__ import annotations

import copy
import functools
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple
from unittest import mock

import numpy as np
import pandas as pd
import pytest

import manybandits as mb
from manybandits import cli
from manybandits.base.artifacts import load_arrays, load_facts, save_arrays, save_table
from manybandits.base.exceptions import InputError
from manybandits.base.project import find_root
from manybandits.cli import claims, evaluate, given, new, readings, repair, reproduce, show, site, verdicts
from manybandits.cli import play as play_command
from manybandits.environments import synthetic
from manybandits.interface import adapters, bandit, comparison, data, evaluation, games, plays, runs
from manybandits.tables import estimates, horizons
from tests.faults.refusals import lacking, passed

CLI = (cli, claims, evaluate, given, new, play_command, readings, repair, reproduce, show, site, verdicts)
INTERFACE = (adapters, bandit, comparison, data, evaluation, games, plays, runs)
SEARCHED: tuple[ModuleType, ...] = (*INTERFACE, estimates, horizons, *CLI)
"""The modules of which every refusal needs a case below, but for these."""
WITHOUT_A_CASE = {
    "runs.py:.* is missing: get": "its cure is another checkout, or a play of the papers, of hours",
    "readings.py:.* leaves nothing open": "all papers of this repository leave something open",
    "show.py:.* is not made with this configuration": "its cure is another configuration, of which a plan is made",
}
"""Words of other refusals, and why they have no case."""

Call = Callable[[], object] | str
"""A call, or a command line."""


class Case(NamedTuple):
    """What is refused, words of the message that name what is wrong and the cure, and the call with the cure."""

    wrong: Call
    message: str
    mended: Call


CHECKOUT = find_root().resolve()
ROOT = f"--root {shlex.quote(str(CHECKOUT))}"
PLAY = "play random --game synthetic --set-game users=5 items=20 --horizon 20 --seeds 0 --out "
X = np.random.default_rng(0).normal(size=(4, 3))
SHARED = X[:1].repeat(4, 0)
ARM = np.arange(60) % 2
LOG = pd.DataFrame({"arm": np.array(["a", "b"])[ARM], "reward": 1 - ARM, "propensity": 0.5, "x": np.arange(60) % 5})
HALF = np.full((60, 2), 0.5)


@functools.cache
def game(**settings: Any) -> mb.games.Game:
    return mb.games.synthetic(**{"users": 5, "clusters": 2, "items": 20, "dimension": 3, **settings})


def play(**given: Any) -> mb.Runs:
    return mb.play(**{"algorithm": "random", "game": game(), "horizon": 50, "seeds": [0, 1], **given})


def load(algorithm: str = "linucb_one", **given: Any) -> mb.Bandit:
    return mb.load(algorithm, **{"users": 5, "dimension": 3, "arms": 4, **given})


def saved(**facts: Any) -> Path:
    """Return the file of a bandit, some of whose facts are not its own."""
    load().save("saved.npz")
    kept = load_facts(Path("saved.npz")) | facts
    kept.pop("digest")
    save_arrays(Path("bandit.npz"), load_arrays(Path("saved.npz")), kept)
    return Path("bandit.npz")


def learned(observations: int, horizon: int) -> mb.Bandit:
    """Return a bandit with room for some observations that has learned from some."""
    one = load("lnucb_ta", horizon=horizon)
    for arm in range(observations):
        one.learn(0, X, arm, 1.0)
    return one


def diverged(restored: bool) -> mb.Bandit:
    """Return a bandit whose networks diverged after it was saved, or the one that was saved before."""
    one = load()
    one.save("before.npz")
    one._replica.diverged = np.array([True])
    return mb.restore("before.npz") if restored else one


class Ranked:
    """A policy as those of river: it pulls an arm for the context that all arms share."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def pull(self, arms: list[int], context: dict[int, float]) -> int:
        return arms[0]

    def update(self, arm: int, context: dict[int, float], reward: float) -> None:
        """Learn nothing."""


class First:
    """Plays the first arm, or what is no arm."""

    def __init__(self, arm: int = 0) -> None:
        self.arm = arm

    def choose(self, user: int, contexts: np.ndarray) -> int:
        return self.arm

    def learn(self, user: int, context: np.ndarray, reward: float) -> None:
        """Learn nothing."""


def river(policy: Any, contexts: np.ndarray = SHARED, **options: Any) -> int:
    problem = SimpleNamespace(blocks=1, arms=4)
    return mb.adapters.river(policy)(problem=problem, seed=0, **options).choose(0, contexts)


def openml(found: Any) -> pd.DataFrame:
    """Return table 61 of OpenML, which answers with an error or a table."""
    fetch = {"side_effect": found} if isinstance(found, Exception) else {"return_value": found}
    with mock.patch("sklearn.datasets.fetch_openml", **fetch):
        return mb.data.openml(61)


IRIS = SimpleNamespace(data=LOG[["x"]], target=LOG["arm"], details={"name": "iris"}, url="u")


def agents(**settings: Any) -> mb.games.Game:
    return mb.games.agents(**{"agents": 5, "dimension": 3, "clusters": 2, **settings})


def estimate(policy: Any = First, **given: Any) -> mb.Evaluation:
    return mb.evaluate(policy, LOG, **given)


def one_of(arms: int) -> mb.Bandit:
    return mb.load("linucb_one", dimension=1, arms=arms)


def two_logs() -> list[mb.Runs]:
    """Return runs on two logs of one name."""
    logs = (mb.games.from_log(one, name="log") for one in (LOG, LOG[:40]))
    return [play(game=game, horizon=10, title=title) for game, title in zip(logs, "ab", strict=True)]


def replayed(estimate: str = "replay", horizon: int = 20) -> list[Any]:
    """Return runs as tables of estimates take them."""
    return [play(game=mb.games.from_log(LOG, estimate=estimate), horizon=horizon).run]


def made(run: str) -> str:
    """Make the page of a site, and return the command line that asks for the only one."""
    page = Path("reports", run, "index.html")
    page.parent.mkdir(parents=True, exist_ok=True)
    page.touch()
    return "site"


def file(name: str, text: str = "") -> str:
    Path(name).write_text(text)
    return name


def command(line: str, *before: str) -> Callable[[], object]:
    """Return the call of a command line in a folder where these files are."""
    return lambda: [[file(name) for name in before], run(line)]


def run(call: Call) -> object:
    return cli.run(shlex.split(call)) if isinstance(call, str) else call()


INTERFACE_CASES = [
    # adapters
    Case(lambda: river(Ranked, X), "give a game of instances, or of classes", lambda: river(Ranked)),
    Case(
        lambda: river(Ranked(), alpha=1),
        "Ranked was made already, so it takes no option 'alpha': give its class",
        lambda: river(lambda alpha: Ranked(), alpha=1),
    ),
    # bandit
    Case(lambda: load().choose(0, X[:, :2]), "give a row of 3 numbers for each", lambda: load().choose(0, X)),
    Case(lambda: load().choose(0, X * 1e300), "give finite numbers, scaled to about 1", lambda: load().choose(0, X)),
    Case(
        lambda: load().choose(5, X), "user is 5; give a whole number from 0 to 4", lambda: load().choose(np.int64(4), X)
    ),
    Case(lambda: load().choose("a", X), "user is 'a'; give a whole number from 0 to 4", lambda: load().choose(0, X)),
    Case(lambda: load().learn(0, X[:, :2], 0, 1), "or the row of the arm", lambda: load().learn(0, X[0], 0, 1)),
    Case(lambda: load().learn(0, X, 4, 1), "arm is 4; give a whole number", lambda: load().learn(0, X, 3, 1)),
    Case(lambda: load().learn(0, X, 0, "no"), "reward is 'no'; give a number", lambda: load().learn(0, X, 0, "1")),
    Case(
        lambda: load().learn(0, X, 0, np.nan), "user 0 is NaN.*give finite numbers", lambda: load().learn(0, X, 0, 1.0)
    ),
    Case(lambda: learned(2, 1), "load it with a larger horizon", lambda: learned(2, 2)),
    Case(lambda: diverged(False).choose(0, X), "restore a bandit that was saved before", lambda: diverged(True)),
    Case(
        lambda: load(items=9).choose(0, X),
        "give items, the item that each arm offers",
        lambda: load(items=9).choose(0, X, [0, 8, 2, 3]),
    ),
    Case(
        lambda: load(items=9).choose(0, X, np.ma.array([0, 1, 2, 3], mask=[0, 0, 0, 1])),
        "items are a masked array: leave out the arms that are masked",
        lambda: load(items=9).choose(0, X[:3], [0, 1, 2]),
    ),
    Case(
        lambda: load(items=9).choose(0, X, [0, 9, 2, 3]),
        "give a whole number from 0 to 8 for each of the 4 arms",
        lambda: load(items=9).choose(0, X, [0, 8, 2, 3]),
    ),
    Case(
        lambda: load().choose(0, np.ma.array(X, mask=X > 0)),
        "contexts are a masked array: fill in what is masked",
        lambda: load().choose(0, np.ma.array(X, mask=X > 0).filled(0)),
    ),
    Case(lambda: load().choose(0, [[1, 2], [3]]), "give one row per arm", lambda: load().choose(0, X.tolist())),
    Case(lambda: load().choose(0, X + 1j), "contexts hold complex128: give real numbers", lambda: load().choose(0, X)),
    Case(
        lambda: load().choose_many([0, 1], X[None]),
        "there are 2 users, 1 contexts: give one of each per user",
        lambda: load().choose_many([0, 1], np.stack([X, X])),
    ),
    Case(
        lambda: load().probabilities(0, X, draws=0),
        "draws is 0; give a whole number from 1 on",
        lambda: load().probabilities(0, X, draws=1),
    ),
    Case(lambda: load().save("b.npy"), "does not end with .npz: give a name that does", lambda: load().save("b.npz")),
    Case(
        lambda: copy.copy(load()),
        "write it by its method save, and read it by manybandits.restore",
        lambda: [load().save("b.npz"), mb.restore("b.npz")],
    ),
    Case(lambda: load(items=3), "items is 3, fewer than the 4 arms.*give at least as many", lambda: load(items=4)),
    Case(lambda: load(seed=-1), "seed is -1; give a whole number from 0 on", lambda: load(seed=0)),
    Case(lambda: load("linucb_won"), "did you mean 'linucb_one'", lambda: load("linucb_one")),
    Case(lambda: load("cmlb"), "choose another algorithm", lambda: load()),
    Case(
        lambda: load("m_cnb", first_data="all"),
        "first_data is 'all'.*leave it out, and let the bandit learn",
        lambda: load("m_cnb").learn(0, X, 0, 1.0),
    ),
    Case(lambda: mb.restore(saved(kind="game")), "give a file that `save` wrote", lambda: mb.restore(saved())),
    Case(
        lambda: mb.restore(saved(), "club"),
        "holds a bandit of linucb_one, not of club: give another file",
        lambda: mb.restore(saved(), "linucb_one"),
    ),
    Case(lambda: mb.restore(saved(sources="0")), "or let a new bandit learn", lambda: load().learn(0, X, 0, 1.0)),
    Case(
        lambda: mb.restore(saved(dimension=2)),
        "the file is damaged; use a copy of it",
        lambda: [saved(), mb.restore("saved.npz")],
    ),
    # committed
    Case(lambda: mb.read_results("m_cnb_figg2"), "did you mean 'm_cnb_fig2'", lambda: mb.read_results("m_cnb_fig2")),
    # comparison
    Case(lambda: mb.compare(), "give those that `play` or `read_runs` returned", lambda: mb.compare(play())),
    Case(
        lambda: [play().save("r.parquet"), mb.compare("r.parquet")],
        "give runs, and read a file by `read_runs`",
        lambda: [play().save("r.parquet"), mb.compare(mb.read_runs("r.parquet"))],
    ),
    Case(
        lambda: mb.compare(play(), play()),
        "are called 'Random': give one of them a title in `play`",
        lambda: mb.compare(play(), play(title="again")),
    ),
    Case(
        lambda: mb.compare(*two_logs()),
        "two different games are called 'log'.*play all on one game, or compare the runs of one game at a time",
        lambda: [mb.compare(one) for one in two_logs()],
    ),
    # data
    Case(lambda: openml(OSError("no route")), "such as 61, and check the network", lambda: openml(IRIS)),
    Case(
        lambda: openml(SimpleNamespace(target=None)),
        "table 61 of OpenML has no single target: give the frame to mb.games.from_rows",
        lambda: mb.games.from_rows(LOG, label="arm"),
    ),
    # evaluation
    Case(lambda: estimate(level=95), "level is 95: give the probability", lambda: estimate(level=0.95)),
    Case(lambda: estimate(largest_weight=0), "largest_weight is 0: give a weight above 0", lambda: estimate()),
    Case(lambda: estimate(HALF, alpha=1), "probabilities take no option 'alpha': leave it out", lambda: estimate(HALF)),
    Case(
        lambda: estimate(one_of(2), alpha=1), "has its options already: leave out 'alpha'", lambda: estimate(one_of(2))
    ),
    Case(
        lambda: estimate(one_of(4)),
        "but the log has 1, 2 and [0-9]+: load one with these",
        lambda: estimate(one_of(2)),
    ),
    Case(lambda: estimate(First(2)), "a whole number from 0 to 1", lambda: estimate(First(1))),
    Case(
        lambda: estimate(pd.DataFrame(HALF, columns=["a", "c"])),
        "give one column for each arm of the log, a, b",
        lambda: estimate(pd.DataFrame(HALF, columns=["a", "b"])),
    ),
    Case(lambda: estimate([["half", "half"]] * 60), "are not numbers", lambda: estimate([[0.5, 0.5]] * 60)),
    Case(lambda: estimate(HALF[1:]), "a row for each of 60 events and a column for each of 2", lambda: estimate(HALF)),
    Case(lambda: estimate(2 * HALF), "row 1 .* give numbers from 0 that sum to 1", lambda: estimate(HALF)),
    # games
    Case(
        lambda: mb.games.from_log(LOG.to_numpy()),
        r"give a frame, such as pandas.DataFrame\(values, columns=\[...\]\)",
        lambda: mb.games.from_log(pd.DataFrame(LOG.to_numpy().tolist(), columns=[*LOG])),
    ),
    Case(
        lambda: mb.games.from_log(LOG, name="my/log"),
        "name is 'my/log'.*use letters, digits",
        lambda: mb.games.from_log(LOG, name="my-log"),
    ),
    Case(lambda: mb.games.agents(contexts=1), "contexts is 1; give a word", lambda: agents(contexts="gaussian")),
    Case(lambda: mb.games.synthetic(user=5), "did you mean 'users'", lambda: mb.games.synthetic(users=5)),
    Case(
        lambda: mb.games.synthetic(noise="big"), "noise is 'big'; give a number, such as 0.1", lambda: game(noise=0.1)
    ),
    Case(lambda: mb.games.synthetic(users=5.5), "users is 5.5; give a whole number", lambda: game(users=5)),
    # plays
    *(
        Case(lambda wrong=wrong: play(seeds=wrong), "seeds is .*give whole numbers", lambda: play(seeds="0-1"))
        for wrong in (3, [0.5], [np.inf], [None])
    ),
    *(
        Case(lambda wrong=wrong: play(horizon=wrong), "horizon is .*such as 1000", lambda: play(horizon=50.0))
        for wrong in (50.5, "many", np.nan, np.inf, True)
    ),
    Case(
        lambda: play(algorithm="linucb_one", alpha=[]),
        "values of 'alpha' is empty; give at least one",
        lambda: play(algorithm="linucb_one", alpha=[1]),
    ),
    # runs
    Case(
        lambda: [save_table(Path("b.parquet"), LOG, {}), mb.read_runs("b.parquet")],
        "give a file that `manybandits play` wrote",
        lambda: [play().save("b.parquet"), mb.read_runs("b.parquet")],
    ),
]
TABLE_CASES = [
    # estimates
    Case(
        lambda: estimates.summarise([replayed("inverse")]),
        "give the run of Random under that estimate, too",
        lambda: estimates.summarise([replayed(), replayed("inverse")]),
    ),
    Case(
        lambda: estimates.summarise([replayed(horizon=59)]),
        "came to the end of their log; play fewer rounds",
        lambda: estimates.summarise([replayed(horizon=10)]),
    ),
    Case(
        lambda: estimates.summarise([[play().run], replayed()]),
        "is not the replay of a log.*leave it out",
        lambda: estimates.summarise([replayed()]),
    ),
    # horizons
    Case(
        lambda: horizons.summarise([[play().run]]),
        "is the only run of Random.*a slope needs two horizons; add a run",
        lambda: horizons.summarise([[play().run, play(horizon=100).run]]),
    ),
]
COMMAND_CASES = [
    Case("list algorithms --jsn", "takes no '--jsn': did you mean '--json'", "list algorithms --json"),
    # claims and verdicts
    Case(f"claims --markdown {ROOT}", "give a run by --run", f"claims --markdown --run paper-scale {ROOT}"),
    Case(
        "claims --run paper-scale --root .",
        "name a run whose claims were judged, below --root",
        f"claims --run paper-scale {ROOT}",
    ),
    Case(
        f"claims --verdicts {CHECKOUT}/reports/paper-scale/verdicts.csv {ROOT}",
        "give .*verdicts.jsonl",
        f"claims --verdicts {CHECKOUT}/reports/paper-scale/verdicts.jsonl {ROOT}",
    ),
    # evaluate
    Case(
        command("evaluate log.csv --policy linucb_one --set alpha=1,2", "log.csv"),
        "--set alpha has 2 values.*give one value",
        lambda: [LOG.to_csv("log.csv", index=False), run("evaluate log.csv --policy linucb_one --set alpha=1")],
    ),
    # given
    Case(
        command(PLAY.replace("random", "mine") + "r.parquet", "mine.py"),
        "for the file in this folder, write mine.py",
        lambda: [run("new algorithm mine.py"), run(PLAY.replace("random", "mine.py") + "r.parquet")],
    ),
    Case("compare r.csv", "r.csv is no .*: give a file that ends with .parquet", lambda: compared("--out drawn")),
    Case(PLAY + "r.csv", "--out r.csv: give a name that ends with .parquet", PLAY + "r.parquet"),
    Case(lambda: compared("--out drawn.png"), "give the name without .png", lambda: compared("--out drawn")),
    Case(
        command(PLAY + "file/r.parquet", "file"),
        "cannot be written .*give a place in a folder where you may write",
        PLAY + "folder/r.parquet",
    ),
    Case(
        PLAY.replace("users=5", "users") + "r.parquet", "sets nothing: write for example --set-game", PLAY + "r.parquet"
    ),
    # new
    Case("new algorithm my-own.py", "give a name of letters, digits and _, such as mine.py", "new algorithm mine.py"),
    Case("new paper MyPaper", "give lower-case letters, digits and _, as my_paper", "new paper my_paper"),
    Case(command("new algorithm mine.py", "mine.py"), "give another name", command("new algorithm my.py", "mine.py")),
    # play
    Case("play random --set-game users=5 --out r.parquet", "name it by --game", PLAY + "r.parquet"),
    Case(PLAY + "r.parquet --environment g.npz", "leave out --environment, or --game", PLAY + "r.parquet"),
    Case("play random --out r.parquet", "give --game synthetic, or a frozen one", PLAY + "r.parquet"),
    Case(
        "play random --game m-cnb --out r.parquet",
        "freeze it .* and give its file by --environment",
        lambda: [frozen("g.npz"), run("play random --environment g.npz --horizon 9 --seeds 0 --out r.parquet")],
    ),
    # readings
    Case(
        f"readings --set learners=served {ROOT}",
        "--set needs a paper, such as m_cnb",
        f"readings m_cnb --set learners=served {ROOT}",
    ),
    Case(f"readings --run none {ROOT}", "name a run that has some by --run", f"readings --run readings {ROOT}"),
    # repair
    Case("repair none", "name one that has results, or none", lambda: [Path("some").mkdir(), run("repair some")]),
    # reproduce
    Case(
        lambda: reproduce.read_change("settings.horizon", "["),
        r"--set settings.horizon=\[.* write a value such as 100",
        lambda: reproduce.read_change("settings.horizon", "100"),
    ),
    # show
    Case(f"show locbb {ROOT}", "did you mean 'locb'", f"show locb {ROOT}"),
    Case(
        lambda: [run("new algorithm mine.py"), run(f"show mine {ROOT}")],
        "for what is in this folder, write ./mine.py",
        lambda: [run("new algorithm mine.py"), run(f"show ./mine.py {ROOT}")],
    ),
    # site
    Case("site", "name a run by --run and add --make", "site --run smoke --make"),
    Case(lambda: [made("a"), run(made("b"))], "name one by --run", lambda: [made("a"), made("b"), run("site --run a")]),
    Case("site --run smoke", "reports/smoke has no site: add --make", "site --run smoke --make"),
]
CASES = [*INTERFACE_CASES, *TABLE_CASES, *COMMAND_CASES]


def compared(options: str) -> None:
    """Compare a play on the command line."""
    play().save("r.parquet")
    run(f"compare r.parquet {options}")


def frozen(path: str) -> None:
    """Freeze a game."""
    synthetic.main(f"--out {path} --users 5 --items 20".split())


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    """Work in a folder of one's own; a site is made in no time."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reproduce, "reproduce", lambda *given, **options: [])


@pytest.mark.parametrize("case", CASES, ids=[f"{k} {case.message[:40]}" for k, case in enumerate(CASES)])
def test_a_cure_works(case, tmp_path, monkeypatch):
    with pytest.raises(InputError, match=case.message):
        run(case.wrong)
    (tmp_path / "mended").mkdir()
    monkeypatch.chdir(tmp_path / "mended")
    run(case.mended)


def test_every_refusal_has_a_case(tmp_path, monkeypatch):
    reached = set()
    for k, case in enumerate(CASES):
        (tmp_path / f"{k}").mkdir()
        monkeypatch.chdir(tmp_path / f"{k}")
        with pytest.raises(InputError, match=case.message) as error:
            run(case.wrong)
        reached |= passed(error)
    found = lacking(SEARCHED, reached)
    assert not [one for one in found if not any(re.search(words, one) for words in WITHOUT_A_CASE)]
    assert all(any(re.search(words, one) for one in found) for words in WITHOUT_A_CASE)
