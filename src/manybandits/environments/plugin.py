"""Freeze a game that is a plug-in: ``python -m manybandits.environments.plugin ./my_game.py --out my_game.npz``."""

from __future__ import annotations

import argparse

from manybandits.base.exceptions import run_script
from manybandits.environments.catalogue import checked_name, load_module


def main(argv: list[str] | None = None) -> None:
    """Run `main` of the game's module."""
    parser = argparse.ArgumentParser(description="Freeze a game that is a plug-in.")
    parser.add_argument("game", help="the path of its file, such as ./my_game.py")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, help="its settings, and --out")
    args = parser.parse_args(argv)
    load_module(checked_name(args.game)).main(args.arguments)


if __name__ == "__main__":
    run_script(main)
