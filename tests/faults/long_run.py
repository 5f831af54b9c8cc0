"""A run that is disturbed for hours: something of it is killed every few minutes, and its bytes are compared.

    python -m tests.faults.long_run configs/embedded.yaml --minutes 10 --every 0.5
    python -m tests.faults.long_run configs/paper-scale.yaml --minutes 120 --every 5 --whole ../paper-scale

An undisturbed run is made first, unless the folder of one is given. When the time is over, what was begun is finished.
A run that is finished before begins anew, in another folder. Exit status: 0 if all bytes are equal, 1 if not.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.chain import checkout, differences, disturbed, run

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """Disturb runs of a configuration, and say what was killed and what differs."""
    parser = argparse.ArgumentParser(description="Kill something of a run every few minutes, and compare the bytes.")
    parser.add_argument("configuration", type=Path)
    parser.add_argument("--minutes", type=float, default=120, help="how long runs are disturbed (default: 120)")
    parser.add_argument("--every", type=float, default=5, help="mean minutes between two kills (default: 5)")
    parser.add_argument("--whole", type=Path, help="a folder with an undisturbed run by the same code")
    parser.add_argument("--folder", type=Path, help="where runs are made (default: a temporary folder)")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seed", type=int, default=24)
    args = parser.parse_args()
    place = args.folder or Path(tempfile.mkdtemp(prefix="manybandits-"))
    whole = args.whole or finished(checkout(ROOT, place / "whole", args.configuration), args.cores)
    chance, killed, until = random.Random(args.seed), Counter[str](), time.monotonic() + 60 * args.minutes

    def waits() -> Iterator[float]:
        while time.monotonic() < until:
            yield 60 * args.every * chance.uniform(0.2, 1.8)

    for number in itertools.count(1):
        folder = checkout(ROOT, place / f"disturbed-{number}", args.configuration)
        counts = disturbed(folder, waits(), chance, args.cores)
        killed.update(counts)
        differing = differences(whole, finished(folder, args.cores))
        say(f"run {number}: killed {counts}; {len(differing)} files differ")
        if differing:
            sys.exit("\n".join(differing))
        if time.monotonic() > until:
            break
    say(f"{sum(killed.values())} kills in {number} runs, which all ended with the same bytes: {dict(killed)}")


def finished(folder: Path, cores: int) -> Path:
    """Finish the run in a folder, and return the folder."""
    done = run(folder, cores=cores)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return folder


def say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
