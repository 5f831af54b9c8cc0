"""The canvas of a figure: its panels, title and caption, with the same look and the same bytes every time."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manybandits.base.artifacts import replacing
from manybandits.base.table_files import with_ending

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SETTINGS: Any = {
    "svg.hashsalt": "manybandits",  # without it, the ids inside an SVG are random
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "legend.frameon": True,  # so that a line behind a legend does not cross its words
    "legend.framealpha": 0.85,
    "legend.edgecolor": "none",
    "figure.dpi": 150,
}


def new_figure(
    panels: int, columns: int | None = None, heights: Sequence[float] | None = None
) -> tuple[Figure, list[Axes]]:
    """Return a figure with room for a number of panels, and their axes.

    pyplot does not know the figure, so neither a window nor the backend of the caller is touched.

    columns: panels in a row; by default two or, from six panels on, three; heights: of the rows, if not all are alike.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    mpl.rcParams.update(SETTINGS)
    columns = columns or min(panels, 2 if panels < 6 else 3)
    rows = -(-panels // columns)
    figure = Figure(figsize=(5.6 * columns, 3.7 * rows + 0.6), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, height_ratios=heights)
    for spare in axes.flat[panels:]:
        spare.axis("off")
    return figure, list(axes.flat[:panels])


def set_words(figure: Figure, title: str, caption: str) -> None:
    """Write the title above a figure and the caption below it, in lines that fit its width: set its size before."""
    width = figure.get_figwidth()
    figure.suptitle(textwrap.fill(title, int(10.5 * width)), fontsize=10.5, fontweight="bold")
    figure.supxlabel(textwrap.fill(caption, min(130, int(13 * width))), fontsize=7.5)


def mark_stand_in(axes: Axes) -> None:
    """Write STAND-IN DATA across a panel: its data replace those of the paper."""
    axes.text(
        0.5,
        0.5,
        "STAND-IN DATA",
        transform=axes.transAxes,
        ha="center",
        va="center",
        rotation=28,
        fontsize=26,
        fontweight="bold",
        color="#888888",
        alpha=0.28,
        zorder=0,
    )


def save_figure(figure: Figure, stem: Path) -> None:
    """Write ``<stem>.png`` and ``<stem>.svg`` without dates, so that equal figures have equal bytes."""
    for ending, metadata in ((".png", {"Software": None}), (".svg", {"Date": None})):
        with replacing(with_ending(stem, ending)) as temporary:
            figure.savefig(temporary, metadata=metadata)
