"""The table of games of growing size is whole, is extended by its growth, and is what the figures show."""

from __future__ import annotations

import pytest
from benchmarks.scale_curves import curves, microseconds, own_memory, play_seconds
from benchmarks.scale_of_a_game import (
    AXES,
    BASE,
    FAMILIES,
    TABLE,
    Row,
    game_of,
    read_table,
    save_table,
    timed,
    too_long,
)

from benchmarks import scale_curves, scale_figures


def rows(axis: str, values: dict[int, float | None], algorithm: str = "club") -> list[Row]:
    """Return rows of plays that take so many microseconds a round, and as many MB, or were left out."""
    return [
        Row(algorithm, "CLUB", "clustering", axis, size, 1000, 0.0, value, value, 100.0, 100.0 + value)
        if value is not None
        else Row(algorithm, "CLUB", "clustering", axis, size, 1000, limit="time")
        for size, value in values.items()
    ]


def test_every_algorithm_has_every_size_measured_or_left_out_with_the_reason():
    found = {(row.algorithm, row.axis, row.size): row for row in read_table(TABLE)}
    assert set(found) == {(name, axis, size) for name in FAMILIES for axis, sizes in AXES.items() for size in sizes}
    assert all((row.microseconds is None) == (row.limit in ("time", "memory")) for row in found.values())


def test_four_sizes_of_rounds_are_measured_in_less_than_4_gb():
    (curve,) = (one for one in curves(read_table(TABLE), "rounds", own_memory) if one.algorithm == "linucb_one")
    assert [point.size for point in curve.points if point.measured] == list(AXES["rounds"])
    assert curve.points[-1].value < 4000


def test_a_power_of_the_size_is_found_and_extended():
    (curve,) = curves(rows("arms", {10: 1.0, 100: 100.0, 1_000: 10_000.0, 10_000: None}), "arms", microseconds)
    assert curve.slope == pytest.approx(2.0)
    assert curve.last.value == pytest.approx(1e6, rel=0.02)
    assert (curve.last.measured, curve.last.limit) == (False, "time")


def test_what_depends_on_no_size_is_not_taken_for_slow_growth():
    values = {100: 50.0 + 1.0, 2_000: 50.0 + 20.0, 50_000: 50.0 + 500.0, 1_000_000: None}
    (curve,) = curves(rows("users", values), "users", own_memory)
    assert curve.last.value == pytest.approx(50 + 10_000, rel=0.05)


def test_two_sizes_are_extended_in_proportion_and_a_single_one_only_where_it_is_the_work():
    (two,) = curves(rows("users", {100: 10.0, 2_000: 200.0, 50_000: None}), "users", microseconds)
    assert two.last.value == pytest.approx(10 + 190 * (1_000_000 - 100) / 1_900)
    (one,) = curves(rows("users", {100: 10.0, 2_000: None}), "users", microseconds)
    assert len(one.points) == 1
    (work,) = curves(rows("rounds", {10_000: 10.0, 100_000: None}), "rounds", play_seconds)
    assert work.last.size == scale_curves.FARTHEST["rounds"]
    assert work.last.value == pytest.approx(1e-6 * 10.0 * 1e8)


def test_a_play_that_would_take_too_long_is_not_tried():
    before = [row._replace(seconds=row.microseconds) for row in rows("users", {100: 1.0, 2_000: 20.0})]
    assert too_long(before, 50_000, cap=499)
    assert not too_long(before, 50_000, cap=501)
    assert too_long([before[0]._replace(limit="memory")], 2_000, cap=10**9)


def test_a_table_is_read_as_it_was_written(tmp_path):
    written = rows("arms", {10: 1.0, 100: None})
    save_table(tmp_path / "table.csv", written)
    assert read_table(tmp_path / "table.csv") == written


@pytest.mark.parametrize("name", ["random", "ols_bandit"])
def test_the_start_is_no_part_of_the_time_of_a_round(name):
    found = timed(game_of(name, BASE), name, 3000, 3000, 2)
    assert 0 < found.a_round * 2 * 3000 < found.whole


def test_the_committed_figures_are_those_of_the_committed_table(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["scale_figures.py", "--out", str(tmp_path)])
    scale_figures.main()
    for drawn in tmp_path.iterdir():
        assert drawn.read_bytes() == (scale_figures.IMAGES / drawn.name).read_bytes(), drawn.name
    assert len(list(tmp_path.iterdir())) == 2
