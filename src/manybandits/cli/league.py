"""The command ``manybandits league``: an algorithm of one's own among all others of an arena."""

from __future__ import annotations

import argparse
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from manybandits.algorithms import catalogue
from manybandits.base.configuration import overlay
from manybandits.cli.output import print_json, print_table
from manybandits.figures.league import main as draw
from manybandits.papers import files
from manybandits.planning.configuration import checked, load_configuration
from manybandits.planning.joining import join
from manybandits.results.display_names import algorithm_name
from manybandits.results.ranks import block_words, load, standings, summarise

EMBEDDED = Path("configs/embedded.yaml")
"""The configuration if none is given: data that need no download."""


def run(given: argparse.Namespace) -> None:
    """Play what is missing of the arena, draw the league, and print where the algorithms stand that were added."""
    began = time.perf_counter()
    added = [catalogue.checked_name(name, "algorithm (--add)") for name in given.add]
    content = overlay(load_configuration(given.root, given.config or [given.root / EMBEDDED]), {"add": added})
    if find_spec("torch") is None:
        content["families"] = [family for family in catalogue.families() if family != "neural"]
        _tell("neural algorithms are left out: install them by `pip install 'manybandits[neural]'`")
    config = checked(content, files.names(given.root))
    found = join(config, given.root, given.arena, threads=given.threads, tell=_tell)
    league = summarise(load(found.tables))
    title = f"{', '.join(found.added)} in the arena of {given.arena}"
    tables = [str(path) for path in found.tables]
    draw(["--title", title, "--bold", *found.added, "--runs", *tables, "--out", given.out])
    ranked = standings(league)
    games = list(league["environment"].unique())
    rows = [
        {
            "place": place,
            "algorithm": algorithm_name(row.algorithm),
            "average_rank": row.average_rank,
            "added": "*" if row.algorithm in found.added else "",
            **dict(zip(games, league[league["algorithm"] == row.algorithm]["regret"].tolist(), strict=True)),
        }
        for place, row in enumerate(ranked.itertuples(), 1)
    ]
    if given.json:
        print_json({"arena": given.arena, "run": config.name, "standings": rows, "picture": f"{given.out}.png"})
        return
    print_table(rows, ("place", "algorithm", "added", "average_rank", *games))
    print(f"\n{block_words(league)}; columns of games are mean final regret over {league['n'].iloc[0]} seeds")
    if found.packed:
        print(f"{found.packed} runs are those in reports/{config.name}/runs, played by the version that made them")
    print(
        f"{found.played} of {len(tables)} plays were new; {given.out}.png, .svg and .csv are written, "
        f"in {time.perf_counter() - began:.0f} s"
    )


def _tell(words: str) -> None:
    sys.stderr.write(f"{words}\n")
