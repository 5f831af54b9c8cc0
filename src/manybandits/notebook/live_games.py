"""Games of a few hundred rounds that are made and played while a notebook is executed."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from manybandits.algorithms import catalogue
from manybandits.environments.catalogue import freeze_without_data
from manybandits.harness import play as harness
from manybandits.harness.spec import PlaySpec
from manybandits.notebook import cell_output
from manybandits.results.display_names import MEASURES as LABELS
from manybandits.results.measures import MEASURES
from manybandits.results.runs import Run, load_run
from manybandits.results.summaries import curves


def play(
    game: str,
    algorithms: Sequence[str | tuple[str, Mapping[str, float | int | str]]],
    *,
    rounds: int,
    seeds: Sequence[int],
    **settings: object,
) -> list[Run]:
    """Play a game that needs no data set with some algorithms, and return their runs.

    algorithms: names, or names with values of options. settings: of the game. Nothing is tuned.
    """
    runs = []
    with tempfile.TemporaryDirectory() as folder:
        environment = freeze_without_data(game, settings, Path(folder))
        for place, entry in enumerate(algorithms):
            name, options = (entry, {}) if isinstance(entry, str) else entry
            words = (f"{option} {value}" for option, value in options.items())
            out = Path(folder) / f"{place}.parquet"
            spec = PlaySpec(
                algorithm=name,
                title=", ".join((catalogue.load(name).TITLE, *words)),
                grid={option: [value] for option, value in options.items()},
                seeds=tuple(seeds),
                tuning_seeds=(),
                horizon=rounds,
            )
            harness.play(environment, spec, out)
            runs.append(load_run(out))
    return runs


def show_runs(runs: Sequence[Run], measure: str = "regret") -> cell_output.Shown:
    """Draw a measure of some runs against rounds; runs that do not have it are left out. measure: one of `LABELS`."""
    values = MEASURES[measure].of
    known = [run for run in runs if np.isfinite(values(run)).all()]
    drawn = curves([known], "std", values)
    note = runs[0].environment["data_note"]
    words = (
        f"{note}; mean and standard deviation over {len(runs[0].seeds)} runs. Nothing is tuned, and "
        "no claim is judged on it."
    )
    return cell_output.curves(drawn.assign(panel=note), LABELS[measure], words)
