"""Curves are drawn at few of their checkpoints."""

from __future__ import annotations

import pandas as pd
import pytest

from manybandits.results.summaries import POINTS, thinned


@pytest.mark.parametrize("count", [1, 99, 100, 101, 200, 250, 1000])
def test_a_curve_is_thinned_evenly_to_its_last_checkpoint(count):
    rounds = range(10, 10 * count + 10, 10)
    table = pd.concat(pd.DataFrame({"panel": panel, "algorithm": "CLUB", "round": rounds}) for panel in "ab")
    kept = thinned(table)
    for panel in "ab":
        left = kept[kept["panel"] == panel]["round"].tolist()
        assert min(count, POINTS) / 2 < len(left) <= POINTS
        assert left[-1] == rounds[-1]
        assert len(set(pd.Series(left).diff().dropna())) <= 1
