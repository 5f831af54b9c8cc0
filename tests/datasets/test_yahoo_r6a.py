"""The front page log becomes a replay of the articles that were there throughout."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from manybandits import datasets
from manybandits.base.artifacts import load_arrays, load_facts
from manybandits.base.exceptions import InputError
from manybandits.datasets.__main__ import main
from manybandits.datasets.build import build
from manybandits.datasets.readers.log import read_front_page
from manybandits.environments import replay

ARTICLE = "2:0.306008 3:0.000450 4:0.077048 5:0.230439 6:0.386055 1:1.000000"


def event(shown: int, click: int, first: float, pool: tuple[int, ...]) -> str:
    user = f"2:{first} 3:0.000001 4:0.1 5:0.2 6:0.3 1:1.000000"
    return f"1241160900 {shown} {click} |user {user}" + "".join(f" |{name} {ARTICLE}" for name in pool) + "\n"


# 77 leaves after the second event and 50 comes with the third: 20 and 109 are there throughout.
LINES = [
    event(109, 1, 0.11, (20, 77, 109)),
    event(77, 1, 0.22, (109, 77, 20)),
    event(20, 0, 0.33, (20, 50, 109)),
    event(50, 0, 0.44, (20, 50, 109)),
    event(109, 0, 0.55, (20, 50, 109)),
]


@pytest.fixture
def raw(tmp_path):
    path = tmp_path / "raw" / "yahoo-r6a" / datasets.load("yahoo-r6a").DATASET.files[0].name
    path.parent.mkdir(parents=True)
    with gzip.open(path, "wt") as file:
        file.writelines(LINES)
    return path


def test_arms_are_the_articles_that_were_there_throughout(raw, tmp_path):
    folder = build(datasets.load("yahoo-r6a"), tmp_path / "raw", tmp_path / "tidy")
    log = load_arrays(folder / "log.npz")
    assert log["arm"].tolist() == [1, 0, 1]
    assert log["click"].tolist() == [1, 0, 0]
    users = [[1.0, first, 0.000001, 0.1, 0.2, 0.3] for first in (0.11, 0.33, 0.55)]
    assert log["contexts"].shape == (3, 2, 6)
    for arm in range(2):
        assert np.allclose(log["contexts"][:, arm], users)
    counts = load_facts(folder / "log.npz")["counts"]
    assert counts == {"events read": 5, "events": 3, "arms": 2, "clicks": 1}
    assert replay.build(log, "shuffled", "matched")["contexts"].dtype == np.float64


def test_only_the_beginning_is_read(tmp_path):
    tidy, counts = read_front_page(iter([*LINES[:2], "nothing of an event"]), tmp_path / "x", events=2)
    assert counts == {"events read": 2, "events": 2, "arms": 3, "clicks": 2}
    assert tidy["log.npz"]["arm"].tolist() == [2, 1]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1241160900 109 0", "line 2 is not an event"),
        (event(109, 0, 0.1, (20, 109)).replace(" 6:0.3", ""), "line 2 is not an event"),
        (event(109, 0, 0.1, (20, 109)).replace("|user", "|109498"), "line 2 is not an event"),
        (event(5, 0, 0.1, (20, 109)), "line 2: article 5 with click 0 is not among its articles"),
        (event(109, 2, 0.1, (20, 109)), "line 2: article 109 with click 2 is not"),
        (event(50, 0, 0.1, (50, 51)), "first 2 events have 0 articles in common"),
    ],
)
def test_a_line_that_is_no_event_is_named(tmp_path, line, words):
    with pytest.raises(InputError, match=words):
        read_front_page([LINES[0], line], tmp_path / "day.gz")


def test_without_the_file_one_sentence_says_whom_to_ask(tmp_path):
    with pytest.raises(InputError, match=r"is not downloaded automatically: ask for R6A at .* and place ydata"):
        main(["tidy", "yahoo-r6a", "--raw", str(tmp_path / "raw"), "--out", str(tmp_path), "--mirror", str(tmp_path)])


def test_a_file_that_is_cut_short_is_named(raw, tmp_path):
    raw.write_bytes(raw.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"yahoo-r6a cannot be read from .*20090501\.gz"):
        build(datasets.load("yahoo-r6a"), tmp_path / "raw", tmp_path / "tidy")
