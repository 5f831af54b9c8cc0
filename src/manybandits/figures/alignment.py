"""Heat maps of well and poorly aligned components, like Figure 1 of Xu and Bastani: one row per instance.

The first panel shows how all instances differ from the shared parameter, the next two the mean and the trimmed mean of
these differences, the last two which differences of instance 0 LASSO finds from either.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from manybandits.base.artifacts import load_table
from manybandits.base.exceptions import run_script
from manybandits.figures.canvas import Words, new_figure, panel_title, set_words
from manybandits.figures.kind import Kind, Picture, words_of
from manybandits.results.coefficient_table import PARTS, load_parts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CAPTION = (
    "Rows are instances, columns are components; darker cells are larger differences from the shared parameter. The "
    "means are of the true differences, without noise; LASSO finds instance 0 minus the shared estimate."
)


def figure_of(parts: dict[str, np.ndarray], words: Words) -> Figure:
    """Return the figure of a table of coefficients."""
    import seaborn

    first, *others = (float(len(values)) for values in parts.values())
    figure, axes = new_figure(len(PARTS), size=(8.0, 6.4), heights=[first, *(1.3 * rows for rows in others)])
    largest = max(float(np.abs(values).max()) for values in parts.values()) or 1.0
    for panel, (part, values) in zip(axes, parts.items(), strict=True):
        # The root, so that a mean of many zeros and one difference can be seen.
        shades = np.sqrt(np.abs(values) / largest)
        grid: Any = {"linewidths": 0.4, "linecolor": "0.85", "xticklabels": False, "yticklabels": False}
        seaborn.heatmap(shades, cmap="Blues", vmin=0.0, vmax=1.0, cbar=False, ax=panel, **grid)
        panel.tick_params(length=0)
        count = f", {np.count_nonzero(values)} of {values.size} not zero" if part != "delta" else ""
        panel_title(panel, PARTS[part] + count, 90)
    axes[0].set_ylabel("instances")
    axes[-1].set_xlabel("components")
    set_words(figure, words)
    return figure


def seen(parts: dict[str, np.ndarray]) -> str:
    """Return in how many components the mean and the trimmed mean differ from what is shared."""
    mean, trimmed = (int(np.count_nonzero(parts[part])) for part in ("Averaging", "Trimmed mean"))
    return (
        f"The mean of the instances differs from what they share in {mean} of {parts['Averaging'].size} components, "
        f"the trimmed mean in {trimmed}"
    )


def pictures(args: argparse.Namespace) -> list[Picture]:
    """Return the picture of a table of coefficients."""
    parts = load_parts(args.runs)
    facts = {"caption": CAPTION, "seen": seen(parts), "data": ["regressions of a mixed design"], "stand_in": False}
    return [Picture(args.out, figure_of(parts, words_of(args.title, facts)), load_table(args.runs), facts)]


GIVEN = {"type": Path, "required": True, "help": "a table of coefficients"}
KIND = Kind("Draw which components of related regressions are aligned.", pictures, {"runs": GIVEN})
main = KIND.main

if __name__ == "__main__":
    run_script(main)
