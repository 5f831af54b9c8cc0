"""How files of a report differ is said in one sentence, and what makes a verification impossible in another."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from manybandits.base.artifacts import provenance_path
from manybandits.base.exceptions import InputError
from manybandits.planning import verify
from manybandits.planning.configuration import configurations
from manybandits.planning.differences import difference
from manybandits.planning.record import Rule
from tests.planted.claims import LEAD, paper, plant, scale_of
from tests.planted.runs import plant_run, replica

VERDICTS = "claim,reading,says,answer,measured\n"


def compared(folder, name, before, after):
    paths = [folder / place / name for place in ("committed", "derived")]
    for path, text in zip(paths, (before, after), strict=True):
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is not None:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return difference(*paths)


def test_equal_files_do_not_differ(tmp_path):
    for name in ("a.csv", "a.svg", "a.md", "a.tex"):
        assert compared(tmp_path, name, "same\n", "same\n") == ""


def test_the_first_cell_of_a_table_is_named(tmp_path):
    said = compared(tmp_path, "a.csv", "name,mean,std\nclub,1,2\nlocb,3,4\n", "name,mean,std\nclub,1,2\nlocb,3,5\n")
    assert said == "line 3, std: 4 committed, 5 derived"


@pytest.mark.parametrize(
    ("derived", "more"), [("20 3 4", ""), ("20 30 4", " (and 1 more line)"), ("20 30 40", " (and 2 more lines)")]
)
def test_further_lines_are_counted(tmp_path, derived, more):
    said = compared(tmp_path, "a.csv", *("\n".join(["x", "1", *rows.split(), ""]) for rows in ("2 3 4", derived)))
    assert said == f"line 3, x: 2 committed, 20 derived{more}"


def test_rows_and_columns_that_are_gone_are_told(tmp_path):
    assert compared(tmp_path, "a.csv", "x\n1\n2\n", "x\n1\n") == "has 2 rows committed, 1 derived"
    assert "has other columns: x committed, y derived" in compared(tmp_path, "b.csv", "x\n1\n", "y\n1\n")


def test_another_verdict_is_named_before_other_numbers(tmp_path):
    before = VERDICTS + "p.a,paper,s,holds,1\np.b,paper,s,holds,1\n"
    after = VERDICTS + "p.a,paper,s,holds,2\np.b,paper,s,fails,3\n"
    said = compared(tmp_path, "verdicts.csv", before, after)
    assert said == "p.b paper: answer: holds committed, fails derived (and 1 more row)"


def test_a_claim_that_was_added_or_taken_out_is_named(tmp_path):
    one, two = VERDICTS + "p.a,paper,s,holds,1\n", VERDICTS + "p.b,paper,s,holds,1\n"
    said = compared(tmp_path, "verdicts.csv", one, two)
    assert said == "p.a paper is committed, but no longer judged (and 1 more row)"


def test_the_first_line_of_a_text_is_shown_from_where_it_parts(tmp_path):
    said = compared(tmp_path, "a.md", f"one\n{'x' * 200}1\n", f"one\n{'x' * 200}2\n")
    assert said == f"line 2: …{'x' * 20}1 committed, …{'x' * 20}2 derived"


def test_a_picture_of_the_same_numbers_says_so(tmp_path):
    compared(tmp_path, "a.csv", "x\n1\n", "x\n1\n")
    assert "though of the same numbers" in compared(tmp_path, "a.svg", "1", "2")
    assert compared(tmp_path, "b.svg", "1", "2") == "is another picture"


def test_seconds_and_machines_of_a_provenance_are_not_compared_and_settings_are(tmp_path):
    old = {"artifact": "a.csv", "sha256": "1", "settings": {"title": "A"}, "code": {}, "made_on": {"seconds": 1}}
    new = {**old, "sha256": "2", "code": {"manybandits": "2"}, "made_on": {"seconds": 2}}
    assert compared(tmp_path, "a.csv.json", json.dumps(old), json.dumps(new)) == ""
    other = {**old, "settings": {"title": "B"}}
    said = compared(tmp_path, "a.csv.json", json.dumps(old), json.dumps(other))
    assert said == 'settings.title: "A" committed, "B" derived'


def test_other_run_tables_are_named(tmp_path):
    old, new = ({"inputs": {"club.parquet": digest}} for digest in ("1", "2"))
    assert "inputs.club.parquet" in compared(tmp_path, "a.csv.json", json.dumps(old), json.dumps(new))


def test_a_verdict_on_claims_that_were_edited_since_says_so(tmp_path):
    from manybandits.claims.verdicts import main

    tables = [plant(tmp_path / "runs", title, [level] * 6) for title, level in (("M-CNB", 1.0), ("CLUB", 2.0))]
    scale = scale_of(tables)
    import msgspec

    given = ["--experiment", "fig2", "--scale", msgspec.json.encode(scale).decode(), "--tables", *map(str, tables)]
    for place, says in (("committed", "It leads."), ("derived", "It leads by far.")):
        folder = paper(tmp_path / place, {"lead": {**LEAD, "says": says}})
        main(["judge", "--paper", str(folder), *given, "--out", str(tmp_path / place / "v.jsonl")])
    before, after = tmp_path / "committed/v.jsonl", tmp_path / "derived/v.jsonl"
    assert 'claim.says: "It leads." committed, "It leads by far." derived' in difference(before, after)
    beside = [path.with_name("v.jsonl.json") for path in (before, after)]
    assert difference(*beside) == "its claims were edited since it was committed"


def test_a_file_on_one_side_alone_is_told(tmp_path):
    assert compared(tmp_path, "a.csv", "x\n", None) == "is committed, but could not be made"
    assert compared(tmp_path, "b.csv", None, "x\n") == "is made, but not committed"


def planted_run() -> SimpleNamespace:
    """Return what a verification asks of a run."""
    return SimpleNamespace(
        **{"kept": "reports/r", "work": "work", "report": "work/report"},
        jobs=[Rule("figure", "work/logs", ["work/report/figures/{name}.svg"])("a", ("manybandits.figures.regret",))],
    )


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "reports/r/runs/planted/game/one.parquet"
    rows = replica(0, np.array([10]), np.array([1.0]))
    plant_run(path, [rows], {}, algorithm="club", title="one", facts={"chosen": ""})
    return path


def faults(*tables):
    return verify.faults_of(planted_run(), [f"runs/planted/game/{name}.parquet" for name in tables])


def test_a_run_table_that_is_damaged_or_has_no_proof_is_one_fault(table):
    assert faults("one") == []
    whole = table.read_bytes()
    table.write_bytes(whole[:-1])
    (fault,) = faults("one")
    assert fault.startswith("reports/r/runs/planted/game/one.parquet is damaged")
    table.write_bytes(whole)
    provenance_path(table).unlink()
    (fault,) = faults("one")
    assert "reports/r/runs/planted/game/one.parquet.json is missing" in fault


def test_a_table_that_the_plan_asks_for_and_that_is_not_committed_is_named(table):
    (fault,) = faults("one", "two", "three")
    assert "lacks runs/planted/game/two.parquet and 1 more: it was committed before the run ended" in fault


def test_files_that_nothing_makes_are_named_and_what_was_made_is_compared(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for place, text in (("reports/r/tables/a.csv", "1"), ("work/report/tables/a.csv", "2")):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(f"x\n{text}\n")
    (tmp_path / "reports/r/tables/old.csv").write_text("x\n")
    run, made = planted_run(), ["work/report/tables/a.csv"]
    assert verify.compare(run, made, ["tables"]) == [
        "reports/r/tables/a.csv: line 2, x: 1 committed, 2 derived",
        "reports/r/tables/old.csv: is committed, but nothing makes it",
    ]


def test_numbers_must_be_committed_and_pictures_are_compared_where_they_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = ["tables/a.csv", "verdicts.csv.json", "readings/a.csv", "figures/a.svg", "verdicts/a.csv", "index.html"]
    for file in made:
        (tmp_path / "work/report" / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "work/report" / file).write_text("{}")
    run, made = planted_run(), [f"work/report/{file}" for file in made]
    missing = [f"reports/r/{file}: is made, but not committed" for file in ("readings/a.csv", "tables/a.csv")]
    missing.append("reports/r/verdicts.csv.json: is made, but not committed")
    assert verify.compare(run, made, verify.FOLDERS) == missing
    (tmp_path / "reports/r/figures").mkdir(parents=True)
    (tmp_path / "reports/r/figures/a.svg").write_text("another")
    found = verify.compare(run, made, verify.FOLDERS)
    assert found == ["reports/r/figures/a.svg: is another picture", *missing]


def test_the_log_of_a_file_that_could_not_be_made_is_quoted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports/r/figures").mkdir(parents=True)
    (tmp_path / "reports/r/figures/a.svg").write_text("")
    (tmp_path / "work/logs/figure").mkdir(parents=True)
    (tmp_path / "work/logs/figure/a.log").write_text("error: no such column.\n")
    (fault,) = verify.compare(planted_run(), ["work/report/figures/a.svg"], ["figures"])
    assert fault.endswith("is committed, but could not be made: error: no such column.")


def test_an_unknown_run_and_a_checkout_without_runs_are_told(root, tmp_path):
    assert configurations(root)["paper"] == []
    assert configurations(root)["paper-scale"] == [root / "configs/paper-scale.yaml"]
    with pytest.raises(InputError, match="unknown run 'paper-scal': did you mean 'paper-scale'"):
        verify.main(["paper-scal", "--root", str(root)])
    (tmp_path / "config.yaml").write_text("name: paper\n")
    with pytest.raises(InputError, match="has no run tables"):
        verify.main(["--root", str(tmp_path)])


def test_a_run_that_was_committed_before_it_ended_is_not_verified(tmp_path, table):
    assert verify.committed_runs(tmp_path) == []
    (tmp_path / "reports/r/verdicts.jsonl").write_text("")
    assert verify.committed_runs(tmp_path) == ["r"]


def test_a_run_is_verified_in_its_own_folder_wherever_that_is_called(root, tmp_path, monkeypatch):
    """Called in another folder, with ``--root``, a verification once found neither readings nor notebooks."""
    places: list[Path] = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(verify, "verify", lambda name, cores, paper: places.append(Path.cwd()) or [])
    monkeypatch.setattr(verify, "hold", lambda name, folder: None)
    verify.main(["readings", "--root", str(root)])
    assert (places, Path.cwd()) == ([root], tmp_path)
