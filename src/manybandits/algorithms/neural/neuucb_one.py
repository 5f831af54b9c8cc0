"""NeuUCB-ONE: one NeuralUCB for all users.

Source: the baseline of M-CNB (section 6) and Meta-Ban (section 7); see `_neuralucb`.

What the public code plays is `manybandits.algorithms.released.neuucb_one_2022`.
"""

from __future__ import annotations

from manybandits.algorithms.contract import script
from manybandits.algorithms.neural import _neuralucb
from manybandits.algorithms.neural._neuralucb import NeuralUCB as Policy

TITLE = "NeuUCB-ONE"
REFERENCE = "Zhou, Li and Gu 2020, Algorithm 1, one model"
OPTIONS = _neuralucb.OPTIONS

__all__ = ["Policy"]

if __name__ == "__main__":
    script(__file__)
