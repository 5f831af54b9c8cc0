"""How the meta-learner of Meta-Ban adapts to the group of every arm: Algorithm 2, in both readings of its gradient.

Line 9 takes the gradient of the group's loss at the weights of its users and applies it to Theta (`AtUsers`). Eq. 5,
which Theta is said to minimise, and Lemma 6.2, by which Theta comes to fit the data of the group, need the gradient at
Theta itself (`AtTheta`).

A gradient at a user's weights changes only when the user learns. It is computed then, over its J_2 draws at once, and
stored, so that J_2 steps for an arm are one weighted sum of stored gradients. A gradient at Theta changes with every
step and with the group: each arm has a network of its own that takes J_2 steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
import torch

from manybandits.algorithms.neural._learning import History
from manybandits.algorithms.neural._own_rounds import OwnRounds
from manybandits.numerics.networks import Inputs, Weights, climb, factors, gradient, stored_slopes
from manybandits.numerics.networks.fused_training import EPSILON, FADING, FADING_SQUARES
from manybandits.numerics.networks.users import combine

if TYPE_CHECKING:
    from torch import Tensor


class Steps(NamedTuple):
    """The steps of the meta-learner."""

    number: int  # J_2
    rate: Tensor  # (R,): eta_2
    adam: bool  # Adam, with new moments for every adaptation, or plain gradient descent
    batch: int  # observations of a step
    means: bool  # losses are means over data and members, or sums
    shrink: Tensor  # (R,): lambda / sqrt(m), the weight of |.|_1


class Adaptation(Protocol):
    """What Algorithm 2 does in a round: `adapt`, then `networks`, and `of_arm` for the arm that was played."""

    def adapt(self, base: Weights, members: Tensor, informed: Tensor) -> None:
        """Start from base, and adapt to groups. members: (R, K, n); informed: (R, n), who has data."""

    def networks(self) -> Weights:
        """Return T_i of every arm, as R K networks, each with the block of its arm only."""

    def of_arm(self, arm: Tensor) -> Weights:
        """Return T_i of one arm per replica, (R,), with all blocks."""

    def learned(self, own: Weights, served: np.ndarray) -> None:
        """Take the new weights of the learners served, (R,)."""

    @property
    def tensors(self) -> tuple[Tensor, ...]: ...


class AtUsers:
    """Line 9: gradients at the weights of users."""

    def __init__(self, steps: Steps, like: Weights, lists: OwnRounds, history: History) -> None:
        self.steps, self.lists, self.history = steps, lists, history
        self.slopes = tuple(torch.zeros_like(layer) for layer in like)  # (R, n, ...)
        self.total = tuple(torch.zeros_like(layer[:, 0]) for layer in like)  # the sum of all of them
        self.newest = tuple(torch.zeros_like(layer) for layer in self.total)  # memory that is used again
        self.base: Weights
        self.whole: Tensor  # (R, K): for each arm, the weight of the sum over all learners
        self.single: Tensor  # (R, K, n): of each; negative if `whole` is not 0 and the learner is not in the group

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return *self.slopes, *self.total, *self.newest

    def adapt(self, base: Weights, members: Tensor, informed: Tensor) -> None:
        """Weigh the gradients. Most weights are 0, for groups of any size."""
        self.base = base
        size = members.sum(2)
        step = 1.0 / (size.clamp(min=1) if self.steps.means else torch.ones_like(size)).to(base[0].dtype)
        if not self.steps.adam:
            step = self.steps.number * self.steps.rate[:, None] * step
        most = 2 * size > informed.sum(1, keepdim=True)
        others = informed.unsqueeze(1) & ~members
        single = torch.where(most.unsqueeze(2), others, members)
        self.whole, self.single = step * most, single * torch.where(most, -step, step).unsqueeze(2)

    def networks(self) -> Weights:
        layers = []
        for base, total, slopes in zip(self.base, self.total, self.slopes, strict=True):
            in_blocks = base.dim() == 4 and base.shape[1] > 1
            moved = self.moved(*rows_of(base, total, slopes, in_blocks), self.whole, self.single).flatten(0, 1)
            layers.append(moved.view(-1, *((1, *base.shape[2:]) if in_blocks else base.shape[1:])))
        return tuple(layers)

    def of_arm(self, arm: Tensor) -> Weights:
        rows = self.history.rows
        taken = self.whole[rows, arm].unsqueeze(1), self.single[rows, arm].unsqueeze(1)
        return tuple(
            self.moved(*rows_of(base, total, slopes), *taken).view_as(base)
            for base, total, slopes in zip(self.base, self.total, self.slopes, strict=True)
        )

    def moved(self, base: Tensor, total: Tensor, slopes: Tensor, whole: Tensor, single: Tensor) -> Tensor:
        """Return one layer of Theta after J_2 steps, (R, K, P), from the shapes of `rows_of`.

        The steps have the same gradient g, so that Adam's moments without bias are g and g^2 in all of them.
        """
        if not self.steps.adam:
            return combine(base, total, slopes, whole, single)
        downhill = combine(torch.zeros_like(base), total, slopes, whole, single)
        length = (self.steps.number * self.steps.rate)[:, None, None]
        return _each(base, whole.shape[1]) + length * downhill / (downhill.abs() + EPSILON)

    def learned(self, own: Weights, served: np.ndarray) -> None:
        learner = torch.from_numpy(served).to(self.history.rows.device)
        new = self.slopes_at(own, served)
        stored_slopes.replace(self.slopes, self.total, learner, new, own, self.steps.shrink)

    def slopes_at(self, own: Weights, served: np.ndarray) -> Weights:
        """Return the gradient of the losses of the learners served at their weights, over the data of J_2 steps."""
        drawn = self.lists.draws(served, self.steps.number, self.steps.batch)
        places = drawn.order.flatten(1)[:, : drawn.used.max()]
        x, block, _, reward = self.history.rounds(drawn.rounds.gather(1, places))
        counts = torch.arange(reward.shape[1], device=reward.device) < drawn.used.unsqueeze(1)
        share = drawn.used if self.steps.means else drawn.used / drawn.size
        at = factors(own, Inputs(x, block))
        for layer in self.newest:
            layer.zero_()
        climb(self.newest, at, (at.value - reward) * (counts / share.clamp(min=1).unsqueeze(1)).to(reward.dtype))
        return self.newest


class AtTheta:
    """Eq. 5 and Lemma 6.2: gradients at Theta, which so comes to fit the data of the group."""

    def __init__(self, steps: Steps, like: Weights, lists: OwnRounds, history: History) -> None:
        self.steps, self.lists, self.history = steps, lists, history
        self.adapted: Weights  # R K networks

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return ()

    def adapt(self, base: Weights, members: Tensor, informed: Tensor) -> None:
        arms, steps = members.shape[1], self.steps
        drawn = self.lists.draws_of_groups(members.cpu().numpy(), steps.number, steps.batch, steps.means)
        rounds, weights = (part.flatten(0, 1) for part in drawn)  # (R K, S, B)
        sizes = members.sum(2).flatten()
        pull = steps.shrink.repeat_interleave(arms) * (sizes.clamp(max=1) if steps.means else sizes)

        def slopes_of(step: int, own: Weights) -> Weights:
            x, block, _, reward = self.history.rounds(rounds[:, step].reshape(-1, arms * steps.batch))
            x, block, reward = (part.reshape(len(rounds), -1, *part.shape[2:]) for part in (x, block, reward))
            at = factors(own, Inputs(x, block))
            slopes = gradient(at, (at.value - reward) * weights[:, step].to(reward.dtype), own)
            for slope, layer in zip(slopes, own, strict=True):
                slope.addcmul_(layer.sign(), _beside(pull, layer))
            return slopes

        own = tuple(layer.repeat_interleave(arms, 0) for layer in base)
        self.adapted = descend(own, slopes_of, steps.number, steps.rate.repeat_interleave(arms), steps.adam)

    def networks(self) -> Weights:
        first, *others = self.adapted
        if first.shape[1] == 1:
            return self.adapted
        places = torch.arange(len(first), device=first.device)
        return first[places, places % first.shape[1]].unsqueeze(1), *others

    def of_arm(self, arm: Tensor) -> Weights:
        arms = len(self.adapted[0]) // len(arm)
        return tuple(layer[self.history.rows * arms + arm] for layer in self.adapted)

    def learned(self, own: Weights, served: np.ndarray) -> None:
        """Store nothing: no gradient is taken at a user's weights."""


def descend(
    own: Weights, slopes_of: Callable[[int, Weights], Weights], steps: int, rate: Tensor, adam: bool = False
) -> Weights:
    """Return networks, one per replica, after some steps on gradients that depend on the weights. rate: (R,)."""
    first, second = (tuple(torch.zeros_like(layer) for layer in own) for _ in range(2))
    for step in range(steps):
        slopes = slopes_of(step, own)
        if not adam:
            own = tuple(w - _beside(rate, w) * g for w, g in zip(own, slopes, strict=True))
            continue
        first = tuple(torch.lerp(m, g, 1.0 - FADING) for m, g in zip(first, slopes, strict=True))
        second = tuple(torch.lerp(v, g * g, 1.0 - FADING_SQUARES) for v, g in zip(second, slopes, strict=True))
        fair, fair_squares = 1.0 - FADING ** (step + 1), 1.0 - FADING_SQUARES ** (step + 1)
        own = tuple(
            w - _beside(rate, w) * (m / fair) / ((v / fair_squares).sqrt() + EPSILON)
            for w, m, v in zip(own, first, second, strict=True)
        )
    return own


def rows_of(base: Tensor, total: Tensor, slopes: Tensor, in_blocks: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """Return a layer of Theta, (R, B, P), of all gradients together, and of each, (R, n, B, P); B = 1 or the blocks."""
    if in_blocks:
        return base.flatten(2), total.flatten(2), slopes.flatten(3)
    return base.flatten(1).unsqueeze(1), total.flatten(1).unsqueeze(1), slopes.flatten(2).unsqueeze(2)


def _each(base: Tensor, arms: int) -> Tensor:
    """Return the rows of K arms, (R, K, P), from (R, B, P): the block of each, or the same row."""
    return base if base.shape[1] == arms else base.expand(-1, arms, -1)


def _beside(values: Tensor, layer: Tensor) -> Tensor:
    """Return one value per replica, (R,), in a shape that multiplies a layer, (R, ...)."""
    return values.view(-1, *[1] * (layer.dim() - 1))
