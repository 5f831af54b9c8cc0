"""Cumulative regret against rounds: a panel an environment, a line an algorithm, a band over the runs."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from manybandits.core.artifacts import Provenance, save_text
from manybandits.core.errors import pick, run_script
from manybandits.core.statistics import bootstrap_interval, deviation
from manybandits.figures.style import look, mark_stand_in, new_figure, save_figure
from manybandits.runs import Run, load_runs

BANDS = {"std": "mean and standard deviation", "interval": "mean and 95 % bootstrap interval of the mean"}


def curves(panels: Sequence[Sequence[Run]], band: str, relative: str | None = None) -> pd.DataFrame:
    """Return what is drawn: panel, algorithm, round, mean, low, high and n, a row a checkpoint.

    relative: divide the regret by that of the run of this title on the same seeds.
    """
    rows = []
    for runs in panels:
        for run in runs:
            regret = run.regret if relative is None else run.regret / reference(runs, relative).regret
            mean = regret.mean(axis=0)
            spread = deviation(regret)
            low, high = (mean - spread, mean + spread) if band == "std" else bootstrap_interval(regret)
            rows.append(
                pd.DataFrame(
                    {
                        "panel": run.environment["name"],
                        "algorithm": run.title,
                        "round": run.rounds,
                        "mean": mean,
                        "low": low,
                        "high": high,
                        "n": len(run.seeds),
                    }
                )
            )
    return pd.concat(rows, ignore_index=True)


def highest(runs: Sequence[Run], drawn: pd.DataFrame) -> float | None:
    """Return where the axis of a panel ends: where all agents act, the random reference does not set it."""
    if not runs[0].environment.get("all_act"):
        return None
    shown = drawn[(drawn["panel"] == runs[0].environment["name"]) & (drawn["algorithm"] != "Random")]
    return None if shown.empty else 1.6 * float(shown["high"].max())


def reference(runs: Sequence[Run], title: str) -> Run:
    """Return the run called `title`; raise InputError when a panel has none."""
    titles = {run.title: run for run in runs}
    return titles[pick(title, titles, f"algorithm on {runs[0].environment['name']}")]


def draw(
    panels: Sequence[Sequence[Run]],
    title: str,
    band: str,
    stem: Path,
    relative: str | None = None,
    scale: str = "linear",
) -> pd.DataFrame:
    """Draw the figure to ``<stem>.png`` and ``<stem>.svg``; return what was drawn.

    scale: of the regret, linear or log.
    """
    drawn = curves(panels, band, relative)
    what = "regret an agent" if panels[0][0].environment.get("all_act") else "cumulative regret"
    figure, every_axes = new_figure(len(panels))
    others = sorted({run.title for runs in panels for run in runs})
    for runs, axes in zip(panels, every_axes, strict=True):
        for place, run in enumerate(sorted(runs, key=lambda run: -run.regret[:, -1].mean())):
            line = drawn[(drawn["panel"] == run.environment["name"]) & (drawn["algorithm"] == run.title)]
            final = line["mean"].iloc[-1]
            shown = look(run.title, others)
            gap = max(1, len(line) // 5)  # between two markers; shifted, so that curves that coincide all show theirs
            axes.plot(
                line["round"],
                line["mean"],
                label=f"{run.title}  {shown_number(final)}",
                markevery=((place + 1) * gap // (len(runs) + 1), gap),
                markersize=4,
                linewidth=1.4,
                **shown,
            )
            axes.fill_between(line["round"], line["low"], line["high"], color=shown["color"], alpha=0.18, linewidth=0)
        stand_in = any(run.environment["stand_in"] for run in runs)
        axes.set_title(textwrap.fill(runs[0].environment["data_note"], 60), fontsize=9)
        axes.set_xlabel("round")
        axes.set_ylabel(what if relative is None else f"{what}, as a share of {relative}'s")
        axes.set_xlim(0, drawn["round"].max())
        if scale == "log":
            # Two decades below the final regrets are left for the legend.
            final = drawn[(drawn["panel"] == runs[0].environment["name"]) & (drawn["round"] == drawn["round"].max())]
            axes.set_yscale("log")
            axes.set_ylim(bottom=final["mean"].min() / 200)
        else:
            axes.set_ylim(0, highest(runs, drawn) if relative is None else None)
        corner: Literal["lower right", "lower left", "upper left"]
        corner = "lower right" if scale == "log" else "lower left" if relative else "upper left"
        heading = "final share" if relative else "final regret"
        axes.legend(title=heading, loc=corner, fontsize=7.5, title_fontsize=7.5, handlelength=3.2)
        if stand_in:
            mark_stand_in(axes)
    figure.suptitle(title, fontsize=10.5, fontweight="bold")
    figure.supxlabel(textwrap.fill(caption(panels, band), 110 if len(panels) > 1 else 72), fontsize=7.5)
    save_figure(figure, stem)
    return drawn


def shown_number(value: float) -> str:
    """Return a number with three significant digits or none after the point."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def caption(panels: Sequence[Sequence[Run]], band: str) -> str:
    """Say what the band is, over how many runs, and how the options were chosen."""
    runs = [run for panel in panels for run in panel]
    counts = sorted({len(run.seeds) for run in runs})
    over = " or ".join(map(str, counts))
    chosen = sorted({run.settings["tuning"] for run in runs})
    how = {
        "tuning-seeds": "options chosen on other seeds than those shown",
        "best-of-grid": "the best grid point on the seeds shown",
    }
    words = "; ".join(how[rule] for rule in chosen)
    return f"{BANDS[band]} over {over} runs on common rounds; {words}."


def main(argv: list[str] | None = None) -> None:
    """Draw a regret figure from run tables."""
    parser = argparse.ArgumentParser(description="Draw cumulative regret from run tables.")
    parser.add_argument("--title", required=True)
    parser.add_argument("--band", default="std", help="std (default) or interval")
    parser.add_argument("--scale", default="linear", help="of the regret: linear (default) or log")
    parser.add_argument("--relative", help="title of the algorithm whose regret is 1")
    parser.add_argument("--runs", type=Path, nargs="+", required=True, help="run tables")
    parser.add_argument("--out", type=Path, required=True, help="stem of the files to write")
    given = parser.parse_args(argv)
    pick(given.band, BANDS, "band")
    provenance = Provenance({"title": given.title, "band": given.band}, tuple(given.runs))
    panels = load_runs(given.runs)
    drawn = draw(
        panels, given.title, given.band, given.out, given.relative, pick(given.scale, ("linear", "log"), "scale")
    )
    path = given.out.with_name(given.out.name + ".csv")
    save_text(path, drawn.round(6).to_csv(index=False, lineterminator="\n"))
    facts = {
        "caption": caption(panels, given.band),
        "data": list(dict.fromkeys(runs[0].environment["data_note"] for runs in panels)),
        "stand_in": bool(np.any([run.environment["stand_in"] for runs in panels for run in runs])),
    }
    provenance.save(path, facts)


if __name__ == "__main__":
    run_script(main)
