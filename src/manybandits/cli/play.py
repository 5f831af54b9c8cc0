"""``manybandits play``: an algorithm's script, which can also be given the name of a game that needs no data."""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from pathlib import Path

from manybandits.algorithms import policy
from manybandits.core.errors import InputError, pick
from manybandits.plan import GAMES
from manybandits.play import main as play_main

SYNTHETIC = {name: f"manybandits.environments.{name}" for name in ("synthetic", "agents", "instances")}
"""Games that are made from settings alone."""


def run(given: argparse.Namespace) -> None:
    """Play a game with an algorithm."""
    name = pick(given.algorithm, policy.names(), "algorithm")
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--game")
    parser.add_argument("--set-game", nargs="+", default=[], metavar="NAME=VALUE")
    ours, play = parser.parse_known_args(given.arguments)
    if ours.set_game and not ours.game:
        raise InputError("--set-game says how a game is made: name it by --game.")
    with tempfile.TemporaryDirectory() as folder:
        if ours.game:
            if any(word.split("=")[0] == "--environment" for word in play):
                raise InputError(f"--game {ours.game} is made here: leave out --environment, or --game.")
            play += ["--environment", str(freeze(ours.game, ours.set_game, Path(folder)))]
        sys.argv[0] = f"manybandits play {name}"  # what help and messages of the algorithm's parser begin with
        play_main(name, play)


def freeze(game: str, settings: list[str], folder: Path) -> Path:
    """Make a game that needs no data and return its file. settings: texts such as ``agents=20``."""
    if game in GAMES and game not in SYNTHETIC:
        raise InputError(
            f"{game} is made from data: `python -m {GAMES[game]} --help` says how; give its file to --environment."
        )
    module = importlib.import_module(SYNTHETIC[pick(game, SYNTHETIC, "game")])
    flags = []
    for text in settings:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise InputError(f"--set-game {text!r} is no setting: write for example --set-game agents=20 clusters=2.")
        flags.append(f"--{pick(name, module.SETTINGS, f'setting of {game}')}={value}")
    path = folder / f"{game}.npz"
    module.main([*flags, "--out", str(path)])
    return path
