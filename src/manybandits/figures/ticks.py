"""The numbers along the axes of figures: where they stand, and how they are written."""

from __future__ import annotations

from typing import Any

from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator, ScalarFormatter

STEPS = ((1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), (1, 2, 5), (1, 3), (1,))
"""Where a logarithmic axis may have ticks, between two powers of ten: the finest first.

Neighbours of the finest are less than a factor of 1.44 apart, so that one is within a fifth of any value.
"""


class PlainNumbers(ScalarFormatter):
    """Writes the numbers of a linear axis out, with a comma at thousands, as tables do: 0.5, 250 or 10,000."""

    def __init__(self) -> None:
        super().__init__(useOffset=False)
        self.set_scientific(False)

    def __call__(self, value: float, position: Any = None) -> str:
        """Return the label of a tick."""
        if abs(value) < 1000:
            return super().__call__(value, position)
        return self.fix_minus(written_out(value))


def written_out(value: float) -> str:
    """Return a number with a comma at thousands: 0.5, 10,000 or 1e-07."""
    return f"{value:,.9g}"


def plain_log(axis: Axis, low: float, high: float, most: int = 8) -> None:
    """Make an axis logarithmic, with at most so many ticks, at 1, 2 and 5 times powers of ten if these fit.

    axis: the x or y axis of a panel; low, high: the ends of what is drawn, above 0. Numbers are written out.
    """
    (axis.axes.set_xscale if axis is axis.axes.xaxis else axis.axes.set_yscale)("log")
    powers = [10.0**power for power in range(-12, 13)]
    for steps in STEPS:
        every = [step * power for power in powers for step in steps]
        ticks = [tick for tick in every if low / 1.2 <= tick <= high * 1.2]
        if len(ticks) <= most:
            break
    axis.set_major_locator(FixedLocator(ticks[:: -(-len(ticks) // most)]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: written_out(value)))
