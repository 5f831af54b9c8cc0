"""The palette: looks that differ, in colour and in greyscale, and who comes first."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import seaborn

from manybandits.algorithms import catalogue
from manybandits.figures import palette
from manybandits.figures.palette import (
    COLORBLIND,
    DASHES,
    LOOKS,
    MUTED,
    OWN,
    algorithm_of,
    colors,
    in_order,
    look,
    toned,
)

SAME = ("Robust multitask", "Independent", "Averaging", "Pooling", "Averaging multitask", "LASSO")
"""Estimators, which have the look of the bandit that is built on them."""


def test_every_algorithm_of_the_package_has_a_look_of_its_own():
    titles = {catalogue.load(name).TITLE for name in catalogue.names()}
    assert titles <= LOOKS.keys()
    bandits = [(color, marker) for title, (color, _, marker) in LOOKS.items() if title not in SAME]
    assert [found for found, count in Counter(bandits).items() if count > 1] == []


def test_the_colours_are_those_of_seaborns_palette_for_the_colour_blind_muted():
    base = seaborn.color_palette("colorblind")
    for name, place in COLORBLIND.items():
        muted = np.array(seaborn.desaturate(base[place], MUTED)) * 255
        ours = [int(colors()[name][place : place + 2], 16) for place in (1, 3, 5)]
        assert np.abs(muted - ours).max() < 1


def test_the_papers_methods_are_red_and_random_is_grey_and_dotted():
    for title in (*OWN, "Random"):
        red, green, blue = (int(look(title, [title]).color[place : place + 2], 16) for place in (1, 3, 5))
        assert red > 2 * max(green, blue) if title in OWN else red == green == blue
        assert look(title, [title]).own == (title in OWN)
    line, gap = look("Random", ["Random"]).dash
    assert gap > line


def test_every_look_has_a_colour_and_a_dash_that_there_are():
    for color, dash, _ in LOOKS.values():
        assert color in colors()
        assert dash in DASHES


def test_heroes_take_the_red_of_the_papers_methods_with_a_marker_each():
    with palette.hero("Mine", "Other"):
        looks = palette.labelled_looks(["CLUB", "Mine", "M-CNB", "Other", "Random", "UCB"])
    assert {title for title, look in looks.items() if look.color == palette.RED} == {"Mine", "Other"}
    assert looks["Mine"].marker != looks["Other"].marker
    assert looks["CLUB"] == looks["M-CNB"] == looks["UCB"] != looks["Random"]


def test_many_labelled_series_have_one_colour_but_for_the_papers_methods_and_random():
    looks = palette.labelled_looks(palette.LOOKS)
    others = {look for title, look in looks.items() if title not in palette.OWN and title != palette.RANDOM}
    assert len(others) == 1
    assert all(looks[title] == palette.looks_of([title])[title] for title in (*palette.OWN, palette.RANDOM))


def test_runs_with_other_options_differ_from_one_another_and_from_their_algorithm():
    titles = sorted(["M-CNB", *(f"M-CNB, nu {value}" for value in (1, 2, 3, 4, 5, 6))])
    looks = [look(title, titles) for title in titles]
    assert len({shown.marker for shown in looks}) == len(titles)
    assert len({shown.color for shown in looks}) == len(titles)


def test_a_tone_never_vanishes_on_white():
    assert toned("#ffffff", 1.0, 2.0) != "#ffffff"


@pytest.mark.parametrize("higher", [False, True])
def test_own_methods_come_first_and_random_last_whatever_they_earn(higher):
    values = {"CLUB": 1.0, "Random": 0.5, "M-CNB": 9.0, "M-CNB, nu 1": 2.0, "LOCB": float("nan"), "SCLUB": 3.0}
    best = ["SCLUB", "CLUB"] if higher else ["CLUB", "SCLUB"]
    assert in_order(list(values), values, higher) == ["M-CNB", "M-CNB, nu 1", *best, "LOCB", "Random"]
    assert algorithm_of("M-CNB, nu 1") == "M-CNB"
