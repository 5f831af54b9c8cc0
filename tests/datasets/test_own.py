"""A user's own tables are read as they are, and every fault of one is named with its row, its column and a cure."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manybandits.base.exceptions import InputError
from manybandits.datasets.own import declare, log, ratings, rows
from manybandits.datasets.own.tables import read_table

RATINGS = "user,item,rating\n7,a,5\n3,b,4.5\n7,b,1\n"
ROWS = "x,colour,kind\n" + "".join(f"{i / 8},{'red' if i % 3 else 'blue'},{'uvw'[i % 3]}\n" for i in range(12))
LOG = "arm,reward,propensity,x\n" + "".join(f"{'ab'[i % 2]},{i % 3 == 0:d},{0.25 + i % 2 / 2},{i}\n" for i in range(8))


def file(folder: Path, text: str | bytes, name: str = "my.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_ratings_are_numbered_in_the_order_of_their_ids(tmp_path):
    tidy, counts, *_ = ratings.tidy(file(tmp_path, RATINGS))
    found = tidy["ratings.parquet"]
    assert found.to_dict("list") == {"user": [1, 0, 1], "item": [0, 1, 1], "rating": [5.0, 4.5, 1.0]}
    assert [str(one) for one in found.dtypes] == ["int32", "int32", "float32"]
    assert counts == {"ratings": 3, "users": 2, "items": 2}


@pytest.mark.parametrize(
    "text",
    [
        RATINGS.replace(",", ";"),
        RATINGS.replace(",", "\t"),
        "\ufeff" + RATINGS,  # as spreadsheets write it
        "".join(f"{place},{line}\n" for place, line in zip(["", 0, 1, 2], RATINGS.splitlines(), strict=True)),
        "user , item,rating\n" + RATINGS.split("\n", 1)[1],
    ],
)
def test_other_forms_of_csv_read_alike(tmp_path, text):
    expected = ratings.tidy(file(tmp_path, RATINGS))[0]["ratings.parquet"]
    pd.testing.assert_frame_equal(ratings.tidy(file(tmp_path, text, "other.csv"))[0]["ratings.parquet"], expected)


def test_parquet_reads_like_csv_whatever_its_types(tmp_path):
    path = file(tmp_path, RATINGS)
    table = pd.read_csv(path).astype({"user": "float64", "item": "category", "rating": "Float32"})
    table.index = [5, 3, 1]
    table.to_parquet(tmp_path / "my.parquet")
    expected = ratings.tidy(path)[0]["ratings.parquet"]
    pd.testing.assert_frame_equal(ratings.tidy(tmp_path / "my.parquet")[0]["ratings.parquet"], expected)
    assert list(read_table(tmp_path / "my.parquet").frame) == ["user", "item", "rating"]
    table.set_index("user").to_parquet(tmp_path / "my.parquet")
    pd.testing.assert_frame_equal(ratings.tidy(tmp_path / "my.parquet")[0]["ratings.parquet"], expected)


@pytest.mark.parametrize("when", [("9", "10", "8"), ("2024-12-01", "2025-01-31 12:00", "2024-11-30")])
def test_the_latest_of_several_ratings_counts(tmp_path, when):
    lines = zip(["7,a,5", "7,a,2", "7,a,3"], when, strict=True)
    path = file(tmp_path, "user,item,rating,time\n" + "".join(f"{line},{t}\n" for line, t in lines))
    assert ratings.tidy(path, timestamp="time")[0]["ratings.parquet"]["rating"].tolist() == [2.0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"us\xe9r,item,rating\n1,a,3\n", "is not UTF-8: line 1 holds the byte 0xe9"),
        ("user,item,rating\n1,2,3\n1,3\n", "line 3 has 2 values, but the header names 3 columns: quote values"),
        ("user,item,rating\n1,2,3\n1,3,4,5\n", "line 3 has 4 values, but the header names 3 columns"),
        ("user,item,rating\n1,2,3,4\n1,3,4,5\n", "line 2 has 4 values, but the header names 3 columns"),
        ("user;item;rating\n1;2;3\n1;3;4,5\n", "line 3, column 'rating': '4,5' is not a number; .* with a point"),
        ("user,item,rating\n1,2,3\n1,3,nan\n", "line 3, column 'rating': .*(not a number|has no value)"),
        ("user,item,rating\n1,2,3\n1,3,-1\n", "line 3, column 'rating': -1 is neither a star from 0 to 5 nor"),
        ("user,item,rating\n1,2,3\n1,3,80\n", "line 3, .*: 80 is neither a star .* another scale .* by liked_above"),
        ("user,item,rating\n1,2,1\n1,3,0\n", "has no rating above 1 of 5 stars"),
        ("user,item,rating\n1,2,3\n1e300,3,4\n", r"line 3, column 'user': 1e300 is not a whole number"),
        ("user,item,rating\n1,2,3\n2.5,3,4\n", r"line 3, column 'user': 2\.5 is not a whole number"),
    ],
)
def test_a_fault_of_ratings_is_named(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        ratings.tidy(file(tmp_path, text))


@settings(max_examples=150, deadline=None)
@given(place=st.integers(0, 60), junk=st.binary(max_size=6), name=st.sampled_from(["my.csv", "my.parquet"]))
def test_whatever_is_wrong_with_a_file_is_told_in_a_sentence(tmp_path_factory, place, junk, name):
    content = RATINGS.encode() * 2
    if name == "my.parquet":
        buffer = io.BytesIO()
        pd.DataFrame({"user": [1, 2], "item": [1, 2], "rating": [3.0, 4.0]}).to_parquet(buffer)
        content, place = buffer.getvalue(), place * 30
    path = file(tmp_path_factory.mktemp("fuzz"), content[:place] + junk + content[place + len(junk) :], name)
    for read in (ratings.tidy, rows.tidy, log.tidy):
        try:
            read(path)
        except InputError as error:
            assert str(path) in str(error)  # noqa: PT017


def test_a_scale_that_is_explained_is_no_fault(tmp_path):
    path = file(tmp_path, "user,item,rating\n1,2,80\n1,3,-10\n")
    assert ratings.tidy(path, liked_above=50)[0]["ratings.parquet"]["rating"].tolist() == [80.0, -10.0]


def test_a_classification_table_keeps_its_columns(tmp_path):
    tidy, counts, *_ = rows.tidy(file(tmp_path, ROWS), "kind")
    found = tidy["rows.parquet"]
    assert list(found) == ["x", "colour", "label"]
    assert found["x"].tolist() == [i / 8 for i in range(12)]
    assert found["label"].tolist() == list("uvw") * 4
    assert counts == {"rows": 12, "classes": 3}
    assert list(rows.tidy(file(tmp_path, ROWS), "kind", ["colour"])[0]["rows.parquet"]) == ["x", "label"]


def test_the_rows_of_a_log_are_its_events(tmp_path):
    path = file(tmp_path, LOG)
    table = pd.read_csv(path)
    found, counts, *_ = log.tidy(path)
    arrays = found["log.npz"]
    assert arrays["arm"].tolist() == [0, 1] * 4
    assert np.array_equal(arrays["click"], table["reward"])
    assert np.array_equal(arrays["propensity"], table["propensity"])
    assert arrays["contexts"].shape == (8, 2, 1)
    assert np.array_equal(arrays["contexts"][:, 1, 0], table["x"])
    assert counts == {"events": 8, "arms": 2}


def test_arms_may_have_features_and_words_become_columns(tmp_path):
    text = "arm,reward,propensity,city\nb,1,0.75,Oslo\na,1,0.25,Rome\nb,0,0.75,Oslo\n"
    arms = file(tmp_path, "arm,size\nb,3\na,1\n", "arms.csv")
    path = file(tmp_path, text)
    contexts = log.tidy(path, arm_features=arms)[0]["log.npz"]["contexts"]
    assert contexts[0].tolist() == [[1.0, 0.0, 1.0], [1.0, 0.0, 3.0]]  # Oslo, Rome, size
    assert contexts[1].tolist() == [[0.0, 1.0, 1.0], [0.0, 1.0, 3.0]]


def test_equal_propensities_are_a_uniform_log_and_no_context_is_a_constant(tmp_path):
    text = "arm,reward,chance\n" + "a,1,0.5\nb,0,0.5\n" * 5
    arrays = log.tidy(file(tmp_path, text), propensity="chance")[0]["log.npz"]
    assert "propensity" not in arrays
    assert (arrays["contexts"] == 1).all()
    said = log.tidy(file(tmp_path, text), propensity="uniform", drop=["chance"])[0]["log.npz"]
    assert all(np.array_equal(said[name], arrays[name]) for name in arrays)


def test_own_data_are_declared_as_such(tmp_path):
    dataset = declare("ratings", file(tmp_path, RATINGS))
    assert dataset.title == "own data my.csv (licence unknown)"
    assert dataset.facts["licence"] == "unknown"
    assert dataset.facts["files"]["my.csv"].startswith("sha256:")
    assert dataset.family == dataset.completeness == "own"
