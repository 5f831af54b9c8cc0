"""LinUCB of river, mabwiser and contextualbandits beside ours: regret and rounds per second.

    python benchmarks/libraries.py [--horizon 1000] [--seeds 5] [--dimension 10] [--arms 10]

The game has one instance, so that all arms of a round share a context, as the libraries need. All play the same rounds;
`conformance.py` compares their choices. Libraries that are not installed are left out; needed are
``pip install river mabwiser contextualbandits``.
"""

from __future__ import annotations

import argparse
import importlib
import warnings
from collections.abc import Callable
from typing import Any

import manybandits as mb

EXACT = {"alpha": 1.0, "fit_intercept": 0, "use_float": 0}
POLICIES: dict[str, tuple[str, Callable[[Any], Any], dict[str, Any]]] = {
    "mabwiser": ("mabwiser.mab", lambda m: mb.adapters.mabwiser(m.LearningPolicy.LinUCB), {"alpha": 1.0}),
    "contextualbandits": ("contextualbandits.online", lambda m: mb.adapters.contextualbandits(m.LinUCB), EXACT),
    "river": ("river.bandit", lambda m: mb.adapters.river(m.LinUCBDisjoint), {}),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Compare LinUCB of other libraries with ours.")
    for name, default in (("horizon", 1000), ("seeds", 5), ("dimension", 10), ("arms", 10)):
        parser.add_argument(f"--{name}", type=int, default=default)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    game = mb.games.instances(instances=1, dimension=args.dimension, arms=args.arms, noise=0.1)
    how = {"game": game, "horizon": args.horizon, "seeds": range(args.seeds)}
    played = [mb.play("linucb", alpha=1.0, threads=1, **how), mb.play("random", threads=1, **how)]
    for library, (module, adapt, options) in POLICIES.items():
        try:
            policy = adapt(importlib.import_module(module))
        except ImportError:
            print(f"{library} is not installed")
            continue
        played.append(mb.play(policy, **how, **options))
    print("| policy | final regret | standard deviation | rounds per second |\n|---|---:|---:|---:|")
    for runs in played:
        regret = runs.final["regret"]
        rate = f"{runs.costs['rounds_per_second']:,}"
        print(f"| {runs.title} | {regret.mean():.1f} | {regret.std():.1f} | {rate} |")


if __name__ == "__main__":
    main()
