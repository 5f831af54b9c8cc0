"""BootstrapNN: several networks, each trained on a random part of the rounds; a random one chooses each arm.

Source: the baseline of Zhang et al. 2021, *Neural Thompson sampling*, section 5, after Schwenk and Bengio 2000 and
Riquelme, Tucker and Snoek 2018, which LNUCB-TA (Table 2) quotes.

    q_t ~ any of the Q networks
    a_t = argmax_a  f(x_a; theta_q)
    every network stores the observation with probability p

All networks store the first observation, so that none is without. Each is trained as the network of neural
epsilon-greedy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.algorithms.contract import Columns, Option, Problem, script
from manybandits.algorithms.neural import _greedy
from manybandits.algorithms.neural._greedy import Greedy
from manybandits.algorithms.neural._learning import Tables, View, draw_places, store
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below, uniform

if TYPE_CHECKING:
    from torch import Tensor

TITLE = "BootstrapNN"
REFERENCE = "Zhang et al. 2021, section 5"
OPTIONS = (
    Option("networks", 10, "number of networks, Q", low=1, structural=True),
    Option("keep", 0.8, "probability that a network stores an observation", low=0.0, high=1.0),
    *_greedy.OPTIONS,
)


class Policy(Greedy):
    """R replicas of BootstrapNN."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables) -> None:
        networks = int(options["networks"][0])
        super().__init__(problem, options, random, tables, networks)
        self.keep = options["keep"]
        self.network = np.zeros(len(random), np.int64)
        self.kept = np.zeros((len(random), networks), np.bool_)
        self.stored = np.zeros((len(random), networks, problem.horizon), np.int32)
        self.count = np.zeros((len(random), networks), np.int64)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (*super().tensors, torch.from_numpy(self.stored), torch.from_numpy(self.count))

    def select(self, view: View) -> Tensor:
        draw_places(self.random, self.kept.shape[1], self.network[:, None])
        return self.greedy_arm(view, torch.as_tensor(self.network, device=view.user.device))

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        draw_kept(self.random, self.keep, self.history.length == 0, self.kept)
        store(self.kept, self.history.length, self.stored, self.count)
        self.history.append(view, arm, reward / self.training.gain)
        if self.training.due(view.t):
            places = np.empty((*self.kept.shape, self.training.steps * self.training.batch), np.int64)
            draw_stored(self.random, self.stored, self.count, places)
            self.training.run_on(self.history, places)


@part(inlined=False)
def draw_kept(random: np.ndarray, keep: np.ndarray, everything: bool, kept: np.ndarray) -> None:
    """Fill kept, (R, Q), with whether a network stores an observation. keep: (R,); everything: whether all do."""
    for r in range(kept.shape[0]):
        for q in range(kept.shape[1]):
            kept[r, q] = uniform(random[r]) < keep[r] or everything


@part(inlined=False)
def draw_stored(random: np.ndarray, stored: np.ndarray, count: np.ndarray, places: np.ndarray) -> None:
    """Fill places, (R, Q, P), with rounds that a network has stored. stored: (R, Q, T), the first `count`, (R, Q)."""
    for r in range(places.shape[0]):
        for q in range(places.shape[1]):
            for p in range(places.shape[2]):
                places[r, q, p] = stored[r, q, below(random[r], count[r, q])]


if __name__ == "__main__":
    script(__file__)
