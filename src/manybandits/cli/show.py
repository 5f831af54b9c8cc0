"""The command ``manybandits show``: facts about an algorithm, data set, game, paper, experiment or claim."""

from __future__ import annotations

import argparse
import inspect
import math
from collections.abc import Callable
from pathlib import Path

import msgspec

from manybandits import datasets
from manybandits.algorithms import catalogue, contract, plain
from manybandits.algorithms.description import sentences_of
from manybandits.base import plugins
from manybandits.base.artifacts import cache_folder
from manybandits.base.exceptions import InputError, nearest
from manybandits.base.plugins import is_path
from manybandits.base.printing import print_fields, print_json, print_prose
from manybandits.cli.list import claims as claim_rows
from manybandits.datasets.command_line import described
from manybandits.environments import catalogue as games
from manybandits.harness.arguments import format_seeds
from manybandits.papers.claim import PAPER
from manybandits.papers.experiment import Setup
from manybandits.papers.files import Paper, folder_of, read_paper, read_papers
from manybandits.planning.configuration import load_configuration
from manybandits.planning.figures import Figure, Measurement
from manybandits.planning.plan_cache import load_plan

Facts = dict[str, object]


def run(args: argparse.Namespace) -> None:
    """Print the facts about everything with that name: an algorithm and its paper may have the same one."""
    found = describe(args.name, args.root, args.config)
    if args.json:
        print_json(found)
        return
    for place, (kind, facts) in enumerate(found.items()):
        text, twin = facts.pop("text", ""), facts.pop("twin", "")
        print(f"{chr(10) if place else ''}{kind} {args.name}\n")
        print_fields(facts)
        if text:
            print()
            print_prose(str(text))
        if twin:
            print(f"\nThe same, plainly:\n\n{twin}", end="")


def describe(name: str, root: Path, overlays: list[Path]) -> dict[str, Facts]:
    """Return the facts about everything called `name`, by kind; raise InputError with the nearest name if none is."""
    if is_path(name):
        return at_path(name, root)
    known: dict[str, tuple[list[str], Callable[[], Facts]]] = {
        "algorithm": (catalogue.names(), lambda: algorithm(name)),
        "data set": (datasets.names(), lambda: described(datasets.load(name).DATASET)),
        "game": (games.names(), lambda: game(name)),
    }
    unknown = ""
    try:
        papers = read_papers(root)
        claims = {str(row["claim"]): row for row in claim_rows(root)}
        known["paper"] = (list(papers), lambda: paper(papers[name]))
        known["claim"] = (list(claims), lambda: claims[name])
        places = {f"{key}_{experiment}": key for key, one in papers.items() for experiment in one.experiments}
        known["experiment"] = (list(places), lambda: experiment(name, places[name], root, overlays))
    except InputError as error:
        unknown = f" Papers, experiments and claims were not searched: {error}"
    found = {kind: facts() for kind, (names, facts) in known.items() if name in names}
    if not found:
        for place in (name, f"{name}.py"):
            if Path(place).exists():
                raise InputError(f"nothing is called {name!r}: for what is in this folder, write ./{place}.")
        every = {one for names, _ in known.values() for one in names}
        raise InputError(f"nothing is called {name!r}: {nearest(name, every)}{unknown}")
    return found


def at_path(path: str, root: Path) -> dict[str, Facts]:
    """Return the facts about a plug-in: a folder is a paper, and what a file has says what it is."""
    if Path(path).is_dir():
        return {"paper": paper(read_paper(folder_of(root, path)))}
    reference = plugins.reference_to(path, "plug-in")
    module = plugins.load(reference, {}, "plug-in")
    if hasattr(module, "DATASET"):
        return {"data set": described(datasets.load(reference).DATASET)}
    if hasattr(module, "SETTINGS"):
        return {"game": game(reference)}
    return {"algorithm": algorithm(reference)}


def algorithm(name: str) -> Facts:
    """Return the declarations of an algorithm, with its docstring as ``text`` and its plain twin, if it has one."""
    module = catalogue.load(name)
    shown = (
        (one.name, {"default": one.default, "meaning": one.meaning, "values": _values(one)}) for one in module.OPTIONS
    )
    return {
        "title": module.TITLE,
        "description": " ".join(sentences_of(name)),
        "reference": module.REFERENCE,
        "module": module.__name__,
        "options": dict(shown),
        "text": inspect.cleandoc(module.__doc__ or ""),
        "twin": plain.source(name),
    }


def _values(option: contract.Option) -> str:
    """Return the allowed values of an option in words."""
    if option.words:
        return ", ".join(option.words)
    limits = {"from": option.low, "to": option.high, "below": option.below}
    said = (f"{word} {limit:g}" for word, limit in limits.items() if math.isfinite(limit))
    return " ".join(("a whole number" if isinstance(option.default, int) else "a number", *said))


def game(name: str) -> Facts:
    """Return the settings of a game with their defaults, and the docstring of its module as ``text``."""
    module = games.load_module(games.script_of(name))
    return {
        "module": module.__name__,
        "settings": dict(module.SETTINGS),
        "text": inspect.cleandoc(module.__doc__ or ""),
    }


def paper(read: Paper) -> Facts:
    """Return the content of the files of a paper: experiments by their titles, headlines and claims in words."""
    return {
        "title": read.title,
        "short": read.short,
        "reference": read.reference,
        "settings": msgspec.to_builtins(read.settings),
        "original data": read.originals,
        "setup": {one.what: _stated(one) for one in read.setup},
        "decisions": read.decisions,
        "experiments": {key: f"{one.place}: {one.title}" for key, one in read.experiments.items()},
        "headlines": {key: f"{one.place}: {one.says}" for key, one in read.headlines.items()},
        "claims": {one.id: f"{one.place}: {one.says}" for one in read.claims if one.reading == PAPER},
        "divergences": {one.key: one.says for one in read.divergences},
    }


def _stated(one: Setup) -> str:
    """Return the value of a number of the paper's setup, with its place or why it is ours."""
    values = ", ".join(map(str, one.value)) if isinstance(one.value, list) else str(one.value)
    played = f"; played: {one.played}" if one.played else ""
    return f"{values} ({one.place or f'ours: {one.ours}'}{played})"


def experiment(name: str, paper: str, root: Path, overlays: list[Path]) -> Facts:
    """Return the games, algorithms, grids and seeds of an experiment, or why it is left out."""
    content = load_configuration(root, overlays)
    content |= {"name": paper.replace("_", "-"), "papers": [paper], "league": False, "readings": {}}
    plan = load_plan(content, root, cache_folder())
    for left_out in plan.omissions:
        if left_out.name == name:
            return {"title": left_out.title, "left out": left_out.reason}
    if name not in plan.targets:
        raise InputError(f"{name} is not made with this configuration: {nearest(name, plan.targets)}")
    (made,) = plan.targets[name]
    if isinstance(made, Measurement):
        return {"title": made.title, "measured by": made.module}
    return {"title": made.title, "figure": made.kind, "table": made.table, **_played(made)}


def _played(figure: Figure) -> Facts:
    """Return the games and plays of a figure, or its regressions."""
    games: dict[str, dict[str, object]] = {}
    for play in figure.plays:
        spec = play.spec
        games.setdefault(play.environment.name, {})[spec.title] = {
            "grid": "; ".join(f"{option} {', '.join(map(str, values))}" for option, values in spec.grid.items()),
            "horizon": spec.horizon,
            "seeds": format_seeds(spec.seeds),
            "tuning": spec.tuning,
            "tuning seeds": format_seeds(spec.tuning_seeds),
            "tuning rounds": spec.tuning_rounds,
            "run table": f"{play.name}.parquet",
        }
    regressions = {
        one.name: {**one.settings, "sweeps": one.sweeps, "seeds": format_seeds(one.seeds)} for one in figure.regressions
    }
    return {"games": games} if games else {"regressions": regressions}
