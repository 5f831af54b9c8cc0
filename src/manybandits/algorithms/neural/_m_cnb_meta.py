"""The meta-learner of M-CNB: one network Theta, which adapts to the cluster of every arm (Algorithm 2).

    g_i  = mean over v in N_i of (f(x_v; Theta) - r_v) grad f(x_v; Theta),   (x_v, r_v) drawn from what v has stored
    T_i  = Theta - eta_2 g_i, or the step that Adam takes on g_i

With `meta_steps` above 1, every further step starts from the last one's network, with new draws. After a round, Theta
(and the moments of Adam) become those of the arm played. `m_cnb` draws, and here are the steps.

A plain step subtracts the gradient of at most n samples. It is never written out, and the K networks are never built
(see `Shift`). In all other cases the K networks of a replica are built, each with its own moments.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import torch

from manybandits.algorithms.contract import Columns
from manybandits.algorithms.neural._learning import History, View
from manybandits.numerics.networks import Factors, Inputs, Shift, Weights, climb, factors, fusible, learner_weights
from manybandits.numerics.networks.optimisers import Adam
from manybandits.numerics.networks.users import Batches, descend_alone, factors_after_step, train

if TYPE_CHECKING:
    from torch import Tensor


class Draws(NamedTuple):
    """What members draw: rounds, (R, A, S, n), the place in the history of each user's draw in each of S steps.

    A is K, or 1 if a draw serves all arms; used, (R, K, n) bool: who is in the cluster of an arm and has stored any.
    """

    rounds: Tensor
    used: Tensor


class Built(NamedTuple):
    """The K adapted networks of every replica, as R K replicas with one network, and their moments."""

    weights: Weights
    adam: Adam


class Evaluated(NamedTuple):
    """What the K adapted networks say at their arms, and the observations of the step of each, (R, K, n)."""

    factors: Factors
    samples: Batches
    size: Tensor  # (R, K)


class Meta:
    """The meta-learners of R replicas. weights: (R, 1, ...) each layer, changed in place."""

    def __init__(self, options: Columns, weights: Weights) -> None:
        self.weights = tuple(layer.clone() for layer in weights)
        self.by_adam = str(options["meta_optimiser"][0]) == "adam"
        self.adam = Adam.over(self.weights)
        self.steps = int(options["meta_steps"][0])
        self.rate = float(options["meta_rate"][0])
        self.adapted: Shift | Evaluated | Built

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (*self.weights, *self.adam.tensors)

    def adapt(self, drawn: Draws, history: History, view: View) -> None:
        """Adapt to the cluster of every arm."""
        if self.steps > 1:
            self.adapted = self.build(drawn, history)
        elif self.by_adam:
            alone = fusible(self.weights, view.inputs)
            self.adapted = self.evaluate(drawn, history, view) if alone else self.build(drawn, history)
        else:
            self.adapted = self.shift(drawn, history)

    def shift(self, drawn: Draws, history: History) -> Shift:
        """Return a plain step for every arm, as a change of Theta."""
        replicas, arms, users = drawn.used.shape
        x, block, _, reward = history.rounds(drawn.rounds.flatten(1))
        samples = factors(learner_weights(self.weights, None), Inputs(x, block))
        error = (samples.value - reward).view(replicas, -1, users)
        used = drawn.used.to(error.dtype)
        moves = self.rate / used.sum(2, keepdim=True).clamp(min=1.0) * used * error  # (R, K, n)
        if error.shape[1] > 1:  # a sample concerns the arm that it was drawn for
            moves = (moves.unsqueeze(2) * torch.eye(arms).to(moves).unsqueeze(2)).flatten(2)
        return Shift(samples, moves)

    def evaluate(self, drawn: Draws, history: History, view: View) -> Evaluated:
        """Return what every arm's network says at its arm after a step of Adam, without building it."""
        x, block, _, reward = history.rounds(drawn.rounds.flatten(1))
        own = drawn.rounds.shape[3] * torch.arange(drawn.rounds.shape[1], device=x.device).view(-1, 1)
        size, order = drawn.used.sum(2), members_first(drawn.used) + own
        samples = Batches(torch.zeros_like(block), x, block, reward, order, size)
        after = factors_after_step(self.weights, self.adam, samples, size, view.inputs, self.rate)
        return Evaluated(after, samples, size)

    def build(self, drawn: Draws, history: History) -> Built:
        """Return the network of every arm, after all its steps."""
        arms, users = drawn.used.shape[1:]
        weights, adam = _copies(self.weights, arms), _copies_of(self.adam, arms)
        places = drawn.rounds.expand(-1, arms, -1, -1)
        x, block, _, reward = (part.flatten(0, 1) for part in history.rounds(places.flatten(2)))
        first = users * torch.arange(self.steps, device=x.device).view(-1, 1)
        order = members_first(drawn.used).flatten(0, 1).unsqueeze(1) + first
        given = Batches(torch.zeros_like(block), x, block, reward, order, drawn.used.sum(2).flatten())
        train(weights, adam, given, self.rate) if self.by_adam else descend_alone(weights, given, self.rate)
        return Built(weights, adam)

    def at(self, view: View) -> Factors:
        """Return f and its gradient of every adapted network at its own arm, (R, K)."""
        if isinstance(self.adapted, Shift):
            return factors(learner_weights(self.weights, None), view.inputs, self.adapted)
        if isinstance(self.adapted, Evaluated):
            return self.adapted.factors
        return at_arms(self.adapted.weights, view)

    def keep(self, arm: Tensor) -> None:
        """Make the network that was adapted to the arm played, (R,), the meta-learner (line 13)."""
        rows = torch.arange(len(arm), device=arm.device)
        if isinstance(self.adapted, Shift):
            climb(learner_weights(self.weights, None), self.adapted.samples, -self.adapted.coefficients[rows, arm])
        elif isinstance(self.adapted, Evaluated):
            samples, size = self.adapted.samples, self.adapted.size[rows, arm]
            played = samples._replace(order=samples.order[rows, arm].unsqueeze(1), size=size)
            train(self.weights, self.adam, played, self.rate)
        else:
            self.copy(rows, arm, self.adapted)

    def copy(self, rows: Tensor, arm: Tensor, built: Built) -> None:
        """Make one of the networks that were built the meta-learner."""
        place = rows * (len(built.weights[0]) // len(arm)) + arm
        kept = *built.weights, *built.adam.tensors
        for own, new in zip((*self.weights, *self.adam.tensors), kept, strict=True):
            own.copy_(new[place])


def members_first(used: Tensor) -> Tensor:
    """Return the users of every arm's cluster in their order, followed by the others, (R, K, n)."""
    return (~used).int().argsort(dim=2, stable=True)


def at_arms(weights: Weights, view: View) -> Factors:
    """Return f and its gradient of R K networks, each at its own arm. weights: (R K, 1, ...); result: (R, K)."""
    replicas = len(view.inputs.x)
    arms = len(weights[0]) // replicas
    x = view.inputs.x.expand(-1, arms, -1).flatten(0, 1).unsqueeze(1)
    blocks = weights[0].shape[2]
    block = torch.arange(arms, device=x.device).repeat(replicas).unsqueeze(1) if blocks > 1 else None
    found = factors(learner_weights(weights, None), Inputs(x, block))

    def together(values: Tensor) -> Tensor:
        return values.view(replicas, arms, *values.shape[2:])

    inputs, deltas = (tuple(map(together, some)) for some in (found.inputs, found.deltas))
    return Factors(together(found.value), inputs, deltas, None)


def _copies(layers: tuple[Tensor, ...], arms: int) -> tuple[Tensor, ...]:
    """Return K copies of what belongs to a replica, as R K replicas."""
    return tuple(layer.repeat_interleave(arms, 0) for layer in layers)


def _copies_of(adam: Adam, arms: int) -> Adam:
    return Adam(_copies(adam.first, arms), _copies(adam.second, arms), adam.steps.repeat_interleave(arms, 0))
