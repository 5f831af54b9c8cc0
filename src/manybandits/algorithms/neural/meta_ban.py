"""Meta-Ban: a network for every user, and a meta-learner that adapts to the group of each arm.

Source: Ban, Qi, Wei and He 2022, *Neural collaborative filtering bandits via meta learning*, Algorithms 1 to 3.

    N_i   = {v : |f(x_i; theta_v) - f(x_i; theta_u)| <= (nu - 1) / nu gamma}                    Algorithm 1, line 7
    T_i   = Theta - eta_2 sum over J_2 steps of the gradients in theta_v, v in N_i, of
            (f(x; theta_v) - r)^2 / 2 over some data of v  +  lambda / sqrt(m) |theta_v|_1            Algorithm 2
    a_t   = argmax_i  f(x_i; T_i) + alpha (beta_2 |g(x_i; T_i) - g(x_i; theta_0)| + Z_1 + 1 / sqrt(mu_u))    line 9

Then Theta becomes T_i of the arm played (line 13), and the user served is trained again from Theta: J_1 steps on
its data (Algorithm 3). Here u is the user served, mu_u how often it was served; beta_2 = 1 / m^(1/4) and Z_1 = 0.

The gradients are computed at the users' weights and applied to Theta (line 9 of Algorithm 2). The gradient of a user
therefore changes only when the user learns: it is computed then, over its J_2 draws at once, and stored.

Where the paper is silent or leaves a choice: with `start` = previous, Theta and users start from the meta-learner;
with `start` = initial, from its initial weights ("Theta_0 (or Theta_(t-1))"). With `weights` = last, groups use a
user's latest weights; with `weights` = uniform, random ones of all its weights so far, as the analysis does. Losses are
means over data and over members; `loss` = sum is Algorithm 2 as written, whose step size would have to shrink with
t^4. Users step by Adam. A step uses all observations of a user if there are at most `batch`, otherwise `batch` draws
with replacement. A user without data is in groups but adds no gradient; all such users share the network theta_0, and
the others are stored in the order in which they were first served.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from manybandits.algorithms.contract import ALPHA, LAMBDA, Columns, Option, Problem, script
from manybandits.algorithms.neural._learning import LAYERS, WIDTH, History, Tables, View, arms_of, numbers_of
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below
from manybandits.numerics.networks import Factors, Inputs, Weights, factors, gradient, initial_weights, squared_distance
from manybandits.numerics.networks.optimisers import Adam
from manybandits.numerics.networks.users import Batches, combine, outputs_of_all, train

TITLE = "Meta-Ban"
REFERENCE = "Ban et al. 2022, Algorithms 1 to 3"
OPTIONS = (
    ALPHA,
    LAMBDA,
    Option("nu", 5.0, "how far a group reaches, in (0, gamma) (Configurations)", low=1.0),
    Option("gamma", 0.4, "gap between groups (Configurations)", low=0.0),
    Option("user_steps", 10, "J_1, steps of a user's training (not stated)", low=0, structural=True),
    Option("meta_steps", 10, "J_2, steps of the meta-learner (not stated)", low=0, structural=True),
    Option("user_rate", 0.001, "eta_1, Adam's step size for users (not stated)", low=0.0, structural=True),
    Option("meta_rate", 0.01, "eta_2, step size of the meta-learner (not stated)", low=0.0),
    Option("batch", 64, "observations of a step (not stated)", low=1, structural=True),
    Option("start", "previous", "where meta-learner and users start", words=("previous", "initial"), structural=True),
    Option("weights", "last", "a user's weights for its group", words=("last", "uniform"), structural=True),
    Option("loss", "mean", "loss of the meta-learner", words=("mean", "sum"), structural=True),
    WIDTH,
    LAYERS,
)
RELEASED = ""


class Moves(NamedTuple):
    """The change of Theta for each arm, as weights of gradients to subtract. Most are 0, for groups of any size."""

    whole: Tensor  # (R, K): the weight of the sum over all learners
    single: Tensor  # (R, K, n): of each; negative if `whole` is not 0 and the learner is not in the group


class Draws(NamedTuple):
    """Observations of one learner per replica: all of them if they fit into a batch, else draws with replacement."""

    rounds: Tensor  # (R, Q)
    order: Tensor  # (R, S, B): which of the Q make up each of S steps
    size: Tensor  # (R,): how many of the B are used
    used: Tensor  # (R,): how many of the Q are used


class Policy:
    """R replicas of Meta-Ban."""

    def __init__(self, problem: Problem, options: Columns, released: bool, random: np.ndarray, tables: Tables) -> None:
        users, replicas = problem.users, len(random)
        self.random = random
        self.diverged = np.zeros(len(random), np.bool_)
        width, layers = int(options["width"][0]), int(options["layers"][0])
        first = initial_weights(
            random, 1, problem.dimension, blocks=problem.blocks, width=width, layers=layers, like=tables.item
        )
        self.start = tuple(layer[:, 0] for layer in first)
        self.meta = tuple(layer.clone() for layer in self.start)
        # Learner 0 serves all users without data; the others follow in the order in which they were first served.
        self.users = tuple(layer.repeat(1, users + 1, *[1] * (layer.dim() - 2)) for layer in first)
        self.slopes = tuple(torch.zeros_like(layer) for layer in self.users)
        self.total = tuple(torch.zeros_like(layer) for layer in self.start)  # the sum of all slopes
        self.learner = np.zeros((replicas, users), np.int64)  # of every user
        self.known = np.zeros(replicas, np.int64)  # users with data
        self.history = History(replicas, problem.horizon, tables)
        self.last = np.full((replicas, users + 1), -1, np.int32)  # the last round of every learner, and
        self.before = np.zeros((replicas, problem.horizon), np.int32)  # the round of the same learner before a round
        self.count = np.zeros((replicas, users + 1), np.int64)
        given = numbers_of(options, tables.item)
        self.reach = (given["nu"] - 1.0) / given["nu"] * given["gamma"]
        self.alpha, self.meta_rate = given["alpha"], given["meta_rate"]
        self.shrink = given["lambda"] / width**0.5
        self.user_rate, self.meta_steps = float(options["user_rate"][0]), int(options["meta_steps"][0])
        self.batch, self.user_steps = int(options["batch"][0]), int(options["user_steps"][0])
        self.anew = str(options["start"][0]) == "initial"
        self.means = str(options["loss"][0]) == "mean"
        past = problem.horizon if str(options["weights"][0]) == "uniform" else 0
        self.past = tuple(layer.new_zeros((replicas, past, *layer.shape[1:])) for layer in self.start)
        self.beta = width**-0.25
        self.near: Tensor
        self.members: Tensor
        self.moves: Moves

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        lists = tuple(map(torch.from_numpy, (self.learner, self.known, self.last, self.before, self.count)))
        layers = (*self.start, *self.meta, *self.users, *self.slopes, *self.total, *self.past)
        return (*layers, *self.history.tensors, *lists)

    def select(self, view: View) -> Tensor:
        """Return the arm that every replica plays, (R,)."""
        rows, x = self.history.rows, view.inputs.x
        served = torch.from_numpy(self.learner).to(rows.device)[rows, view.user]
        opinions = outputs_of_all(self.users, view.inputs, learners=int(self.known.max()) + 1)  # (R, n, K)
        self.near = (opinions - opinions[rows, served].unsqueeze(1)).abs() <= self.reach[:, None, None]
        counts = torch.from_numpy(self.count).to(rows.device)
        informed = counts[:, : self.near.shape[1]] > 0
        self.members = self.near.transpose(1, 2) & informed.unsqueeze(1)  # (R, K, n)
        self.moves = self.moves_of(self.members, informed)
        # Every arm has its own network: R K networks with one context each.
        arms = opinions.shape[2]
        each = x.expand(-1, arms, -1).flatten(0, 1).unsqueeze(1)
        meta = factors(self.adapted(), Inputs(each))
        change = squared_distance(meta, self.at_start(view.inputs, arms)).sqrt().view(-1, arms)
        known = counts[rows, served].clamp(min=1).to(change.dtype)
        bonus = self.beta * change + known.rsqrt().unsqueeze(1)
        return arms_of(meta.value.view(-1, arms) + self.alpha.unsqueeze(1) * bonus, self.random, self.diverged)

    def cluster(self, view: View, arm: Tensor) -> Tensor:
        """Return the users in the group of the arm played, with those without data, (R, n) bool. arm: (R,)."""
        return self.near[self.history.rows, :, arm].gather(1, torch.from_numpy(self.learner).to(arm.device))

    def moves_of(self, members: Tensor, informed: Tensor) -> Moves:
        """Return the weight of every learner's gradient for each arm. members: (R, K, n); informed: (R, n)."""
        size = members.sum(2)
        step = (self.meta_steps * self.meta_rate)[:, None] / (size.clamp(min=1) if self.means else 1.0)
        most = 2 * size > informed.sum(1, keepdim=True)
        others = informed.unsqueeze(1) & ~members
        single = torch.where(most.unsqueeze(2), others, members)
        return Moves(step * most, single * torch.where(most, -step, step).unsqueeze(2))

    def adapted(self) -> Weights:
        """Return the K networks T_i of every replica, as R K networks, each with the block of its arm only."""
        layers = []
        for base, total, slopes in zip(self.base, self.total, self.slopes, strict=True):
            in_blocks = base.dim() == 4 and base.shape[1] > 1
            combined = combine(*rows_of(base, total, slopes, in_blocks), *self.moves).flatten(0, 1)
            layers.append(combined.view(-1, *((1, *base.shape[2:]) if in_blocks else base.shape[1:])))
        return tuple(layers)

    def at_start(self, given: Inputs, arms: int) -> Factors:
        """Return the gradients at theta_0, as R K networks with one context each."""
        at = factors(self.start, given)

        def apart(values: Tensor) -> Tensor:
            return values.expand(-1, arms, -1).flatten(0, 1).unsqueeze(1)

        value = apart(at.value.unsqueeze(2)).squeeze(2)
        return Factors(value, tuple(map(apart, at.inputs)), tuple(map(apart, at.deltas)), None)

    @property
    def base(self) -> Weights:
        """The weights that the meta-learner adapts from."""
        return self.start if self.anew else self.meta

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        """Take the rewards, (R,), of the arms that were played, (R,)."""
        rows = self.history.rows
        taken = Moves(self.moves.whole[rows, arm].unsqueeze(1), self.moves.single[rows, arm].unsqueeze(1))
        self.meta = tuple(
            combine(*rows_of(base, total, slopes), *taken).view_as(base)
            for base, total, slopes in zip(self.base, self.total, self.slopes, strict=True)
        )
        place = self.history.length
        self.history.append(view, arm, reward)
        served = np.empty(len(rows), np.int64)
        link(view.user.cpu().numpy(), place, self.learner, self.known, served, self.last, self.before, self.count)
        learner = torch.from_numpy(served).to(rows.device)
        own = self.learned(served)
        kept = own if not self.past[0].shape[1] else self.any_of_all(served, place, own)
        for layer, new in zip(self.users, kept, strict=True):
            layer[rows, learner] = new
        for layer, total, new in zip(self.slopes, self.total, self.slopes_at(own, served), strict=True):
            total += new - layer[rows, learner]
            layer[rows, learner] = new

    def learned(self, served: np.ndarray) -> Weights:
        """Return the weights of the learners served after J_1 steps on their data (Algorithm 3)."""
        own = tuple(layer.unsqueeze(1).clone() for layer in (self.start if self.anew else self.meta))
        drawn = self.draws(served, self.user_steps)
        x, block, _, reward = self.history.rounds(drawn.rounds)
        batches = Batches(torch.zeros_like(block), x, block, reward, drawn.order, drawn.size)
        train(own, Adam.over(own), batches, self.user_rate)
        return tuple(layer[:, 0] for layer in own)

    def slopes_at(self, own: Weights, served: np.ndarray) -> Weights:
        """Return the gradient of the loss of the learners served at their weights, over the data of J_2 steps."""
        drawn = self.draws(served, self.meta_steps)
        x, block, _, reward = self.history.rounds(drawn.rounds)
        counts = torch.arange(reward.shape[1], device=reward.device) < drawn.used.unsqueeze(1)
        share = drawn.used if self.means else drawn.used / drawn.size
        at = factors(own, Inputs(x, block))
        slopes = gradient(at, (at.value - reward) * (counts / share.clamp(min=1).unsqueeze(1)).to(reward.dtype), own)
        for slope, layer in zip(slopes, own, strict=True):
            slope.addcmul_(layer.sign(), self.shrink.view(-1, *[1] * (layer.dim() - 1)))
        return slopes

    def draws(self, served: np.ndarray, steps: int) -> Draws:
        """Return observations of the learners served for some steps."""
        replicas = len(served)
        rounds = np.zeros((replicas, steps * self.batch), np.int64)
        order = np.zeros((replicas, steps, self.batch), np.int64)
        size, used = np.zeros(replicas, np.int64), np.zeros(replicas, np.int64)
        draw(self.random, served, self.last, self.before, self.count, rounds, order, size, used)
        arrays = rounds[:, : used.max()], order, size, used
        return Draws(*(torch.from_numpy(array).to(self.history.rows.device) for array in arrays))

    def any_of_all(self, served: np.ndarray, place: int, own: Weights) -> Weights:
        """Store the weights of the learners served; return random ones of all that each has had, with the initial."""
        for layer, new in zip(self.past, own, strict=True):
            layer[:, place] = new
        chosen = np.empty(len(served), np.int64)
        draw_one(self.random, served, self.last, self.before, self.count, chosen)
        at = torch.from_numpy(chosen).to(self.history.rows.device)
        fresh = at < 0
        return tuple(
            torch.where(fresh.view(-1, *[1] * (first.dim() - 1)), first, layer[self.history.rows, at.clamp(min=0)])
            for layer, first in zip(self.past, self.start, strict=True)
        )


def rows_of(base: Tensor, total: Tensor, slopes: Tensor, in_blocks: bool = False) -> tuple[Tensor, Tensor, Tensor]:
    """Return a layer of Theta, (R, B, P), of all gradients together, and of each, (R, n, B, P); B = 1 or the blocks."""
    if in_blocks:
        return base.flatten(2), total.flatten(2), slopes.flatten(3)
    return base.flatten(1).unsqueeze(1), total.flatten(1).unsqueeze(1), slopes.flatten(2).unsqueeze(2)


@part(inlined=False)
def link(
    users: np.ndarray,
    place: int,
    learner: np.ndarray,
    known: np.ndarray,
    served: np.ndarray,
    last: np.ndarray,
    before: np.ndarray,
    count: np.ndarray,
) -> None:
    """Add the round `place` to the list of the user served, (R,), and fill served, (R,), with its learner."""
    for r in range(len(users)):
        if learner[r, users[r]] == 0:
            known[r] += 1
            learner[r, users[r]] = known[r]
        u = learner[r, users[r]]
        served[r] = u
        before[r, place] = last[r, u]
        last[r, u] = place
        count[r, u] += 1


@part(inlined=False)
def draw(
    random: np.ndarray,
    served: np.ndarray,
    last: np.ndarray,
    before: np.ndarray,
    count: np.ndarray,
    rounds: np.ndarray,
    order: np.ndarray,
    size: np.ndarray,
    used: np.ndarray,
) -> None:
    """Fill the fields of `Draws` for the learners served, (R,), each replica from its own stream."""
    steps, batch = order.shape[1:]
    for r in range(len(served)):
        own = list_of(served[r], last[r], before[r], count[r])
        size[r] = min(len(own), batch)
        used[r] = len(own) if len(own) <= batch and steps > 0 else steps * batch
        for s in range(steps):
            for b in range(size[r]):
                if len(own) <= batch:
                    rounds[r, b], order[r, s, b] = own[b], b
                else:
                    order[r, s, b] = s * batch + b
                    rounds[r, s * batch + b] = own[below(random[r], len(own))]


@part(inlined=False)
def draw_one(
    random: np.ndarray, served: np.ndarray, last: np.ndarray, before: np.ndarray, count: np.ndarray, chosen: np.ndarray
) -> None:
    """Fill chosen, (R,), with a random round of the learner served, or -1, the time before its first round."""
    for r in range(len(served)):
        own = list_of(served[r], last[r], before[r], count[r])
        place = below(random[r], len(own) + 1)
        chosen[r] = own[place] if place < len(own) else -1


@part(inlined=False)
def list_of(u: int, last: np.ndarray, before: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Return the rounds of learner u of one replica, the latest first."""
    rounds = np.empty(count[u], np.int64)
    place = last[u]
    for i in range(len(rounds)):
        rounds[i] = place
        place = before[place]
    return rounds


if __name__ == "__main__":
    script(__file__)
