"""Meta-Ban: a network for every user, and a meta-learner that adapts to the group of each arm.

Source: Ban, Qi, Wei and He 2022, *Neural collaborative filtering bandits via meta learning*, Algorithms 1 to 3, which
``plain/meta_ban`` follows line by line. Here R replicas play at once, and less is computed:

* The networks of all users and replicas are batched tensors, whose gradients have a closed form: see
  `_meta_ban_users`. Users without data share one network.
* A gradient at a user's weights is computed when the user learns, and stored: see `_meta_ban_meta`.
* An observation that is drawn several times for a training is read once: see `_own_rounds`.

    index   f(x_i; T_i) + alpha (beta_2 |g(x_i; T_i) - g(x_i; theta_0)| + Z_1 + 1 / sqrt(mu_u)),   beta_2 = 1 / m^(1/4)

Here T_i is Theta, adapted to the group of arm i, u the user to whom the arm is presented, and mu_u its number of
observations. One of them is made before the first round (line 3), and u is trained on it. Z_1 is the same for all arms,
so that it decides nothing and is 0.

Where the paper is silent or leaves a choice:

* `gradient`: line 9 of Algorithm 2 takes the gradients at the weights of users (user); eq. 5 as the loss of Theta, and
  Lemma 6.2, need them at Theta (meta). Users that fit their data have gradients near zero: with `user`, Theta does
  not come to fit the data of a group, and learns from them only if `meta_rate` is long (10 to 1,000 on MovieLens).
* `meta_start`, `user_start`: "Theta_0 (or Theta_(t-1))" and "Theta_0 (or Theta_t)".
* `weights`: groups use weights drawn uniformly from all that a user has had (Algorithm 3, line 9), or its last.
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
from manybandits.algorithms.neural._meta_ban_meta import Adaptation, AtTheta, AtUsers, Steps
from manybandits.algorithms.neural._meta_ban_users import Users
from manybandits.algorithms.neural._own_rounds import OwnRounds
from manybandits.numerics.networks import Factors, Inputs, factors, initial_weights, squared_distance
from manybandits.numerics.networks.users import outputs_of_all

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


class Policy:
    """R replicas of Meta-Ban."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables) -> None:
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
        self.meta_anew, self.user_anew = (words[name] == "initial" for name in ("meta_start", "user_start"))
        self.users = Users(options, self.start, rounds, self.lists, self.history)
        steps = Steps(
            int(options["meta_steps"][0]),
            given["meta_rate"],
            words["meta_optimiser"] == "adam",
            int(options["batch"][0]),
            words["loss"] == "mean",
            given["lambda"] / width**0.5,
        )
        kind: Any = AtUsers if words["gradient"] == "user" else AtTheta
        self.adaptation: Adaptation = kind(steps, self.users.weights, self.lists, self.history)
        self.near: Tensor
        self.members: Tensor

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        networks = (*self.start, *self.meta, *self.users.tensors, *self.adaptation.tensors)
        return (*networks, *self.history.tensors, *self.lists.tensors)

    def observe_first(self, first: FirstObservations) -> None:
        """Take one observation of each user, and train the user on it. first: tensors (R, n)."""
        if not self.wants_first:
            return
        start = self.history.length
        self.history.append_all(first)  # Algorithm 1, line 3
        for place in range(start, self.history.length):
            self.train(place)

    def select(self, view: View) -> Tensor:
        informed = self.form_groups(view)  # Algorithm 1, line 7
        first = self.start if self.meta_anew else self.meta  # Algorithm 2, line 1
        self.adaptation.adapt(first, self.members, informed)  # Algorithm 1, line 8; Algorithm 2, lines 2 to 11
        return arms_of(self.indices(view), self.random, self.diverged)  # Algorithm 1, line 11

    def form_groups(self, view: View) -> Tensor:
        """Set which learners are in the group of every arm, and which of them have data; return who has, (R, n)."""
        learner, counts = (torch.from_numpy(a).to(view.users.device) for a in (self.lists.learner, self.lists.count))
        served = learner.gather(1, view.users)  # (R, K)
        opinions = outputs_of_all(self.users.weights, view.inputs, learners=int(self.lists.known.max()) + 1)
        self.near = (opinions - opinions.gather(1, served.unsqueeze(1))).abs() <= self.reach[:, None, None]  # (R, n, K)
        informed = counts[:, : self.near.shape[1]] > 0
        self.members = self.near.transpose(1, 2) & informed.unsqueeze(1)  # (R, K, n)
        return informed

    def indices(self, view: View) -> Tensor:
        """Return the index of every arm, (R, K) (Algorithm 1, line 9)."""
        learner, counts = (torch.from_numpy(a).to(view.users.device) for a in (self.lists.learner, self.lists.count))
        arms = view.users.shape[1]
        # Every arm has its own network: R K networks with one context each.
        each = view.inputs.x.expand(-1, arms, -1).flatten(0, 1).unsqueeze(1)
        meta = factors(self.adaptation.networks(), Inputs(each))
        change = self.beta * squared_distance(meta, self.at_start(view.inputs, arms)).sqrt().view(-1, arms)
        own = counts.gather(1, learner.gather(1, view.users)).clamp(min=1).to(change.dtype).rsqrt()
        alpha = self.alpha.unsqueeze(1)
        bonus = alpha * (change + own) if self.scales_all else alpha * change + own
        return meta.value.view(-1, arms) + bonus

    def at_start(self, given: Inputs, arms: int) -> Factors:
        """Return the gradients at theta_0, as R K networks with one context each."""
        at = factors(self.start, given)

        def apart(values: Tensor) -> Tensor:
            return values.expand(-1, arms, -1).flatten(0, 1).unsqueeze(1)

        value = apart(at.value.unsqueeze(2)).squeeze(2)
        return Factors(value, tuple(map(apart, at.inputs)), tuple(map(apart, at.deltas)), None)

    def cluster(self, view: View, arm: Tensor) -> Tensor:
        """Return the users in the group of the arm played, with those without data, (R, n) bool. arm: (R,)."""
        learner = torch.from_numpy(self.lists.learner).to(arm.device)
        return self.near[self.history.rows, :, arm].gather(1, learner)

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        self.meta = self.adaptation.of_arm(arm)  # Algorithm 1, line 13
        place = self.history.length
        self.history.append(view, arm, reward)
        self.train(place)  # Algorithm 1, line 15

    def train(self, place: int) -> None:
        """Train the users whose observation is the new round `place` on all of their data (Algorithm 3)."""
        served = self.lists.add(self.history.user[:, place].cpu().numpy(), place)  # Algorithm 1, line 14
        first = self.start if self.user_anew else self.meta  # Algorithm 3, line 2
        own = self.users.train(first, served)  # Algorithm 3, lines 3 to 7
        self.users.keep(own, served, place)  # Algorithm 3, lines 8 and 9
        self.adaptation.learned(own, served)

    def dead_units(self) -> np.ndarray:
        """Return the share of dead units of the meta-learner, (R,)."""
        meta = tuple(layer.unsqueeze(1) for layer in self.meta)
        return share_of_dead_units(meta, self.history, None, meta[-1].shape[2])


if __name__ == "__main__":
    script(__file__)
