"""Dead units: hidden units of a network that are zero at every input of a sample.

Such a unit has no gradient there, so that no training on these inputs revives it. A network whose units of one layer
are all dead is constant on the sample, and a policy that trusts it plays at random or always the same arm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from manybandits.numerics.networks import Factors

if TYPE_CHECKING:
    from torch import Tensor


def dead_units(given: Factors, width: int) -> Tensor:
    """Return the share of units that are zero at all Q contexts in the hidden layer where it is largest, (R,).

    given: as `factors_of` returns it for the sample; width: units of a hidden layer, without the input of a bias.
    """
    shares = [(hidden[..., :width] == 0).all(dim=1).double().mean(dim=1) for hidden in given.inputs[1:]]
    largest = shares[0]
    for share in shares[1:]:
        largest = largest.maximum(share)
    return largest
