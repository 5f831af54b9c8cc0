"""Play one game with one algorithm in several ways, one after the other, into one packed file of run tables.

    python -m manybandits.harness.batch --environment E.npz --plays '{"m_cnb": {...}, "m_cnb-first-own": {...}}' \\
        --out artifacts/readings/batches/m-cnb-paper-facebook-ego/m_cnb-1/m_cnb.parquet

Every run table has the bytes that `manybandits.harness.play` gives it alone, as far as `manybandits.results.packed`
keeps them.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from manybandits.base.exceptions import run_script
from manybandits.base.typed import typed_json
from manybandits.compiling.progress import announce_compilation
from manybandits.harness.play import play
from manybandits.harness.replicas import MEMORY
from manybandits.harness.spec import PlaySpec
from manybandits.results.packed import pack


def play_batch(
    environment: Path,
    plays: Mapping[str, PlaySpec],
    out: Path,
    *,
    threads: int = 1,
    memory: int = MEMORY,
    device: str = "cpu",
) -> list[str]:
    """Play the frozen game in the file `environment` as each specification says; pack the run tables into `out`.

    plays: name -> specification; out: named after the paper, as a packed file is. Returns a summary of each play.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".plays-") as folder:
        tables = {name: Path(folder, "runs", out.stem, environment.stem, f"{name}.parquet") for name in plays}
        told = [
            play(environment, spec, tables[name], threads=threads, memory=memory, device=device)
            for name, spec in plays.items()
        ]
        pack(list(tables.values()), [], out)
    return told


def main(argv: list[str] | None = None) -> None:
    """Play a batch."""
    parser = argparse.ArgumentParser(description="Play one game with one algorithm in several ways.")
    parser.add_argument("--environment", type=Path, required=True, help="the game, an .npz file")
    parser.add_argument("--plays", required=True, help="name -> specification of a play, as JSON")
    parser.add_argument("--out", type=Path, required=True, help="the .parquet file to write, named after the paper")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="default: all cores")
    parser.add_argument("--memory", type=int, default=MEMORY, help="maximum bytes of the replicas of one batch")
    parser.add_argument("--device", default="cpu", help="device of neural algorithms: cpu (default) or cuda")
    given = parser.parse_args(argv)
    plays = typed_json(dict[str, PlaySpec], given.plays, "--plays")
    with announce_compilation(", ".join(sorted({spec.algorithm for spec in plays.values()}))):
        told = play_batch(
            given.environment, plays, given.out, threads=given.threads, memory=given.memory, device=given.device
        )
    print("\n".join(told))


if __name__ == "__main__":
    run_script(main)
