"""The page on what runs cost: makespan against cores, the dearest plays, and rounds a second of every algorithm."""

from __future__ import annotations

import copy
from collections import defaultdict
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from manybandits.algorithms import catalogue
from manybandits.base.project import overlay_file
from manybandits.base.table_files import Markdown
from manybandits.papers.files import folder_of, read_paper
from manybandits.planning.batches import LONGEST
from manybandits.planning.configuration import load_configuration
from manybandits.planning.cost_model import RATES, START, CostModel, read_rates
from manybandits.planning.estimate import makespan, priced
from manybandits.planning.plan import make_plan
from manybandits.planning.resources import shards_of
from manybandits.planning.workflow import Workflow
from manybandits.results.display_names import algorithm_name

CORES = (1, 2, 4, 8, 16, 32, 64, 128)
GAMES = {
    "recommendation": "m-cnb-paper-movielens-1m",
    "classification": "classification-mushroom-user-hidden",
    "images": "classification-mnist-user-hidden",
    "agents": "agents-population-clusters-agents-50-clusters-5-z-0-noise-1",
    "instances": "instances-instances-50-dimension-100",
    "replay": "replay-news-bandit-10k-order-shuffled",
}
"""Kind of game -> the game on which rates are shown."""
PAGE = """# What a run costs

Hours and rates are made from the measured costs of the committed run, `src/manybandits/planning/rates.csv`, with which
`manybandits estimate` prices a run before it begins. `manybandits estimate --calibrate` scales them to your machine.

## Hours by cores

Jobs of `paper-scale` take {total:.1f} hours of one core. A play that takes more than {shard:.0f} minutes of a core is
split over its replicas, so that no job keeps the others waiting. The hours are simulated: a job waits for what it
reads, and takes a core for each of its shards.

{spans}

The ten most expensive plays, in 60 rounds each, took 6.6 minutes on one core of a small virtual machine, 3.2 on two
and 4.5 through a Slurm of one node on the same two, with the same bytes: `python benchmarks/dearest_plays.py` measures
it on yours.

## The most expensive plays

{dearest}

## What is played on less than the papers, or tuned on less than the rounds

Hours of a core: of the plays as committed; with the rounds and runs of the papers, where `paper-scale` has fewer; and
with options that are chosen after all rounds, not after the first of them.

{larger}

Table 2 of LNUCB-TA trains networks on MNIST in a tenth of the first 2,000 rounds; in each of them they would take about
ten times as long, as they do on the other data.

## Rounds a second

Of one core that plays many replicas at once, on a game of each kind, as the committed run measured it: tuning, the
drawing of rounds and all else but the start of a process included. Short plays look slower than they are. In a game of
agents a round is one of each agent.

{rates}

How time and memory grow with users, arms, dimensions and rounds is on [another page](scale.md). Beside other people's
code, `python benchmarks/public_code.py` measures released networks, and `python benchmarks/libraries.py` LinUCB and
others of mabwiser, river and contextualbandits, each in one run on your machine.
"""


def page(root: Path) -> str:
    """Return the page. root: the folder of the project."""
    config = load_configuration(root, [overlay_file(Path("paper-scale"), root)])
    run = Workflow(make_plan(config, root), config, root)
    jobs = priced(run, CostModel())
    total = sum(START + cost.seconds for _, cost in jobs) / 3600
    spans = [(cores, makespan(jobs, cores)) for cores in CORES]
    plays = sorted((job for job in jobs if job.job.plays), key=lambda one: -one.cost.seconds)
    return PAGE.format(
        total=total,
        shard=LONGEST / 60,
        spans=Markdown.table(
            ["cores", "hours", "hours of all jobs, divided by the cores"],
            "rrr",
            [[str(cores), f"{hours:.1f}", f"{total / cores:.1f}"] for cores, hours in spans],
        ),
        dearest=Markdown.table(
            ["play", "hours of a core", "shards"],
            "lrr",
            [
                [f"`{job.name}`", f"{cost.seconds / 3600:.1f}", str(shards_of(job, cost.seconds))]
                for job, cost in plays[:10]
            ],
        ),
        larger=_larger(root, config),
        rates=_rates(),
    )


def _larger(root: Path, config: dict[str, Any]) -> str:
    """Return the table of hours by paper: as committed, at the size of the papers, and tuned over all rounds."""
    whole = copy.deepcopy(config)
    for settings in whole["per_paper"].values():
        settings.pop("per_data", None)
    played, full = (make_plan(one, root).plays for one in (config, whole))
    longer = {name: replace(play, spec=replace(play.spec, tuning_rounds=None)) for name, play in full.items()}
    model, hours = CostModel(), defaultdict[str, list[float]](lambda: [0.0, 0.0, 0.0])
    for place, plays in enumerate((played, full, longer)):
        for play in plays.values():
            hours[play.paper][place] += model.of_play(play).seconds / 3600
    rows = [[read_paper(folder_of(root, name)).short, *map("{:.1f}".format, hours[name])] for name in config["papers"]]
    columns = ["paper", "as committed", "rounds and runs of the paper", "tuned over all rounds"]
    return Markdown.table(columns, "lrrr", rows)


def _rates() -> str:
    """Return the table of rounds a second of every algorithm of this package, on each of `GAMES`."""
    titles = {catalogue.load(name).TITLE: name for name in catalogue.names()}
    found: dict[tuple[str, str], float] = {}
    for rate in read_rates(RATES):
        if rate.title in titles:
            place = rate.title, rate.game
            found[place] = max(found.get(place, 0.0), 1e9 / rate.nanoseconds)
    rows = [
        [
            algorithm_name(title),
            *(f"{found[title, game]:,.0f}" if (title, game) in found else "" for game in GAMES.values()),
        ]
        for title in sorted(titles, key=lambda title: titles[title])
    ]
    return Markdown.table(["algorithm", *GAMES], "l" + "r" * len(GAMES), [row for row in rows if any(row[1:])])
