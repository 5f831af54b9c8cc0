"""The output of a cell of a notebook: a sentence, a table or a figure, as HTML with the same bytes every time."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

import pandas as pd

from manybandits.figures import drawing as pictures
from manybandits.figures.canvas import Words, svg_of
from manybandits.figures.palette import looks_of
from manybandits.figures.panel import Axis, Panel, listed_names, rows_of
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


def together(*parts: str | Shown) -> Shown:
    """Show several things one below the other. parts: of which texts are sentences."""
    return Shown("".join((sentence(part) if isinstance(part, str) else part).html for part in parts))


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
    rows, looks = rows_of(drawn, x="round"), looks_of(drawn["algorithm"])
    panels = [
        Panel(
            title=str(panel),
            rows=(here := rows[drawn["panel"] == panel]),
            x=Axis("round", ends=(0.0, float(here["x"].max()))),
            y=Axis(what),
            series=listed_names(here),
            looks=looks,
            stand_in=stand_in,
        )
        for panel in drawn["panel"].unique()
    ]
    figure = pictures.tiled(panels, Words(""), 7.0, 3.7)
    ends = drawn.drop_duplicates(["panel", "algorithm"], keep="last").to_dict("records")
    alt = "; ".join(f"{algorithm_name(end['algorithm'])} on {end['panel']} ends at {end['mean']:.4g}" for end in ends)
    return drawing(figure, f"{what}: {alt}.", words)
