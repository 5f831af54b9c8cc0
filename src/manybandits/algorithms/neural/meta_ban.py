"""Meta-Ban: a network for every user, and a meta-learner that adapts to the group of each arm.

Source: Ban, Qi, Wei and He 2022, *Neural collaborative filtering bandits via meta learning*, Algorithms 1 to 3.

    N_i   = {v : |f(x_i; theta_v) - f(x_i; theta_u)| <= (nu - 1) / nu gamma}                    Algorithm 1, line 7
    T_i   = Theta - eta_2 sum over J_2 steps of the gradients in theta_v, v in N_i, of
            (f(x; theta_v) - r)^2 / 2 over some data of v  +  lambda / sqrt(m) |theta_v|_1            Algorithm 2
    a_t   = argmax_i  f(x_i; T_i) + alpha (beta_2 |g(x_i; T_i) - g(x_i; theta_0)| + Z_1 + 1 / sqrt(mu_u))    line 9

Then Theta becomes T_i of the arm played (line 13), and its user is trained again: J_1 steps on its data (Algorithm 3).
Here u is the user to whom arm i is presented, and mu_u its number of observations. One of them is made before the
first round (line 3), and u is trained on it. beta_2 = 1 / m^(1/4). Z_1 is the same for all arms, so that it decides
nothing and is 0.

Where the paper is silent or leaves a choice:

* `gradient`: line 9 of Algorithm 2 takes the gradients at the weights of users (user); eq. 5 as the loss of Theta, and
  Lemma 6.2, need them at Theta (meta). Users that fit their data have gradients near zero: with `user`, Theta does
  not come to fit the data of a group, and learns from them only if `meta_rate` is long (10 to 1,000 on MovieLens).
* `meta_start`, `user_start`: "Theta_0 (or Theta_(t-1))" and "Theta_0 (or Theta_t)".
* `weights`: groups use weights drawn uniformly from all that a user has had (Algorithm 3, line 9), or its last. How
  draws of several rounds depend on each other is not stated. With `uniform`, the newest of mu + 1 replace the drawn
  ones with probability 1 / (mu + 1), which needs no memory; with `redrawn`, each draw is independent.
* `loss`: means over data and over members. `sum` is Algorithm 2 as written, whose step size would have to shrink with
  t^4.
* A step uses all observations of a user (of a group, with `gradient` = meta) if there are at most `batch`, otherwise
  `batch` draws with replacement.

A user without data is in groups but adds no gradient.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from manybandits.algorithms.contract import ALPHA, LAMBDA, Columns, FirstObservations, Option, Problem, script
from manybandits.algorithms.neural._dead import share_of_dead_units
from manybandits.algorithms.neural._learning import LAYERS, WIDTH, History, Tables, View, arms_of, numbers_of
from manybandits.algorithms.neural._meta_adaptation import Adaptation, AtTheta, AtUsers, Steps, descend
from manybandits.algorithms.neural._own_rounds import OwnRounds
from manybandits.numerics.networks import Factors, Inputs, Weights, factors, gradient, initial_weights, squared_distance
from manybandits.numerics.networks.optimisers import Adam
from manybandits.numerics.networks.users import Batches, outputs_of_all, train

if TYPE_CHECKING:
    from torch import Tensor

TITLE = "Meta-Ban"
REFERENCE = "Ban et al. 2022, Algorithms 1 to 3"
OPTIONS = (
    ALPHA,
    LAMBDA,
    Option("nu", 5.0, "how far a group reaches, in (0, gamma) (Configurations)", low=1.0),
    Option("gamma", 0.4, "gap between groups (Configurations)", low=0.0),
    Option("user_steps", 10, "J_1, steps of a user's training (not stated)", low=0, structural=True),
    Option("meta_steps", 10, "J_2, steps of the meta-learner (not stated)", low=0, structural=True),
    Option("user_rate", 0.001, "eta_1, step size of users (not stated)", low=0.0, structural=True),
    Option("meta_rate", 1.0, "eta_2, step size of the meta-learner (not stated); 0.001 for Adam", low=0.0),
    Option("user_optimiser", "adam", "steps of users", words=("adam", "plain"), structural=True),
    Option("meta_optimiser", "plain", "steps of the meta-learner", words=("plain", "adam"), structural=True),
    Option("batch", 64, "observations of a step (not stated)", low=1, structural=True),
    Option("first_data", "one", "observations of each user before round 1", words=("one", "none"), structural=True),
    Option("gradient", "user", "where the meta-learner's gradients are taken", words=("user", "meta"), structural=True),
    Option("meta_start", "initial", "weights to adapt", words=("initial", "previous"), structural=True),
    Option("user_start", "initial", "weights to train", words=("initial", "previous"), structural=True),
    Option("weights", "uniform", "of a user, for groups", words=("uniform", "redrawn", "last"), structural=True),
    Option("loss", "mean", "loss of the meta-learner", words=("mean", "sum"), structural=True),
    Option("scaled", "all", "what alpha multiplies", words=("all", "gradient"), structural=True),
    WIDTH,
    LAYERS,
)
RELEASED = ""


class Policy:
    """R replicas of Meta-Ban."""

    def __init__(self, problem: Problem, options: Columns, released: bool, random: np.ndarray, tables: Tables) -> None:
        users, replicas = problem.users, len(random)
        self.random = random
        self.diverged = np.zeros(len(random), np.bool_)
        words = {name: str(values[0]) for name, values in options.items()}
        width, layers = int(options["width"][0]), int(options["layers"][0])
        first = initial_weights(
            random, 1, problem.dimension, blocks=problem.blocks, width=width, layers=layers, like=tables.item
        )
        self.start = tuple(layer[:, 0] for layer in first)
        self.meta = tuple(layer.clone() for layer in self.start)
        self.users = tuple(layer.repeat(1, users + 1, *[1] * (layer.dim() - 2)) for layer in first)
        self.wants_first = words["first_data"] == "one"
        first_rounds = users if self.wants_first else 0
        rounds = problem.horizon + first_rounds
        self.history = History(replicas, problem.horizon, tables, first_rounds)
        self.lists = OwnRounds(replicas, users, rounds, random, tables.item.device)
        given = numbers_of(options, tables.item)
        self.reach = (given["nu"] - 1.0) / given["nu"] * given["gamma"]
        self.alpha = given["alpha"]
        self.scales_all = words["scaled"] == "all"
        self.beta = width**-0.25
        self.user_rate, self.user_steps = float(options["user_rate"][0]), int(options["user_steps"][0])
        self.user_adam, self.batch = words["user_optimiser"] == "adam", int(options["batch"][0])
        self.meta_anew, self.user_anew = (words[name] == "initial" for name in ("meta_start", "user_start"))
        self.weights = words["weights"]
        past = rounds if self.weights == "redrawn" else 0
        self.past = tuple(layer.new_zeros((replicas, past, *layer.shape[1:])) for layer in self.start)
        # A user's network while it is trained, in memory that is used again: new memory takes as long as a step.
        self.trained = tuple(layer.unsqueeze(1).clone() for layer in self.start)
        self.adam = Adam.over(self.trained)
        steps = Steps(
            int(options["meta_steps"][0]),
            given["meta_rate"],
            words["meta_optimiser"] == "adam",
            self.batch,
            words["loss"] == "mean",
            given["lambda"] / width**0.5,
        )
        kind: Any = AtUsers if words["gradient"] == "user" else AtTheta
        self.adaptation: Adaptation = kind(steps, self.users, self.lists, self.history)
        self.near: Tensor
        self.members: Tensor

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        layers = (*self.start, *self.meta, *self.users, *self.adaptation.tensors, *self.past, *self.trained)
        return (*layers, *self.adam.tensors, *self.history.tensors, *self.lists.tensors)

    def observe_first(self, first: FirstObservations) -> None:
        """Take one observation of each user, and train the user on it (line 3). first: tensors (R, n)."""
        if not self.wants_first:
            return
        start = self.history.length
        self.history.append_all(first)
        for place in range(start, self.history.length):
            self.train(place)

    def select(self, view: View) -> Tensor:
        """Return the arm that every replica plays, (R,)."""
        rows, x = self.history.rows, view.inputs.x
        learner, counts = (torch.from_numpy(a).to(rows.device) for a in (self.lists.learner, self.lists.count))
        served = learner.gather(1, view.users)  # (R, K)
        opinions = outputs_of_all(self.users, view.inputs, learners=int(self.lists.known.max()) + 1)  # (R, n, K)
        self.near = (opinions - opinions.gather(1, served.unsqueeze(1))).abs() <= self.reach[:, None, None]
        informed = counts[:, : self.near.shape[1]] > 0
        self.members = self.near.transpose(1, 2) & informed.unsqueeze(1)  # (R, K, n)
        self.adaptation.adapt(self.start if self.meta_anew else self.meta, self.members, informed)
        # Every arm has its own network: R K networks with one context each.
        arms = opinions.shape[2]
        each = x.expand(-1, arms, -1).flatten(0, 1).unsqueeze(1)
        meta = factors(self.adaptation.networks(), Inputs(each))
        change = self.beta * squared_distance(meta, self.at_start(view.inputs, arms)).sqrt().view(-1, arms)
        own = counts.gather(1, served).clamp(min=1).to(change.dtype).rsqrt()
        alpha = self.alpha.unsqueeze(1)
        bonus = alpha * (change + own) if self.scales_all else alpha * change + own
        return arms_of(meta.value.view(-1, arms) + bonus, self.random, self.diverged)

    def cluster(self, view: View, arm: Tensor) -> Tensor:
        """Return the users in the group of the arm played, with those without data, (R, n) bool. arm: (R,)."""
        learner = torch.from_numpy(self.lists.learner).to(arm.device)
        return self.near[self.history.rows, :, arm].gather(1, learner)

    def at_start(self, given: Inputs, arms: int) -> Factors:
        """Return the gradients at theta_0, as R K networks with one context each."""
        at = factors(self.start, given)

        def apart(values: Tensor) -> Tensor:
            return values.expand(-1, arms, -1).flatten(0, 1).unsqueeze(1)

        value = apart(at.value.unsqueeze(2)).squeeze(2)
        return Factors(value, tuple(map(apart, at.inputs)), tuple(map(apart, at.deltas)), None)

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        """Take the rewards, (R,), of the arms that were played, (R,)."""
        self.meta = self.adaptation.of_arm(arm)
        place = self.history.length
        self.history.append(view, arm, reward)
        self.train(place)

    def train(self, place: int) -> None:
        """Train the users whose observation is the new round `place` on all of their data (Algorithm 3)."""
        served = self.lists.add(self.history.user[:, place].cpu().numpy(), place)
        own = self.learned(served)
        self.store(own, served, place)
        self.adaptation.learned(own, served)

    def dead_units(self) -> np.ndarray:
        """Return the share of dead units of the meta-learner, (R,)."""
        meta = tuple(layer.unsqueeze(1) for layer in self.meta)
        return share_of_dead_units(meta, self.history, None, meta[-1].shape[2])

    def learned(self, served: np.ndarray) -> Weights:
        """Return the weights of the learners served after J_1 steps on their data, in memory that is used again."""
        first = self.start if self.user_anew else self.meta
        drawn = self.lists.draws(served, self.user_steps, self.batch)
        x, block, _, reward = self.history.rounds(drawn.rounds)
        batches = Batches(torch.zeros_like(block), x, block, reward, drawn.order, drawn.size)
        if not self.user_adam:
            return self.descended(first, batches)
        for moments in self.adam.tensors:
            moments.zero_()
        for layer, new in zip(self.trained, first, strict=True):
            layer[:, 0] = new
        train(self.trained, self.adam, batches, self.user_rate)
        return tuple(layer[:, 0] for layer in self.trained)

    def descended(self, own: Weights, batches: Batches) -> Weights:
        """Return weights after plain gradient steps on the batches that were drawn."""
        rows = self.history.rows.unsqueeze(1)
        counts = torch.arange(self.batch, device=rows.device) < batches.size.unsqueeze(1)
        weight = counts / batches.size.unsqueeze(1)

        def slopes_of(step: int, own: Weights) -> Weights:
            x, block, reward = (part[rows, batches.order[:, step]] for part in batches[1:4])
            at = factors(own, Inputs(x, block))
            return gradient(at, (at.value - reward) * weight.to(reward.dtype), own)

        rate = torch.full((len(rows),), self.user_rate).to(own[0])
        return descend(own, slopes_of, self.user_steps, rate)

    def store(self, own: Weights, served: np.ndarray, place: int) -> None:
        """Keep the weights by which the learners served are in groups (Algorithm 3, line 9). own: the newest."""
        rows = self.history.rows
        learner = torch.from_numpy(served).to(rows.device)
        kept = own
        if self.weights == "uniform":  # those of before stay, unless the newest are drawn
            newest = torch.from_numpy(self.lists.newest_is_drawn(served)).to(rows.device)
            rows, learner, kept = rows[newest], learner[newest], tuple(layer[newest] for layer in own)
        elif self.weights == "redrawn":
            for layer, new in zip(self.past, own, strict=True):
                layer[:, place] = new
            at = torch.from_numpy(self.lists.one_of_all(served)).to(rows.device)
            kept = _where(at < 0, self.start, tuple(layer[rows, at.clamp(min=0)] for layer in self.past))
        for layer, new in zip(self.users, kept, strict=True):
            layer[rows, learner] = new


def _where(condition: Tensor, one: Weights, other: Weights) -> Weights:
    """Return networks of `one` where the condition, (R,) bool, is true, else of `other`."""
    return tuple(torch.where(condition.view(-1, *[1] * (a.dim() - 1)), a, b) for a, b in zip(one, other, strict=True))


if __name__ == "__main__":
    script(__file__)
