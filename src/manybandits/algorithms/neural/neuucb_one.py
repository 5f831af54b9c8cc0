"""NeuUCB-ONE: one NeuralUCB for all users.

Source: the baseline of M-CNB (section 6) and Meta-Ban (section 7); see `_neuralucb`.

Protocol ``released``: PyTorch's initial weights and biases, no 1/m in the bonus, and the authors' training.
"""

from __future__ import annotations

from manybandits.algorithms.contract import script
from manybandits.algorithms.neural import _neuralucb
from manybandits.algorithms.neural._neuralucb import NeuralUCB as Policy

TITLE = "NeuUCB-ONE"
REFERENCE = "Zhou, Li and Gu 2020, Algorithm 1, one model"
OPTIONS = _neuralucb.OPTIONS
RELEASED = "bonus sqrt(lambda nu g^2 / Z) without 1/m; biases, PyTorch's initial weights; one observation a step"
RELEASED_OPTIONS = _neuralucb.RELEASED_OPTIONS

__all__ = ["Policy"]

if __name__ == "__main__":
    script(__file__)
