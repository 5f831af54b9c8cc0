"""The most expensive plays of `paper-scale`, made short: the minutes that they take on one core, on more, and by Slurm.

    python benchmarks/dearest_plays.py --rounds 500 --cores 1 2

Plays them with Snakemake in a temporary folder, of which games and compiled kernels are made before any time is taken;
options are chosen after a tenth of the rounds. All ways must give the same bytes. `--slurm` adds the cluster of this
machine, such as the one of one node that ``tests/slurm/node.sh up FOLDER`` starts.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import yaml
from tests.chain import checkout
from tests.slurm.test_slurm import PROFILE

from manybandits.base.artifacts import sha256
from manybandits.planning.configuration import load_configuration
from manybandits.planning.cost_model import CostModel
from manybandits.planning.estimate import priced
from manybandits.planning.plan import make_plan
from manybandits.planning.workflow import Workflow

ROOT = Path(__file__).resolve().parents[1]
WHOLE = "configs/paper-scale.yaml"
SHORT = "configs/chain.yaml"


def dearest(count: int) -> list[tuple[str, str]]:
    """Return paper and name of the plays that take longest, by the estimate."""
    config = load_configuration(ROOT, [ROOT / WHOLE])
    jobs = [one for one in priced(Workflow(make_plan(config, ROOT), config, ROOT), CostModel()) if one.job.plays]
    jobs.sort(key=lambda one: -one.cost.seconds)
    return [(play.paper, play.name) for one in jobs for play in one.job.plays][:count]


def shorten(folder: Path, name: str, plays: Sequence[tuple[str, str]], rounds: int) -> list[str]:
    """Write the overlay of a run in which these plays are short, and return their run tables."""
    settings = {"horizon": rounds, "tuning_rounds": max(1, rounds // 10)}
    told = {"name": name, "per_paper": {paper: {"settings": settings} for paper, _ in plays}}
    (folder / SHORT).write_text(yaml.safe_dump(told))
    return [f"reports/{name}/runs/{play}.parquet" for _, play in plays]


def play(folder: Path, tables: Sequence[str], *how: str) -> float:
    """Return the seconds in which Snakemake makes run tables."""
    told = [sys.executable, "-m", "snakemake", *tables, "--quiet", "rules", "host", "--configfile", WHOLE, SHORT, *how]
    begun = time.perf_counter()
    subprocess.run(told, cwd=folder, check=True)
    return time.perf_counter() - begun


def main() -> None:
    """Print a row per way: minutes, and how many times as fast as the first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=500, metavar="N", help="of each play (default %(default)s)")
    parser.add_argument("--plays", type=int, default=10, metavar="N", help="how many (default %(default)s)")
    parser.add_argument("--cores", type=int, nargs="+", default=[1, 2], metavar="N", help="(default 1 2)")
    parser.add_argument("--slurm", action="store_true", help="through Slurm, too")
    args = parser.parse_args()
    ways = {f"{cores} cores": ("--cores", str(cores)) for cores in args.cores}
    ways |= {"Slurm": (*PROFILE, "--cores", "1")} if args.slurm else {}
    plays = dearest(args.plays)
    with tempfile.TemporaryDirectory() as parent:
        folder = checkout(ROOT, Path(parent) / "run", ROOT / WHOLE)
        play(folder, shorten(folder, "prepared", plays, 10), "--cores", str(max(args.cores)))
        tables, first, made = shorten(folder, "short", plays, args.rounds), 0.0, set[tuple[str, ...]]()
        for way, how in ways.items():
            shutil.rmtree(folder / "reports/short", ignore_errors=True)
            seconds = play(folder, tables, *how)
            first = first or seconds
            made.add(tuple(sha256(folder / table) for table in tables))
            print(f"{way:10} {seconds / 60:6.1f} min  {first / seconds:5.2f}", flush=True)
    if len(made) > 1:
        raise SystemExit("the run tables of these ways differ")


if __name__ == "__main__":
    main()
