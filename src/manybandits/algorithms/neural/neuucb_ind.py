"""NeuUCB-IND: one NeuralUCB per user; users share nothing.

Source: the baseline of M-CNB (section 6) and Meta-Ban (section 7); see `_neuralucb`.

With `budget` = shared a training has as many steps as that of one network for all users: its observations are drawn
from the whole history, and each goes to the network of its user. With n users a network then gets an n-th of the
draws, less than one if n is 2,000. With `budget` = served all draws are from the history of the user served, whose
network alone is trained. What the public code plays is `manybandits.algorithms.released.neuucb_ind_2022`.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Columns, Option, Problem, script
from manybandits.algorithms.neural import _neuralucb
from manybandits.algorithms.neural._learning import Tables
from manybandits.base.exceptions import InputError
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below

TITLE = "NeuUCB-IND"
REFERENCE = "Zhou, Li and Gu 2020, Algorithm 1, one model a user"
BUDGET = Option("budget", "shared", "whose networks a training is for", words=("shared", "served"), structural=True)
OPTIONS = (*_neuralucb.OPTIONS, BUDGET)


class Policy(_neuralucb.NeuralUCB):
    """R replicas of NeuUCB-IND."""

    def networks(self, problem: Problem) -> int:
        """Return the number of networks: one per user."""
        return problem.users

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables) -> None:
        super().__init__(problem, options, random, tables)
        self.only_served = str(options["budget"][0]) == "served"
        if self.only_served and self.training.batch == 0:
            raise InputError("budget = served draws the observations of a step: give a batch of 1 or more.")

    def run_training(self) -> None:
        """Train the networks, or only that of the user whose observation is the newest."""
        if not self.only_served:
            super().run_training()
            return
        users = self.history.user[:, : self.history.length].cpu().numpy()
        places = np.empty((len(users), self.training.steps * self.training.batch), np.int64)
        draw_own(self.random, users, places)
        self.training.run_on(self.history, places[:, None])


@part(inlined=False)
def draw_own(random: np.ndarray, users: np.ndarray, places: np.ndarray) -> None:
    """Fill places, (R, Q), with rounds that had the same user as the last. users: (R, T), the user of each round."""
    rounds, last = np.empty(users.shape[1], np.int64), users.shape[1] - 1
    for r in range(places.shape[0]):
        count = 0
        for t in range(users.shape[1]):
            rounds[count] = t
            count += users[r, t] == users[r, last]
        for q in range(places.shape[1]):
            places[r, q] = rounds[below(random[r], count)]


if __name__ == "__main__":
    script(__file__)
