"""A small run with everything a site shows: every kind of figure, all verdicts, and markup where words are expected."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import yaml

from manybandits.base.artifacts import Provenance, save_text
from manybandits.figures import clusters, dots, estimation_errors, grid, option_sweep, regret, runtime, sweep
from manybandits.figures import league as league_figure
from manybandits.report import site
from manybandits.report.verdicts import KINDS
from manybandits.results.verdict_table import COLUMNS, HEADLINE_COLUMNS, NUMBERS, OUTSIDE, UNTESTABLE, VERDICTS
from manybandits.tables import cost, league
from manybandits.tables import grid as grid_table
from manybandits.tables import regret as regret_table
from tests.planted.errors import plant_errors
from tests.planted.papers import save_paper
from tests.planted.readings import QUESTIONS, plant_readings
from tests.planted.runs import UNMEASURED, plant_run, replica

SLY = "<b>sly</b> & \"quoted\" </script><script>alert('x')</script>"
"""Stands in titles, claims and notes; no page may have it as markup."""
LINK = "https://doi.org/10.1000/182"
"""Where the first paper is."""
COMMAND = "snakemake --cores 8 --configfile configs/planted.yaml"
FILES = {"CLUB": "club", "LinUCB-ONE": "linucb_one", "SCLUB": "sclub", "Random": "random"}
LEVELS = {"CLUB": 0.4, "LinUCB-ONE": 0.5, "SCLUB": 0.45, "Random": 0.9}
ROUNDS = np.arange(1, 201) * 10
GAMES = ("one", "two", "three", "four")
EXPERIMENTS = {
    "fig1": ("Figure 1", "regret", regret),
    "fig2": ("Figure 2", "clusters", clusters),
    "fig3": ("Figure 3", "runtime", runtime),
    "fig4": ("Figure 4", "sweep", sweep),
    "fig5": ("Figure 5", "grid", grid),
    "fig6": ("Figure 6", "dots", dots),
    "fig8": ("Figure 8", "option_sweep", option_sweep),
}
PAPER = {
    "title": f"Bandits {SLY}",
    "short": "First",
    "reference": "Author. Bandits. 2024",
    "links": {"DOI": LINK},
    "settings": {
        **{"horizon": 10000, "seeds": "0-9", "tuning_seeds": "100-102", "tuning": "tuning-seeds"},
        "grid": {"alpha": [0.1, 1]},
    },
    "decisions": {"ties": f"at random {SLY}"},
    "originals": {"movielens": "movielens-25m"},
}

PLAYED = {"band": "std", "algorithms": ["club"]}
"""What every experiment says in which algorithms play."""
CLAIM = {
    "place": "Figure 1",
    "says": "CLUB is best",
    "kind": "order",
    "experiment": "fig1",
    "of": "CLUB",
    "than": "SCLUB",
}


STORY = (
    {
        "says": f"CLUB pays {{regret}} in all, {SLY}",
        "target": "first_fig2",
        "numbers": {
            "regret": {"row": {"environment": "game-one", "algorithm": "CLUB"}, "column": "regret", "form": ".0f"}
        },
    },
    {"says": "This rests on data that stand in for others", "target": "first_fig1"},
    {"says": "This rests on what was left out", "target": "first_table9"},
)
"""The story of the first paper, of which a site can tell one sentence."""
FINDINGS = (
    {"title": f"Clusters help {SLY}", "says": "Methods that cluster users rank first", "target": "league"},
    {"title": "Nothing of this was run", "says": "It was left out", "target": "first_table9"},
)
"""Findings, of which a site can tell one."""


def plant_play(
    folder: Path,
    game: str,
    title: str,
    tuning: str = "tuning-seeds",
    seeds: int = 8,
    agents: int | None = None,
    paper: str = "first",
) -> Path:
    """Write a run table, of one agent more than the first of which CLUB's regret is larger in proportion."""
    random = np.random.default_rng(sum(map(ord, game + title)))
    name = title.partition(",")[0]
    points = (0.1, 1) if tuning == "best-of-grid" else (1,)
    replicas = []
    for point in points:
        for seed in range(seeds):
            slope = LEVELS[name] * (1 + 0.05 * random.normal()) * (agents or 20) / 20
            replicas.append(
                replica(
                    seed,
                    ROUNDS,
                    slope * ROUNDS,
                    algorithm=FILES[name],
                    options=f"alpha={point:g}",
                    chosen=point == 1,
                    measured=(3.0, 5.0, 0.6, 1.0, *UNMEASURED[4:]) if name == "CLUB" else UNMEASURED,
                )
            )
    environment = {
        **{"name": f"game-{game}", "kind": "recommendation", "users": agents or 5, "arms": 10, "dimension": 4},
        **{"protocol": "paper", "role": "movielens", "stand_in": game == "four"},
        "data_note": f"MovieLens 1M {SLY} {game}",
        "dataset": {"name": "movielens-1m", "title": "MovieLens 1M", "completeness": "complete"},
        "settings": {"agents": agents},
    }
    words = title.replace(", ", "-").replace(" ", "-").replace("<", "").replace(">", "").replace("/", "")
    return plant_run(
        folder / paper / f"game-{game}" / f"{words}-{tuning}.parquet",
        replicas,
        environment,
        algorithm=FILES[name],
        title=title,
        tuning=tuning,
        grid={"alpha": [f"{point:g}" for point in points]},
        facts={"chosen": "alpha=1", "replicas": seeds, "sources": "0123456789abcdef"},
        costs={
            **{"device": "cpu", "threads": 1, "play_seconds": 3.0, "rounds_per_second": 900},
            "stages": {"evaluation": {"replicas": seeds, "rounds": 2000, "seconds": 2.0 * seeds}},
        },
    )


def plant_two_estimators(folder: Path) -> Path:
    """Write a table of errors of two estimators."""
    errors = [
        ("rows", float(n), name, seed, level * n**-0.5 * (1 + 0.01 * seed))
        for name, level in (("Independent", 2.0), ("Robust multitask", 1.0))
        for n in (100, 200, 400)
        for seed in range(5)
    ]
    settings = {"regime": "standard", "design": "worst", "rows": 100, "dimension": 5, "instances": 3, "support": 1}
    numbers = {"omega": 0.2, "delta": 2.0, "others": 2.0, "noise": 1.0, "seeds": list(range(5))}
    return plant_errors(folder / "errors.parquet", errors, {**settings, **numbers}, {"constants": {}})


READINGS = {"first.headline1": 0.4, "first.headline2": 0.0}
"""The headlines that are judged under readings: the first depends on one choice, the second holds whatever it is."""


def open_choices() -> dict[str, dict[str, object]]:
    """Return what the first paper leaves open: choices that touch three headlines, of which two have readings."""
    released = {"why": "the code does it", "protocol": "released"}
    changes = {"why": f"so it says {SLY}", "options": {"club": {"alpha": [0.1, 1]}}, "settings": {"horizon": 5}}
    return {
        key: {
            **{
                "asks": f"What of {key}, {SLY}?",
                "place": "Algorithm 1",
                "headlines": [f"headline{n}" for n in (1, 2, 3)],
            },
            "values": {
                written: {"why": "the text"},
                **{value: released if value == "released" else changes for value in others},
            },
        }
        for key, (written, *others) in QUESTIONS.items()
    }


FLAGS = (
    *("", "CLUB: at chance; SCLUB: at chance", "not discriminating: Random keeps the bound as well"),
    *(
        "unequal tuning: 12 points for CLUB and 9 points for SCLUB",
        "CLUB: alpha 1 is the edge of its grid",
    ),
    *("control not played: OLS", "Random: 2 of 8 never tried some arm", f"NeuralTS: 1 of 8 ended with a {SLY}"),
)
"""The flags of planted verdicts, one entry per verdict: none, each kind, and one of an unknown kind."""
STANDS = ("copy of claim0.2", f"quoted from another paper {SLY}", "by construction: the setting is not seen")
"""Why planted claims stand apart."""


def verdict_rows() -> list[dict[str, str]]:
    """Return every verdict on two papers.

    Some claims have other readings, some stand apart, and some have no number at all.
    """
    rows = []
    for place, (paper, figure) in enumerate((("first", "first_fig1"), ("first", "first_fig2"), ("second", ""))):
        for number, verdict in enumerate((*VERDICTS, *(VERDICTS[:1] * len(STANDS) if paper == "first" else ()))):
            judged = verdict not in (OUTSIDE, UNTESTABLE)
            row = {
                "claim": f"{paper}.claim{place}.{number + 1}",
                "paper": paper,
                "experiment": figure.removeprefix("first_") or "table1",
                "figure": figure,
                "place": f"Figure {place + 1}" if paper == "first" else "Table 1",
                "says": f"CLUB is best, {SLY}",
                "kind": KINDS[(place + number) % len(KINDS)],
                "reading": "paper",
                "stands": STANDS[number - len(VERDICTS)] if number >= len(VERDICTS) else "",
                "verdict": verdict,
                "quantity": "final regret of CLUB" if judged else "",
                **dict(zip(("measured", "low", "high", "published"), ("812.5", "800", "825.1", "805.12"), strict=True)),
                **{"n": "8", "p": "0.0123", "data": f"MovieLens 1M {SLY}", "limits": f"2,000 of 10,000 rounds {SLY}"},
                "flags": FLAGS[number % len(FLAGS)],
                "reason": f"decided by {SLY}",
                **_because(number),
            }
            if not judged:
                row |= dict.fromkeys(NUMBERS, "")
            rows.append(row)
            if number == 1:
                rows.append({**row, "reading": "released", "verdict": "reproduced"})
                rows.append({**row, "reading": f"user hidden {SLY}", "verdict": "not reproduced"})
    return rows


def _because(number: int) -> dict[str, str]:
    """Return a reason that rests on a figure, a table, a target that was not made, or nothing but conjecture."""
    targets = {2: "first_fig1", 3: "first_table8", 4: "first_table9"}
    if number in targets:
        return {"because": f"found out {SLY}", "rests_on": targets[number]}
    return {"because": f"Conjecture: it knows more {SLY}" if number == 5 else "", "rests_on": ""}


def headline_rows() -> list[dict[str, str]]:
    """Return headlines of the first paper with every verdict, and one of the second; some have many claims."""
    verdicts = {row["claim"]: row for row in verdict_rows() if row["reading"] == "paper"}
    members = {f"first.claim0.{place + 1}": verdict for place, verdict in enumerate(VERDICTS)}
    members["second.claim2.2"] = VERDICTS[1]
    rows = []
    for place, (claim, verdict) in enumerate(members.items()):
        row = verdicts[claim]
        many = place % 3
        others = {"first": "first.claim1", "second": "second.claim2"}[row["paper"]]
        claims = [claim, *(f"{others}.{other}" for other in (3, 4, 5))] if many else [claim]
        rows.append(
            {
                **{name: row[name] for name in (*NUMBERS, "paper", "place", "figure", "quantity", "limits", "flags")},
                **{name: row[name] for name in ("reason", "because", "rests_on")},
                "headline": f"{row['paper']}.headline{place + 1}",
                "says": f"CLUB is better than all others, as headline {place + 1} has it {SLY}",
                "claims": " ".join(claims),
                "holds_in": ("all", "first", "2")[many],
                "verdict": verdict,
                "decided_by": claim,
            }
        )
    return rows


def save_verdicts(path: Path, rows: list[dict[str, str]], columns: tuple[str, ...] = COLUMNS) -> None:
    """Write verdicts as the judge does. columns: those of the table, `HEADLINE_COLUMNS` for headlines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def plant_papers(folder: Path) -> None:
    """Write two paper files: one of which everything was made, and one of which nothing was."""
    experiments = {
        key: {**PLAYED, "place": place, "title": f"{kind} {SLY}", "figure": {"kind": kind}}
        for key, (place, kind, _) in EXPERIMENTS.items()
    }
    experiments |= {
        "fig7": {"place": "Figure 7", "title": "errors", "regression": {}},
        "table8": {"place": "Table 8", "title": "seconds", "measurement": "m_cnb_parts"},
        "table9": {**PLAYED, "place": "Table 9", "title": "left out"},
    }
    divergence = {"key": "width", "says": f"no root {SLY}", "touches": ["claim0"], "shown_by": ["fig2"]}
    first = {
        **PAPER,
        "experiments": experiments,
        "claims": {"claim0": CLAIM, "claim1": CLAIM},
        "headlines": {
            f"headline{n + 1}": {"says": f"CLUB is best, {n} {SLY}", "place": "abstract", "claims": ["claim1"]}
            for n in range(len(VERDICTS))
        },
        "open": open_choices(),
        "story": STORY,
        "divergences": [
            {**divergence, "tested_by": "tests/report/test_site.py"},
            {"key": "ridge", "says": "another one", "touches": ["claim1"]},
        ],
    }
    nothing = {**PLAYED, "place": "Table 1", "title": "nothing"}
    second = {**PAPER, "short": "Second", "experiments": {"table1": nothing}}
    for name, content in (("first", first), ("second", second)):
        save_paper(folder / name, content)


def plant(folder: Path) -> None:
    """Make everything that a site is made of under a folder."""
    work, report = folder / "runs", folder / "report"
    plays = {game: [plant_play(work, game, title) for title in FILES] for game in GAMES}
    everything = [path for paths in plays.values() for path in paths]
    runs = dict.fromkeys(EXPERIMENTS, plays["one"])
    runs["fig1"] = [*plays["one"], *plays["four"], plant_play(work, "one", "CLUB, <i>wide</i>")]
    runs["fig4"] = [
        plant_play(work, f"agents-{n}", title, agents=n) for n in (5, 10, 20) for title in ("CLUB", "SCLUB")
    ]
    runs["fig5"] = [plant_play(work, "one", title, "best-of-grid") for title in ("CLUB", "SCLUB")]
    more = {"fig4": ["--x", "agents"], "fig8": ["--x", "alpha"]}
    for key, (place, kind, module) in EXPERIMENTS.items():
        paths = list(map(str, runs[key]))
        title = f"First, {place}: {kind} {SLY}"
        out = str(report / "figures" / f"first_{key}")
        module.main(["--title", title, "--runs", *paths, "--out", out, *more.get(key, [])])
        table = grid_table if kind == "grid" else regret_table
        table.main(["--title", title, "--runs", *paths, "--out", str(report / "tables" / f"first_{key}")])
    made = str(plant_two_estimators(work))
    estimation_errors.main(
        ["--title", "First, Figure 7: errors", "--runs", made, "--out", str(report / "figures/first_fig7")]
    )
    seconds = report / "tables/first_table8.csv"
    save_text(seconds, "part,seconds\nclustering,0.006\n")
    Provenance({"title": "First, Table 8: seconds"}).save(seconds, {"note": "of one core"})
    matches = [plant_play(work, game, title, paper="league-users") for game in GAMES for title in FILES]
    for module, kind in ((league, "tables"), (league_figure, "figures")):
        module.main(["--title", "League", "--runs", *map(str, matches), "--out", str(report / kind / "league")])
    left_out = [{"algorithms": ["rmbandit", "cmlb"], "because": f"too large {SLY}"}]
    arenas = {"users": {"title": f"Users {SLY}", "games": [{"game": "m-cnb"}], "without": left_out}}
    save_text(folder / "league.yaml", yaml.safe_dump({"arenas": arenas}))
    save_text(folder / "findings.yaml", yaml.safe_dump({"findings": list(FINDINGS)}))
    cost.main(["--runs", *map(str, [*everything, *matches]), "--out", str(report / "tables/cost")])
    save_verdicts(report / "verdicts.csv", verdict_rows())
    save_verdicts(report / "headlines.csv", headline_rows(), HEADLINE_COLUMNS)
    plant_papers(folder / "papers")
    plant_readings(folder / "readings", READINGS, limits=f"2,000 of 10,000 rounds {SLY}")


def arguments(folder: Path) -> list[str]:
    """Return the arguments of the script that makes the site of what was planted under a folder."""
    report, papers = folder / "report", folder / "papers"
    figures = [f"first_{key}" for key in (*EXPERIMENTS, "fig7")]
    tables = [*(f"first_{key}" for key in (*EXPERIMENTS, "table8")), "cost", "league"]
    return [
        *("--title", f"A run {SLY}", "--out", str(report), "--verdicts", str(report / "verdicts.csv")),
        *("--headlines", str(report / "headlines.csv")),
        *("--readings-of", str(folder / "readings")),
        *("--readings", *(name.replace(".", "_") for name in READINGS)),
        *("--papers", str(papers / "first"), str(papers / "second")),
        *("--figures", *(str(report / "figures" / name) for name in (*figures, "league"))),
        *("--tables", *(str(report / "tables" / name) for name in tables)),
        *("--arenas", str(folder / "league.yaml")),
        *("--findings", str(folder / "findings.yaml"), "--command", COMMAND),
        *("--changes", "first=horizon 2000, tuning_seeds 100"),
        *("--omitted", f"first_table9=the log is not public {SLY}"),
    ]


def build(folder: Path) -> Path:
    """Make a site of planted runs; return its folder."""
    plant(folder)
    site.main(arguments(folder))
    return folder / "report"
