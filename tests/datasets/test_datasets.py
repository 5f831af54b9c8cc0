"""Data sets: each declared well, tidied from the mirror with its counts, and refused when it is not what it was."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits import datasets
from manybandits.core.artifacts import load_provenance, load_table
from manybandits.core.errors import InputError
from manybandits.datasets import news_bandit_10k
from manybandits.datasets.__main__ import main
from manybandits.datasets.build import build

MIRRORED = [
    name
    for name in datasets.names()
    if name not in ("movielens-20m", "movielens-25m", "yelp-academic", "amazon-fashion", "cifar10", "emnist-letters")
]


@pytest.mark.parametrize("name", datasets.names())
def test_a_data_set_says_what_it_is(name):
    module = datasets.load(name)
    dataset = module.DATASET
    assert dataset.name == name
    assert dataset.kind in ("ratings", "graph", "images", "rows", "log", "tags")
    assert dataset.completeness in ("complete", "subset", "extract", "embedded")
    assert dataset.licence
    assert dataset.citation
    assert callable(module.tidy)
    for file in (*dataset.files, *dataset.copies):
        assert not file.checksum or file.checksum.split(":")[0] in ("md5", "sha256")
        assert len(file.checksum.split(":")[-1]) in (0, 32, 64)
    if dataset.completeness != "embedded":
        from_mirror_only = dataset.completeness in ("subset", "extract")
        assert from_mirror_only or dataset.by_hand or all(file.url for file in dataset.files)


@pytest.mark.data
@pytest.mark.parametrize("name", MIRRORED)
def test_a_data_set_of_the_mirror_has_the_counts_it_should(name, mirror, tmp_path):
    module = datasets.load(name)
    folder = build(module, tmp_path / "raw", tmp_path / "tidy", str(mirror))
    written = [path for path in folder.iterdir() if path.suffix != ".json"]
    assert written
    counts = load_provenance(written[0])["facts"]["counts"]
    assert module.DATASET.counts.items() <= counts.items()


def test_a_wrong_count_names_what_was_found_and_expected(tmp_path, monkeypatch):
    module = datasets.load("embedded-ratings")
    monkeypatch.setattr(module, "tidy", lambda raw: ({}, {"ratings": 7, "users": 400}))
    with pytest.raises(InputError, match=r"embedded-ratings: 7 ratings were found, but there should be 32000"):
        build(module, tmp_path, tmp_path)


def test_embedded_ratings_are_the_same_everywhere_and_hold_every_star(tmp_path):
    module = datasets.load("embedded-ratings")
    one, two = (build(module, tmp_path, tmp_path / place) / "ratings.parquet" for place in "ab")
    assert one.read_bytes() == two.read_bytes()
    ratings = load_table(one)
    shares = ratings["rating"].value_counts(normalize=True).sort_index()
    assert np.allclose(shares, [0.1, 0.15, 0.25, 0.3, 0.2], atol=0.01)
    assert not ratings.duplicated(["user", "item"]).any()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1 0 " + "0 " * 99, "line 2 has 101 columns instead of 102"),
        ("11 0 " + "0 " * 100, "line 2: arm 11 is not one of 1 to 10"),
        ("3 2 " + "0 " * 100, "line 2: click 2 is not one of 0 to 1"),
    ],
)
def test_a_bad_line_of_the_news_log_is_named(tmp_path, line, words):
    with pytest.raises(InputError, match=words):
        news_bandit_10k.read_log("1 1 " + "5 " * 100 + "\n" + line + "\n", tmp_path / "dataset.txt")


def test_an_unknown_data_set_names_the_nearest():
    with pytest.raises(InputError, match=r"unknown data set 'movielens-1': did you mean 'movielens-1m'\?"):
        datasets.load("movielens-1")


def test_list_and_show_print_every_data_set(capsys):
    main(["list"])
    listed = capsys.readouterr().out
    assert all(name in listed for name in datasets.names())
    main(["show", "yelp-academic"])
    assert "no redistribution" in capsys.readouterr().out


def test_tidy_writes_a_table_from_the_command_line(tmp_path, capsys):
    main(["tidy", "embedded-ratings", "--raw", str(tmp_path), "--out", str(tmp_path)])
    assert capsys.readouterr().out.strip() == str(tmp_path / "embedded-ratings")
    assert isinstance(load_table(tmp_path / "embedded-ratings" / "ratings.parquet"), pd.DataFrame)
