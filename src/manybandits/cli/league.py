"""The command ``manybandits league``: an algorithm of one's own among all others of an arena."""

from __future__ import annotations

import argparse
import time
from importlib.util import find_spec
from pathlib import Path

from manybandits.algorithms import catalogue
from manybandits.base.configuration import overlay
from manybandits.base.printing import print_json, print_table, print_wrapped, print_written, remark
from manybandits.cli.given import algorithm_of, check_written, drawn
from manybandits.figures import ranking
from manybandits.figures.league import main as draw
from manybandits.interface.extras import demand
from manybandits.papers import files
from manybandits.planning.configuration import checked, load_configuration
from manybandits.planning.joining import join
from manybandits.planning.running import held
from manybandits.results.display_names import algorithm_name
from manybandits.results.ranks import block_words, load, standings, summarise

EMBEDDED = Path("configs/embedded.yaml")
"""The configuration if none is given: data that need no download."""


def run(args: argparse.Namespace) -> None:
    """Play what is missing of the arena, draw the league, and print where the algorithms stand that were added."""
    began = time.perf_counter()
    demand("report")  # before hours of play, not after them
    check_written(args.out)
    added = [algorithm_of(name, "algorithm (--add)") for name in args.add]
    content = overlay(load_configuration(args.root, args.config or [args.root / EMBEDDED]), {"add": added})
    if find_spec("torch") is None:
        content["families"] = [family for family in catalogue.families() if family != "neural"]
        remark("neural algorithms are left out: install them by `pip install 'manybandits[neural]'`")
    config = checked(content, files.names(args.root))
    with held("manybandits league"):  # a run would delete tables that are read here, and fetch the same data
        found = join(config, args.root, args.arena, threads=args.cores, tell=remark)
        league = summarise(load(found.tables))
        title = f"{', '.join(found.added)} in the arena of {args.arena}"
        tables = [str(path) for path in found.tables]
        draw(["--title", title, "--added", *found.added, "--runs", *tables, "--out", str(args.out), "--png"])
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
    written, ranks = drawn(args.out), drawn(ranking.beside(args.out))
    if args.json:
        print_json({"arena": args.arena, "run": config.name, "standings": rows, "written": [*written, *ranks]})
        return
    rounded = [{**row, **{game: f"{row[game]:,.1f}" for game in games}} for row in rows]
    print_table(rounded, ("place", "algorithm", "added", "average_rank", *games))
    print()
    print_wrapped("", f"{block_words(league)}; columns of games are mean final regret over {league['n'].iloc[0]} seeds")
    if found.committed:
        played_by = f"reports/{config.name}/runs, played by the version that made them"
        print_wrapped("", f"{found.committed} runs are those in {played_by}")
    took = f"in {time.perf_counter() - began:.0f} s"
    print_written(*written, said=f"{found.played} of {len(tables)} plays were new, {took}")
    print_written(*ranks)
