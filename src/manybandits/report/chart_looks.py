"""The looks of `manybandits.figures.palette` for charts: dashes as lengths in pixels and markers as SVG paths."""

from __future__ import annotations

import math
from typing import Any

from manybandits.figures.palette import is_own, look

WIDTH, OWN_WIDTH = 1.6, 2.8
"""Of a line, in pixels, and of that of a method that a paper proposes; dashes are multiples of the first."""
NAMED = {"-": (), "--": (3.7, 1.6), "-.": (6.4, 1.6, 1.0, 1.6), ":": (1.0, 1.65)}
"""Matplotlib's named dashes, in line widths."""


def _polygon(corners: int, start: float = -90.0, inner: float | None = None) -> str:
    """Return a regular polygon around 0 with its first corner at `start` degrees; with `inner` the star in it."""
    count = corners if inner is None else 2 * corners
    points = []
    for corner in range(count):
        radius = 1.0 if inner is None or corner % 2 == 0 else inner
        angle = math.radians(start + 360.0 * corner / count)
        points.append(f"{radius * math.cos(angle):.3g},{radius * math.sin(angle):.3g}")
    return f"M{'L'.join(points)}Z"


def _cross(arm: float, start: float) -> str:
    """Return a cross of arms of length 1 and half width `arm`, turned by `start` degrees."""
    corners = [(-arm, -1), (arm, -1), (arm, -arm), (1, -arm), (1, arm), (arm, arm)]
    corners += [(-x, -y) for x, y in corners]
    turn = math.radians(start)
    turned = [(x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)) for x, y in corners]
    return f"M{'L'.join(f'{x:.3g},{y:.3g}' for x, y in turned)}Z"


MARKERS = {
    "o": "M-0.9,0A0.9,0.9,0,1,1,0.9,0A0.9,0.9,0,1,1,-0.9,0Z",
    "s": "M-0.8,-0.8L0.8,-0.8L0.8,0.8L-0.8,0.8Z",
    "^": _polygon(3),
    "v": _polygon(3, 90),
    "<": _polygon(3, 180),
    ">": _polygon(3, 0),
    "D": _polygon(4),
    "d": "M0,-1L0.6,0L0,1L-0.6,0Z",
    "P": _cross(0.36, 0),
    "X": _cross(0.36, 45),
    "x": _cross(0.14, 45),
    "+": _cross(0.14, 0),
    "_": "M-1,-0.22L1,-0.22L1,0.22L-1,0.22Z",
    "|": "M-0.22,-1L0.22,-1L0.22,1L-0.22,1Z",
    "*": _polygon(5, inner=0.4),
    "h": _polygon(6),
    "H": _polygon(6, 0),
    "p": _polygon(5),
}
"""Matplotlib's markers as SVG paths in the square from -1 to 1."""


def series_look(title: str, titles: list[str]) -> dict[str, Any]:
    """Return colour, dash (in pixels), marker (a path) and width of an algorithm. titles: all of its figure, sorted."""
    shown = look(title, titles)
    style = shown["linestyle"]
    lengths = NAMED[style] if isinstance(style, str) else style[1]
    return {
        "color": shown["color"],
        "dash": [round(WIDTH * length, 2) for length in lengths],
        "marker": MARKERS[shown["marker"]],
        "width": OWN_WIDTH if is_own(title) else WIDTH,
    }
