"""LinUCB, LinTS and UCB1 of river, mabwiser and contextualbandits, in the game of the conformance vectors.

    python benchmarks/conformance.py

A library sees the rounds of `manybandits.harness.vectors.make_game` and learns from the choices of the plain twin of
the algorithm. Arms: in how many rounds it would choose the twin's arm, of those in which every arm has been played.
Index: the largest difference of an index in these rounds. LinTS draws, so that the means and standard deviations of its
indices after the last round are compared, over `DRAWS` draws, and there are no arms. Libraries that are not installed
are left out; needed are ``pip install river mabwiser contextualbandits``. `docs/reference/vectors.md` has the table.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import metadata
from typing import Any, Protocol

import numpy as np

from manybandits.algorithms import catalogue, plain
from manybandits.algorithms.contract import Problem, complete
from manybandits.harness import vectors

DRAWS = 2000
ROW = "| {} | {} | {} | {} | {} |"


class Library(Protocol):
    """A policy of a library."""

    def indices(self, contexts: np.ndarray) -> np.ndarray:
        """Return the index of arm k at its context, (K,). contexts: (K, d)."""

    def learn(self, arm: int, context: np.ndarray, reward: float) -> None:
        """Learn from the reward of an arm at its context, (d,)."""


class Mabwiser:
    """A learning policy of mabwiser."""

    def __init__(self, name: str, arms: int, **options: Any) -> None:
        from mabwiser.mab import MAB, LearningPolicy

        self.policy, self.fitted = MAB(list(range(arms)), getattr(LearningPolicy, name)(**options)), False

    def indices(self, contexts: np.ndarray) -> np.ndarray:
        if not self.policy.is_contextual:
            return np.array(list(self.policy.predict_expectations().values()))
        scores = self.policy.predict_expectations(contexts)
        return np.array([score[arm] for arm, score in enumerate(scores)])

    def learn(self, arm: int, context: np.ndarray, reward: float) -> None:
        fit = self.policy.partial_fit if self.fitted else self.policy.fit
        fit([arm], [reward], context[None]) if self.policy.is_contextual else fit([arm], [reward])
        self.fitted = True


class ContextualBandits:
    """A policy of contextualbandits."""

    def __init__(self, name: str, arms: int, **options: Any) -> None:
        from contextualbandits import online

        self.policy = getattr(online, name)(nchoices=arms, use_float=False, random_state=1, **options)

    def indices(self, contexts: np.ndarray) -> np.ndarray:
        # One row at a time: LinTS draws once for all rows.
        rows = [self.policy.decision_function(one[None])[0] for one in contexts]
        return np.diagonal(np.array(rows)).copy()

    def learn(self, arm: int, context: np.ndarray, reward: float) -> None:
        self.policy.partial_fit(context[None], np.array([arm]), np.array([reward]))


class River:
    """A policy of river. It shows no indices, so that they are computed as its `_pull` does."""

    def __init__(self, name: str, arms: int, **options: Any) -> None:
        from river import bandit

        self.policy, self.arms = getattr(bandit, name)(**options), arms

    def indices(self, contexts: np.ndarray) -> np.ndarray:
        if not hasattr(self.policy, "_bayes_lin_regs"):
            bonus = [self.policy.delta * np.sqrt(2 * np.log(self.policy._n) / self.policy._counts[k]) for k in self.all]
            return np.array([self.policy._rewards[k].get() for k in self.all]) + np.array(bonus)
        models = [self.policy._bayes_lin_regs[k] for k in self.all]
        found = [one.predict_one(features(x), with_dist=True) for one, x in zip(models, contexts, strict=True)]
        return np.array([one.mu + one.sigma for one in found])

    def learn(self, arm: int, context: np.ndarray, reward: float) -> None:
        contextual = hasattr(self.policy, "_bayes_lin_regs")
        self.policy.update(arm, *([features(context)] if contextual else []), reward)

    @property
    def all(self) -> range:
        return range(self.arms)


def features(x: np.ndarray) -> dict[int, float]:
    """Return a context, (d,), as river takes it."""
    return dict(enumerate(x.tolist()))


EXACT: dict[str, Any] = {"fit_intercept": False, "beta_prior": None}
CASES: list[tuple[Callable[..., Library], str, dict[str, Any], str, dict[str, float | str]]] = [
    (Mabwiser, "LinUCB", {"alpha": 0.5}, "linucb", {"alpha": 0.5}),
    (Mabwiser, "LinUCB", {"alpha": 0.5, "l2_lambda": 0.1}, "linucb", {"alpha": 0.5, "lambda": 0.1}),
    (ContextualBandits, "LinUCB", {"alpha": 0.5, "fit_intercept": False}, "linucb", {"alpha": 0.5}),
    (ContextualBandits, "LinUCB", {"alpha": 0.5}, "linucb", {"alpha": 0.5}),
    (River, "LinUCBDisjoint", {}, "linucb", {"alpha": 1.0}),
    (River, "LinUCBDisjoint", {"beta": 4.0}, "linucb", {"alpha": 0.5, "lambda": 0.25}),
    (Mabwiser, "LinTS", {"alpha": 0.5}, "linthompson", {"v": 0.5, "model": "arm"}),
    (ContextualBandits, "LinTS", {"v_sq": 0.25, **EXACT}, "linthompson", {"v": 0.5, "model": "arm"}),
    (
        ContextualBandits,
        "LinTS",
        {"v_sq": 0.5, "sample_from": "ci", **EXACT},
        "linthompson",
        {"v": 0.5, "model": "arm"},
    ),
    (Mabwiser, "UCB1", {"alpha": 1.0}, "ucb", {"rho": 2.0}),
    (River, "UCB", {"delta": 1.0}, "ucb", {"rho": 2.0}),
]


def played(library: Library, name: str, options: dict[str, float | str]) -> tuple[str, str]:
    """Return what the table says of arms and of indices."""
    game = vectors.make_game()
    arms, rounds = game["arms"], game["rounds"]
    full = complete(catalogue.load(name), options, "conformance")
    problem = Problem(game["users"], arms, arms, game["dimension"], len(rounds))
    twin = plain.load(plain.PREFIX + name)(problem, full, np.zeros(1, np.uint64))
    items, tried, same, asked, furthest = np.arange(arms), np.zeros(arms, bool), 0, 0, 0.0
    for t, one in enumerate(rounds, 1):
        contexts = np.array(one["contexts"])
        arm = twin.choose(t, one["user"], items, contexts)
        if tried.all() and name != "linthompson":
            ours, theirs = np.array(twin.values(t, one["user"], items, contexts)), library.indices(contexts)
            asked, same = asked + 1, same + int(np.argmax(theirs) == arm)
            furthest = max(furthest, float(np.abs(ours - theirs).max()))
        seen = arm, contexts[arm], one["rewards"][arm]
        twin.learn(t, one["user"], *seen)
        library.learn(*seen)
        tried[arm] = True
    if name != "linthompson":
        return f"{same} of {asked}", f"{furthest:.0e}" if furthest < 1e-6 else f"{furthest:.2f}"
    drawn = np.array([library.indices(contexts) for _ in range(DRAWS)])
    mean = np.array([model.theta @ x for model, x in zip(twin.model, contexts, strict=True)])
    deviation = np.array([full["v"] * np.sqrt(m.squared(x)) for m, x in zip(twin.model, contexts, strict=True)])
    off = np.abs(drawn.mean(axis=0) - mean) / drawn.std(axis=0) * np.sqrt(DRAWS)
    ratio = drawn.std(axis=0) / deviation
    return (
        "",
        f"means {off.max():.1f} standard errors off, deviations {ratio.min():.2f} to {ratio.max():.2f} times ours",
    )


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    print(ROW.format("library", "policy", "our algorithm", "arms", "index"))
    print("|---|---|---|---:|---|")
    for kind, policy, theirs, name, ours in CASES:
        library = kind.__name__.lower()
        try:
            made = kind(policy, vectors.ARMS, **theirs)
        except ImportError:
            print(f"{library} is not installed")
            continue
        arms, index = played(made, name, ours)
        told = ", ".join(f"{key}={value}" for key, value in theirs.items())
        known = " ".join(f"{key}={value}" for key, value in ours.items())
        print(ROW.format(f"{library} {metadata.version(library)}", f"{policy}({told})", f"{name} {known}", arms, index))


if __name__ == "__main__":
    main()
