"""LinUCB of river, mabwiser and contextualbandits beside ours: regret, agreement and rounds per second.

    python benchmarks/libraries.py [--horizon 1000] [--seeds 5] [--dimension 10] [--arms 10]

The game has one instance, so that all arms of a round share a context, as the libraries need. All play the same rounds.
Agreement: the share of rounds in which a library would choose our arm, if it had learned from our choices, among the
rounds in which we choose without a tie, that is, once every arm was played. Libraries that are not installed are left
out; needed are ``pip install river mabwiser contextualbandits``.
"""

from __future__ import annotations

import argparse
import importlib
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import manybandits as mb
from manybandits.environments.kinds.instances import InstanceGame
from manybandits.harness.objects import for_objects

EXACT = {"alpha": 1.0, "fit_intercept": 0, "use_float": 0}
POLICIES: dict[str, tuple[str, Callable[[Any], Any], dict[str, Any]]] = {
    "mabwiser": ("mabwiser.mab", lambda m: mb.adapters.mabwiser(m.LearningPolicy.LinUCB), {"alpha": 1.0}),
    "contextualbandits": ("contextualbandits.online", lambda m: mb.adapters.contextualbandits(m.LinUCB), EXACT),
    "river": ("river.bandit", lambda m: mb.adapters.river(m.LinUCBDisjoint), {}),
}


def agreement(game: InstanceGame, make: Callable[..., Any], options: dict[str, Any], horizon: int) -> tuple[int, int]:
    """Return in how many rounds a library chooses our arm after the same observations, and of how many."""
    problem = for_objects(game).problem(None, horizon, np.zeros(1))  # type: ignore[arg-type]
    theirs, seeds = make(problem=problem, seed=0, **options), np.array([0])
    ours = mb.load("linucb", dimension=game.dimension, arms=game.arms, alpha=1.0)
    drawn = game.rounds(game.population(seeds), seeds, 0)
    same, asked, tried = 0, 0, np.zeros(game.arms, bool)
    for b in range(min(horizon, drawn.users.shape[1])):
        contexts = np.tile(drawn.contexts[0, b], (game.arms, 1))
        arm, answer = ours.choose(0, contexts), theirs.choose(0, contexts)
        if tried.all():
            asked += 1
            same += arm == answer
        reward, theirs.arm = float(drawn.rewards[0, b, arm]), arm
        ours.learn(0, contexts, arm, reward)
        theirs.learn(0, contexts[arm], reward)
        tried[arm] = True
    return same, asked


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Compare LinUCB of other libraries with ours.")
    for name, default in (("horizon", 1000), ("seeds", 5), ("dimension", 10), ("arms", 10)):
        parser.add_argument(f"--{name}", type=int, default=default)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    game = mb.games.instances(instances=1, dimension=given.dimension, arms=given.arms, noise=0.1)
    assert isinstance(game, InstanceGame)
    how = {"game": game, "horizon": given.horizon, "seeds": range(given.seeds)}
    played = [(mb.play("linucb", alpha=1.0, threads=1, **how), ""), (mb.play("random", threads=1, **how), "")]
    for library, (module, adapt, options) in POLICIES.items():
        try:
            policy = adapt(importlib.import_module(module))
        except ImportError:
            print(f"{library} is not installed")
            continue
        same, asked = agreement(game, policy, options, given.horizon)
        played.append((mb.play(policy, **how, **options), f"{same} of {asked}"))
    print("| policy | final regret | standard deviation | agreement | rounds per second |\n|---|---:|---:|---:|---:|")
    for runs, agreed in played:
        regret = runs.final["regret"]
        rate = f"{runs.costs['rounds_per_second']:,}"
        print(f"| {runs.title} | {regret.mean():.1f} | {regret.std():.1f} | {agreed} | {rate} |")


if __name__ == "__main__":
    main()
