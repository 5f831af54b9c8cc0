"""NeuralTS: one network, and for every arm a draw from a normal distribution around its prediction.

Source: Zhang, Zhou, Li and Gu 2021, *Neural Thompson sampling*, Algorithm 1.

    a_t ~ argmax_a  N(f(x_a; theta), nu^2 lambda g(x_a; theta)' U^-1 g(x_a; theta) / m)                  lines 4 to 9
    U   = lambda I + sum over the arms played of g g' / m                                                       line 12

Arms are drawn independently. U is stored, and the network is trained, as in `_neuralucb`: by Adam steps on batches,
while the paper has gradient descent on all observations (line 11).
"""

from __future__ import annotations

from torch import Tensor

from manybandits.algorithms.contract import LAMBDA, Option, script
from manybandits.algorithms.neural._covariance import COVARIANCE
from manybandits.algorithms.neural._learning import TRAINING, normals
from manybandits.algorithms.neural._neuralucb import NeuralUCB

TITLE = "NeuralTS"
REFERENCE = "Zhang et al. 2021, Algorithm 1"
OPTIONS = (Option("nu", 0.1, "exploration: multiplies the deviation", low=0.0), LAMBDA, COVARIANCE, *TRAINING)
RELEASED = ""


class Policy(NeuralUCB):
    """R replicas of NeuralTS."""

    def scale_of(self, numbers: dict[str, Tensor]) -> Tensor:
        """Return nu sqrt(lambda / m), (R,). numbers: the options."""
        return numbers["nu"] * numbers["lambda"].sqrt() / self.width**0.5

    def explore(self, deviation: Tensor) -> Tensor:
        """Return a draw for every arm. deviation: (R, K)."""
        return deviation * normals(self.random, deviation.shape[1], deviation)


if __name__ == "__main__":
    script(__file__)
