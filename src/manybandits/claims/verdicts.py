"""Judge the claims about one figure, and gather the verdicts of a run.

    python -m manybandits.claims judge --paper workflow/papers/m_cnb --experiment fig2 --protocol paper \\
        --scale '{"kind": "plays", "games": {"m-cnb-paper-facebook-ego": {"horizon": 10000, "seeds": 10}}}' \\
        --tables artifacts/paper/runs/m_cnb/*/*.parquet --out reports/paper/verdicts/m_cnb_fig2.csv
    python -m manybandits.claims gather --papers workflow/papers/* --verdicts reports/paper/verdicts/*.csv \\
        --out reports/paper/verdicts.csv

A figure is judged on its own tables alone, so that other tables do not change its verdicts. A claim without a verdict,
because its experiment was left out, is not testable here.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from msgspec.structs import replace

from manybandits.base.artifacts import Provenance
from manybandits.base.configuration import read_reasons
from manybandits.base.exceptions import pick
from manybandits.base.table_files import save_csv
from manybandits.base.typed import typed_json
from manybandits.claims.evidence import Evidence, Plays, Regressions, Rows
from manybandits.claims.judge import Judgement, judge_all
from manybandits.papers.claim import PAPER, Claim
from manybandits.papers.files import read_paper
from manybandits.papers.scale import Scale
from manybandits.results.error_table import load_errors
from manybandits.results.runs import load_run
from manybandits.results.verdict_table import (
    COLUMNS,
    JUDGED,
    NOT_RUN,
    REPRODUCED,
    UNTESTABLE,
    count,
    counted,
    read_verdicts,
)


def load_evidence(scale: Scale, tables: Sequence[Path]) -> Evidence:
    """Read the tables of one experiment as the evidence for its claims. scale: as the paper states it."""
    if scale.kind == "rows":
        return Rows(tables[0])
    if scale.kind == "errors":
        return Regressions(load_errors(tables), scale)
    return Plays([load_run(path) for path in tables], scale)


def verdicts(claims: Sequence[Claim], figure: str, evidence: Evidence) -> pd.DataFrame:
    """Return the verdicts on the claims about one figure, one row per claim and reading, in the order given."""
    judged = judge_all(claims, evidence)
    rows = []
    for claim, judgement in zip(claims, judged, strict=True):
        part = evidence.narrowed([claim.selection, *claim.rivals])
        rows.append(_row(claim, figure, judgement, part.data, "; ".join(part.limits)))
    return pd.DataFrame(rows, columns=JUDGED)


def judge_figure(folder: Path, experiment: str, protocol: str, scale: Scale, tables: Sequence[Path]) -> pd.DataFrame:
    """Return the verdicts about one experiment under one protocol.

    folder: of the paper; scale: of the experiment, as the paper states it.
    """
    paper = read_paper(folder)
    pick(experiment, paper.experiments, f"experiment ({folder})")
    claims = [claim for claim in paper.claims if claim.experiment == experiment]
    figure = f"{paper.name}_{experiment}"
    if protocol != PAPER:
        # The other readings of a claim are readings of the text, not of the code.
        claims = [replace(claim, reading=protocol) for claim in claims if claim.reading == PAPER]
        figure += f"_{protocol}"
    return verdicts(claims, figure, load_evidence(scale, tables))


def gather(papers: Sequence[Path], files: Sequence[Path], omitted: Mapping[str, str]) -> pd.DataFrame:
    """Return all verdicts of a run, in the order of the papers, each claim followed by its other readings.

    The column ``because`` is added here from the paper files: it changes no verdict, so that an edit of it does not
    judge a figure again. omitted: name of an experiment that was left out, paper_experiment -> the reason.
    """
    known = pd.DataFrame([row for file in files for row in read_verdicts(file, JUDGED)])
    rows: list[Any] = []
    for path in papers:
        claims = read_paper(path).claims
        because = {(claim.id, claim.reading): claim.because for claim in claims}
        for claim in claims:
            if claim.reading != PAPER:
                continue
            found = known[known["claim"] == claim.id] if len(known) else known
            if len(found):  # the counted reading first
                found = found.sort_values("reading", key=lambda names: names != PAPER, kind="stable")
            if not len(found) or PAPER not in set(found["reading"]):
                name = f"{claim.paper}_{claim.experiment}"
                reason = claim.untestable or omitted.get(name) or NOT_RUN
                rows.append(_row(claim, "", Judgement(UNTESTABLE, reason=reason), "", "") | {"because": ""})
            for row in found.to_dict("records"):
                wanting = row["verdict"] not in (REPRODUCED, UNTESTABLE)
                rows.append(row | {"because": because.get((row["claim"], row["reading"]), "") if wanting else ""})
    return pd.DataFrame(rows, columns=COLUMNS)


def _row(claim: Claim, figure: str, judgement: Judgement, data: str, limits: str) -> dict[str, object]:
    numbers = {name: getattr(judgement, name) for name in ("measured", "low", "high", "published", "p")}
    return {
        **{name: getattr(claim, name) for name in ("paper", "experiment", "place", "says", "kind", "reading")},
        "claim": claim.id,
        "figure": figure,
        "verdict": judgement.verdict,
        "quantity": judgement.quantity,
        **{name: "" if pd.isna(value) else f"{value:.6g}" for name, value in numbers.items()},
        "n": judgement.n or "",
        "data": data if judgement.quantity else "",
        "limits": limits if judgement.quantity else "",
        "reason": judgement.reason,
    }


def main(argv: list[str] | None = None) -> None:
    """Judge the claims about a figure, or gather verdicts."""
    parser = argparse.ArgumentParser(prog="python -m manybandits.claims", description="Judge claims on runs.")
    commands = parser.add_subparsers(dest="command", required=True)
    judging = commands.add_parser("judge", help="judge the claims about one figure")
    judging.add_argument("--paper", type=Path, required=True, help="the folder of the paper")
    judging.add_argument("--experiment", required=True, help="a key of its experiments")
    judging.add_argument("--protocol", default=PAPER, help="paper (default) or released")
    judging.add_argument("--scale", required=True, help="its scale in the paper, as JSON (see the plan)")
    judging.add_argument(
        "--tables", type=Path, nargs="+", required=True, help="the tables of results of the experiment"
    )
    gathering = commands.add_parser("gather", help="gather all verdicts of a run")
    gathering.add_argument("--papers", type=Path, nargs="+", required=True, help="folders of papers")
    gathering.add_argument("--verdicts", type=Path, nargs="*", default=[], help="verdicts about figures")
    gathering.add_argument("--omitted", nargs="*", default=[], metavar="NAME=REASON", help="experiments left out")
    for command in (judging, gathering):
        command.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args(argv)
    if given.command == "judge":
        provenance = Provenance({"experiment": given.experiment, "protocol": given.protocol}, tuple(given.tables))
        scale = typed_json(Scale, given.scale, "--scale")
        table = judge_figure(given.paper, given.experiment, given.protocol, scale, given.tables)
    else:
        omitted = read_reasons(given.omitted)
        provenance = Provenance({"papers": [path.name for path in given.papers]}, tuple(given.verdicts))
        table = gather(given.papers, given.verdicts, omitted)
    save_csv(given.out, table)
    provenance.save(given.out, {"verdicts": count(counted(table.to_dict("records")))})
