"""A small run with everything a site shows: all kinds of figures, answers and words, and markup in place of words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import yaml
from msgspec.structs import replace

from manybandits.base.artifacts import Provenance, save_text
from manybandits.claims.readings import read_setups
from manybandits.claims.verdict import Answer, Attribution, Flag, HeadlineVerdict, Verdict, Word
from manybandits.claims.verdict_files import export_headlines, export_verdicts
from manybandits.figures import clusters, dots, estimation_errors, grid, option_sweep, regret, runtime, sweep
from manybandits.figures import league as league_figure
from manybandits.papers.claim import NEEDED, Claim, ControlKind, Headline, Reply, Selection
from manybandits.report import site
from manybandits.results.readings_table import headlines_in
from manybandits.tables import cost, league
from manybandits.tables import grid as grid_table
from manybandits.tables import regret as regret_table
from tests.planted.errors import plant_errors
from tests.planted.papers import save_paper
from tests.planted.readings import QUESTIONS, plant_readings
from tests.planted.runs import UNMEASURED, plant_run, replica
from tests.planted.verdicts import save

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
                **dict.fromkeys(others, changes),
            },
        }
        for key, (written, *others) in QUESTIONS.items()
    }


FLAGS = (
    (),
    (Flag("at chance", "CLUB"), Flag("at chance", "SCLUB")),
    (Flag("not discriminating", "Random"),),
    (Flag("unequal tuning", detail=f"12 points for CLUB and 9 points for SCLUB {SLY}"),),
    (Flag("edge of the grid", "CLUB", "alpha 1"),),
    (Flag("arm never tried", "Random", "2 of 8 runs"), Flag("dead network", f"NeuralTS {SLY}")),
)
"""The flags of planted verdicts, one entry per verdict."""
STANDS = ({"copy_of": "claim0.2"}, {"quoted": f"another paper {SLY}"}, {"by_construction": "the setting is not seen"})
"""Why planted claims stand apart."""
BECAUSE = {
    2: (f"found out {SLY}", "first_fig1"),
    3: (f"found out {SLY}", "first_table8"),
    4: (f"found out {SLY}", "first_table9"),
    5: (f"Conjecture: it knows more {SLY}", ""),
}
"""Place of a verdict -> a reason with the figure, the table or the target that was not made on which it rests."""
WORDS = (Word.DEPENDS, Word.HOLDS, *(word for word in Word if word not in (Word.DEPENDS, Word.HOLDS)))
"""The words of the headlines of the first paper; the first two have set-ups, which say so."""


def verdicts() -> list[Verdict]:
    """Return every answer on claims of two papers.

    Some claims have other readings, some stand apart, and some have no number at all. One figure has published numbers.
    """
    found = []
    for place, (paper, experiment) in enumerate((("first", "fig1"), ("first", "fig2"), ("second", "table1"))):
        for number, answer in enumerate((*Answer, *([Answer.HOLDS] * len(STANDS) if paper == "first" else []))):
            kind = [*NEEDED][(place + number) % len(NEEDED)]
            compared = kind in ("order", "ratio", "equality")
            published = 0.12 if experiment != "fig2" and kind != "equality" else None
            claim = Claim(
                id=f"{paper}.claim{place}.{number + 1}",
                paper=paper,
                experiment=experiment,
                place=f"Figure {place + 1}" if paper == "first" else "Table 1",
                says=f"CLUB is best, {SLY}",
                kind=kind,
                selection=Selection(of="CLUB"),
                rivals=(Selection(of="SCLUB"),) if compared else (),
                published=published,
                against="rounds" if kind == "slope" else "",
                **(STANDS[number - len(Answer)] if number >= len(Answer) else {}),
            )
            because, rests_on = BECAUSE.get(number, ("", ""))
            verdict = Verdict(
                claim=claim,
                answer=answer,
                target=f"first_{experiment}" if paper == "first" else "",
                measure="regret",
                rival=claim.rivals[0] if compared else None,
                game="game-one",
                comparisons=int(compared),
                **(NUMBERS | {"published": published} if answer.is_judged else {}),
                data=(f"MovieLens 1M {SLY}",),
                limits=(f"2,000 of 10,000 rounds {SLY}",) if number % 2 else (),
                flags=FLAGS[number % len(FLAGS)],
                reason=f"decided by {SLY}",
                because=because,
                rests_on=rests_on,
            )
            found.append(verdict)
            if number == 1:
                others = {"released": Answer.HOLDS, f"user hidden {SLY}": Answer.FAILS}
                found += [
                    replace(verdict, claim=replace(claim, reading=reading), answer=other)
                    for reading, other in others.items()
                ]
    return found


NUMBERS = {"measured": 0.1253, "low": 0.1, "high": 0.15, "n": 8, "p": 0.0123}
"""The numbers of planted verdicts."""


def control(key: str, kind: ControlKind, answer: Answer) -> Attribution:
    """Return how CLUB stands to a control."""
    return Attribution(control=key, kind=kind, says=f"nothing is shared {SLY}", answer=answer)


COLUMNS: dict[str, dict[str, object]] = {
    "first.headline1": {
        "early": (Answer.UNCLEAR, Answer.HOLDS),
        "controls": (
            control("alone", "mechanism", Answer.FAILS),
            control("trained", "alike", Answer.HOLDS),
            control("linear", "plain", Answer.UNTESTABLE),
        ),
        "code_controls": (control("alone", "mechanism", Answer.UNCLEAR),),
    },
    "first.headline2": {"under": {"tolerances doubled": Word.NEAR}, "p": 0.02},
    "first.headline4": {"code": Answer.NEAR},
    "second.headline1": {"has_code": True},
}
"""What the columns of some headlines hold."""


def headlines(readings: Path | None = None) -> list[HeadlineVerdict]:
    """Return headlines of the first paper with every word, and one of the second; some have many claims.

    readings: the report with the set-ups of the first two.
    """
    by_text = {one.claim.id: one for one in verdicts() if one.claim.reading == "paper"}
    members = [(word, "first", f"first.claim0.{place % len(Answer) + 1}") for place, word in enumerate(WORDS)]
    played = headlines_in(readings)
    found = []
    for place, (word, paper, claim) in enumerate([*members, (Word.HOLDS, "second", "second.claim2.2")]):
        many, decisive = place % 3, by_text[claim]
        name = f"{paper}.headline{place % len(WORDS) + 1}"
        others = {"first": "first.claim1", "second": "second.claim2"}[paper]
        setups, code = None, None
        if readings and name in played:
            rows, setups = read_setups(readings, name)
            setups = replace(setups, nearest="learners = served; user_step = adam")
            code = Answer(rows["answer"].iloc[1])
        headline = Headline(
            says=f"CLUB is better than all others, as headline {place + 1} has it {SLY}",
            place="abstract",
            claims=("claim1",),
            holds_in=("all", "first", 2)[many],
            without_controls=f"it compares no methods {SLY}" if place == 3 else "",
            replies=(Reply(by=f"An author {SLY}", date="2026-11-27", says=f"It does {SLY}"),) if place == 2 else (),
        )
        given = {"code": code, "has_code": code is not None, **COLUMNS.get(name, {})}
        found.append(
            HeadlineVerdict(
                id=name,
                paper=paper,
                headline=headline,
                claims=(claim, *(f"{others}.{other}" for other in (3, 4, 5))) if many else (claim,),
                word=word,
                answer=decisive.answer,
                decided_by=claim,
                limits=decisive.limits,
                reason=decisive.reason,
                alone=paper == "first" and place > 2,
                setups=setups,
                **given,
            )
        )
    return found


def save_all(report: Path, claims: Sequence[Verdict], told: Sequence[HeadlineVerdict]) -> None:
    """Write the verdicts of a report, and their exports."""
    save(report, claims, told)
    export_verdicts(report / "verdicts.csv", claims)
    export_headlines(report / "headlines.csv", told, claims)


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
            for n in range(len(WORDS))
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
    plant_papers(folder / "papers")
    plant_readings(folder / "readings", READINGS, limits=f"2,000 of 10,000 rounds {SLY}")
    save_all(report, verdicts(), headlines(folder / "readings"))


def arguments(folder: Path) -> list[str]:
    """Return the arguments of the script that makes the site of what was planted under a folder."""
    report, papers = folder / "report", folder / "papers"
    figures = [f"first_{key}" for key in (*EXPERIMENTS, "fig7")]
    tables = [*(f"first_{key}" for key in (*EXPERIMENTS, "table8")), "cost", "league"]
    return [
        *("--title", f"A run {SLY}", "--out", str(report), "--verdicts", str(report / "verdicts.jsonl")),
        *("--headlines", str(report / "headlines.jsonl")),
        *("--readings-of", str(folder / "readings")),
        *("--readings", *(name.replace(".", "_") for name in READINGS)),
        *("--papers", str(papers / "first"), str(papers / "second")),
        *("--figures", *(str(report / "figures" / name) for name in (*figures, "league", "league_ranks"))),
        *("--tables", *(str(report / "tables" / name) for name in tables)),
        *("--arenas", str(folder / "league.yaml")),
        *("--findings", str(folder / "findings.yaml"), "--command", COMMAND),
        *("--changes", "first=2,000 rounds, tuning seeds 100"),
        *("--omitted", f"first_table9=the log is not public {SLY}"),
    ]


def build(folder: Path) -> Path:
    """Make a site of planted runs; return its folder."""
    plant(folder)
    site.main(arguments(folder))
    return folder / "report"
