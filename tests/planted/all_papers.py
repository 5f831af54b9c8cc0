"""A site of the five papers as a whole run has it: every headline and claim judged, every algorithm in the league.

Verdicts, regrets and times are made up; no figure is drawn. What is real is how much there is to show.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import yaml

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import Provenance
from manybandits.base.table_files import save_csv
from manybandits.claims.headlines import judge_headlines
from manybandits.papers.claim import PAPER, Claim
from manybandits.papers.files import Paper, read_papers
from manybandits.report import site
from manybandits.results.ranks import COLUMNS as RANKS
from manybandits.results.ranks import ranked
from manybandits.results.runs import ARENA
from manybandits.results.verdict_table import (
    COLUMNS,
    HEADLINE_COLUMNS,
    NUMBERS,
    OUTSIDE,
    UNTESTABLE,
    VERDICTS,
    Verdict,
)
from tests.planted.site import save_verdicts

ROOT = Path(__file__).resolve().parents[2]
GAMES = 4
LIMITS = "2,000 of 10,000 rounds; 6 of 10 runs"


def verdicts_of(paper: Paper) -> dict[tuple[str, str], Verdict]:
    """Return a verdict on every claim of a paper under every reading, each of `VERDICTS` in turn."""
    rows: dict[tuple[str, str], Verdict] = {}
    for claim, verdict in zip(paper.claims, itertools.cycle(VERDICTS), strict=False):
        rows[claim.id, claim.reading] = verdict_on(claim, verdict)
    return rows


def verdict_on(claim: Claim, verdict: str) -> Verdict:
    """Return a row of the table of verdicts; a number that the paper states is published, and missed by a tenth."""
    published = claim.published if isinstance(claim.published, int | float) else 0.5
    numbers = [1.1 * published, published, 1.2 * published, published, 6, 0.01]
    if verdict in (OUTSIDE, UNTESTABLE):
        numbers = [""] * len(numbers)
    relative = ", relative" if claim.kind == "order" else ""
    return {
        **dict.fromkeys(COLUMNS, ""),
        **{
            name: getattr(claim, name) for name in ("paper", "experiment", "place", "says", "kind", "reading", "stands")
        },
        **{"claim": claim.id, "verdict": verdict, "limits": LIMITS, "reason": "ahead of 8 of 8 rivals"},
        **{"quantity": f"{claim.selection.measure} of {claim.selection.of}{relative}", "data": "MovieLens 1M"},
        **dict(zip(NUMBERS, map(str, numbers), strict=True)),
    }


def headlines_of(paper: str, content: Paper, rows: Mapping[tuple[str, str], Verdict]) -> list[Verdict]:
    """Return the verdicts on the headlines of a paper."""
    members = {key: one.members(content.claims, paper) for key, one in content.headlines.items()}
    judged = {key: (one, [rows[name, PAPER] for name in members[key]]) for key, one in content.headlines.items()}
    found = []
    for key, finding in judge_headlines(judged).items():
        headline, deciding = content.headlines[key], finding.decisive
        found.append(
            {
                **{name: deciding[name] for name in HEADLINE_COLUMNS if name in deciding},
                **{"headline": f"{paper}.{key}", "place": headline.place, "says": headline.says},
                **{"claims": " ".join(members[key]), "holds_in": headline.holds_in, "verdict": finding.verdict},
                **{"decided_by": deciding["claim"], "limits": LIMITS, "reason": finding.reason},
            }
        )
    return found


def plant_league(folder: Path) -> None:
    """Write the tables of the league and of costs: every arena with the algorithms that it does not leave out."""
    arenas, costs = [], []
    for arena, content in yaml.safe_load((ROOT / "workflow/league.yaml").read_text())["arenas"].items():
        without = {name for entry in content["without"] for name in entry["algorithms"]}
        rows = []
        for game, (place, name) in itertools.product(
            range(GAMES), enumerate(sorted({*catalogue.own_names()} - without))
        ):
            title, environment = catalogue.load(name).TITLE, f"{arena}-{game}"
            regret = 900.0 if name == "random" else 100.0 + 20 * place + game
            rows.append(
                {
                    **{"arena": arena, "environment": environment, "data": f"game {game} of {arena}"},
                    **{"stand_in": False, "algorithm": title, "file": name, "regret": regret, "std": 5.0},
                    **{"n": 6, "lost": 0},
                }
            )
            costs.append(
                {
                    **{"paper": ARENA + arena, "environment": environment, "algorithm": title, "file": name},
                    **{"replicas": 6, "seconds": 2.5, "rounds_per_second": 900, "agents": 1},
                    **{"ns_per_decision": 1000 + 10 * place, "peak_memory_mib": 500, "device": "cpu", "threads": 1},
                }
            )
        arenas.append(ranked(arena, pd.DataFrame(rows)))
    tables = {"league": pd.concat(arenas, ignore_index=True)[list(RANKS)], "cost": pd.DataFrame(costs)}
    for name, table in tables.items():
        save_csv(folder / f"{name}.csv", table)
        Provenance({"title": name}).save(folder / f"{name}.csv", {"note": "Made up."})


def build_all(folder: Path) -> Path:
    """Make a site of all papers in a folder; return the folder."""
    papers = read_papers(ROOT)
    rows = {name: verdicts_of(paper) for name, paper in papers.items()}
    save_verdicts(folder / "verdicts.csv", [row for own in rows.values() for row in own.values()])
    headlines = [one for name, paper in papers.items() for one in headlines_of(name, paper, rows[name])]
    save_verdicts(folder / "headlines.csv", headlines, HEADLINE_COLUMNS)
    plant_league(folder)
    omitted = [f"{name}_{key}=it was not run" for name, paper in papers.items() for key in paper.experiments]
    arguments = [
        "--title",
        "All papers",
        "--out",
        str(folder),
        "--command",
        "snakemake --cores 8",
        "--omitted",
        *omitted,
    ]
    arguments += ["--papers", *(str(ROOT / "workflow/papers" / name) for name in papers)]
    arguments += ["--verdicts", str(folder / "verdicts.csv"), "--headlines", str(folder / "headlines.csv")]
    arguments += ["--tables", str(folder / "league"), str(folder / "cost")]
    site.main([*arguments, "--arenas", str(ROOT / "workflow/league.yaml")])
    return folder
