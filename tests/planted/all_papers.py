"""A site of the five papers as a whole run has it: every headline and claim judged, every algorithm in the league.

Verdicts, regrets and times are made up; no figure is drawn. What is real is how much there is to show.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import yaml
from msgspec.structs import replace

from manybandits.algorithms import catalogue
from manybandits.base.artifacts import Provenance
from manybandits.base.table_files import save_csv
from manybandits.claims.headlines import judge_headlines
from manybandits.claims.verdict import Answer, Attribution, HeadlineVerdict, SetUps, Verdict, Word
from manybandits.claims.verdict_files import HEADLINES, VERDICTS
from manybandits.papers.claim import PAPER, Claim
from manybandits.papers.files import Paper, read_papers
from manybandits.papers.openings import touching
from manybandits.report import site
from manybandits.results.measures import words_of
from manybandits.results.ranks import COLUMNS as RANKS
from manybandits.results.ranks import ranked
from manybandits.results.runs import ARENA
from tests.planted.verdicts import save

ROOT = Path(__file__).resolve().parents[2]
GAMES = 4
LIMITS = "2,000 of 10,000 rounds", "6 of 10 runs"


def verdicts_of(paper: Paper) -> dict[tuple[str, str], Verdict]:
    """Return a verdict on every claim of a paper under every reading, each `Answer` in turn."""
    answers = itertools.cycle(Answer)
    return {
        (claim.id, claim.reading): verdict_on(claim, answer)
        for claim, answer in zip(paper.claims, answers, strict=False)
    }


def verdict_on(claim: Claim, answer: Answer) -> Verdict:
    """Return a verdict on a claim; a number that the paper states is published, and missed by a tenth."""
    published = float(claim.published) if isinstance(claim.published, int | float) else 0.5
    numbers = {"measured": 1.1 * published, "low": published, "high": 1.2 * published, "published": published, "n": 6}
    return Verdict(
        claim=claim,
        answer=answer,
        target=f"{claim.paper}_{claim.experiment}",
        measure=words_of(claim.selection.measure),
        rival=claim.rivals[0] if claim.rivals else None,
        comparisons=len(claim.rivals),
        **(numbers if answer.is_judged else {}),
        p=0.01 if answer.is_judged else None,
        data=("MovieLens 1M",),
        limits=LIMITS,
        reason="ahead of 8 of 8 rivals",
    )


def headlines_of(paper: Paper, found: Mapping[tuple[str, str], Verdict]) -> list[HeadlineVerdict]:
    """Return the verdicts on the headlines of a paper with all columns, each `Word` in turn."""
    members = {key: one.members(paper.claims, paper.name) for key, one in paper.headlines.items()}
    judged = {key: (one, [found[name, PAPER] for name in members[key]]) for key, one in paper.headlines.items()}
    choices = {key: tuple(touching(paper.openings, key)) for key in paper.headlines}
    setups = SetUps(played=64, judged=62, holds=31, fails=20)
    numbers = {"own": "A", "rival": "B", "measure": "regret", "measured": 0.02, "low": -0.01, "high": 0.05, "n": 6}
    controls = tuple(
        Attribution(control=name, kind=name, says=f"the control {name}", answer=answer, **numbers)
        for name, answer in (("mechanism", Answer.HOLDS), ("alike", Answer.UNCLEAR), ("plain", Answer.FAILS))
    )
    return [
        replace(
            one,
            word=word,
            limits=LIMITS,
            has_code="code" in paper.links,
            setups=replace(setups, choices=choices[key][:2]) if choices[key] else None,
            alone=not choices[key],
            controls=() if one.headline.without_controls else controls,
        )
        for (key, one), word in zip(judge_headlines(paper.name, judged).items(), itertools.cycle(Word), strict=False)
    ]


def plant_league(folder: Path) -> None:
    """Write the tables of the league and of costs: every arena with the algorithms that it does not leave out."""
    arenas, costs = [], []
    for arena, content in yaml.safe_load((ROOT / "workflow/league.yaml").read_text())["arenas"].items():
        without = {name for entry in content["without"] for name in entry["algorithms"]}
        rows = []
        for game, (place, name) in itertools.product(range(GAMES), enumerate(sorted({*catalogue.names()} - without))):
            title, environment = catalogue.load(name).TITLE, f"{arena}-{game}"
            regret = 900.0 if name == "random" else 100.0 + 20 * place + game
            rows.append(
                {
                    **{"arena": arena, "environment": environment, "data": f"game {game} of {arena}"},
                    **{"stand_in": False, "algorithm": title, "file": name, "regret": regret, "std": 5.0},
                    **{"n": 6, "lost": 0, "at_chance": False},
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


def build_all(folder: Path) -> None:
    """Make a site of all papers in a folder."""
    papers = read_papers(ROOT)
    found = {name: verdicts_of(paper) for name, paper in papers.items()}
    headlines = [one for name, paper in papers.items() for one in headlines_of(paper, found[name])]
    save(folder, [one for own in found.values() for one in own.values()], headlines)
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
    arguments += ["--verdicts", str(folder / VERDICTS), "--headlines", str(folder / HEADLINES)]
    arguments += ["--tables", str(folder / "league"), str(folder / "cost")]
    site.main([*arguments, "--arenas", str(ROOT / "workflow/league.yaml")])
