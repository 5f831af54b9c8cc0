"""One replica of a policy of networks, which decides and learns once at a time.

A policy of networks refers to contexts by their place in a table of items (`manybandits.algorithms.neural._learning`).
Here this table starts empty: the contexts of a choice are written to its end, and the one that was played is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
import torch

from manybandits.algorithms import contract
from manybandits.algorithms.contract import Problem
from manybandits.algorithms.neural._learning import View, tables_of, view_of
from manybandits.base import seeds as streams
from manybandits.base.limits import LARGEST
from manybandits.harness.snapshots import flatten, set_leaves

CONTEXTS = "contexts"
"""The array with the contexts that were played, among those of `NeuralReplica.arrays`."""


class NeuralReplica:
    """A policy of networks for one replica, and the contexts that it has learned from.

    problem, options, seed: of the replica. It can learn from `problem.horizon` observations at most. torch
    computes on one thread from then on, in the whole process, because the order of its sums depends on their number.
    """

    limited = True

    def __init__(self, module: ModuleType, problem: Problem, options: Mapping[str, Any], seed: int) -> None:
        torch.set_num_threads(1)
        self.room = problem.horizon
        arrays = {
            "item_table": np.zeros((problem.horizon + problem.arms, problem.dimension)),
            "user_table": np.zeros((1, 0)),
        }
        self.tables = tables_of(arrays, "cpu")
        random = streams.words(np.array([seed]), "policy")
        self.policy = module.Policy(problem, contract.stack([options]), random, self.tables)
        _ = self.policy.tensors  # an optimiser is made when it is first asked for
        # What a choice leaves behind until it is learned is not among them.
        self.kinds = {leaf.name: type(leaf.value).__name__ for leaf in flatten(self.policy) if leaf.value is not None}
        self.diverged: np.ndarray = self.policy.diverged
        self.latest: tuple[View, int, int] | None = None  # a choice that is not learned yet, its user and arm

    def choose(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> int:
        """Return the arm for a user in round t, or -1 if a context, (K, d), is not computed with; items are unused."""
        view = self.view(t, user, contexts)
        return -1 if view is None else self.select(view, user)

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> bool:
        """Learn from the reward of a context, (d,); return False, without learning, if a number is not computed with.

        An observation that is not one of the latest choice is learned as that of a round with this arm alone.
        """
        if not abs(reward) <= LARGEST:
            return False
        view, arm = self.chosen(t, user, context)
        if view is None:
            view, arm = self.view(t, user, context[None]), 0
            if view is None:
                return False
            self.select(view, user)
        self.latest = None
        self.tables.item[t - 1] = view.inputs.x[0, arm]
        kept = view._replace(items=torch.full_like(view.items, t - 1))
        self.policy.learn(kept, torch.tensor([arm]), torch.tensor([reward], dtype=self.tables.item.dtype))
        return True

    def arrays(self) -> dict[str, np.ndarray]:
        """Return all that it remembers, by name."""
        found = {leaf.name: np.asarray(leaf.value) for leaf in flatten(self.policy) if leaf.name in self.kinds}
        return {**found, CONTEXTS: self.tables.item.numpy()[: self.room]}

    def set(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Let it remember what `arrays` returned."""
        set_leaves(self.policy, arrays, self.kinds)
        self.tables.item[: self.room] = torch.from_numpy(arrays[CONTEXTS])

    def view(self, t: int, user: int, contexts: np.ndarray) -> View | None:
        """Return round t, with contexts (K, d) presented to a user; None if a number is NaN, or beyond `LARGEST`."""
        offered = self.tables.item[self.room : self.room + len(contexts)]
        offered[:] = torch.from_numpy(_single(contexts))
        if not (offered.abs() <= LARGEST).all():  # nor is any NaN
            return None
        items = torch.arange(self.room, self.room + len(contexts)).unsqueeze(0)
        return view_of(self.tables, t, torch.full_like(items, user), items, torch.zeros_like(items), blocks=1)

    def select(self, view: View, user: int) -> int:
        """Return the arm that the policy plays."""
        arm = int(self.policy.select(view)[0])
        self.latest = view, user, arm
        return arm

    def chosen(self, t: int, user: int, context: np.ndarray) -> tuple[View | None, int]:
        """Return the latest choice and the arm that had a context, (d,), if it was for this user in round t."""
        if self.latest is None:
            return None, 0
        view, served, played = self.latest
        same = (view.inputs.x[0].numpy() == _single(context)).all(axis=1)
        if (view.t, served) != (t, user) or not same.any():
            return None, 0
        return view, played if same[played] else int(same.argmax())


def _single(values: np.ndarray | float) -> np.ndarray:
    """Return numbers as networks see them, as float32; what is too large is infinite."""
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float32)
