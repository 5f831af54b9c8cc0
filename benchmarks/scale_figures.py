"""Draw ``docs/images/scale-of-a-round`` and ``scale-of-a-play`` from ``scale_of_a_game.csv``.

    python benchmarks/scale_figures.py

Filled marks were measured. Hollow ones on a dashed line were left out, and extend the line by its slope.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.scale_curves import FARTHEST, LENGTH, Curve, curves, microseconds, own_memory, play_seconds
from benchmarks.scale_of_a_game import BASE, TABLE, Row, read_table

from manybandits.figures.canvas import Words, new_figure, save_figure, set_words
from manybandits.figures.palette import look
from manybandits.figures.ticks import plain_log
from manybandits.results.display_names import algorithm_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes

IMAGES = Path(__file__).resolve().parents[1] / "docs/images"
AXIS_NAMES = {
    "users": "Users (or instances)",
    "arms": "Arms",
    "dimension": "Dimension",
    "rounds": "Rounds",
    "seeds": "Seeds",
}
BASIS = f"{BASE['users']} users, {BASE['arms']} arms, dimension {BASE['dimension']}, one seed"
CAPTION = (
    "Filled marks were measured, each in a process of its own; hollow marks were left out, and dotted lines extend the "
    "curve to them. The number behind a name is the slope between the last two sizes that were measured: 1 is "
    "proportional, 2 quadratic. "
)


def draw_curves(axes: Axes, found: list[Curve], titles: list[str]) -> None:
    """Draw what algorithms take along an axis, on logarithmic axes, with a legend of their slopes."""
    for curve in found:
        shown = look(curve.title, titles)
        own = shown.own
        style = {"color": shown.color, "linewidth": 2.0 if own else 1.1, "zorder": 3 if own else 2}
        measured = [point for point in curve.points if point.measured]
        extended = [measured[-1], *(point for point in curve.points if not point.measured)]
        slope = "" if curve.slope is None else f"  {curve.slope + 0.0:.1f}".replace("-0.0", "0.0")
        axes.plot(
            [point.size for point in measured],
            [point.value for point in measured],
            linestyle=(0, shown.dash) if shown.dash else "-",
            marker=shown.marker,
            markersize=5 if own else 4,
            label=f"{algorithm_name(curve.title)}{slope}",
            **style,
        )
        axes.plot(
            [point.size for point in extended], [point.value for point in extended], linestyle=(0, (1, 2)), **style
        )
        for point in extended[1:]:
            axes.plot(point.size, point.value, marker=shown.marker, markersize=5, markerfacecolor="white", **style)
    sizes, numbers = ([getattr(point, name) for curve in found for point in curve.points] for name in ("size", "value"))
    plain_log(axes.xaxis, min(sizes), max(sizes), 5)
    plain_log(axes.yaxis, min(numbers), max(*numbers, 10 * min(numbers)))
    low, high = axes.get_ylim()
    axes.set_ylim(low, max(high, 10 * low))  # so that noise does not look like growth
    axes.legend(fontsize=7, loc="upper left", bbox_to_anchor=(1.0, 1.0), handlelength=2.6, labelspacing=0.35)


def draw(
    rows: list[Row],
    axes_of: list[str],
    values: dict[str, Callable[[Row], float | None]],
    words: Words,
    stem: Path,
) -> None:
    """Draw one row of panels for each axis of `axes_of`, and one column for each of `values`, by its label."""
    figure, panels = new_figure(len(axes_of) * len(values), len(values))
    titles = sorted({row.title for row in rows})
    places = iter(panels)
    for axis in axes_of:
        for label, value in values.items():
            panel = next(places)
            draw_curves(panel, curves(rows, axis, value), titles)
            panel.set(xlabel=AXIS_NAMES[axis], ylabel=label)
    set_words(figure, words)
    with tempfile.TemporaryDirectory() as folder:  # only the SVG is kept: it is sharp at any size
        save_figure(figure, Path(folder, stem.name))
        shutil.move(Path(folder, f"{stem.name}.svg"), stem.with_suffix(".svg"))


def main() -> None:
    """Draw both figures."""
    parser = argparse.ArgumentParser(description="Draw how time and memory grow with a game.")
    parser.add_argument("--table", type=Path, default=TABLE, help="the measured plays")
    parser.add_argument("--out", type=Path, default=IMAGES, help="the folder to write to")
    args = parser.parse_args()
    rows = read_table(args.table)
    draw(
        rows,
        ["users", "arms", "dimension", "rounds"],
        {"Microseconds of a round": microseconds, "Memory of a play, MB": own_memory},
        Words(
            "Time of a round and memory of a play, as one size of a game grows",
            caption=CAPTION + f"Other sizes: {BASIS}.",
        ),
        args.out / "scale-of-a-round",
    )
    draw(
        rows,
        list(FARTHEST),
        {"Seconds of one core": play_seconds, "Memory of a play, MB": own_memory},
        Words(
            "What a play of many seeds, users or rounds needs",
            caption=CAPTION + f"Plays of {LENGTH:,} rounds where rounds do not grow; other sizes: {BASIS}.",
        ),
        args.out / "scale-of-a-play",
    )


if __name__ == "__main__":
    main()
