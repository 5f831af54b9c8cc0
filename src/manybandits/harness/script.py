"""An algorithm as a script: from the command line to a run table.

python -m manybandits.algorithms.linear.club --environment E.npz --seeds 0-9 --set alpha=0.1,1 --out run.parquet
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from manybandits.algorithms import catalogue
from manybandits.compiling.announced import announced
from manybandits.harness.play import MEMORY, run
from manybandits.harness.settings import parse_grid, parse_seeds


def main(algorithm: str, argv: list[str] | None = None) -> None:
    """Run an algorithm as a script: ``python -m manybandits.algorithms.linear.club --environment E.npz ...``."""
    module = catalogue.load(algorithm)
    options = "\n".join(f"  {o.name:<14} {o.meaning} (default {o.default})" for o in module.OPTIONS) or "  none"
    parser = argparse.ArgumentParser(
        description=f"{module.TITLE} ({module.REFERENCE}) on a frozen game.",
        epilog=f"options for --set:\n{options}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--environment", type=Path, required=True, help="the game, an .npz file")
    parser.add_argument("--out", type=Path, required=True, help="the run table to write, a .parquet file")
    parser.add_argument("--variant", default="paper", help="paper (default) or released")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=V,V", help="grid values of an option")
    parser.add_argument("--seeds", default="0-9", help="evaluation seeds (default 0-9)")
    parser.add_argument("--tuning-seeds", default="100-102", help="seeds to choose the grid point on")
    parser.add_argument("--tuning", default="tuning-seeds", help="tuning-seeds (default) or best-of-grid")
    parser.add_argument("--tuning-rounds", type=int, help="rounds of a tuning play (default: the horizon)")
    parser.add_argument("--title", help="how figures name the run (default: as the algorithm)")
    parser.add_argument("--horizon", type=int, default=10_000, help="rounds")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--memory", type=int, default=MEMORY, help="bytes for the replicas of one batch")
    parser.add_argument("--device", default="cpu", help="where neural algorithms compute: cpu (default) or cuda")
    given = parser.parse_args(argv)
    with announced(module.TITLE):
        told = run(
            given.environment,
            algorithm,
            given.out,
            grid=parse_grid(given.set),
            seeds=parse_seeds(given.seeds),
            tuning_seeds=parse_seeds(given.tuning_seeds),
            tuning=given.tuning,
            tuning_rounds=given.tuning_rounds,
            title=given.title,
            variant=given.variant,
            horizon=given.horizon,
            threads=given.threads,
            memory=given.memory,
            device=given.device,
        )
    print(told)
