"""Data sets: each declared well, tidied from the mirror with its counts, and refused when it is not what it was."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from manybandits import datasets
from manybandits.base.artifacts import load_arrays, load_facts, load_provenance, load_table, sha256
from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError
from manybandits.datasets.__main__ import main
from manybandits.datasets.build import build
from manybandits.datasets.readers.log import read_news

NOT_MIRRORED = {
    "movielens-2000x10000",
    "movielens-20m",
    "movielens-25m",
    "yelp-academic",
    "amazon-fashion",
    "cifar10",
    "emnist-letters",
    "yahoo-r6a",
}
FAMILIES = {
    "movielens",
    "yelp",
    "amazon-fashion",
    "facebook",
    "lastfm",
    "astroph",
    "news",
    "article",
    "mnist",
    "fashion-mnist",
    "notmnist",
    "cifar10",
    "emnist-letters",
    "shuttle",
    "mushroom",
    "magic",
    "adult",
    "embedded",
}


@pytest.fixture
def planted(tmp_path, monkeypatch):
    """Return a function that puts a content in the place of sources.yaml."""
    cached = (datasets._declared, datasets._source)

    def plant(content: str) -> None:
        path = tmp_path / "sources.yaml"
        path.write_text(content)
        monkeypatch.setattr(datasets, "SOURCES", path)
        for one in cached:
            one.cache_clear()

    yield plant
    for one in cached:
        one.cache_clear()


DECLARED = {"title": "T", "family": "f", "licence": "L", "citation": "C", "home": "H", "reader": "rows.table"}


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"licens": "L"}, r"sources\.yaml, mine: .*unknown field `licens`"),
        ({"title": None}, r"sources\.yaml, mine: Expected `str`, got `null` - at `\$\.title`"),
        ({"completeness": "half"}, r"sources\.yaml, mine: Invalid enum value 'half'"),
        ({"files": [{"nam": "x"}]}, r"sources\.yaml, mine: .*`nam` - at `\$\.files\[0\]`"),
        ({"reader": "rows.tabel"}, r"sources\.yaml, mine, reader rows\.tabel: .*no attribute 'tabel'"),
        ({"reader": "sheets.table"}, r"sources\.yaml, mine, reader sheets\.table: No module named"),
        (
            {"options": {"column": "a label"}},
            r"mine, reader rows\.table: missing a required .*'columns'",
        ),
    ],
)
def test_a_declaration_that_is_wrong_is_one_sentence_with_its_file_and_name(changes, words, planted, tmp_path):
    planted(json.dumps({"mine": {**DECLARED, **changes}}))
    with pytest.raises(InputError, match=words) as error:
        build(datasets.load("mine"), tmp_path / "raw", tmp_path / "tidy")
    assert "correct it" in str(error.value)
    assert not (tmp_path / "tidy").exists()


@pytest.mark.parametrize("content", ["mine: [", "- mine", "mine: 3", ""])
def test_sources_that_are_no_declarations_are_one_sentence(content, planted):
    planted(content)
    with pytest.raises(InputError, match=r"sources\.yaml cannot be read: .*: correct it, or install the package again"):
        datasets.names()


def test_the_digest_of_a_data_set_follows_its_declaration_and_no_other(planted):
    digests = []
    for title, other in (("T", "U"), ("T", "V"), ("W", "V")):
        planted(json.dumps({"mine": {**DECLARED, "title": title}, "other": {**DECLARED, "title": other}}))
        digests.append((datasets.digest_of("mine"), datasets.digest_of("other")))
    (mine, other), (same, changed), (renamed, still) = digests
    assert (mine == same, other == changed, mine == renamed, changed == still) == (True, False, False, True)


def test_no_key_of_the_sources_is_there_twice():
    assert read_yaml(datasets.SOURCES).keys() == set(datasets.names())


def test_every_family_of_data_the_papers_name_is_there():
    assert {datasets.load(name).DATASET.family for name in datasets.names()} == FAMILIES


@pytest.mark.parametrize("name", datasets.names())
def test_a_data_set_says_what_it_is(name):
    module = datasets.load(name)
    dataset = module.DATASET
    assert dataset.name == name
    assert dataset.kind in SHAPES
    assert dataset.completeness in ("complete", "subset", "extract", "embedded")
    assert dataset.licence
    assert dataset.citation
    assert callable(module.tidy)
    for file in (*dataset.files, *dataset.copies):
        kind, _, digits = file.checksum.partition(":")
        assert len(digits) == {"": 0, "md5": 32, "git-blob": 40, "sha256": 64}[kind]
    if dataset.completeness != "embedded":
        from_mirror_only = dataset.completeness in ("subset", "extract")
        assert from_mirror_only or dataset.by_hand or all(file.url for file in dataset.files)


@pytest.mark.data
@pytest.mark.parametrize("name", sorted(set(datasets.names()) - NOT_MIRRORED))
def test_a_data_set_of_the_mirror_is_tidied_as_it_declares(name, mirror, tmp_path):
    module = datasets.load(name)
    folder = build(module, tmp_path / "raw", tmp_path / "tidy", str(mirror))
    written = {path.name: path for path in folder.iterdir() if path.suffix != ".json"}
    assert sorted(written) == sorted(module.DATASET.tidy_files)
    for path in written.values():
        record = load_provenance(path)
        assert module.DATASET.counts.items() <= load_facts(path)["counts"].items()
        raw = tmp_path / "raw" / name
        assert record["inputs"] == {file.name: sha256(file) for file in raw.glob("*")}
    SHAPES[module.DATASET.kind](module.DATASET, written)


def check_ratings(dataset, written) -> None:
    ratings = load_table(written["ratings.parquet"])
    assert ratings.dtypes.astype(str).to_dict() == {"user": "int32", "item": "int32", "rating": "float32"}
    values = set(ratings["rating"])
    if "features.npz" in written:
        assert values == {-1.0, 1.0}
        features = load_arrays(written["features.npz"])
        for side in ("user", "item"):
            assert ratings[side].between(0, len(features[f"{side}_features"]) - 1).all()
            assert np.allclose(features[f"{side}_features"][:, -1], np.sqrt(0.5))  # the constant of the recipe
    else:
        assert values <= set(np.arange(0.5, 5.5, 0.5))
        assert max(values) == 5.0
        for side in ("user", "item"):
            assert ratings[side].nunique() == ratings[side].max() + 1
        assert not ratings.duplicated(["user", "item"]).any()


def check_graph(dataset, written) -> None:
    edges = load_table(written["edges.parquet"])
    assert (edges["source"] <= edges["target"]).all()
    assert not edges.duplicated().any()
    assert set(np.unique(edges)) == set(range(dataset.counts["nodes"]))


def check_images(dataset, written) -> None:
    arrays = load_arrays(written["images.npz"])
    images, labels = arrays["images"], arrays["labels"]
    assert images.dtype == np.uint8
    assert images.shape[1:] == ((32, 32, 3) if dataset.family == "cifar10" else (28, 28))
    assert labels.shape == (len(images),)
    first = 1 if dataset.family == "emnist-letters" else 0
    assert set(labels) == set(range(first, first + dataset.counts["classes"]))
    if "split" in arrays:
        assert (np.diff(arrays["split"].astype(int)) >= 0).all()
        assert arrays["split"].sum() == dataset.counts["test images"]
    # Images of one class resemble their class: nearest class mean is right far more often than by chance.
    sample = np.random.default_rng(0).permutation(len(images))[:2000]
    flat = images[sample].reshape(len(sample), -1).astype(np.float32)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True) + 1
    known, asked = slice(0, 1500), slice(1500, None)
    classes = np.unique(labels[sample][known])
    means = np.stack([flat[known][labels[sample][known] == label].mean(axis=0) for label in classes])
    nearest = classes[np.argmin(((flat[asked, None] - means) ** 2).sum(axis=2), axis=1)]
    assert (nearest == labels[sample][asked]).mean() > 2 / dataset.counts["classes"]


def check_rows(dataset, written) -> None:
    rows = load_table(written["rows.parquet"])
    assert list(rows.columns).count("label") == 1
    assert not rows.isna().any().any()
    assert rows["label"].nunique() == dataset.counts["classes"]


def check_log(dataset, written) -> None:
    log = load_arrays(written["log.npz"])
    assert log["contexts"].shape == (dataset.counts["events"], 10, 10)
    assert set(log["arm"]) == set(range(10))
    assert set(log["click"]) == {0, 1}


def check_tags(dataset, written) -> None:
    tables = {name.removesuffix(".parquet"): load_table(path) for name, path in written.items()}
    assert not any(table.isna().any().any() for table in tables.values())
    artists, tags = set(tables["artists"]["artist"]), set(tables["tags"]["tag"])
    assert set(tables["user_artists"]["artist"]) <= artists
    assert set(tables["tagged_artists"]["tag"]) <= tags


SHAPES = {
    "ratings": check_ratings,
    "graph": check_graph,
    "images": check_images,
    "rows": check_rows,
    "log": check_log,
    "tags": check_tags,
}


def test_a_wrong_count_names_what_was_found_and_expected(tmp_path, monkeypatch):
    module = datasets.load("embedded-ratings")
    monkeypatch.setattr(module, "tidy", lambda raw: ({}, {"ratings": 7, "users": 400}))
    with pytest.raises(InputError, match=r"embedded-ratings: 7 ratings were found, but 32000 are expected"):
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
        read_news("1 1 " + "5 " * 100 + "\n" + line + "\n", tmp_path / "dataset.txt")


def test_an_unknown_data_set_names_the_nearest():
    with pytest.raises(InputError, match=r"unknown data set 'movielens-1': did you mean 'movielens-1m'\?"):
        datasets.load("movielens-1")


def test_list_and_show_print_every_data_set(capsys, monkeypatch):
    monkeypatch.delenv("MANYBANDITS_MIRROR", raising=False)
    main(["list"])
    listed = capsys.readouterr().out
    assert all(name in listed for name in datasets.names())
    main(["show", "yelp-academic"])
    assert "no redistribution" in capsys.readouterr().out


def test_tidy_writes_a_table_from_the_command_line(tmp_path, capsys):
    main(["tidy", "embedded-ratings", "--raw", str(tmp_path), "--out", str(tmp_path)])
    assert capsys.readouterr().out.strip() == str(tmp_path / "embedded-ratings")
    assert isinstance(load_table(tmp_path / "embedded-ratings" / "ratings.parquet"), pd.DataFrame)
