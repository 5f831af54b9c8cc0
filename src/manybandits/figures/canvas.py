"""The canvas of a figure: its panels, title, subtitle and caption, with the same look and the same bytes every time."""

from __future__ import annotations

import functools
import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from manybandits.base.artifacts import replacing, save_text
from manybandits.base.table_files import with_ending
from manybandits.figures.palette import INK, RED, is_own, standing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Text

SETTINGS: Any = {
    "svg.hashsalt": "manybandits",  # without it, the ids inside an SVG are random
    "svg.fonttype": "path",
    "font.size": 9,
    "text.parse_math": False,  # a dollar sign in a title is one
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "legend.frameon": True,  # so that a line behind a legend does not cross its words
    "legend.framealpha": 0.85,
    "legend.edgecolor": "none",
    "figure.dpi": 150,
}
MISSING = re.compile(r"Glyph (\d+) .* missing from")
"""What matplotlib says of a letter that a font does not have."""
FALLBACKS = (
    *("Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Zen Hei", "PingFang SC"),
    *("Hiragino Sans", "Microsoft YaHei", "Malgun Gothic", "Arial Unicode MS"),
)
"""Fonts for letters that the usual one does not have, of which those are taken that a machine has."""
PLACES = 6
"""The decimals of the place of a panel, as a share of the figure."""
DRAWN, SPARE = re.compile(r' d="[^"]*"'), re.compile(r"(?<=\.\d\d)\d+")
"""The lines of an SVG, and the digits of a number after its second decimal."""
SMALL = 7.5
"""The size of notes and legends, in points."""


@dataclass(frozen=True)
class Words:
    """The words around a figure. title: what is seen; subtitle: what was run; caption: how to read it."""

    title: str
    subtitle: str = ""
    caption: str = ""


@functools.cache
def _installed() -> frozenset[str]:
    """Return the names of the fonts of this machine."""
    from matplotlib.font_manager import fontManager

    return frozenset(font.name for font in fontManager.ttflist)


def new_figure(
    panels: int,
    columns: int = 1,
    size: tuple[float, float] | None = None,
    heights: Sequence[float] | None = None,
    widths: Sequence[float] | None = None,
) -> tuple[Figure, list[Axes]]:
    """Return a figure with room for a number of panels, and their axes.

    pyplot does not know the figure, so neither a window nor the backend of the caller is touched. Numbers along its
    axes are written out.

    columns: panels in a row; size: of all panels together, in inches, without the words around them; heights: of the
    rows, widths: of the columns, if not all are alike.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    from manybandits.figures.ticks import PlainNumbers

    mpl.rcParams.update(SETTINGS)
    mpl.rcParams["font.family"] = ["DejaVu Sans", *(name for name in FALLBACKS if name in _installed())]
    rows = -(-panels // columns)
    figure = Figure(figsize=size or (5.6 * columns, 3.7 * rows + 0.6), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False, height_ratios=heights, width_ratios=widths)
    for spare in axes.flat[panels:]:
        spare.axis("off")
    for panel in axes.flat:
        panel.xaxis.set_major_formatter(PlainNumbers())
        panel.yaxis.set_major_formatter(PlainNumbers())
    return figure, list(axes.flat[:panels])


def set_words(figure: Figure, words: Words) -> None:
    """Write title and subtitle above a figure and the caption below it, in lines that fit.

    Room is made above and below, so that panels keep their size.
    """
    width, height = figure.get_size_inches()
    parts = (
        (in_lines(words.title, width, 11.5, "bold"), 11.5, "bold", INK),
        (in_lines(words.subtitle, width, 8.5), 8.5, "normal", "#555555"),
    )
    caption = in_lines(words.caption, width, SMALL)
    lines = [len(text.splitlines()) * size * 1.28 / 72 for text, size, _, _ in parts]
    above, below = sum(lines) + 0.14, len(caption.splitlines()) * SMALL * 1.28 / 72 + 0.1
    whole = height + above + below
    figure.set_size_inches(width, whole)
    layout: Any = figure.get_layout_engine()
    layout.set(rect=(0.0, below / whole, 1.0, 1.0 - (above + below) / whole))
    left, top = 0.08 / width, 1.0 - 0.06 / whole
    for (text, size, weight, color), inches in zip(parts, lines, strict=True):
        how: Any = {"fontsize": size, "fontweight": weight, "color": color, "ha": "left", "va": "top"}
        if weight == "bold":
            # Room above the panels is made here, so the layout must not make it, too.
            figure.suptitle(text, x=left, y=top, linespacing=1.2, **how).set_in_layout(False)
        else:
            figure.text(left, top, text, linespacing=1.2, **how)
        top -= inches / whole
    figure.text(left, 0.05 / whole, caption, fontsize=SMALL, color="#555555", va="bottom", linespacing=1.2)


def in_lines(text: str, width: float, size: float, weight: str = "normal") -> str:
    """Return a text in lines that fit into a figure. width: of the figure, in inches; size: of the font, in points.

    Letters are measured, because bold ones and capitals are wider than others.
    """
    from matplotlib.backends.backend_agg import RendererAgg
    from matplotlib.font_manager import FontProperties

    renderer, font, lines = RendererAgg(1, 1, 72), FontProperties(weight=weight, size=size), [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        with warnings.catch_warnings(action="ignore"):  # of letters that are missing: `save_figure` says which
            needs, _, _ = renderer.get_text_width_height_descent(longer, font, ismath=False)
        if needs <= 72.0 * (width - 0.16) or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return "\n".join(lines)


def emphasise(label: Text, title: str) -> None:
    """Write the name of a run in red if it is of a method that a paper proposes, and bold unless its options differ."""
    if standing(title) <= 1:
        label.set(color=RED, fontweight="bold" if is_own(title) else "normal")


def panel_title(axes: Axes, text: str, width: int, pad: float = 6.0) -> None:
    """Write what was played above a panel, at its left, in lines of at most `width` letters; pad: points below it."""
    axes.set_title(textwrap.fill(text, width), fontsize=9, loc="left", pad=pad)


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


def save_figure(figure: Figure, stem: Path, png: bool = False) -> None:
    """Write ``<stem>.svg``, and ``<stem>.png`` if asked, without dates, so that equal figures have equal bytes."""
    with _missing_letters_in_one_sentence():
        save_text(with_ending(stem, ".svg"), svg_of(figure))
        if png:
            with replacing(with_ending(stem, ".png")) as temporary:
                figure.savefig(temporary, metadata={"Software": None})


@contextmanager
def _missing_letters_in_one_sentence() -> Iterator[None]:
    """Say once which letters no font has, of which matplotlib warns letter by letter and file by file."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        yield
    found = [MISSING.match(str(one.message)) for one in said]
    for one, missing in zip(said, found, strict=True):
        if not missing:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
    if letters := dict.fromkeys(chr(int(missing[1])) for missing in found if missing):
        warnings.warn(
            f"no font has the letters {' '.join(letters)}, which are boxes in the figure: install one that has them, "
            "such as Noto Sans CJK.",
            stacklevel=4,
        )


def svg_of(figure: Figure) -> str:
    """Return a figure as SVG.

    Its lines have places with two decimals of a point: the others are a third of its compressed size.
    """
    _fix_layout(figure)
    drawn = io.StringIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    return DRAWN.sub(lambda path: SPARE.sub("", path[0]), drawn.getvalue())


def _fix_layout(figure: Figure) -> None:
    """Lay a figure out once and round the places of its panels, whose last digits may differ from run to run."""
    from matplotlib.transforms import Bbox

    figure.draw_without_rendering()
    figure.set_layout_engine(None)  # not "none", with which every file would be drawn twice
    for axes in figure.axes:
        axes.set_position(Bbox(axes.get_position().get_points().round(PLACES)))
