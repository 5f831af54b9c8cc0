"""NeuUCB-IND: one NeuralUCB per user; users share nothing.

Source: the baseline of M-CNB (section 6) and Meta-Ban (section 7); see `_neuralucb`.

A training has as many steps as that of one network for all users: its observations are drawn from the whole history,
and each goes to the network of its user. Protocol ``released``: PyTorch's initial weights and biases, no 1/m in the
bonus, and the authors' training, only of the user served.
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
        """Return the number of networks: one per user."""
        return problem.users


if __name__ == "__main__":
    script(__file__)
