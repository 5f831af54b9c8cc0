"""Whether the network of a run is dead: its hidden units at the contexts that were played last.

A unit that is zero at all of them has no gradient there, so that no training on these inputs revives it. A network
whose units of one layer are all dead is constant, and a policy that trusts it plays at random or always the same arm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from manybandits.algorithms.neural._learning import History
from manybandits.numerics.networks import Factors, Inputs, Weights, factors, learner_weights

if TYPE_CHECKING:
    from torch import Tensor

RECENT = 200
"""Rounds whose contexts a unit must be zero at to be called dead."""


def share_of_dead_units(weights: Weights, history: History, network: Tensor | None, width: int) -> np.ndarray:
    """Return the share of dead units of one network per replica in the layer where it is largest, (R,).

    network: (R,), one of n, or None if n = 1. width: units of a hidden layer, without the input of a bias. 1 means that
    the network is constant at the latest contexts. NaN before the first round.
    """
    if history.length == 0:
        return np.full(len(history.rows), np.nan)
    latest = torch.arange(max(0, history.length - RECENT), history.length, device=history.rows.device)
    x, block, _, _ = history.rounds(latest.expand(len(history.rows), -1))
    at = factors(learner_weights(weights, network), Inputs(x, block))
    return np.asarray(dead_units(at, width).cpu().numpy())


def dead_units(given: Factors, width: int) -> Tensor:
    """Return the share of units that are zero at all Q contexts in the hidden layer where it is largest, (R,)."""
    shares = [(hidden[..., :width] == 0).all(dim=1).double().mean(dim=1) for hidden in given.inputs[1:]]
    return torch.stack(shares).amax(dim=0)
