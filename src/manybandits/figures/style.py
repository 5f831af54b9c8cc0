"""How figures look: one look an algorithm, told apart without colour, and the same bytes every time."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manybandits.base.artifacts import whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's palette, safe for colour-blind readers; dashes and markers tell the lines apart in grey.
LOOKS: Mapping[str, Mapping[str, Any]] = {
    "CLUB": {"color": "#0072B2", "linestyle": "-", "marker": "o"},
    "COFIBA": {"color": "#E69F00", "linestyle": "--", "marker": "s"},
    "SCLUB": {"color": "#009E73", "linestyle": "-.", "marker": "^"},
    "LOCB": {"color": "#CC79A7", "linestyle": (0, (5, 1)), "marker": "D"},
    "LinUCB-ONE": {"color": "#56B4E9", "linestyle": (0, (3, 1, 1, 1)), "marker": "v"},
    "LinUCB-IND": {"color": "#D55E00", "linestyle": (0, (1, 1)), "marker": "P"},
    "LinUCB-Ind": {"color": "#D55E00", "linestyle": (0, (1, 1)), "marker": "P"},
    "CMLB": {"color": "#CC79A7", "linestyle": (0, (5, 1)), "marker": "D"},
    "SCLB": {"color": "#009E73", "linestyle": "-.", "marker": "^"},
    "PMLB": {"color": "#E69F00", "linestyle": "--", "marker": "s"},
    "ALB-Norm": {"color": "#882255", "linestyle": (0, (6, 2, 1, 2, 1, 2)), "marker": "<"},
    "Oracle": {"color": "#000000", "linestyle": (0, (8, 2)), "marker": "*"},
    "Oracle of the mean": {"color": "#000000", "linestyle": (0, (8, 2)), "marker": "*"},
    "M-CNB": {"color": "#CC3311", "linestyle": "-", "marker": "X"},
    "Meta-Ban": {"color": "#CC3311", "linestyle": "-", "marker": "X"},
    "NeuUCB-ONE": {"color": "#332288", "linestyle": (0, (7, 2)), "marker": "h"},
    "NeuUCB-IND": {"color": "#882255", "linestyle": (0, (6, 2, 1, 2, 1, 2)), "marker": "<"},
    "NeuA+U": {"color": "#44AA99", "linestyle": (0, (4, 1, 1, 1)), "marker": ">"},
    "NeuralLinear": {"color": "#999933", "linestyle": (0, (2, 1)), "marker": "p"},
    "LNUCB-TA": {"color": "#CC3311", "linestyle": "-", "marker": "X"},
    "LinUCB": {"color": "#56B4E9", "linestyle": (0, (3, 1, 1, 1)), "marker": "v"},
    "LinThompson": {"color": "#44AA99", "linestyle": (0, (4, 1, 1, 1)), "marker": ">"},
    "k-NN UCB": {"color": "#E69F00", "linestyle": "--", "marker": "s"},
    "k-NN KL-UCB": {"color": "#009E73", "linestyle": "-.", "marker": "^"},
    "(Lin + k-NN)-UCB": {"color": "#0072B2", "linestyle": "-", "marker": "o"},
    "UCB": {"color": "#999933", "linestyle": (0, (2, 1)), "marker": "p"},
    "KL-UCB": {"color": "#882255", "linestyle": (0, (6, 2, 1, 2, 1, 2)), "marker": "<"},
    "BetaThompson": {"color": "#CC79A7", "linestyle": (0, (5, 1)), "marker": "D"},
    "Epsilon-greedy": {"color": "#332288", "linestyle": (0, (7, 2)), "marker": "h"},
    "Independent": {"color": "#D55E00", "linestyle": (0, (1, 1)), "marker": "P"},
    "Averaging": {"color": "#E69F00", "linestyle": "--", "marker": "s"},
    "Pooling": {"color": "#009E73", "linestyle": "-.", "marker": "^"},
    "Averaging multitask": {"color": "#0072B2", "linestyle": (0, (5, 1)), "marker": "o"},
    "Robust multitask": {"color": "#CC3311", "linestyle": "-", "marker": "X"},
    "Random": {"color": "#555555", "linestyle": (0, (1, 3)), "marker": "x"},
}
OTHERS = ("#AA4499", "#117733", "#DDAA33", "#0099AA", "#663311")
SETTINGS: Any = {
    "svg.hashsalt": "manybandits",  # without it, names inside an SVG are random
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "legend.frameon": True,  # a line that runs behind a legend does not cross its words
    "legend.framealpha": 0.85,
    "legend.edgecolor": "none",
    "figure.dpi": 150,
}


def look(title: str, others: list[str]) -> dict[str, Any]:
    """Return the look of an algorithm's line; one without a look of its own gets it by its place in `others`."""
    if title in LOOKS:
        return dict(LOOKS[title])
    place = others.index(title)
    dashes = ((0, (3, 2)), (0, (7, 2, 2, 2)), (0, (2, 1, 1, 1)))
    return {
        "color": OTHERS[place % len(OTHERS)],
        "linestyle": dashes[place % len(dashes)],
        "marker": "<>hXdp"[place % 6],
    }


def new_figure(panels: int, columns: int | None = None) -> tuple[Figure, list[Axes]]:
    """Return a figure with room for a number of panels, and their axes.

    columns: how many stand in a row; two or, from six panels on, three where none is given.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams.update(SETTINGS)
    from matplotlib import pyplot as plt

    columns = columns or min(panels, 2 if panels < 6 else 3)
    rows = -(-panels // columns)
    figure, axes = plt.subplots(
        rows, columns, figsize=(5.6 * columns, 3.7 * rows + 0.6), squeeze=False, layout="constrained"
    )
    for spare in axes.flat[panels:]:
        spare.axis("off")
    return figure, list(axes.flat[:panels])


def set_words(figure: Figure, title: str, caption: str) -> None:
    """Write the title above a figure and the caption below it, in lines that fit its width, which must be final."""
    width = figure.get_figwidth()
    figure.suptitle(textwrap.fill(title, int(10.5 * width)), fontsize=10.5, fontweight="bold")
    figure.supxlabel(textwrap.fill(caption, min(130, int(13 * width))), fontsize=7.5)


def mark_stand_in(axes: Axes) -> None:
    """Write across a panel that its data stand in for those of the paper."""
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
    from matplotlib import pyplot as plt

    for ending, metadata in ((".png", {"Software": None}), (".svg", {"Date": None})):
        with whole(stem.with_name(stem.name + ending)) as temporary:
            figure.savefig(temporary, metadata=metadata)
    plt.close(figure)
