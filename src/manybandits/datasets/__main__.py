"""``python -m manybandits.datasets``: what ``manybandits data`` does, for the rules of the workflow."""

from __future__ import annotations

import argparse

from manybandits.base.data_options import add_data_options
from manybandits.base.exceptions import run_script
from manybandits.datasets.command_line import run


def main(argv: list[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m manybandits.datasets", description="Data sets of the five papers.")
    add_data_options(parser)
    run(parser.parse_args(argv))


if __name__ == "__main__":
    run_script(main)
