"""NeuUCB-IND: one NeuralUCB for every user, nothing shared.

Source: the baseline of M-CNB (section 6) and Meta-Ban (section 7); see `_neuralucb`.

A training has the same budget as that of one network for all: its observations are drawn from the whole history,
and each goes to the network of its user. Variant ``released``: PyTorch's initial weights and biases, no 1/m in the
bonus, and the authors' training, of the user served alone.
"""

from __future__ import annotations

from manybandits.algorithms.contract import Problem, script
from manybandits.algorithms.neural import _neuralucb

TITLE = "NeuUCB-IND"
REFERENCE = "Zhou, Li and Gu 2020, Algorithm 1, one model a user"
OPTIONS = _neuralucb.OPTIONS
RELEASED = "bonus sqrt(lambda nu g^2 / Z) without 1/m; biases, PyTorch's initial weights; one observation a step"
RELEASED_OPTIONS = _neuralucb.RELEASED_OPTIONS


class Policy(_neuralucb.NeuralUCB):
    """R replicas of NeuUCB-IND."""

    def networks(self, problem: Problem) -> int:
        """Return how many networks there are: one a user."""
        return problem.users


if __name__ == "__main__":
    script(__file__)
