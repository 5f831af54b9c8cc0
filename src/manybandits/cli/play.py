"""The command ``manybandits play``: an algorithm's script, which can also make a game that needs no data."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from manybandits.algorithms import catalogue
from manybandits.base.exceptions import InputError
from manybandits.environments.catalogue import GAMES, WITHOUT_DATA, freeze_without_data
from manybandits.harness.command_line import main as play


def run(given: argparse.Namespace) -> None:
    """Play a game with an algorithm."""
    name = catalogue.checked_name(given.algorithm)
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--game")
    parser.add_argument("--set-game", nargs="+", default=[])
    ours, arguments = parser.parse_known_args(given.arguments)
    if ours.set_game and not ours.game:
        raise InputError("--set-game has the settings of a game: name it by --game.")
    if ours.game and any(word.partition("=")[0] == "--environment" for word in arguments):
        raise InputError(f"--game {ours.game} makes the game itself: leave out --environment, or --game.")
    if ours.game in GAMES and ours.game not in WITHOUT_DATA:
        raise InputError(
            f"{ours.game} is made from data: freeze it as `python -m {GAMES[ours.game]} --help` describes, and give "
            "its file by --environment."
        )
    sys.argv[0] = f"manybandits play {name}"  # the program in the help of the algorithm's script
    with tempfile.TemporaryDirectory() as folder:
        if ours.game:
            made = freeze_without_data(ours.game, parse_settings(ours.set_game), Path(folder))
            arguments += ["--environment", str(made)]
        play(name, arguments)


def parse_settings(texts: Sequence[str]) -> dict[str, str]:
    """Parse settings such as ``agents=20``: name -> value."""
    settings = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise InputError(
                f"--set-game {text!r} is not a setting: write for example --set-game agents=20 clusters=2."
            )
        settings[name] = value
    return settings
