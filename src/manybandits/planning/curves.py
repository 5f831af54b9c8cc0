"""The curve of a headline: its readings are played, judged, and said in words.

    python -m manybandits.planning.curves --config '{...}' --headline m_cnb.recommendation --work artifacts/readings \\
        --out reports/readings/readings/m_cnb_recommendation.csv

The readings are planned again from the configuration, since the tables of 64 readings do not fit on a command line.
"""

from __future__ import annotations

import argparse
import json
from functools import cache
from pathlib import Path

import pandas as pd
from msgspec import Struct

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.table_files import save_csv
from manybandits.claims.evidence import Evidence
from manybandits.claims.explained import explained
from manybandits.claims.plays import Plays
from manybandits.claims.readings import Judged, in_words, judge_readings
from manybandits.papers.files import Paper, folder_of, names, read_paper
from manybandits.papers.openings import touching
from manybandits.planning.configuration import Configuration, checked
from manybandits.planning.figures import Figure
from manybandits.planning.jobs import Play
from manybandits.planning.readings import readings_of
from manybandits.results.readings_table import questions_of
from manybandits.results.runs import Run, load_run


class Curve(Struct, frozen=True, kw_only=True):
    """The plays of all readings of a headline, each once."""

    paper: str
    headline: str
    title: str
    plays: tuple[Play, ...]

    @property
    def name(self) -> str:
        """Its target: ``readings_m_cnb_recommendation``."""
        return f"readings_{self.paper}_{self.headline}"


def curve_of(paper: Paper, headline: str, config: Configuration) -> Curve:
    """Return the plays of all readings of a headline."""
    figures = [figure for reading in readings_of(paper, headline, config) for figure in reading.figures.values()]
    plays = {play.name: play for figure in figures for play in figure.plays}
    title = f"{paper.short}: {paper.headlines[headline].says}"
    return Curve(paper=paper.name, headline=headline, title=title, plays=tuple(plays.values()))


def judged_readings(paper: Paper, headline: str, config: Configuration, work: Path) -> pd.DataFrame:
    """Return the table of the readings of a headline. work: the folder of the run, with all tables of its plays."""

    @cache
    def run_of(name: str) -> Run:
        return load_run(work / "runs" / f"{name}.parquet")

    def evidence(figure: Figure) -> Evidence:
        return Plays([run_of(play.name) for play in figure.plays], figure.scale)

    given = [
        Judged(one.answers, one.claims, {key: evidence(figure) for key, figure in one.figures.items()})
        for one in readings_of(paper, headline, config)
    ]
    return judge_readings(paper.headlines[headline], touching(paper.openings, headline), given)


def explained_by_choices(table: pd.DataFrame) -> pd.DataFrame:
    """Return how much each choice explains of the effect, over the readings that have one."""
    known = table[pd.to_numeric(table["effect"]).notna()]
    return explained(pd.to_numeric(known["effect"]).to_numpy(), known[questions_of(known)])


def paper_and_headline(text: str, root: Path) -> tuple[Paper, str]:
    """Return the paper and the key of ``paper.headline``; raise InputError naming what does not exist."""
    paper, _, headline = text.partition(".")
    if not headline:
        raise InputError(f"--headline is {text!r}; write paper.headline, such as m_cnb.recommendation.")
    return read_paper(folder_of(root, paper)), headline


def main(argv: list[str] | None = None) -> None:
    """Judge the readings of a headline."""
    parser = argparse.ArgumentParser(description="Judge the readings of a headline.")
    parser.add_argument("--config", required=True, help="the whole configuration, as JSON")
    parser.add_argument("--headline", required=True, help="paper.headline")
    parser.add_argument("--work", type=Path, required=True, help="the folder of the run tables")
    parser.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args(argv)
    root = Path.cwd()
    paper, headline = paper_and_headline(given.headline, root)
    config = checked(json.loads(given.config), names(root)).for_paper(paper.name)
    tables = [given.work / "runs" / f"{play.name}.parquet" for play in curve_of(paper, headline, config).plays]
    table = judged_readings(paper, headline, config, given.work)
    choices = explained_by_choices(table)
    provenance = Provenance({"headline": given.headline}, tuple(tables))
    save_csv(given.out, table)
    save_csv(given.out.with_suffix(".choices.csv"), choices)
    provenance.save(given.out, {"words": in_words(table, choices)})


if __name__ == "__main__":
    run_script(main)
