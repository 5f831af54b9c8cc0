"""Whether the network of a run is dead: its hidden units at the contexts that were played last."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.algorithms.neural._learning import History
from manybandits.numerics.networks import Inputs, Weights, factors, learner_weights
from manybandits.numerics.networks.dead_units import dead_units

if TYPE_CHECKING:
    from torch import Tensor

RECENT = 200
"""Rounds whose contexts a unit must be zero at to be called dead."""


def share_of_dead_units(weights: Weights, history: History, network: Tensor | None, width: int) -> np.ndarray:
    """Return the share of dead units of one network per replica at the latest contexts, (R,).

    network: (R,), one of n, or None if n = 1. 1 means that the network is constant there. NaN before the first round.
    """
    if history.length == 0:
        return np.full(len(history.rows), np.nan)
    latest = torch.arange(max(0, history.length - RECENT), history.length, device=history.rows.device)
    x, block, _, _ = history.rounds(latest.expand(len(history.rows), -1))
    at = factors(learner_weights(weights, network), Inputs(x, block))
    return np.asarray(dead_units(at, width).cpu().numpy())
