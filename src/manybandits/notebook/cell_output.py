"""The output of a cell of a notebook: a sentence, a table or a figure, as HTML with the same bytes every time."""

from __future__ import annotations

import html
import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

import pandas as pd

from manybandits.figures.canvas import mark_stand_in, new_figure, svg_of
from manybandits.figures.palette import look
from manybandits.results.display_names import algorithm_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PLAIN = " /:;=,.!*+-_@$?~|"
"""The letters of an SVG that stand for themselves in the address of an image, which so is compressed well."""


@dataclass(frozen=True)
class Shown:
    """A piece of HTML that Jupyter shows as the output of a cell."""

    html: str

    def _repr_html_(self) -> str:
        return self.html


def sentence(text: str) -> Shown:
    """Show a sentence. text: plain."""
    return Shown(f"<p>{html.escape(text)}</p>")


def table(rows: pd.DataFrame, words: str = "") -> Shown:
    """Show a table, with a sentence below it."""
    below = f'<p class="note">{html.escape(words)}</p>' if words else ""
    shown = rows.to_html(index=False, border=0, na_rep="", justify="left", float_format="{:.4g}".format)
    return Shown(f'<div class="wide" tabindex="0" role="region" aria-label="Table">{shown}</div>{below}')


def image(svg: str, alt: str, words: str = "") -> Shown:
    """Show an SVG. alt: a description for those who do not see it; words: the caption below it."""
    source = quote(svg, safe=PLAIN)
    below = f"<figcaption>{html.escape(words)}</figcaption>" if words else ""
    return Shown(f'<figure><img src="data:image/svg+xml,{source}" alt="{html.escape(alt)}">{below}</figure>')


def drawing(figure: Figure, alt: str, words: str = "") -> Shown:
    """Show a figure of matplotlib."""
    return image(svg_of(figure), alt, words)


def curves(drawn: pd.DataFrame, what: str, words: str = "", stand_in: bool = False) -> Shown:
    """Draw lines with bands against rounds, one figure panel per value of ``panel``.

    drawn: panel, algorithm, round, mean, low and high, one row per checkpoint. what: the label of the values.
    stand_in: whether data replace those of the paper, which is written across the panels.
    """
    panels = list(drawn["panel"].unique())
    titles = sorted(drawn["algorithm"].unique())
    figure, every_axes = new_figure(len(panels))
    for panel, axes in zip(panels, every_axes, strict=True):
        for name, line in drawn[drawn["panel"] == panel].groupby("algorithm", sort=False):
            drawn_as = look(str(name), titles)
            gap = max(1, len(line) // 6)
            axes.plot(
                line["round"],
                line["mean"],
                label=algorithm_name(name),
                linewidth=1.4,
                markersize=4,
                markevery=gap,
                **drawn_as,
            )
            axes.fill_between(
                line["round"], line["low"], line["high"], color=drawn_as["color"], alpha=0.18, linewidth=0
            )
        axes.set(title=textwrap.fill(panel, 60), xlabel="round", ylabel=what)
        axes.set_xlim(left=0)
        axes.legend(fontsize=7.5)
        if stand_in:
            mark_stand_in(axes)
    ends = drawn.drop_duplicates(["panel", "algorithm"], keep="last").to_dict("records")
    alt = "; ".join(f"{algorithm_name(end['algorithm'])} on {end['panel']} ends at {end['mean']:.4g}" for end in ends)
    return drawing(figure, f"{what}: {alt}.", words)
