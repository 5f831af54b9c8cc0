"""A kind of figure as a record, and the one script that makes a figure of any kind: SVG, CSV, and its words.

The module of a kind holds its record as `KIND`, whose `main` is its script.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import pick
from manybandits.base.table_files import DECIMALS, save_csv, with_ending
from manybandits.figures import drawing
from manybandits.figures.canvas import Words, save_figure
from manybandits.figures.caption import caption, reading_help, subtitle
from manybandits.figures.message import load_measured, message
from manybandits.figures.outcomes import short_names
from manybandits.figures.published import Published, marks_words, published
from manybandits.papers.claim import Claim
from manybandits.results.runs import Run, load_runs
from manybandits.results.summaries import BANDS, flat
from manybandits.results.tuned import edges, effort, tuned_options

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from manybandits.figures.drawing import FigureOf, PanelsOf

Options = Mapping[str, Mapping[str, Any]]
"""The options of a script: name -> how argparse reads it. Paths are what is drawn, all others are settings.

among: the words of which the option has to be one; where it is none of them, the nearest one is named.
"""
Settings = Mapping[str, Any]
"""The options that were given: name -> value."""
Games = Sequence[Sequence[Run]]
"""Runs by game."""
NONE: Options = MappingProxyType({})
SHARED: Options = {
    "title": {"required": True, "help": "what is drawn: the paper, the place and the experiment"},
    "out": {"type": Path, "required": True, "help": "stem of the files to write"},
    "png": {"action": "store_true", "help": "write a PNG, too"},
}
"""The options of every kind; those that follow are of several kinds."""
RUNS = {"type": Path, "nargs": "+", "required": True, "help": "run tables"}
VERDICTS = {"type": Path, "help": "verdicts on the claims about the figure, which title it"}
BAND = {"default": "std", "among": BANDS}
UNSEEN = ("seconds", "size")
"""The measures whose claims do not title a figure of regrets or rewards."""


class Picture(NamedTuple):
    """A picture, and what is written beside it. drawn: its CSV; facts: caption, seen, data, stand_in and more."""

    stem: Path
    figure: Figure
    drawn: pd.DataFrame
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class Kind:
    """A kind of figure.

    description: what its script does. pictures: draws what the arguments of the script ask for. options: of the script,
    besides `SHARED`. panels_of: makes the panels of the CSV, given settings and facts, so that the site can draw the
    figure as a chart; None for a kind that has no chart.
    """

    description: str
    pictures: Callable[[argparse.Namespace], Iterable[Picture]]
    options: Options
    panels_of: PanelsOf | None = None

    def main(self, argv: list[str] | None = None) -> None:
        """Make the figure that `argv` describes, with the CSV of what is drawn, and its facts."""
        parser, options = argparse.ArgumentParser(description=self.description), {**SHARED, **self.options}
        for name, how in options.items():
            told = ": ".join(filter(None, [how.get("help", ""), ", ".join(how.get("among", ()))]))
            parser.add_argument(f"--{name}", **{key: how[key] for key in how if key != "among"} | {"help": told})
        args = parser.parse_args(argv)
        self.check(vars(args))
        files = {name for name, how in options.items() if how.get("type") is Path}
        settings = {name: value for name, value in vars(args).items() if name not in (*files, "png")}
        given = [getattr(args, name) for name in options if name in files - {"out"}]
        inputs = [path for one in given if one for path in (one if isinstance(one, list) else [one])]
        provenance = Provenance(settings, tuple(inputs))
        for one in self.pictures(args):
            save_figure(one.figure, one.stem, args.png)
            save_drawn(one.stem, one.drawn, provenance, one.facts)

    def check(self, settings: Settings) -> None:
        """Raise InputError naming the nearest word where an option is none of those that it may be."""
        for name, how in self.options.items():
            if "among" in how and settings[name] != how.get("default"):
                pick(settings[name], how["among"], how.get("metavar", name))


def of_runs(
    description: str,
    panels_of: PanelsOf,
    summarise: Callable[[Games, Settings], pd.DataFrame],
    *,
    size: tuple[float, float] = (7.0, 3.7),
    columns: int = 2,
    figure_of: FigureOf | None = None,
    options: Options = NONE,
    seen: Callable[[Games, Settings], str] = lambda *_: "",
    measure: Callable[[Settings], str] = lambda _: "",
    note: Callable[[Settings], str] = lambda _: "",
    told: Callable[[Games, Settings], str] = lambda *_: "",
    why: Callable[[Sequence[Run], Settings], str] = lambda *_: "",
    more: Callable[[Games, Settings], dict[str, Any]] = lambda *_: {},
    tuned: bool = True,
) -> Kind:
    """Return a kind of figure that is drawn from run tables.

    summarise: returns what is drawn of the runs. size, columns: see `drawing.tiled`; figure_of: draws it, given words,
    settings and facts, if its panels are not of one size. seen: says what runs show, for a figure without a
    judged claim. measure: whose published numbers are in the figure, if any are. note, told: are added to the caption,
    before and after what is said of these numbers. why: what is written into the panel of a game. more: further facts.
    tuned: see `reading_help`. The option ``x``, if there is one, is what is swept.
    """

    def pictures(args: argparse.Namespace) -> list[Picture]:
        settings, games, verdicts = vars(args), load_runs(args.runs), load_measured(args.verdicts)
        measures = [one] if (one := measure(settings)) else []
        marks = published(verdicts, games, measures)
        about = [one for one in verdicts if _is_seen(one.claim, measures, settings.get("x", ""))]
        title = message(about, place_of(args.title), short_names(games)) or seen(games, settings)
        said = note(settings), marks_words(marks), told(games, settings)
        words = Words(
            title or args.title,
            subtitle(args.title if title else "", games, args.band),
            reading_help(games, *said, tuned=tuned),
        )
        drawn = summarise(games, settings)
        facts = {
            "caption": caption(games, args.band, *said),
            "seen": title,
            **facts_of(games, marks),
            "notes": {runs[0].environment["name"]: text for runs in games if (text := why(runs, settings))},
            **more(games, settings),
        }
        if figure_of:
            figure = figure_of(drawn, words, settings, facts)
        else:
            figure = drawing.tiled(panels_of(drawn, settings, facts), words, *size, columns)
        return [Picture(args.out, figure, drawn, facts)]

    return Kind(description, pictures, {"runs": RUNS, "verdicts": VERDICTS, "band": BAND, **options}, panels_of)


def words_of(title: str, facts: Mapping[str, Any]) -> Words:
    """Return the words around a figure of which the facts say all: what is seen is its title, if that is known."""
    return Words(facts["seen"] or title, title if facts["seen"] else "", facts["caption"])


def facts_of(panels: Sequence[Sequence[Run]], marks: Sequence[Published] = ()) -> dict[str, Any]:
    """Return the facts about runs that their panels are made of. marks: published numbers."""
    runs = flat(panels)
    environments = [run.environment for run in runs]
    return {
        "data": list(dict.fromkeys(environment["data_note"] for environment in environments)),
        "stand_in": any(environment["stand_in"] for environment in environments),
        "games": {environment["name"]: environment for environment in environments},
        "runs": [played(run) for run in runs],
        "published": [asdict(mark) for mark in marks],
    }


def _is_seen(claim: Claim, measures: Collection[str], axis: str) -> bool:
    """Return whether what is claimed is drawn: no seconds beside regrets, no slope on another axis."""
    if claim.kind == "slope":
        return bool(axis) and claim.against == axis
    return not measures or claim.selection.measure in measures or claim.selection.measure not in UNSEEN


def place_of(title: str) -> str:
    """Return the paper and the place in the title of an experiment.

    >>> place_of("M-CNB, Figure 2: regret on four recommendation data sets")
    'M-CNB, Figure 2'
    """
    return title.partition(": ")[0]


def played(run: Run) -> dict[str, Any]:
    """Return the facts about a run that are recorded with a figure."""
    return {
        "game": run.environment["name"],
        "algorithm": run.title,
        "rounds": int(run.rounds[-1]),
        "seeds": len(run.seeds),
        "lost": run.lost,
        "varied": list(run.varied),
        "chosen": run.facts["chosen"],
        "tuned": tuned_options(run),
        "edges": edges(run),
        "tuning": effort(run)._asdict(),
        "sources": run.facts.get("sources", ""),
    }


def save_drawn(stem: Path, drawn: pd.DataFrame, provenance: Provenance, facts: Mapping[str, Any]) -> None:
    """Write the CSV of what was drawn. facts: the words, the data, and whether they replace those of the paper."""
    path = with_ending(stem, ".csv")
    save_csv(path, drawn, DECIMALS)
    provenance.save(path, facts)
