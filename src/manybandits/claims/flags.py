"""Flags: what a reader should know about compared runs before believing a verdict (VERDICTS, section 3)."""

from __future__ import annotations

from collections.abc import Sequence

from manybandits.claims.verdict import Flag
from manybandits.papers.claim import RANDOM
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run
from manybandits.results.summaries import is_at_chance
from manybandits.results.tuned import Effort, edges, effort


def flags_of(compared: Sequence[Run], played: Sequence[Run]) -> list[Flag]:
    """Return the flags of compared runs, each once. played: all runs of the experiment, among them Random's."""
    found = []
    chance = {run.environment["name"]: run for run in played if run.title == RANDOM}
    for run in compared:
        random = chance.get(run.environment["name"])
        counts = {"arm never tried": run.ignoring, "dead network": run.dead_networks}
        found += [Flag(kind, run.title, f"{n} of {len(run.seeds)} runs") for kind, n in counts.items() if n]
        found += [Flag("edge of the grid", run.title, f"{name} {value}") for name, value in edges(run).items()]
        if random and run.title != RANDOM and is_at_chance(run, random):
            found.append(Flag("at chance", run.title))
    return list(dict.fromkeys([*found, *unequal_tuning(compared)]))


def unequal_tuning(compared: Sequence[Run]) -> list[Flag]:
    """Return how the compared algorithms were tuned, if not all on as many points, runs and rounds."""
    tuned: dict[Effort, list[str]] = {}
    for title, run in {run.title: run for run in compared if run.title != RANDOM}.items():
        tuned.setdefault(effort(run), []).append(title)
    if len(tuned) < 2:
        return []
    names = "point", "run", "round"
    differing = [place for place in range(3) if len({each[place] for each in tuned}) > 1]

    def told(each: Effort) -> str:
        return ", ".join(f"{each[place]:,} {names[place]}{'' if each[place] == 1 else 's'}" for place in differing)

    words = [
        f"{told(each) if each.runs else 'none'} for {', '.join(map(algorithm_name, titles))}"
        for each, titles in sorted(tuned.items(), reverse=True)
    ]
    return [Flag("unequal tuning", detail=" and ".join(words))]
