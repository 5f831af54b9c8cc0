"""The palette of figures: one colour, dash and marker per algorithm, the same in every figure of every paper.

The colours are those of Okabe and Ito and of Tol, which colour-blind readers can distinguish; dashes and markers
distinguish lines in grey. All figures, the interactive charts and the notebooks take their looks from here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
OTHER_COLORS = ("#AA4499", "#117733", "#DDAA33", "#0099AA", "#663311")
"""Colours of algorithms that have no look of their own."""
OTHER_DASHES = ((0, (3, 2)), (0, (7, 2, 2, 2)), (0, (2, 1, 1, 1)))
OTHER_MARKERS = "<>hXdp"
VERDICTS: Mapping[str, tuple[str, str]] = {
    "reproduced": ("o", "#004a80"),
    "supported": ("o", "#1f6fa8"),
    "near miss": ("D", "#775800"),
    "undecided": ("_", "#55555e"),
    "contradicted here": ("s", "#b0470f"),
    "not reproduced": ("s", "#8a1500"),
    "outside its conditions": ("x", "#6d4a8f"),
    "not testable here": ("+", "#6a6a73"),
}
"""Marker and colour of verdicts: circles hold, squares do not; figures fill those at the paper's scale."""
GAMES = (("o", "#0072B2"), ("s", "#D55E00"), ("^", "#009E73"), ("D", "#CC79A7"))
"""Marker and colour of games, in their order, in figures where a mark is a game and not an algorithm."""


def look(title: str, others: list[str]) -> dict[str, Any]:
    """Return color, linestyle and marker of an algorithm.

    title: as in run tables. others: all titles of the figure, sorted; an algorithm without a look of its own gets one
    by its place among them.
    """
    if title in LOOKS:
        return dict(LOOKS[title])
    place = others.index(title)
    return {
        "color": OTHER_COLORS[place % len(OTHER_COLORS)],
        "linestyle": OTHER_DASHES[place % len(OTHER_DASHES)],
        "marker": OTHER_MARKERS[place % len(OTHER_MARKERS)],
    }
