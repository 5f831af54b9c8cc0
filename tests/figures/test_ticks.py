"""Numbers along axes."""

import pytest

from manybandits.figures.canvas import new_figure
from manybandits.figures.ticks import plain_log


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0, 1, ["0.0", "0.5", "1.0"]),
        (0, 2000, ["0", "1,000", "2,000"]),
        (-5e6, 5e6, ["\N{MINUS SIGN}5,000,000", "0", "5,000,000"]),
        (10000, 10001, ["10,000", "10,000.5", "10,001"]),
    ],
)
def test_numbers_have_a_comma_at_thousands_and_no_factor_at_the_end_of_their_axis(low, high, labels):
    figure, (axes,) = new_figure(1)
    axes.set(xlim=(low, high), ylim=(low, high), xticks=[low, (low + high) / 2, high])
    figure.draw_without_rendering()
    assert [label.get_text() for label in axes.get_xticklabels()] == labels
    assert not axes.yaxis.get_offset_text().get_text()


@pytest.mark.parametrize("value", [1e-9, 0.0123, 2.46, 7.4, 1234.0, 5e8])
def test_a_logarithmic_axis_has_a_tick_wherever_it_is(value):
    figure, (axes,) = new_figure(1)
    plain_log(axes.xaxis, value, value)
    figure.draw_without_rendering()
    assert axes.get_xticklabels()
