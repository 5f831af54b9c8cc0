"""The command ``manybandits play``: one algorithm on one game, which can be made on the way."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

from manybandits.algorithms import plain
from manybandits.base.exceptions import InputError
from manybandits.base.printing import print_json, print_wrapped
from manybandits.cli.given import algorithm_of, assigned, check_read, check_written
from manybandits.environments.catalogue import GAMES, WITHOUT_DATA, freeze_without_data
from manybandits.harness.command_line import play_as_given
from manybandits.results.runs import load_run


def run(args: argparse.Namespace) -> None:
    """Play, and print a summary of the play."""
    name = plain.checked_name(args.algorithm) if plain.is_twin(args.algorithm) else algorithm_of(args.algorithm)
    check_written(args.out, ".parquet")
    if args.set_game and not args.game:
        raise InputError("--set-game has the settings of a game: name it by --game.")
    if args.game and args.environment:
        raise InputError(f"--game {args.game} makes the game itself: leave out --environment, or --game.")
    if not (args.game or args.environment):
        raise InputError("no game is named: give --game synthetic, or a frozen one by --environment game.npz.")
    if args.environment:
        check_read([args.environment], ".npz", "frozen game")
    if args.game in GAMES and args.game not in WITHOUT_DATA:
        raise InputError(
            f"{args.game} is made from data: freeze it as `python -m {GAMES[args.game]} --help` describes, and give "
            "its file by --environment."
        )
    with tempfile.TemporaryDirectory() as folder:
        game = args.environment
        if args.game:
            game = freeze_without_data(args.game, assigned(args.set_game), Path(folder))
        said = play_as_given(name, game, vars(args))
    if args.json:
        print_json({"algorithm": name, "run_table": str(args.out), **_result(args.out), "summary": said})
    else:
        for line in said.splitlines():
            print_wrapped("", line)


def _result(table: Path) -> dict[str, Any]:
    """Return what a play came to: the rounds, the seeds, their final regrets, and the options chosen."""
    played = load_run(table)
    return {
        "rounds": int(played.rounds[-1]),
        "seeds": played.seeds.tolist(),
        "regret": played.regret[:, -1].tolist(),
        "options": played.facts["chosen"],
    }
