"""The curve of a headline: its readings, planned from a configuration and judged on their plays.

    python -m manybandits.planning.curves --config '{...}' --headline m_cnb.recommendation \\
        --batches artifacts/readings/batches/*/m_cnb.zip --played reports/readings \\
        --out reports/readings/readings/m_cnb_recommendation.csv

The readings are planned again from the configuration, since the tables of 64 readings do not fit on a command line.
Their run tables are those in the files ``--batches``; tables of errors are in the folder ``--played``.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import zipfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pandas as pd

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.plugins import is_path
from manybandits.base.project import find_root
from manybandits.base.table_files import save_csv
from manybandits.claims.evidence import Evidence
from manybandits.claims.plays import Plays
from manybandits.claims.readings import Judged, judge_readings
from manybandits.claims.regressions import Regressions
from manybandits.papers.files import Paper, folder_of, names, read_paper
from manybandits.papers.openings import touching
from manybandits.planning.configuration import Configuration, checked
from manybandits.planning.figures import Figure
from manybandits.planning.readings import curve_of, readings_of, scope_of
from manybandits.results.error_table import load_errors
from manybandits.results.runs import Run, load_run


def judged_readings(paper: Paper, headline: str, config: Configuration, runs: Path, errors: Path) -> pd.DataFrame:
    """Return the table of the readings of a headline.

    runs, errors: the folders whose subfolders ``runs`` and ``regressions`` have their run tables and tables of errors.
    """

    @cache
    def run_of(name: str) -> Run:
        return load_run(runs / "runs" / f"{name}.parquet")

    def evidence(figure: Figure) -> Evidence:
        if figure.regressions:
            return Regressions(load_errors([errors / one.file for one in figure.regressions]), figure.scale)
        return Plays([run_of(play.name) for play in figure.plays], figure.scale)

    given = [
        Judged(one.answers, one.claims, {key: evidence(figure) for key, figure in one.figures.items()})
        for one in readings_of(paper, headline, config, scope_of(paper, headline, config))
    ]
    return judge_readings(paper.headlines[headline], touching(paper.openings, headline), given)


def paper_and_headline(text: str, root: Path, papers: Sequence[str] = ()) -> tuple[Paper, str]:
    """Return the paper and the key of ``paper.headline``; raise InputError naming what does not exist.

    papers: those of a configuration, of which some may be paths, such as ``./my_paper``.
    """
    paper, _, headline = text.partition(".")
    if not headline:
        raise InputError(f"--headline is {text!r}; write paper.headline, such as m_cnb.recommendation.")
    places = {Path(place).name: place for place in papers if is_path(place)}
    return read_paper(folder_of(root, places.get(paper, paper))), headline


def main(argv: list[str] | None = None) -> None:
    """Judge the readings of a headline."""
    parser = argparse.ArgumentParser(description="Judge the readings of a headline.")
    parser.add_argument("--config", required=True, help="the whole configuration, as JSON")
    parser.add_argument("--headline", required=True, help="paper.headline")
    parser.add_argument("--batches", type=Path, nargs="*", default=[], help="files of run tables of its plays")
    parser.add_argument("--played", type=Path, required=True, help="the folder with tables of errors")
    parser.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    args = parser.parse_args(argv)
    root = find_root()
    config = checked(json.loads(args.config), names(root))
    paper, headline = paper_and_headline(args.headline, root, config.papers)
    config = config.for_paper(paper.name)
    tables = [args.played / one.file for one in curve_of(paper, headline, config).regressions]
    asked = paper.wording(headline)
    provenance = Provenance({"headline": args.headline, "asked": asked}, (*args.batches, *tables))
    with tempfile.TemporaryDirectory() as folder:
        for batch in args.batches:
            with zipfile.ZipFile(batch) as tables_of_batch:
                tables_of_batch.extractall(folder)
        table = judged_readings(paper, headline, config, Path(folder), args.played)
    save_csv(args.out, table)
    provenance.save(args.out)


if __name__ == "__main__":
    run_script(main)
