"""How long a configuration takes at paper scale, from what its plays cost when they were run shorter.

    python -m manybandits.estimate --config configs/neural.yaml --cores 2

A play is priced at the seconds a round that its run table was made at, whatever settings it was made with; the
number of rounds is that of the papers: all grid points on the tuning seeds, and the reported seeds. Networks are
trained more often in the first 1,000 rounds, so the price of a short run is not below that of a long one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pandas as pd

from manybandits.core.artifacts import load_provenance
from manybandits.core.errors import InputError, run_script
from manybandits.plan import Play, make_plan, overlay, read_yaml
from manybandits.play import expand_grid, parse_seeds


def rounds_of(play: Play) -> int:
    """Return how many rounds of one replica a play has in all."""
    points = len(expand_grid(play.load(), play.grid, play.name))
    reported = len(parse_seeds(play.seeds)) * play.horizon
    if points == 1:
        return reported
    if play.tuning == "best-of-grid":
        return points * reported
    return points * len(parse_seeds(play.tuning_seeds)) * (play.tuning_rounds or play.horizon) + reported


def price(plays: dict[str, Play], runs: Path) -> pd.DataFrame:
    """Return a row a play: algorithm, rounds, and the seconds of one core, NaN where it was never run."""
    rows = []
    for name, play in plays.items():
        path = runs / f"{name}.parquet"
        rounds, seconds = rounds_of(play), float("nan")
        if path.exists():
            costs = load_provenance(path)["made_on"]
            seconds = rounds * costs["threads"] / costs["rounds_per_second"]
        rows.append({"play": name, "algorithm": play.algorithm, "rounds": rounds, "seconds": seconds})
    return pd.DataFrame(rows)


def main(argv: list[str] | None = None) -> None:
    """Print the estimate."""
    parser = argparse.ArgumentParser(description="Estimate how long a configuration takes at paper scale.")
    parser.add_argument("--config", type=Path, nargs="*", default=[], help="files that overlay config.yaml")
    parser.add_argument("--cores", type=int, default=2)
    given = parser.parse_args(argv)
    root = Path.cwd()
    config = read_yaml(root / "config.yaml")
    for path in given.config:
        config = overlay(config, read_yaml(path))
    config.pop("settings", None)  # those of the papers
    table = price(make_plan(config, root).plays, root / "artifacts" / config["name"] / "runs")
    if table["seconds"].isna().all():
        raise InputError(f"no play of {config['name']!r} was ever run: run it once, shorter, and ask again.")
    by_algorithm = table.groupby("algorithm").agg(
        plays=("play", "count"), unpriced=("seconds", lambda s: int(s.isna().sum())), hours=("seconds", "sum")
    )
    by_algorithm["hours"] /= 3600
    sys.stdout.write(by_algorithm.sort_values("hours", ascending=False).round(2).to_string() + "\n")
    total = table["seconds"].sum() / 3600
    unpriced = int(table["seconds"].isna().sum())
    sys.stdout.write(
        f"{total:.1f} hours of one core, {total / given.cores:.1f} hours on {given.cores}; "
        f"{unpriced} of {len(table)} plays were never run and are not in it\n"
    )


if __name__ == "__main__":
    run_script(main)
