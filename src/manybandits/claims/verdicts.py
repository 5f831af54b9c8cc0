"""Judge the claims about one figure, and gather the verdicts of a run.

    python -m manybandits.claims judge --paper workflow/papers/m_cnb --experiment fig2 --protocol paper \\
        --scale '{"kind": "plays", "games": {"m-cnb-paper-facebook-ego": {"horizon": 10000, "seeds": 10}}}' \\
        --tables artifacts/paper/runs/m_cnb/*/*.parquet --out reports/paper/verdicts/m_cnb_fig2.csv
    python -m manybandits.claims gather --papers workflow/papers/* --verdicts reports/paper/verdicts/*.csv \\
        --tables reports/paper/tables --headlines reports/paper/headlines.csv --out reports/paper/verdicts.csv

A figure is judged on its own tables alone, so that other tables do not change its verdicts. A claim without a verdict,
because its experiment was left out, is not testable here.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from msgspec.structs import replace

from manybandits.base.artifacts import Provenance
from manybandits.base.configuration import read_reasons
from manybandits.base.exceptions import pick
from manybandits.base.table_files import Row, save_csv
from manybandits.base.typed import typed_json
from manybandits.claims.evidence import Evidence
from manybandits.claims.headlines import Combined, judge_headlines
from manybandits.claims.judge import Judgement, judge
from manybandits.claims.plays import Plays
from manybandits.claims.reasons import sentence
from manybandits.claims.regressions import Regressions
from manybandits.claims.rows import Rows
from manybandits.papers.claim import PAPER, Claim, Headline, without_reasons
from manybandits.papers.files import CLAIMS, Paper, read_paper
from manybandits.papers.scale import Scale
from manybandits.results.error_table import load_errors
from manybandits.results.run_table import describe
from manybandits.results.runs import load_run
from manybandits.results.verdict_table import (
    COLUMNS,
    CONTRADICTED,
    HEADLINE_COLUMNS,
    JUDGED,
    NEAR,
    NOT,
    NOT_RUN,
    NUMBERS,
    OUTSIDE,
    UNDECIDED,
    UNTESTABLE,
    count,
    counted,
    read_verdicts,
)

WANTING = (NEAR, UNDECIDED, CONTRADICTED, NOT)
"""The verdicts for which a reason is shown."""
OF_DECISIVE = ("figure", "quantity", "comparisons", "bound", *NUMBERS, "flags", "because", "rests_on")
"""What a headline takes from the claim that decides it."""


def load_evidence(scale: Scale, tables: Sequence[Path]) -> Evidence:
    """Read the tables of one experiment as the evidence for its claims. scale: as the paper states it."""
    if scale.kind == "rows":
        return Rows(tables[0], scale)
    if scale.kind == "errors":
        return Regressions(load_errors(tables), scale)
    return Plays([load_run(path) for path in tables], scale)


def claims_about(paper: Paper, experiment: str) -> list[Claim]:
    """Return the claims about an experiment of a paper; raise InputError if the paper has no such experiment."""
    pick(experiment, paper.experiments, f"experiment ({paper.folder})")
    return [claim for claim in paper.claims if claim.experiment == experiment]


def judge_figure(paper: Paper, experiment: str, protocol: str, scale: Scale, tables: Sequence[Path]) -> pd.DataFrame:
    """Return the verdicts about one experiment under one protocol, one row per claim and reading, in their order.

    scale: of the experiment, as the paper states it.
    """
    claims = claims_about(paper, experiment)
    figure = f"{paper.name}_{experiment}"
    if protocol != PAPER:
        # The other readings of a claim are readings of the text, not of the code.
        claims = [replace(claim, reading=protocol) for claim in claims if claim.reading == PAPER]
        figure += f"_{protocol}"
    evidence = load_evidence(scale, tables)
    return pd.DataFrame([row_of(claim, figure, judge(claim, evidence)) for claim in claims], columns=JUDGED)


def gather(papers: Sequence[Paper], files: Sequence[Path], omitted: Mapping[str, str], tables: Path) -> list[Row]:
    """Return all verdicts of a run, in the order of the papers, each claim followed by its other readings.

    The columns ``because`` and ``rests_on`` are added here from the paper files: they change no verdict, so that an
    edit of them does not judge a figure again. omitted: name of an experiment that was left out, paper_experiment ->
    the reason; tables: the folder of the run's tables, from which reasons read their numbers.
    """
    judged: dict[str, dict[str, Row]] = {}
    for row in (row for file in files for row in read_verdicts(file, JUDGED)):
        judged.setdefault(row["claim"], {})[row["reading"]] = row
    rows = []
    for paper in papers:
        because = {(claim.id, claim.reading): claim.because for claim in paper.claims}
        reasons: dict[str, Row] = {}  # those needed so far: many claims share one, and each reads tables
        for claim in (claim for claim in paper.claims if claim.reading == PAPER):
            found = judged.get(claim.id, {})
            if PAPER not in found:
                reason = claim.untestable or omitted.get(f"{claim.paper}_{claim.experiment}") or NOT_RUN
                unjudged = Judgement(OUTSIDE if claim.outside else UNTESTABLE, reason=claim.outside or reason)
                found = {PAPER: row_of(claim, "", unjudged), **found}
            for reading in sorted(found, key=lambda name: name != PAPER):  # the counted reading first
                key = because.get((claim.id, reading), "") if found[reading]["verdict"] in WANTING else ""
                if key not in reasons:
                    reasons[key] = _reason(paper, key, tables)
                rows.append(found[reading] | reasons[key])
    return rows


def _reason(paper: Paper, key: str, tables: Path) -> Row:
    """Return the columns of a reason; empty ones if there is none."""
    if not key:
        return {"because": "", "rests_on": ""}
    reason = paper.reasons[key]
    said = sentence(reason, tables, f"{paper.folder}/{CLAIMS}, reason {key}")
    return {"because": said, "rests_on": reason.target}


def gather_headlines(papers: Sequence[Paper], verdicts: Sequence[Row]) -> list[Row]:
    """Return the verdicts on the headlines of papers, one row each. verdicts: those on all claims."""
    judged = {row["claim"]: row for row in verdicts if row["reading"] == PAPER}
    rows = []
    for paper in papers:
        where = f"{paper.folder}/{CLAIMS}, headlines"
        members = {key: one.members(paper.claims, where) for key, one in paper.headlines.items()}
        found = judge_headlines(
            {key: (one, [judged[name] for name in members[key]]) for key, one in paper.headlines.items()}
        )
        for key, headline in paper.headlines.items():
            rows.append(_headline_row(paper.name, key, headline, members[key], found[key]))
    return rows


def _headline_row(paper: str, key: str, headline: Headline, members: Sequence[str], found: Combined) -> Row:
    """Return a row of the table of headlines. The decisive claim's own numbers are shown, with the corrected p."""
    return {
        **{name: found.decisive[name] for name in OF_DECISIVE},
        **{"headline": f"{paper}.{key}", "paper": paper, "place": headline.place, "says": headline.says},
        "verdict": found.verdict,
        "p": "" if np.isnan(found.p) else f"{found.p:.6g}",
        "decided_by": found.decisive["claim"],
        "claims": " ".join(members),
        "holds_in": str(headline.holds_in),
        "limits": "; ".join(found.limits),
        "reason": found.reason,
    }


def row_of(claim: Claim, figure: str, judged: Judgement) -> Row:
    """Return a judgement as a row of the table of verdicts. figure: the stem of the claim's figure and table."""
    finding = judged.finding
    numbers = {name: getattr(finding, name, np.nan) for name in ("measured", "low", "high", "published", "p")}
    return {
        **{
            name: getattr(claim, name) for name in ("paper", "experiment", "place", "says", "kind", "reading", "stands")
        },
        "claim": claim.id,
        "figure": figure,
        "verdict": judged.verdict,
        "quantity": finding.quantity if finding else "",
        "of": claim.selection.of,
        "rival": finding.rival if finding else "",
        "compared": str(len(claim.rivals) or ""),
        "comparisons": str(finding.comparisons or "") if finding else "",
        "game": finding.game if finding else "",
        "measure": claim.selection.measure,
        "at": str(claim.selection.at or ""),
        "point": _point(claim),
        "against": claim.against,
        "bound": claim.bound,
        **{name: "" if pd.isna(value) else f"{value:.6g}" for name, value in numbers.items()},
        "n": str(finding.n) if finding and finding.n else "",
        "data": judged.data,
        "limits": "; ".join(judged.limits),
        "flags": "; ".join(judged.flags),
        "reason": judged.reason,
    }


def _point(claim: Claim) -> str:
    """Return the grid point that a claim is about, as run tables name it; "" for the one that tuning chose."""
    given = claim.selection.options
    return "" if any(isinstance(value, list) for value in given.values()) else describe(given)


def claims_digest(papers: Sequence[Paper]) -> str:
    """Return a digest of all claims of papers, with headlines and reasons; the provenance of verdicts has it."""
    return _digest(repr([[paper.claims, paper.headlines, paper.reasons] for paper in papers]))


def _digest(text: str) -> str:
    """Return 16 hexadecimal digits over a text: with them, verdicts on claims that were edited since are recognised."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


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
    gathering.add_argument("--tables", type=Path, required=True, help="the folder of the run's tables")
    gathering.add_argument("--headlines", type=Path, required=True, help="the .csv file of headlines to write")
    gathering.add_argument("--omitted", nargs="*", default=[], metavar="NAME=REASON", help="experiments left out")
    for command in (judging, gathering):
        command.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args(argv)
    if given.command == "judge":
        paper = read_paper(given.paper)
        claims = _digest(without_reasons(claims_about(paper, given.experiment)))
        settings = {"experiment": given.experiment, "protocol": given.protocol, "claims": claims}
        provenance = Provenance(settings, tuple(given.tables))
        scale = typed_json(Scale, given.scale, "--scale")
        table = judge_figure(paper, given.experiment, given.protocol, scale, given.tables)
    else:
        papers = [read_paper(path) for path in given.papers]
        settings = {"papers": [path.name for path in given.papers], "claims": claims_digest(papers)}
        provenance = Provenance(settings, tuple(given.verdicts))
        rows = gather(papers, given.verdicts, read_reasons(given.omitted), given.tables)
        table = pd.DataFrame(rows, columns=COLUMNS)
        save_csv(given.headlines, pd.DataFrame(gather_headlines(papers, rows), columns=HEADLINE_COLUMNS))
        provenance.save(given.headlines)
    save_csv(given.out, table)
    provenance.save(given.out, {"verdicts": count(counted(table.to_dict("records")))})
