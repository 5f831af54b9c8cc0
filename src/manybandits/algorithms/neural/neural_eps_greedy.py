"""Neural epsilon-greedy: the best arm according to a network, or with probability epsilon a random arm.

Source: the baseline of Zhang et al. 2021, *Neural Thompson sampling*, section 5, which LNUCB-TA (Table 2) quotes.

    a_t = argmax_a  f(x_a; theta), or with probability epsilon any of the K arms

The network is trained on all rounds, like that of NeuralTS but without its penalty, whose lambda the text leaves out
for it (see `_descent`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.algorithms.contextfree.eps_greedy import EPSILON
from manybandits.algorithms.contract import Columns, Problem, script
from manybandits.algorithms.neural import _greedy
from manybandits.algorithms.neural._greedy import Greedy
from manybandits.algorithms.neural._learning import Tables, View
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below, uniform

if TYPE_CHECKING:
    from torch import Tensor

TITLE = "Neural epsilon-greedy"
REFERENCE = "Zhang et al. 2021, section 5"
OPTIONS = (EPSILON, *_greedy.OPTIONS)


class Policy(Greedy):
    """R replicas of neural epsilon-greedy."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables) -> None:
        super().__init__(problem, options, random, tables, 1)
        self.epsilon, self.arms = options["epsilon"], problem.arms

    def select(self, view: View) -> Tensor:
        arm = self.greedy_arm(view, None)
        chosen = arm.cpu().numpy()
        explore(self.random, self.epsilon, self.arms, chosen)
        return torch.as_tensor(chosen, device=arm.device)

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        self.history.append(view, arm, reward / self.training.gain)
        if self.training.due(view.t):
            self.training.run(self.history, self.random)


@part(inlined=False)
def explore(random: np.ndarray, epsilon: np.ndarray, arms: int, chosen: np.ndarray) -> None:
    """Replace the arm of every replica, (R,), by any of `arms` with probability epsilon, (R,)."""
    for r in range(len(chosen)):
        if uniform(random[r]) < epsilon[r]:
            chosen[r] = below(random[r], arms)


if __name__ == "__main__":
    script(__file__)
