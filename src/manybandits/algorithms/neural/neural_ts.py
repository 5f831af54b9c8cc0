"""NeuralTS: one network, and for every arm a draw from a normal distribution around its prediction.

Source: Zhang, Zhou, Li and Gu 2021, *Neural Thompson sampling*, Algorithm 1.

    a_t ~ argmax_a  N(f(x_a; theta), nu^2 lambda g(x_a; theta)' U^-1 g(x_a; theta) / m)                  lines 4 to 8
    theta minimises the penalised squared loss on all observations                                         line 9
    U   = lambda I + sum over the arms played of g g' / m, with g at the new theta                         line 10

Arms are drawn independently. The network, its training and U are those of NeuralUCB; see `_neuralucb` and `_descent`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from manybandits.algorithms.contract import LAMBDA, Option, script
from manybandits.algorithms.neural._covariance import COVARIANCE
from manybandits.algorithms.neural._descent import SCALED
from manybandits.algorithms.neural._learning import View, normals
from manybandits.algorithms.neural._neuralucb import DIVISOR, TRAINED, NeuralUCB
from manybandits.numerics.networks import factors_of

if TYPE_CHECKING:
    from torch import Tensor

TITLE = "NeuralTS"
REFERENCE = "Zhang et al. 2021, Algorithm 1"
OPTIONS = (
    Option("nu", 0.1, "exploration: multiplies the deviation", low=0.0),
    LAMBDA,
    SCALED,
    DIVISOR,
    COVARIANCE,
    *TRAINED,
)


class Policy(NeuralUCB):
    """R replicas of NeuralTS."""

    def scale_of(self, numbers: dict[str, Tensor]) -> Tensor:
        """Return nu sqrt(lambda), (R,). numbers: the options."""
        return numbers["nu"] * numbers["lambda"].sqrt()

    def explore(self, deviation: Tensor) -> Tensor:
        """Return a draw for every arm. deviation: (R, K)."""
        return deviation * normals(self.random, deviation.shape[1], deviation)

    def learn(self, view: View, arm: Tensor, reward: Tensor) -> None:
        self.train(view, arm, reward)
        if self.training.due(view.t):
            self.seen = factors_of(self.weights, None, view.inputs)
        self.covariance.add(self.seen.arm(arm), None)


if __name__ == "__main__":
    script(__file__)
