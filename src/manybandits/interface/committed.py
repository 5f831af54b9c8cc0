"""The committed runs of the papers' figures: `read_results`."""

from __future__ import annotations

import json
from pathlib import Path

from manybandits.base.artifacts import FACTS_KEY
from manybandits.base.exceptions import InputError, nearest
from manybandits.base.project import find_root
from manybandits.interface.runs import Runs
from manybandits.planning.configuration import load_configuration
from manybandits.planning.plan_cache import load_plan
from manybandits.results.packed import read_packed


def read_results(figure: str, run: str = "paper-scale") -> list[Runs]:
    """Return the committed runs of a paper's figure, in the figure's order.

    figure: such as "m_cnb_fig2" (``manybandits list experiments``); run: a configuration whose runs are in
    ``reports/<run>/runs``. ``mb.compare(*runs)`` and ``mb.plot(mine, *runs)`` take them. The course of tuning is not
    committed. Raises InputError if there is no such figure, or if its runs are not committed.
    """
    root = find_root()
    plan = load_plan(load_configuration(root, [root / "configs" / f"{run}.yaml"]), root)
    figures = {one.name: one for one in plan.figures if one.plays}
    if figure not in figures:
        raise InputError(f"there are no runs of a figure {figure!r}: {nearest(figure, figures)}")
    path = root / "reports" / run / "runs" / f"{figures[figure].paper}.parquet"
    if not path.exists():
        raise InputError(f"{path} is missing, so {figure} has no committed runs: get the repository with reports.")
    wanted = [f"runs/{play.name}.parquet" for play in figures[figure].plays]
    found = {}
    for name, table, _ in read_packed(path).tables(wanted):
        facts = json.loads(table.schema.metadata[FACTS_KEY])
        settings = facts.pop("settings")
        found[name] = Runs(table.to_pandas(), settings, facts, path=Path(name))
    if missing := [name for name in wanted if name not in found]:
        raise InputError(f"{path} lacks {missing[0]}: play it by `manybandits reproduce {figure}`.")
    return [found[name] for name in wanted]
