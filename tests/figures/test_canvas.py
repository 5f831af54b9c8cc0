"""Words of a figure: lines that fit."""

from __future__ import annotations

import itertools
import re

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from manybandits.figures.canvas import Words, in_lines, new_figure, save_figure, set_words

TITLE = "M-CNB WINS MORE THAN WWWWWWWW ON FACEBOOK EGO NETWORKS AND MMMMMM " * 3


def test_no_line_of_a_title_is_wider_than_the_figure_and_none_could_take_the_next_word():
    lines = in_lines(TITLE, 6.0, 11.5, "bold").splitlines()
    assert " ".join(lines) == TITLE.strip()
    figure = Figure(figsize=(6.0, 1.0), dpi=72)
    canvas = FigureCanvasAgg(figure)

    def width(text: str) -> float:
        drawn = figure.text(0.0, 0.5, text, fontsize=11.5, fontweight="bold")
        return float(drawn.get_window_extent(canvas.get_renderer()).width)

    assert max(map(width, lines)) <= 6.0 * 72
    for line, after in itertools.pairwise(lines):
        assert width(f"{line} {after.split()[0]}") > 5.7 * 72


def test_a_word_that_is_wider_than_the_figure_has_a_line_of_its_own():
    assert in_lines("a " + "W" * 300 + " b", 2.0, 12.0).splitlines() == ["a", "W" * 300, "b"]


def test_the_lines_of_an_svg_have_two_decimals_and_its_letters_keep_their_size(tmp_path):
    figure, (axes,) = new_figure(1)
    axes.plot([0, 1, 2], [0, 1 / 3, 1 / 7])
    save_figure(figure, tmp_path / "a", png=True)
    drawn = (tmp_path / "a.svg").read_text()
    lines = " ".join(re.findall(r' d="([^"]*)"', drawn))
    assert max(len(number.partition(".")[2]) for number in re.findall(r"\d+\.\d+", lines)) == 2
    assert "scale(0.015625)" in drawn
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_a_dollar_sign_is_one_and_missing_letters_are_said_once(tmp_path):
    figure, _ = new_figure(1)
    set_words(figure, Words("cost $5 vs $10 of \u7b97\u6cd5", "sub \u7b97", "note"))
    with pytest.warns(
        UserWarning, match="no font has the letters \u7b97 \u6cd5, which are boxes in the figure"
    ) as said:
        save_figure(figure, tmp_path / "f", png=True)
    assert len(said) == 1
    assert "cost $5 vs $10" in figure._suptitle.get_text()
    assert not figure._suptitle.get_parse_math()
