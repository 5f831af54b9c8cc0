"""A damaged cache of compiled code: what is damaged is compiled again, and the play has the same bytes."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from tests.faults.test_artifacts import flipped
from tests.faults.test_places import play


@pytest.fixture(scope="module")
def cached(tmp_path_factory) -> tuple[Path, bytes]:
    """A cache with the kernel of the random policy, and the run table that it makes."""
    folder = tmp_path_factory.mktemp("kernels")
    play(folder / "run.parquet", MANYBANDITS_CACHE=str(folder / "cache"))
    return folder / "cache", (folder / "run.parquet").read_bytes()


@pytest.mark.parametrize("kind", ["*.py", "*.nbi", "*.nbc", "manybandits_*.json", "sources-*.json"])
def test_a_damaged_file_of_the_cache_is_made_again(kind, cached, tmp_path, long):
    cache, whole = cached
    chance = random.Random(12)
    for attempt in range(6 if long else 1):
        folder = shutil.copytree(cache, tmp_path / f"cache-{attempt}")
        for path in sorted(folder.rglob(kind)):
            content, times = path.read_bytes(), path.stat()
            cut = content[: chance.randrange(len(content))]
            path.write_bytes(chance.choice([flipped(content, chance), cut]))
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # numba compares times, and nothing else
        play(tmp_path / "run.parquet", MANYBANDITS_CACHE=str(folder))
        assert (tmp_path / "run.parquet").read_bytes() == whole


def test_a_whole_cache_is_not_compiled_again(cached, tmp_path):
    cache, whole = cached
    assert "Compiling" not in play(tmp_path / "run.parquet", MANYBANDITS_CACHE=str(cache))
    assert (tmp_path / "run.parquet").read_bytes() == whole
