"""Every form of raw files reads alike: official archives beside the copies of a mirror, and small ones made here."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from manybandits import datasets
from manybandits.base.exceptions import InputError
from manybandits.datasets.build import build, read
from manybandits.datasets.readers.graph import count_triangles


def plain(path: Path) -> bytes:
    """The content of a file, without its compression."""
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opener(path, "rb") as file:
        return file.read()


def pack(path: Path, members: dict[str, bytes]) -> Path:
    """Write an archive (zip or tar) with these members, in this order."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
    else:
        with tarfile.open(path, "w:gz") as archive:
            for name, content in members.items():
                member = tarfile.TarInfo(name)
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return path


def idx(array: np.ndarray) -> bytes:
    """An idx file of bytes, as MNIST has them."""
    header = b"\x00\x00\x08" + bytes([array.ndim]) + np.array(array.shape, ">i4").tobytes()
    return gzip.compress(header + array.tobytes())


def assert_alike(one, two) -> None:
    (content, counts), (expected, expected_counts) = one, two
    assert counts == expected_counts
    assert content.keys() == expected.keys()
    for name, found in content.items():
        if isinstance(found, pd.DataFrame):
            pd.testing.assert_frame_equal(found, expected[name])
        else:
            assert found.keys() == expected[name].keys()
            assert all(np.array_equal(found[key], expected[name][key]) for key in found)


@pytest.mark.data
@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("movielens-100k", {"ml-100k/u.data": "u.data"}),
        ("movielens-1m", {"ml-1m/ratings.dat": "ratings.dat.xz"}),
        (
            "lastfm-hetrec2011",
            {f"{table}.dat": f"{table}.dat.gz" for table in ("user_artists", "user_taggedartists", "tags", "artists")},
        ),
    ],
)
def test_the_official_archive_reads_like_its_copy(name, members, mirror, tmp_path):
    module = datasets.load(name)
    official = module.DATASET.files[0].name
    archive = pack(tmp_path / official, {m: plain(mirror / name / copy) for m, copy in members.items()})
    copies = {file.name: mirror / name / file.name for file in module.DATASET.copies}
    assert_alike(read(module, {official: archive}), read(module, copies))


@pytest.mark.data
def test_the_official_file_of_the_news_log_reads_like_its_copy(mirror, tmp_path):
    module = datasets.load("news-bandit-10k")
    copy = mirror / "news-bandit-10k" / "dataset.txt.gz"
    official = tmp_path / "dataset.txt"
    official.write_bytes(plain(copy).replace(b"\n", b"\r\n"))
    assert official.stat().st_size == 2_149_159  # the size its home page states
    assert_alike(read(module, {"dataset.txt": official}), read(module, {"dataset.txt.gz": copy}))


@pytest.mark.data
def test_the_lines_of_a_network_may_come_in_any_order(mirror, tmp_path):
    module = datasets.load("ca-astroph")
    copy = mirror / "ca-astroph" / "ca-AstroPh.txt.xz"
    lines = plain(copy).splitlines(keepends=True)
    official = tmp_path / "ca-AstroPh.txt.gz"
    official.write_bytes(gzip.compress(b"".join(reversed(lines)), compresslevel=1))
    assert_alike(read(module, {official.name: official}), read(module, {copy.name: copy}))


@pytest.mark.data
def test_the_pictures_of_notmnist_read_like_its_arrays(mirror, tmp_path):
    module = datasets.load("notmnist-small")
    with np.load(mirror / "notmnist" / "notMNIST_small.npz", allow_pickle=False) as file:
        images, labels, names = (file[key][::200] for key in ("images", "labels", "filenames"))
    members = {"notMNIST_small/A/broken.png": b""}
    for image, label, name in reversed(list(zip(images, labels, names, strict=True))):
        picture = io.BytesIO()
        Image.fromarray(image).save(picture, format="png")
        members[f"notMNIST_small/{'ABCDEFGHIJ'[label]}/{name}"] = picture.getvalue()
    archive = pack(tmp_path / "notMNIST_small.tar.gz", members)
    content, counts = read(module, {archive.name: archive})
    assert counts["images"] == len(images)
    assert np.array_equal(content["images.npz"]["images"], images)
    assert np.array_equal(content["images.npz"]["labels"], labels)


def test_cifar_records_become_rows_of_red_green_and_blue_with_the_test_batch_last(tmp_path):
    module = datasets.load("cifar10")
    planes = [np.full((32, 32), colour, np.uint8) for colour in (10, 20, 30)]
    planes[0][0, 31] = 99
    batches = {"test_batch": 7, **{f"data_batch_{number}": number for number in (2, 1, 3, 4, 5)}}
    members = {
        f"cifar-10-batches-bin/{name}.bin": bytes([label]) + b"".join(plane.tobytes() for plane in planes)
        for name, label in batches.items()
    }
    archive = pack(tmp_path / "cifar-10-binary.tar.gz", members)
    content, counts = read(module, {archive.name: archive})
    arrays = content["images.npz"]
    assert arrays["labels"].tolist() == [1, 2, 3, 4, 5, 7]
    assert arrays["split"].tolist() == [0, 0, 0, 0, 0, 1]
    assert counts["test images"] == 1
    assert arrays["images"][0, 0, 31].tolist() == [99, 20, 30]
    assert arrays["images"][0, 31, 0].tolist() == [10, 20, 30]


def test_emnist_letters_are_read_from_the_official_archive_training_images_first(tmp_path):
    module = datasets.load("emnist-letters")
    images = np.arange(3 * 28 * 28).astype(np.uint8).reshape(3, 28, 28)
    labels = np.array([3, 1, 26], np.uint8)
    parts = {"train-images-idx3": images[:2], "train-labels-idx1": labels[:2]}
    parts |= {"test-images-idx3": images[2:], "test-labels-idx1": labels[2:]}
    archive = pack(
        tmp_path / "gzip.zip", {f"gzip/emnist-letters-{part}-ubyte.gz": idx(array) for part, array in parts.items()}
    )
    content, _ = read(module, {archive.name: archive})
    assert np.array_equal(content["images.npz"]["images"], images)
    assert content["images.npz"]["labels"].tolist() == [3, 1, 26]
    assert content["images.npz"]["split"].tolist() == [0, 0, 1]


def test_a_member_that_points_outside_of_an_archive_is_not_written_anywhere(tmp_path):
    module = datasets.load("movielens-latest-small")
    archive = pack(
        tmp_path / "raw" / "ml-latest-small.zip",
        {"../evil.txt": b"evil", "ml-latest-small/ratings.csv": b"userId,movieId,rating,timestamp\n7,9,4.5,0\n"},
    )
    content, counts = read(module, {archive.name: archive})
    assert counts == {"ratings": 1, "users": 1, "items": 1}
    assert content["ratings.parquet"].to_dict("list") == {"user": [0], "item": [0], "rating": [4.5]}
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [archive]


def test_of_two_yelp_reviews_of_one_place_the_later_counts(tmp_path):
    module = datasets.load("yelp-academic")
    reviews = [("ann", "bar", 1, "2020-05-02"), ("ann", "bar", 5, "2019-01-01"), ("bob", "cafe", 4, "2018-01-01")]
    name = module.DATASET.files[0].name
    path = tmp_path / name
    keys = ("user_id", "business_id", "stars", "date")
    path.write_text("".join(json.dumps(dict(zip(keys, review, strict=True))) + "\n" for review in reviews))
    content, counts = read(module, {name: path})
    assert counts == {"ratings": 2, "users": 2, "items": 2}
    ratings = content["ratings.parquet"].sort_values("user")
    assert ratings.to_dict("list") == {"user": [0, 1], "item": [0, 1], "rating": [1.0, 4.0]}


@pytest.mark.data
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda edges: edges[:-1], "88233 lines were found, but 88234 are expected"),
        (lambda edges: [*edges[:-1], b"0 4038\n"], r"\d+ triangles were found, but 1612010 are expected"),
    ],
)
def test_a_lost_or_wrong_edge_is_found_where_no_checksum_is_published(change, words, mirror, tmp_path):
    edges = plain(mirror / "facebook-ego" / "facebook_combined.txt.gz").splitlines(keepends=True)
    path = tmp_path / "facebook-ego" / "facebook_combined.txt.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress(b"".join(change(edges)), compresslevel=1))
    with pytest.raises(InputError, match=f"facebook-ego: {words}"):
        build(datasets.load("facebook-ego"), tmp_path, tmp_path / "tidy")
    assert not (tmp_path / "tidy").exists()


def test_triangles_are_counted_once_and_loops_are_none():
    complete_on_four = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert count_triangles(np.array([*complete_on_four, (3, 4), (4, 4)]), 5) == 4
