"""Damaged artifacts: truncated, with one bit flipped, empty, of another version or without what is beside them."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from manybandits.base.artifacts import check_bytes, load_arrays, provenance_path, sha256
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import read_rows
from manybandits.environments.game_file import load_game
from manybandits.environments.synthetic import main as freeze
from manybandits.results.runs import load_run
from tests.chain import copied, differences, run
from tests.planted.runs import plant_line

READERS = {"game.npz": load_game, "game-club.parquet": load_run, "table.csv": read_rows}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A folder with a game, a run table and a table of text, each with its provenance."""
    folder = tmp_path_factory.mktemp("made")
    freeze(["--users", "6", "--clusters", "2", "--out", str(folder / "game.npz")])
    plant_line(folder, "club", 0.5)
    (folder / "table.csv").write_text("a,b\n1,2\n")
    provenance_path(folder / "table.csv").write_text(f'{{"sha256": "{sha256(folder / "table.csv")}"}}')
    return folder


@pytest.fixture
def damaged(made, tmp_path, request):
    """A function that writes other bytes to a file and returns it."""
    folder = shutil.copytree(made, tmp_path / "damaged")

    def write(name: str, content: bytes, alone: bool = False) -> Path:
        path = folder / name
        path.write_bytes(content)
        if alone:
            provenance_path(path).unlink(missing_ok=True)
        return path

    return write


def flipped(content: bytes, chance: random.Random) -> bytes:
    """Return bytes of which one bit is another."""
    bit = chance.randrange(8 * len(content))
    return content[: bit // 8] + bytes([content[bit // 8] ^ 1 << bit % 8]) + content[bit // 8 + 1 :]


@pytest.mark.parametrize("name", READERS)
def test_no_flipped_bit_is_read_as_another_number(name, made, damaged, long):
    chance, whole = random.Random(6), (made / name).read_bytes()
    for _ in range(3000 if long else 300):
        with pytest.raises(InputError, match=r"is damaged .*SHA-256.* `manybandits repair`"):
            READERS[name](damaged(name, flipped(whole, chance)))


@pytest.mark.parametrize("name", ["game.npz", "game-club.parquet"])
def test_without_provenance_damage_is_a_sentence_or_not_seen(name, made, damaged, long):
    chance, whole, seen = random.Random(8), (made / name).read_bytes(), 0
    for _ in range(3000 if long else 300):
        try:
            READERS[name](damaged(name, flipped(whole, chance), alone=True))
        except InputError:
            seen += 1
    assert seen


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("name", ["game.npz", "game-club.parquet"])
@pytest.mark.parametrize("part", [0.0, 0.01, 0.5, 0.99])
def test_a_file_that_is_cut_is_damaged(name, part, alone, made, damaged):
    whole = (made / name).read_bytes()
    said = "cannot be read .*: give a file that" if alone else "is damaged .*delete it and run again"
    with pytest.raises(InputError, match=rf"{name} {said}"):
        READERS[name](damaged(name, whole[: int(part * len(whole))], alone))


def test_provenance_that_is_damaged_is_named(made, damaged):
    damaged("game.npz.json", b'{"sha256": ')
    with pytest.raises(InputError, match=r"game\.npz\.json is not valid JSON"):
        load_game(damaged("game.npz", (made / "game.npz").read_bytes()))


def test_a_run_table_that_does_not_say_what_was_played_is_named(made, tmp_path):
    import pyarrow.parquet as pq

    table = pq.read_table(made / "game-club.parquet")
    metadata = {**table.schema.metadata, b"manybandits": b"{}"}
    pq.write_table(table.replace_schema_metadata(metadata), tmp_path / "other.parquet")
    with pytest.raises(InputError, match="does not say what was played: it is not a run table"):
        load_run(tmp_path / "other.parquet")


def test_a_disk_that_fails_does_not_condemn_the_file(made, monkeypatch):
    def fail(*arguments, **options):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(np, "load", fail)
    with pytest.raises(OSError, match="Input/output error"):
        load_arrays(made / "game.npz")


def test_all_damage_of_a_run_is_found_and_made_again_with_the_same_bytes(finished, tmp_path, long):
    chance, folder = random.Random(21), copied(finished, tmp_path / "damaged")
    kinds = [path for path in (*folder.glob("artifacts/**/*"), *folder.glob("reports/**/*")) if path.is_file()]
    checked = sorted(path for path in kinds if provenance_path(path).is_file())
    assert {path.suffix for path in checked} == {".npz", ".parquet", ".csv", ".jsonl"}
    lost = provenance_path(checked.pop())
    chosen = checked if long else chance.sample(checked, 4)
    for path in chosen:
        path.write_bytes(flipped(path.read_bytes(), chance))
        with pytest.raises(InputError):
            check_bytes(path)
    lost.unlink()
    (folder / "reports/tiny/tables/meta_ban_fig1.md").write_text("")
    repair = [sys.executable, "-m", "manybandits", "repair"]
    said = subprocess.run(repair, cwd=folder, capture_output=True, text=True, check=True).stdout
    assert f"{len(chosen) + 1} files mended" in said
    done = run(folder)
    assert done.returncode == 0, done.stderr
    assert lost.is_file()
    assert differences(finished, folder) == []
