"""The numbers along the axes of figures."""

from __future__ import annotations

from typing import Any

from matplotlib.ticker import ScalarFormatter


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
