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


def run(given: argparse.Namespace) -> None:
    """Play, and print a summary of the play."""
    name = plain.checked_name(given.algorithm) if plain.is_twin(given.algorithm) else algorithm_of(given.algorithm)
    check_written(given.out, ".parquet")
    if given.set_game and not given.game:
        raise InputError("--set-game has the settings of a game: name it by --game.")
    if given.game and given.environment:
        raise InputError(f"--game {given.game} makes the game itself: leave out --environment, or --game.")
    if not (given.game or given.environment):
        raise InputError("no game is named: give --game synthetic, or a frozen one by --environment game.npz.")
    if given.environment:
        check_read([given.environment], ".npz", "frozen game")
    if given.game in GAMES and given.game not in WITHOUT_DATA:
        raise InputError(
            f"{given.game} is made from data: freeze it as `python -m {GAMES[given.game]} --help` describes, and give "
            "its file by --environment."
        )
    with tempfile.TemporaryDirectory() as folder:
        game = given.environment
        if given.game:
            game = freeze_without_data(given.game, assigned(given.set_game), Path(folder))
        said = play_as_given(name, game, vars(given))
    if given.json:
        print_json({"algorithm": name, "run_table": str(given.out), **_result(given.out), "summary": said})
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
