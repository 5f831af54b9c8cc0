"""NeuA+U: one NeuralUCB for all users, whose input is the arm and the features of the user served.

Source: the baseline of M-CNB (section 6): "we concatenate the arm features and user features together". The user
served is a pre-cluster; its features are the mean of the features of its raters, scaled to length 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.algorithms.contract import Columns, Problem, script
from manybandits.algorithms.neural import _neuralucb
from manybandits.algorithms.neural._learning import Tables, View
from manybandits.base.exceptions import InputError
from manybandits.numerics.networks import Inputs

if TYPE_CHECKING:
    from torch import Tensor

TITLE = "NeuA+U"
REFERENCE = "Ban et al. 2024, section 6: Zhou, Li and Gu 2020, Algorithm 1, on arm and user features"
OPTIONS = _neuralucb.OPTIONS


class Policy(_neuralucb.NeuralUCB):
    """R replicas of NeuA+U."""

    def __init__(self, problem: Problem, options: Columns, random: np.ndarray, tables: Tables) -> None:
        if not tables.served.shape[1]:
            raise InputError(
                f"{TITLE} needs features of the users served, and there are none: choose another algorithm."
            )
        wider = problem._replace(dimension=problem.dimension + tables.served.shape[1])
        super().__init__(wider, options, random, tables)
        self.history.with_served = True

    def select(self, view: View) -> Tensor:
        served = self.history.tables.served[view.users]
        return super().select(view._replace(inputs=Inputs(torch.cat([view.inputs.x, served], dim=2))))


if __name__ == "__main__":
    script(__file__)
