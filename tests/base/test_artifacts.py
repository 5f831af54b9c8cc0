import json
import os

import numpy as np
import pandas as pd
import pytest

from manybandits.base import artifacts
from manybandits.base.exceptions import InputError


def test_a_crash_while_writing_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.txt"
    artifacts.save_text(path, "old")

    def crash():
        with artifacts.replacing(path) as temporary:
            temporary.write_text("half of the new")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        crash()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_same_content_gives_the_same_bytes(tmp_path):
    arrays = {"b": np.arange(4), "a": np.ones((2, 2))}
    table = pd.DataFrame({"x": [1.5, np.nan], "y": ["a", "b"]})
    for name in ("1", "2"):
        given = dict(reversed(arrays.items())) if name == "2" else arrays
        artifacts.save_arrays(tmp_path / f"{name}.npz", given, {"users": 4})
        artifacts.save_table(tmp_path / f"{name}.parquet", table, {"title": "T"})
    for ending in ("npz", "parquet"):
        assert (tmp_path / f"1.{ending}").read_bytes() == (tmp_path / f"2.{ending}").read_bytes()


FACTS = {"title": "Méta & <b>", "grid": {"lambda": [1], "alpha": [0.1, 1]}, "users": 4, "rounds": None}


def test_facts_come_back_in_their_order_and_change_neither_arrays_nor_table(tmp_path):
    arrays, table = {"a": np.ones((2, 2)), "facts": np.arange(3)}, pd.DataFrame({"x": [1.5, np.nan], "y": ["a", "b"]})
    artifacts.save_arrays(tmp_path / "x.npz", arrays, FACTS)
    artifacts.save_table(tmp_path / "x.parquet", table, FACTS)
    assert artifacts.load_table(tmp_path / "x.parquet").equals(table)
    loaded = artifacts.load_arrays(tmp_path / "x.npz")
    assert loaded.keys() == arrays.keys()
    assert all(np.array_equal(loaded[name], arrays[name]) for name in arrays)
    found = artifacts.load_facts(tmp_path / "x.npz")
    found.pop("digest")
    assert found == artifacts.load_facts(tmp_path / "x.parquet") == FACTS
    assert list(found["grid"]) == ["lambda", "alpha"]


def test_the_digest_of_arrays_is_that_of_the_file_without_facts(tmp_path):
    """It names the random streams of a game, which no word about the game may change."""
    for name, facts in (("bare", None), ("one", {"users": 4}), ("two", FACTS)):
        artifacts.save_arrays(tmp_path / f"{name}.npz", {"a": np.arange(5.0)}, facts)
    bare = artifacts.sha256(tmp_path / "bare.npz")
    assert [artifacts.load_facts(tmp_path / f"{name}.npz")["digest"] for name in ("one", "two")] == [bare, bare]


@pytest.mark.parametrize("name", ["x.npz", "x.parquet"])
def test_a_file_without_facts_is_named_with_the_cure(tmp_path, name):
    if name == "x.npz":
        artifacts.save_arrays(tmp_path / name, {"a": np.ones(2)})
    else:
        artifacts.save_table(tmp_path / name, pd.DataFrame({"a": [1]}))
    with pytest.raises(InputError, match=rf"{name} is neither a run table nor a game: give a file that"):
        artifacts.load_facts(tmp_path / name)  # it may be anybody's
    artifacts.Provenance({}).save(tmp_path / name)
    with pytest.raises(InputError, match=rf"{name} holds no facts about itself.* delete it and run again"):
        artifacts.load_facts(tmp_path / name)


def test_a_file_that_nothing_says_is_ours_is_never_to_be_deleted(tmp_path):
    for name in ("x.npz", "x.parquet"):
        (tmp_path / name).write_bytes(b"mine")
        for load in (artifacts.load_facts, artifacts.load_arrays if name == "x.npz" else artifacts.load_table):
            with pytest.raises(
                InputError, match=rf"{name} cannot be read .*: give a file that manybandits wrote"
            ) as error:
                load(tmp_path / name)
            assert "delete" not in str(error.value)


@pytest.mark.parametrize("umask", [0o077, 0o002, 0o022])
def test_files_have_the_permissions_that_the_umask_leaves(tmp_path, umask):
    before = os.umask(umask)
    try:
        artifacts.save_text(tmp_path / "x.txt", "private")
    finally:
        os.umask(before)
    assert (tmp_path / "x.txt").stat().st_mode & 0o777 == 0o666 & ~umask


@pytest.mark.parametrize(
    ("name", "load"),
    [
        ("x.npz", artifacts.load_arrays),
        ("x.npz", artifacts.load_facts),
        ("x.parquet", artifacts.load_table),
        ("x.parquet", artifacts.load_facts),
        ("x.json", artifacts.load_json),
    ],
)
def test_a_damaged_or_missing_file_is_named_with_the_cure(tmp_path, name, load):
    with pytest.raises(InputError, match=r"does not exist: check the name"):
        load(tmp_path / name)
    (tmp_path / name).write_bytes(b"PK\x03\x04 not what it seems")
    artifacts.provenance_path(tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=name) as error:
        load(tmp_path / name)
    assert "delete it" in str(error.value)


def test_a_pickle_is_refused(tmp_path):
    np.savez(tmp_path / "x.npz", a=np.array([object()], dtype=object))
    with pytest.raises(InputError, match=r"cannot be read .*allow_pickle"):
        artifacts.load_arrays(tmp_path / "x.npz")


def test_provenance_says_what_an_artifact_was_made_from(tmp_path):
    source = tmp_path / "source.txt"
    source.write_text("content")
    provenance = artifacts.Provenance({"alpha": 1}, (source,))
    target = tmp_path / "target.txt"
    artifacts.save_text(target, "made")
    provenance.save(target, {"rows": 1}, {"device": "cpu"})
    found = artifacts.load_provenance(target)
    assert found["inputs"] == {"source.txt": artifacts.sha256(source)}
    assert found["sha256"] == artifacts.sha256(target)
    assert found["settings"] == {"alpha": 1}
    assert found["facts"] == {"rows": 1}
    assert found["made_on"]["device"] == "cpu"
    assert found["made_on"]["peak_memory_bytes"] > 0
    json.dumps(found)


@pytest.mark.parametrize("content", [b"user,item\n1,2\n", b"PAR1 and no more"])
def test_a_file_of_others_is_no_reason_to_load_a_pickle(tmp_path, content):
    (path := tmp_path / "my.npz").write_bytes(content)
    with pytest.raises(InputError, match=r"my\.npz cannot be read .*: give a file that manybandits wrote") as error:
        artifacts.load_arrays(path)
    assert "pickle" not in str(error.value)


def test_a_whole_file_of_another_kind_is_not_called_damaged(tmp_path):
    path = tmp_path / "run.parquet"
    provenance = artifacts.Provenance({}, ())
    artifacts.save_table(path, pd.DataFrame({"regret": [1.0]}))
    provenance.save(path)
    with pytest.raises(InputError, match=r"run\.parquet is not of the kind that is needed here .*: give another"):
        artifacts.load_arrays(path)
