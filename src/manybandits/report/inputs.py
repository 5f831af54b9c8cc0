"""The inputs of a site: figures, tables and papers, read from the files that the pipeline wrote.

Nothing is computed or drawn here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manybandits.base.artifacts import load_provenance
from manybandits.base.exceptions import InputError, pick
from manybandits.base.table_files import Row, read_rows, with_ending
from manybandits.papers import files


@dataclass(frozen=True)
class FigureOrTable:
    """A figure or a table of the report. stem: its path without the ending of its CSV and of its other forms."""

    stem: Path
    made: Mapping[str, Any]  # its provenance
    rows: Sequence[Row]

    @property
    def name(self) -> str:
        return self.stem.name

    @property
    def title(self) -> str:
        return str(self.made["settings"]["title"])

    @property
    def record(self) -> Path:
        """The file of its provenance."""
        return with_ending(self.stem, ".csv.json")

    @property
    def stand_in(self) -> bool:
        """Whether it was made on data that stand in for those of the paper."""
        return bool(self.made.get("facts", {}).get("stand_in"))


class Table(FigureOrTable):
    """A table of the report."""

    @property
    def note(self) -> str:
        return str(self.made["facts"].get("note", ""))

    @property
    def columns(self) -> list[str]:
        """The columns with different values in its rows; of a single row, those that are not empty."""
        names = self.rows[0] if self.rows else ()
        return [name for name in names if name not in self.constant and any(row[name] for row in self.rows)]

    @property
    def constant(self) -> Row:
        """The columns with one value in all of its rows, and that value; none of a single row."""
        first = self.rows[0] if len(self.rows) > 1 else {}
        return {name: value for name, value in first.items() if value and all(row[name] == value for row in self.rows)}

    def forms(self) -> list[Path]:
        """Return the files that a reader can download."""
        return [path for ending in (".csv", ".md", ".tex") if (path := with_ending(self.stem, ending)).is_file()]


@dataclass(frozen=True)
class ReportedFigure(FigureOrTable):
    """A figure of the report. kind: the module of `manybandits.figures` that drew it."""

    kind: str

    @property
    def caption(self) -> str:
        return str(self.made["facts"]["caption"])

    @property
    def seen(self) -> str:
        """What is seen in it, in a sentence; "" where its title says no more than what was drawn."""
        return str(self.made["facts"].get("seen", ""))

    @property
    def alt(self) -> str:
        """What a reader who does not see the picture is told: what is seen in it, and what was drawn."""
        return f"{self.seen} ({self.title})" if self.seen else self.title

    @property
    def data(self) -> list[str]:
        return list(self.made["facts"]["data"])

    @property
    def games(self) -> dict[str, dict[str, Any]]:
        """The games that were played, by name; empty where nothing is played."""
        return dict(self.made["facts"].get("games", {}))

    @property
    def runs(self) -> list[dict[str, Any]]:
        """The runs that it was drawn from."""
        return list(self.made["facts"].get("runs", []))

    def forms(self) -> list[Path]:
        """Return the files that a reader can download."""
        return [with_ending(self.stem, ending) for ending in (".svg", ".csv")]


@dataclass(frozen=True)
class ReportedExperiment:
    """An experiment of a paper: its figures and tables, or why it was left out."""

    key: str
    place: str
    title: str
    figures: Sequence[ReportedFigure]
    tables: Sequence[Table]
    omitted: str = ""

    @property
    def made(self) -> bool:
        return bool(self.figures or self.tables)


@dataclass(frozen=True)
class ReportedPaper:
    """A paper: the content of its files, and the experiments that a run made."""

    key: str
    content: files.Paper
    experiments: Sequence[ReportedExperiment]

    @property
    def short(self) -> str:
        return self.content.short

    @property
    def figures(self) -> list[ReportedFigure]:
        return [figure for experiment in self.experiments for figure in experiment.figures]

    @property
    def tables(self) -> list[Table]:
        return [table for experiment in self.experiments for table in experiment.tables]


def read_table(stem: Path) -> Table:
    """Read a table, given as a stem."""
    path = with_ending(stem, ".csv")
    return Table(stem, _made(path, "settings", "title"), read_rows(path))


def read_figure(stem: Path, kind: str) -> ReportedFigure:
    """Read a figure, given as a stem; raise InputError naming what is missing of it."""
    if not with_ending(stem, ".svg").is_file():
        raise InputError(f"{with_ending(stem, '.svg')} does not exist: draw the figure again.")
    path = with_ending(stem, ".csv")
    return ReportedFigure(stem, _made(path, "facts", "caption", "data", "stand_in"), read_rows(path), kind)


def _made(path: Path, part: str, *keys: str) -> dict[str, Any]:
    """Return the provenance of a file; raise InputError where a part of it lacks one of the keys."""
    made = load_provenance(path)
    for key in keys:
        if key not in made.get(part, {}):
            raise InputError(f"{path}.json has no {part}.{key}: run the step that makes {path.name} again.")
    return made


def read_papers(
    folders: Sequence[Path], figures: Sequence[Path], tables: Sequence[Path], omitted: Mapping[str, str]
) -> list[ReportedPaper]:
    """Return the papers with the figures and tables that were made for them; a name is paper_experiment.

    folders: of the papers. figures, tables: stems. omitted: for each experiment left out, paper_experiment, the reason.
    Raises InputError naming a figure, table or omission that belongs to no experiment.
    """
    contents = {folder.name: files.read_paper(folder) for folder in folders}
    known = [f"{paper}_{key}" for paper, content in contents.items() for key in content.experiments]
    for name in (*(stem.name for stem in (*figures, *tables)), *omitted):
        pick(name, known, "experiment of the papers given")
    made = []
    for paper, content in contents.items():
        experiments = [
            ReportedExperiment(
                key,
                one.place,
                one.title,
                [read_figure(stem, one.drawing.kind) for stem in figures if stem.name == f"{paper}_{key}"],
                [read_table(stem) for stem in tables if stem.name == f"{paper}_{key}"],
                omitted.get(f"{paper}_{key}", ""),
            )
            for key, one in content.experiments.items()
        ]
        made.append(ReportedPaper(paper, content, experiments))
    return made


def data_of(figures: Sequence[ReportedFigure]) -> dict[tuple[str, str], dict[str, str]]:
    """Return the data sets that games were made of: (role, name) -> name, title and completeness."""
    games = [game for figure in figures for game in figure.games.values()]
    return {(game.get("role", ""), game["dataset"]["name"]): dict(game["dataset"]) for game in games}


def packages_of(made: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return all versions of packages that some artifacts were made with, Python's included."""
    versions: dict[str, set[str]] = {}
    for one in made:
        for name, version in {"python": one["made_on"]["python"], **one["made_on"]["packages"]}.items():
            versions.setdefault(name, set()).add(version)
    return {name: sorted(found) for name, found in versions.items()}
