"""Raw files, archives and tables that are not what they should be: a sentence that names the file, and no traceback."""

from __future__ import annotations

import gzip
import io
import lzma
import re
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from manybandits import datasets
from manybandits.base.exceptions import InputError
from manybandits.datasets import archives
from manybandits.datasets.base import Dataset
from manybandits.datasets.build import build, read
from manybandits.datasets.checks import check_tidy
from manybandits.datasets.own import log, ratings, rows
from tests.faults.sentences import examples, told

RATINGS = b"userId,movieId,rating,timestamp\n"


def zipped(content: bytes, member: str = "ml-latest-small/ratings.csv", **more: object) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
    return file.getvalue()


def encrypted(content: bytes) -> bytes:
    """Return a zip archive whose member is marked as encrypted."""
    packed = bytearray(zipped(content))
    packed[6] |= 1
    packed[packed.index(b"PK\x01\x02") + 8] |= 1
    return bytes(packed)


def tarred(*members: tuple[str, bytes | str]) -> bytes:
    """Return a gzip-packed tar archive of files, (name, content), and links, (name, target)."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            if isinstance(content, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, content
                archive.addfile(entry)
            else:
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return file.getvalue()


CIFAR = "cifar-10-batches-bin/data_batch_1.bin"
WRONG = {
    "an encrypted zip": ("movielens-latest-small", encrypted(RATINGS + b"1,1,4,0\n")),
    "a zip without the member": ("movielens-latest-small", zipped(RATINGS, "other.csv")),
    "a zip cut short": ("movielens-latest-small", zipped(RATINGS + b"1,1,4,0\n")[:-30]),
    "a page in place of a zip": ("movielens-latest-small", b"<!doctype html><title>Log in</title>"),
    "no bytes": ("movielens-latest-small", b""),
    "mixed ids": ("movielens-latest-small", zipped(RATINGS + b"1,1,4,0\nann,2,3,0\n")),
    "a rating of nobody": ("movielens-latest-small", zipped(RATINGS + b"1,1,4,0\n,2,3,0\n")),
    "words for stars": ("movielens-latest-small", zipped(RATINGS + b"1,1,good,0\n")),
    "wrong columns": ("movielens-latest-small", zipped(b"a\n1\n2\n")),
    "not UTF-8": ("movielens-latest-small", zipped(RATINGS + b"\xff\xfe,1,4,0\n")),
    "zero bytes": ("movielens-latest-small", zipped(b"\0" * 1000)),
    "only a header": ("movielens-latest-small", zipped(RATINGS)),
    "a link to itself": ("cifar10", tarred((CIFAR, CIFAR))),
    "a link that leaves the archive": ("cifar10", tarred((CIFAR, "/etc/hostname"))),
    "links in a ring": ("cifar10", tarred((CIFAR, "b"), ("cifar-10-batches-bin/b", "data_batch_1.bin"))),
    "records of another size": ("cifar10", tarred((CIFAR, b"12345"))),
    "pictures that are none": ("notmnist-small", tarred(("notMNIST_small/A/a.png", b"\x89PNG\r\n\x1a\n broken"))),
    "a letter that is none": ("notmnist-small", tarred(("../../evil/a.png", b"\x89PNG"))),
    "no tar archive": ("cifar10", gzip.compress(b"no archive")),
    "no xz file": ("cifar10-first-15000", b"no archive"),
    "no reviews": ("yelp-academic", b'{"stars": 3}\n'),
    "words in a log": ("news-bandit-10k", b"arm click" + b" x" * 100),
    "a graph cut short": ("facebook-ego", gzip.compress(b"0 1\n" * 1000)[:-9]),
    "edges of three": ("facebook-ego", gzip.compress(b"1 2 3\n4 5 6\n7 8\n")),
    "edges of words": ("facebook-ego", gzip.compress(b"a b\n")),
    "no edges": ("facebook-ego", gzip.compress(b"")),
    "idx of floats": ("mnist", gzip.compress(b"\0\0\x0d\1 floats, not bytes")),
    "no arrays": ("amazon-fashion-4000", b"no array"),
    "idx sizes that are lies": ("mnist", gzip.compress(b"\0\0\x08\x03" + b"\x7f\xff\xff\xff" * 3)),
    "an npy file of 10^15 numbers": ("amazon-fashion-4000", b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', "
                                     b"'fortran_order': False, 'shape': (1000000000000000,), }" + b" " * 40 + b"\n"),
}  # fmt: skip


def files_of(name: str, content: bytes, folder: Path) -> dict[str, Path]:
    """Write a content under the names of all official files of a data set, and return their paths."""
    files = {file.name: folder / file.name for file in datasets.load(name).DATASET.files}
    for path in files.values():
        path.write_bytes(content)
    return files


def read_and_check(module, files: dict[str, Path]) -> None:
    tidy, counted = read(module, files)
    module.DATASET.verify(counted)
    check_tidy(module.DATASET, tidy)


@pytest.mark.parametrize("case", WRONG)
def test_a_raw_file_that_is_wrong_is_a_sentence_and_nothing_is_written(case, tmp_path):
    name, content = WRONG[case]
    module = datasets.load(name)
    files = files_of(name, content, tmp_path)
    places = re.escape(", ".join(map(str, files.values())))
    wrong = rf"cannot be read from {places} \(\w+: .*\): delete what is damaged and|\d+ \w+ were found, but \d+ are"
    assert re.match(rf"{name}:? ({wrong})", told(read_and_check, module, files))
    assert {path.name for path in tmp_path.iterdir()} == set(files)


@pytest.mark.parametrize("pack", ["gzip", "xz", "zip", "tar"])
def test_a_bomb_stops_at_the_limit_of_the_card(pack, tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_UNPACKED", 1_000_000)
    bomb = bytes(5_000_000)
    packed = {
        "gzip": ("facebook-ego", gzip.compress(bomb)),
        "xz": ("cifar10-first-15000", lzma.compress(bomb)),
        "zip": ("movielens-latest-small", zipped(bomb)),
        "tar": ("cifar10", tarred((CIFAR, bomb))),
    }
    name, content = packed[pack]
    files = files_of(name, content, tmp_path)
    with pytest.raises(InputError, match=r"unpacks to more than 0\.0 GiB"):
        read(datasets.load(name), files)


def test_a_bomb_in_an_array_file_stops_at_the_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MOST_UNPACKED", 1_000_000)
    np.savez_compressed(tmp_path / "bomb.npz", images=np.zeros(5_000_000, np.uint8))
    with pytest.raises(InputError, match="unpacks to more than"):
        archives.read_arrays(tmp_path / "bomb.npz")


def test_the_limit_lets_the_largest_data_set_pass():
    assert archives.MOST_UNPACKED > 2 * 678_260_987  # ratings.csv of MovieLens 25M


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([4.0, np.nan], "row 2, column 'rating': nan is NaN or infinite"),
        ([4.0, -5.0], "row 2, column 'rating': -5.0 is neither a star from 0 to 5"),
        ([1e300, 4.0], "row 1, column 'rating': 1e+300 is neither a star"),
        ([np.inf, 4.0], "row 1, column 'rating': inf is NaN or infinite"),
        ([-1.0, 4.0], "row 1, column 'rating': -1.0 is neither a star"),
    ],
)
def test_stars_that_are_none_are_refused_in_any_data_set(values, words, tmp_path, monkeypatch):
    table = pd.DataFrame({"user": [0, 1], "item": [0, 1], "rating": values})
    module = datasets.load("embedded-ratings")
    monkeypatch.setattr(module, "tidy", lambda raw: ({"ratings.parquet": table}, dict(module.DATASET.counts)))
    with pytest.raises(InputError) as error:
        build(module, tmp_path, tmp_path)
    assert words in str(error.value)
    assert not list(tmp_path.rglob("*.parquet"))


def test_what_a_data_set_of_ones_own_leaves_out_is_named(tmp_path, monkeypatch):
    module = datasets.load("embedded-ratings")
    good = module.tidy({})[0]["ratings.parquet"]
    for table, words in (
        (good.drop(columns="item"), "there is no column 'item'"),
        (good.astype({"user": float}), "column 'user' holds float64, not whole numbers"),
        (good.assign(item=-1), "row 1, column 'item': -1 is below 0"),
        (good.assign(user=2**40), f"row 1, column 'user': {2**40} is too large: number them from 0"),
        (pd.concat([good, good.iloc[:1]]), rf"rows 1 and {len(good) + 1}: user \d+ rates item \d+ twice; keep one"),
        (good.iloc[:0], r"have \[0\] entries"),
    ):
        with pytest.raises(InputError, match=f"embedded-ratings, ratings.parquet: .*{words}"):
            check_tidy(module.DATASET, {"ratings.parquet": table})
    with pytest.raises(InputError, match=r"tidy returns no ratings\.parquet"):
        check_tidy(module.DATASET, {})


def test_counts_that_changed_are_named_and_the_download_is_moved_aside(tmp_path, monkeypatch):
    raw = tmp_path / "raw" / "facebook-ego"
    raw.mkdir(parents=True)
    (raw / "facebook_combined.txt.gz").write_bytes(gzip.compress(b"0 1\n1 2\n0 2\n"))
    with pytest.raises(InputError, match=r"3 lines were found, but 88234 are expected.* moved to .*\.bad"):
        build(datasets.load("facebook-ego"), tmp_path / "raw", tmp_path)
    assert [path.name for path in raw.iterdir()] == ["facebook_combined.txt.gz.bad"]


CELLS = st.one_of(
    st.integers(-3, 12).map(str),
    st.sampled_from(
        ["nan", "inf", "-1", "1e300", "1e-300", "5", "0.5", "", "NA", "٣", "²", '"', "x" * 300, "\0", "1,2"]
    ),
    st.text(max_size=5),
)
LINES = st.lists(st.lists(CELLS, min_size=1, max_size=5).map(",".join), min_size=1, max_size=8).map("\n".join)


def declared(kind: str) -> Dataset:
    words = dict.fromkeys(("name", "family", "title", "completeness", "licence", "citation", "home"), "own")
    return Dataset(kind=kind, counts={}, **words)


@settings(max_examples=examples(10_000, 150), deadline=None, suppress_health_check=list(HealthCheck))
@given(kind=st.sampled_from(["ratings", "rows", "log"]), lines=LINES, suffix=st.sampled_from([".csv", ".parquet"]))
def test_a_table_of_nonsense_is_a_sentence_or_data_that_can_be(kind, lines, suffix, tmp_path_factory):
    header = {"ratings": "user,item,rating", "rows": "a,b,label", "log": "arm,reward,propensity,a"}[kind]
    path = tmp_path_factory.mktemp("own") / f"table{suffix}"
    path.write_bytes(f"{header}\n{lines}".encode("utf-8", "surrogatepass"))
    readers = {"ratings": ratings.tidy, "rows": rows.tidy, "log": log.tidy}

    def read_own() -> None:
        check_tidy(declared(kind), readers[kind](path)[0])

    sentence = told(read_own)
    assert not sentence or str(path) in sentence


@settings(max_examples=examples(2_000, 60), deadline=None, suppress_health_check=list(HealthCheck))
@given(lines=LINES)
def test_an_official_file_of_nonsense_is_a_sentence_or_data_that_can_be(lines, tmp_path_factory):
    module = datasets.load("movielens-latest-small")
    path = tmp_path_factory.mktemp("raw") / "ml-latest-small.zip"
    path.write_bytes(zipped(RATINGS + lines.encode("utf-8", "surrogatepass")))

    def read_official() -> None:
        check_tidy(module.DATASET, read(module, {path.name: path})[0])

    sentence = told(read_official)
    assert not sentence or "movielens-latest-small" in sentence
