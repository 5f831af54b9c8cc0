"""The committed runs of the papers' figures: `read_results`."""

from __future__ import annotations

from manybandits.base.exceptions import InputError, nearest
from manybandits.base.project import find_root
from manybandits.interface.runs import Runs, read_runs
from manybandits.planning.configuration import load_configuration
from manybandits.planning.plan_cache import load_plan


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
    paths = [root / "reports" / run / "runs" / f"{play.name}.parquet" for play in figures[figure].plays]
    if missing := [path for path in paths if not path.is_file()]:
        raise InputError(
            f"{missing[0]} is missing: get the repository with reports, or play it by `manybandits reproduce {figure}`."
        )
    return [read_runs(path) for path in paths]
