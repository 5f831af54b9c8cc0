"""Meta-Ban: a network for every user, and a meta-learner that adapts to the group of each arm.

Source: Ban, Qi, Wei and He 2022, *Neural collaborative filtering bandits via meta learning*, Algorithms 1 to 3.

    N_i   = {v : |f(x_i; theta_v) - f(x_i; theta_u)| <= (nu - 1) / nu gamma}                    Algorithm 1, line 7
    T_i   = Theta - eta_2 sum over J_2 steps of the gradients in theta_v, v in N_i, of
            (f(x; theta_v) - r)^2 / 2 over some data of v  +  lambda / sqrt(m) |theta_v|_1            Algorithm 2
    a_t   = argmax_i  f(x_i; T_i) + alpha (beta_2 |g(x_i; T_i) - g(x_i; theta_0)| + Z_1 + 1 / sqrt(mu_u))    line 9

Then Theta becomes T_i of the arm played (line 13), and the user served learns anew from Theta: J_1 steps on its
data (Algorithm 3). u is the user served, mu_u how often it was served; beta_2 = 1 / m^(1/4) and Z_1 = 0.

The gradients are taken at the users' weights and applied to Theta (line 9 of Algorithm 2), so that of a user
changes only when the user learns: it is computed then, over its J_2 draws at once, and kept.

Where the paper is silent or leaves a choice: `start` = previous lets Theta and users begin where the meta-learner
is, = initial at its first weights ("Theta_0 (or Theta_(t-1))"); `weights` = last uses a user's latest weights for
its group, = uniform one of all it ever had, as the analysis does; losses are means over data and over members
(`loss` = sum is the letter of Algorithm 2, whose step would have to shrink with t^4); users step by Adam; a step
draws `batch` observations of a user with replacement. A user without data is in groups, but moves nothing.
"""

from __future__ import annotations

import numpy as np
import torch
from numba import njit
from torch import Tensor

from manybandits.algorithms.neural._learning import LAYERS, WIDTH, History, Tables, View, arms_of
from manybandits.algorithms.policy import ALPHA, LAMBDA, Option, Options, Problem
from manybandits.core.networks import Factors, Inputs, Weights, factors, gradient, initial_weights, squared_distance
from manybandits.core.networks.optimisers import Adam
from manybandits.core.networks.users import outputs_of_all, train
from manybandits.core.seeds import below

TITLE = "Meta-Ban"
REFERENCE = "Ban et al. 2022, Algorithms 1 to 3"
OPTIONS = (
    ALPHA,
    LAMBDA,
    Option("nu", 5.0, "how far a group reaches, in (0, gamma) (Configurations)", low=1.0),
    Option("gamma", 0.4, "gap between groups (Configurations)", low=0.0),
    Option("user_steps", 10, "J_1, steps of a user that learns (not stated)", low=0, structural=True),
    Option("meta_steps", 10, "J_2, steps of the meta-learner (not stated)", low=0, structural=True),
    Option("user_rate", 0.001, "eta_1, Adam's step size for users (not stated)", low=0.0, structural=True),
    Option("meta_rate", 0.01, "eta_2, step size of the meta-learner (not stated)", low=0.0),
    Option("batch", 64, "observations of a step (not stated)", low=1, structural=True),
    Option("start", "previous", "where meta-learner and users begin", words=("previous", "initial"), structural=True),
    Option("weights", "last", "a user's weights in its group", words=("last", "uniform"), structural=True),
    Option("loss", "mean", "of the meta-learner", words=("mean", "sum"), structural=True),
    WIDTH,
    LAYERS,
)
RELEASED = ""


class Policy:
    """R replicas of Meta-Ban."""

    def __init__(self, problem: Problem, options: Options, released: bool, random: np.ndarray, tables: Tables) -> None:
        users, replicas = problem.users, len(random)
        self.random = random
        self.diverged = np.zeros(len(random), np.bool_)
        width, layers = int(options["width"][0]), int(options["layers"][0])
        first = initial_weights(
            random, 1, problem.dimension, blocks=problem.blocks, width=width, layers=layers, like=tables.item
        )
        self.start = tuple(layer[:, 0] for layer in first)
        self.meta = tuple(layer.clone() for layer in self.start)
        self.users = tuple(layer.repeat(1, users, *[1] * (layer.dim() - 2)) for layer in first)
        self.slopes = tuple(torch.zeros_like(layer) for layer in self.users)
        self.history = History(replicas, problem.horizon, tables)
        self.last = np.full((replicas, users), -1, np.int32)  # the last round of every user, and
        self.before = np.zeros((replicas, problem.horizon), np.int32)  # the round of the same user before a round
        self.count = np.zeros((replicas, users), np.int64)
        numbers = {name: values for name, values in options.items() if values.dtype.kind != "U"}
        given = {name: torch.as_tensor(values).to(tables.item) for name, values in numbers.items()}
        self.reach = (given["nu"] - 1.0) / given["nu"] * given["gamma"]
        self.alpha, self.meta_rate = given["alpha"], given["meta_rate"]
        self.shrink = given["lambda"] / width**0.5
        self.user_rate, self.meta_steps = float(options["user_rate"][0]), int(options["meta_steps"][0])
        self.user_places = np.zeros((replicas, int(options["user_steps"][0]), int(options["batch"][0])), np.int64)
        self.meta_places = np.zeros((replicas, self.meta_steps, int(options["batch"][0])), np.int64)
        self.anew = str(options["start"][0]) == "initial"
        self.means = str(options["loss"][0]) == "mean"
        past = problem.horizon if str(options["weights"][0]) == "uniform" else 0
        self.past = tuple(layer.new_zeros((replicas, past, *layer.shape[1:])) for layer in self.start)
        self.beta = width**-0.25
        self.moves: Tensor

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        lists = tuple(map(torch.from_numpy, (self.last, self.before, self.count)))
        return (*self.start, *self.meta, *self.users, *self.slopes, *self.past, *self.history.tensors, *lists)

    def select(self, view: View) -> Tensor:
        """Return the arm that every replica plays, (R,)."""
        rows, x, user = self.history.rows, view.inputs.x, view.user
        opinions = outputs_of_all(self.users, view.inputs)  # (R, n, K)
        members = (opinions - opinions[rows, user].unsqueeze(1)).abs() <= self.reach[:, None, None]
        self.moves = self.moves_of(members)
        # Every arm meets its own network: R K networks with a context each.
        arms = opinions.shape[2]
        each = x.expand(-1, arms, -1).flatten(0, 1).unsqueeze(1)
        meta = factors(self.adapted(), Inputs(each))
        change = squared_distance(meta, self.at_start(view.inputs, arms)).sqrt().view(-1, arms)
        served = torch.from_numpy(self.count).to(rows.device)[rows, user].clamp(min=1).to(change.dtype)
        bonus = self.beta * change + served.rsqrt().unsqueeze(1)
        return arms_of(meta.value.view(-1, arms) + self.alpha.unsqueeze(1) * bonus, self.random, self.diverged)

    def moves_of(self, members: Tensor) -> Tensor:
        """Return how far the gradient of each user moves the meta-learner for each arm, (R, K, n)."""
        informed = (torch.from_numpy(self.count).to(members.device) > 0).to(self.meta_rate.dtype)
        groups = (members * informed.unsqueeze(2)).transpose(1, 2)
        size = groups.sum(2, keepdim=True).clamp(min=1.0) if self.means else 1.0
        return groups * (self.meta_steps * self.meta_rate[:, None, None]) / size

    def adapted(self) -> Weights:
        """Return the K networks T_i of every replica, as R K networks that know the block of their arm only."""
        layers = []
        for base, slopes in zip(self.base, self.slopes, strict=True):
            if base.dim() == 4 and base.shape[1] > 1:
                moved = self.moves.unsqueeze(2) @ slopes.transpose(1, 2).flatten(3)  # (R, blocks, 1, d m)
                layers.append((base - moved.view_as(base)).flatten(0, 1).unsqueeze(1))
            else:
                moved = (self.moves @ slopes.flatten(2)).unflatten(2, base.shape[1:])
                layers.append((base.unsqueeze(1) - moved).flatten(0, 1))
        return tuple(layers)

    def at_start(self, given: Inputs, arms: int) -> Factors:
        """Return the gradients at theta_0, as R K networks with a context each."""
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
        rows, user = self.history.rows, view.user
        moves = self.moves[rows, arm].unsqueeze(1)  # (R, 1, n)
        self.meta = tuple(
            base - (moves @ slopes.flatten(2)).view_as(base)
            for base, slopes in zip(self.base, self.slopes, strict=True)
        )
        place = self.history.length
        self.history.append(view, arm, reward)
        served = user.cpu().numpy()
        link(served, place, self.last, self.before, self.count)
        own = self.learned(served)
        kept = own if not self.past[0].shape[1] else self.any_of_all(served, place, own)
        for layer, new in zip(self.users, kept, strict=True):
            layer[rows, user] = new
        for layer, new in zip(self.slopes, self.slopes_at(own, served), strict=True):
            layer[rows, user] = new

    def learned(self, served: np.ndarray) -> Weights:
        """Return the weights of the users served after J_1 steps on their data (Algorithm 3)."""
        own = tuple(layer.unsqueeze(1).clone() for layer in (self.start if self.anew else self.meta))
        x, block, _, reward = self.drawn(served, self.user_places)
        train(own, Adam.over(own), torch.zeros_like(block), x, block, reward, self.user_rate)
        return tuple(layer[:, 0] for layer in own)

    def slopes_at(self, own: Weights, served: np.ndarray) -> Weights:
        """Return the gradient of the loss of the users served at their weights, over the data of J_2 steps."""
        x, block, _, reward = (part.flatten(1, 2) for part in self.drawn(served, self.meta_places))
        at = factors(own, Inputs(x, block))
        share = reward.shape[1] if self.means else max(self.meta_steps, 1)
        slopes = gradient(at, (at.value - reward) / share, own)
        return tuple(
            slope + self.shrink.view(-1, *[1] * (layer.dim() - 1)) * layer.sign()
            for slope, layer in zip(slopes, own, strict=True)
        )

    def drawn(self, served: np.ndarray, places: np.ndarray) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return draws from the data of the users served, (R, steps, batch), as `History.rounds` does."""
        draw(self.random, served, self.last, self.before, self.count, places)
        return self.history.rounds(torch.from_numpy(places).to(self.history.rows.device))

    def any_of_all(self, served: np.ndarray, place: int, own: Weights) -> Weights:
        """Keep the weights of the users served, and return one of all that each ever had, its first included."""
        for layer, new in zip(self.past, own, strict=True):
            layer[:, place] = new
        chosen = np.empty((len(served), 1, 1), np.int64)
        draw(self.random, served, self.last, self.before, self.count + 1, chosen)
        at = torch.from_numpy(chosen[:, 0, 0]).to(self.history.rows.device)
        fresh = at < 0
        return tuple(
            torch.where(fresh.view(-1, *[1] * (first.dim() - 1)), first, layer[self.history.rows, at.clamp(min=0)])
            for layer, first in zip(self.past, self.start, strict=True)
        )


@njit(nogil=True)
def link(served, place, last, before, count):  # type: ignore[no-untyped-def]
    """Add the round `place` to the list of the user served, (R,)."""
    for r in range(len(served)):
        before[r, place] = last[r, served[r]]
        last[r, served[r]] = place
        count[r, served[r]] += 1


@njit(nogil=True)
def draw(random, served, last, before, count, places):  # type: ignore[no-untyped-def]
    """Fill places, (R, S, B), with rounds of the user served, (R,), each replica from its own stream.

    Beyond the end of a user's list, where `count` says that it is longer, stands -1.
    """
    for r in range(len(served)):
        u = served[r]
        rounds = np.full(count[r, u], -1)
        place = last[r, u]
        for i in range(count[r, u]):
            if place < 0:
                break
            rounds[i] = place
            place = before[r, place]
        for s in range(places.shape[1]):
            for b in range(places.shape[2]):
                places[r, s, b] = rounds[below(random[r], len(rounds))]


if __name__ == "__main__":
    from manybandits.play import script

    script(__file__)
