"""Packed run tables: nothing that is read of a table is lost, equal tables give equal bytes, and damage is named."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from manybandits.base.artifacts import Provenance, load_json, load_provenance, provenance_path, save_json, save_table
from manybandits.base.exceptions import InputError
from manybandits.results.packed import main, pack, read_packed, unpack
from manybandits.results.run_table import COLUMNS, save_run
from manybandits.results.runs import BITS, _rounded, kept, load_run, load_runs
from manybandits.tables import cost
from manybandits.tables import regret as table
from tests.planted.runs import plant_run, replica

SEEDS = 3


def plant(folder, name, tuned=True):
    """Write a run table of odd numbers, with the course of its tuning; return its path."""
    rounds, random = np.arange(1, 6) * 10, np.random.default_rng(len(name))
    replicas = [
        replica(seed, rounds, rounds * random.random() / 3, options=f"alpha={alpha}", chosen=alpha == 1)
        for alpha in (1, 2)
        for seed in range(SEEDS)
    ]
    tuning = [one.assign(stage="tuning", seed=100 + one["seed"]) for one in replicas] if tuned else []
    costs = {"device": "cpu", "threads": 2, "play_seconds": 1.5, "rounds_per_second": 10, "stages": {}}
    return plant_run(
        folder / "runs/planted" / f"{name}.parquet",
        [*tuning, *replicas],
        {"name": "game", "users": 3},
        algorithm="club",
        title=name,
        tuning="best-of-grid",
        grid={"alpha": [1, 2]},
        facts={"chosen": "alpha=1", "replicas": 6},
        costs=costs,
    )


def plant_errors(folder):
    """Write a table of errors and its provenance; return its path."""
    path = folder / "regressions/planted/errors.parquet"
    save_table(path, pd.DataFrame({"value": [0.1, np.nan], "estimator": ["a", "b"]}), {"settings": {"rows": 3}})
    Provenance({}).save(path)
    return path


@pytest.fixture
def tables(tmp_path):
    folder = tmp_path / "played/game"
    return [plant(tmp_path / "played", "one"), plant(tmp_path / "played", "two", tuned=False), plant_errors(folder)]


@pytest.fixture
def packed(tmp_path, tables):
    out = tmp_path / "packs/planted.parquet"
    pack(tables, [], out)
    return out


def opened(packed, folder):
    """Unpack; return the folder of the tables."""
    unpack(read_packed(packed), folder, folder / "measured")
    return folder


def change(packed, edit):
    """Write the rows of a packed file again, edited, and leave what is beside it."""
    content = parquet.read_table(packed)
    parquet.write_table(pa.Table.from_pandas(edit(content.to_pandas()), content.schema), packed)


def test_what_is_read_of_a_table_is_the_same_after_packing(tmp_path, tables, packed):
    folder = opened(packed, tmp_path / "un")
    for path in tables[:2]:
        old, new = load_run(path), load_run(folder / "runs/planted" / path.name)
        assert (old.settings, old.facts) == (new.settings, new.facts)
        for name in ("seeds", "rounds", *COLUMNS[COLUMNS.index("regret") :]):
            np.testing.assert_array_equal(getattr(old, name), getattr(new, name))
        assert {**old.costs, "peak_memory_bytes": 0}.items() >= {**new.costs, "peak_memory_bytes": 0}.items()


def test_a_table_of_errors_comes_back_byte_for_byte(tmp_path, tables, packed):
    folder = opened(packed, tmp_path / "un")
    assert (folder / "regressions/planted/errors.parquet").read_bytes() == tables[2].read_bytes()


def test_packing_what_was_unpacked_gives_the_same_bytes_in_any_order(tmp_path, packed):
    folder = opened(packed, tmp_path / "un")
    again = tmp_path / "again/planted.parquet"
    pack(sorted(folder.rglob("*.parquet"), reverse=True), [], again)
    assert again.read_bytes() == packed.read_bytes()
    assert provenance_path(again).read_text() == provenance_path(packed).read_text()


def test_tables_and_costs_made_of_unpacked_tables_have_the_same_bytes(tmp_path, tables, packed):
    folder = opened(packed, tmp_path / "un")
    for place, runs in (("a", tables[:2]), ("b", [folder / "runs/planted" / path.name for path in tables[:2]])):
        given = ["--runs", *map(str, runs), "--out"]
        table.main(["--title", "T", *given, str(tmp_path / place / "t")])
        cost.main([*given, str(tmp_path / place / "c")])
    for name in ("t.csv", "t.md", "t.tex", "c.csv", "c.md"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_the_course_of_tuning_is_left_out_and_its_last_row_stays(tmp_path, packed):
    rows = pd.read_parquet(opened(packed, tmp_path / "un") / "runs/planted/one.parquet")
    assert (rows["stage"] == "tuning").sum() == 2 * SEEDS
    assert set(rows[rows["stage"] == "tuning"]["round"]) == {50}


def test_a_packed_file_says_nothing_of_machine_and_time_but_what_costs_need(packed):
    beside = load_json(provenance_path(packed))
    known = {"device", "threads", "play_seconds", "rounds_per_second", "peak_memory_bytes", "stages"}
    assert all(set(costs) <= known for costs in beside["costs"].values())
    assert b"made_on" not in packed.read_bytes()


@given(st.floats(width=64))
def test_rounding_twice_is_rounding_once_and_moves_a_number_by_less_than_its_sixth_digit(value):
    once = _rounded(np.array([value]))
    np.testing.assert_array_equal(_rounded(once), once)
    if np.isfinite(value) and 1e-300 < abs(value) < 1e300:
        assert abs(once[0] - value) <= abs(value) * 2.0 ** -(BITS + 1)
    elif not np.isfinite(value):
        np.testing.assert_array_equal(once, [value])


def test_whole_numbers_up_to_a_million_are_exact():
    whole = np.arange(1_000_001.0)
    np.testing.assert_array_equal(_rounded(whole), whole)


def test_what_is_no_run_table_is_kept_whole():
    errors = pd.DataFrame({"value": [1 / 3]})
    assert kept(errors) is errors


def test_a_measurement_is_packed_with_its_texts(tmp_path, tables):
    csv = tmp_path / "made/seconds.csv"
    csv.parent.mkdir()
    csv.write_text("part,seconds\na,1.5\n")
    csv.with_suffix(".md").write_text("a 1.5\n")
    Provenance({"rounds": 3}).save(csv, {"note": "of a planted run"})
    out = tmp_path / "packs/planted.parquet"
    pack(tables, [csv], out)
    unpack(read_packed(out), tmp_path / "un", tmp_path / "un/tables")
    assert (tmp_path / "un/tables/seconds.csv").read_text() == csv.read_text()
    assert (tmp_path / "un/tables/seconds.md").read_text() == "a 1.5\n"
    assert load_provenance(tmp_path / "un/tables/seconds.csv")["facts"] == {"note": "of a planted run"}


def test_a_changed_number_is_found_and_its_table_named(tmp_path, packed):
    def edit(rows):
        rows.loc[rows["path"].str.endswith("two.parquet").idxmax() + 4, "regret"] += 1
        return rows

    change(packed, edit)
    read = read_packed(packed)
    unpack(read, tmp_path / "un", tmp_path / "un")
    assert not read.intact
    assert read.altered == ["runs/planted/two.parquet"]


def test_an_untouched_file_is_intact(tmp_path, packed):
    read = read_packed(packed)
    unpack(read, tmp_path / "un", tmp_path / "un")
    assert (read.intact, read.altered) == (True, [])


@pytest.mark.parametrize(
    "path",
    ["/tmp/x.parquet", "runs/planted/../../x.parquet", "runs/other/x.parquet", "runs/planted/x.txt", "runs/planted"],
)
def test_a_path_that_leads_elsewhere_is_refused_before_anything_is_written(tmp_path, packed, path):
    change(packed, lambda rows: rows.assign(path=rows["path"].replace("runs/planted/one.parquet", path)))
    with pytest.raises(InputError, match="is not of a table of planted"):
        opened(packed, tmp_path / "un")
    assert not (tmp_path / "un").exists()


@pytest.mark.parametrize("name", ["../x.csv", "a/b.csv", "x.sh", "/x.csv"])
def test_a_measurement_of_another_name_is_refused(packed, name):
    beside = load_json(provenance_path(packed))
    save_json(provenance_path(packed), {**beside, "measurements": {name: ""}})
    with pytest.raises(InputError, match="which is not of a measurement"):
        read_packed(packed)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path, packed):
    (tmp_path / "un").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "un/runs").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is outside of"):
        opened(packed, tmp_path / "un")
    assert not any((tmp_path / "elsewhere").iterdir())


def test_a_damaged_or_missing_file_is_one_sentence(packed):
    whole = packed.read_bytes()
    packed.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match=r"planted.parquet is damaged .* get it again from version control"):
        read_packed(packed)
    packed.unlink()
    with pytest.raises(InputError, match=r"planted\.parquet does not exist"):
        read_packed(packed)
    packed.write_bytes(whole)
    provenance_path(packed).write_text(json.dumps({"sha256": "0"}))
    with pytest.raises(InputError, match="has no costs"):
        read_packed(packed)


def test_a_table_of_another_paper_is_refused(tmp_path, tables):
    with pytest.raises(InputError, match="is not a table of other"):
        pack(tables, [], tmp_path / "other.parquet")


def test_the_script_packs_and_unpacks(tmp_path, tables):
    out = tmp_path / "planted.parquet"
    main(["pack", "--tables", *map(str, tables), "--out", str(out)])
    main(["unpack", str(out), "--tables", str(tmp_path / "un"), "--measurements", str(tmp_path / "un/tables")])
    assert len(load_runs(sorted((tmp_path / "un").glob("runs/*/*.parquet")))[0]) == 2


def test_a_lost_replica_stays_lost(tmp_path):
    rounds = np.arange(1, 6) * 10
    lost = np.where(rounds < 30, rounds / 3, np.nan)
    path = tmp_path / "runs/planted/lost.parquet"
    settings = {"tuning": "tuning-seeds", "grid": {}, "title": "L", "environment": {"name": "game"}}
    facts = {"chosen": "", "replicas": 2, "diverged": ["seed 1"]}
    save_run(path, pd.concat([replica(0, rounds, rounds / 3), replica(1, rounds, lost)]), settings, facts)
    Provenance({}).save(path)
    pack([path], [], tmp_path / "planted.parquet")
    run = load_run(opened(tmp_path / "planted.parquet", tmp_path / "un") / "runs/planted/lost.parquet")
    assert run.lost == 1
    np.testing.assert_array_equal(run.regret, load_run(path).regret)


def test_a_table_that_does_not_tell_what_it_was_made_from_is_one_sentence(packed):
    whole = read_packed(packed)
    names = [member.path for member in whole.members]
    assert list(whole.provenances(names)) == names
    place = whole.table.column_names.index("provenance")
    spoilt = pa.array(["{}", *whole.table["provenance"].to_pylist()[1:]], pa.string())
    damaged = replace(whole, table=whole.table.set_column(place, "provenance", spoilt))
    with pytest.raises(InputError, match=r"planted\.parquet is damaged \(.*made_from.*get it again"):
        damaged.provenances(names)
