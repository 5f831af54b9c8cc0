"""The command line: what it prints, what it imports, and what it says when a name is wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import msgspec
import pytest

from manybandits import cli
from manybandits.algorithms import catalogue, plain
from manybandits.base.typed import typed
from manybandits.claims.verdict import Answer, Flag, Word
from manybandits.cli.commands import KINDS
from manybandits.cli.completion import SHELLS
from manybandits.cli.list import declared
from manybandits.papers.claim import Selection
from manybandits.papers.claims_file import ClaimsFile, entries
from tests.planted.verdicts import headline, save, verdict

OUT = ("--out", "a.parquet")
CLAIM = {"place": "Table 3", "says": "M-CNB has the lowest regret", "kind": "value", "experiment": "table3"}


@pytest.fixture
def at_root(root, monkeypatch):
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def judged(root, tmp_path):
    """A folder with the verdicts of a run: two headlines, and three claims, one of them under two readings."""
    value = {"id": "m_cnb.table3.1", "kind": "value", "place": "Table 3", "says": "one, two", "published": 2.5}
    value |= {"low": 1.0, "high": 3.0}
    order = {"place": "Table 3", "measured": -0.1, "low": -0.2, "high": -0.05, "rival": Selection(of="CLUB")}
    claims = [
        verdict(measured=2.0, limits=("2 of 9 rounds",), **value),
        verdict(measured=2.2, reading="released", answer=Answer.NEAR, **value),
        verdict(measured=2.0, copy_of="table3.1", **{**value, "id": "m_cnb.table3.2"}),
        verdict(id="m_cnb.fig2", answer=Answer.FAILS, flags=(Flag("at chance", "CLUB"),), **order),
        verdict(id="rmbandit.table1", of="RMBandit", answer=Answer.UNCLEAR, **order),
    ]
    best = {"claims": ("m_cnb.fig2",), "decided_by": "m_cnb.fig2", "answer": Answer.FAILS, "word": Word.REFUTED}
    other = {"claims": ("rmbandit.table1",), "decided_by": "rmbandit.table1", "answer": Answer.UNCLEAR}
    headlines = [
        headline(id="m_cnb.best", says="one, two", limits=("2 of 9 rounds",), has_code=True, **best),
        headline(id="rmbandit.best", word=Word.INCONCLUSIVE, **other),
    ]
    save(tmp_path / "reports/small", claims, headlines)
    (tmp_path / "workflow").symlink_to(root / "workflow")
    return tmp_path


def printed(capsys, *argv: str) -> str:
    cli.main(list(argv))
    return capsys.readouterr().out


def refused(capsys, *argv: str) -> str:
    """Return the one line that a command ends with; nothing may be on stdout."""
    with pytest.raises(SystemExit) as stop:
        cli.main(list(argv))
    told = capsys.readouterr()
    assert stop.value.code == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    return told.err


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["claims", "--help"], ["play", "--help"]])
def test_help_comes_without_importing_what_computes(arguments):
    code = f"import sys\nfrom manybandits.cli import main\ntry:\n    main({arguments!r})\nfinally:\n    " + (
        "print(*sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout
    assert not {"torch", "numba", "pandas", "numpy", "scipy", "shtab"} & set(done.stderr.split())


def test_algorithms_are_listed_without_importing_any():
    code = "import sys\nfrom manybandits.cli import main\nmain(['list', 'algorithms', '--json'])\n"
    code += "print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert [row["name"] for row in json.loads(done.stdout)["algorithms"]] == catalogue.names()
    assert not {"torch", "numba", "pandas"} & set(done.stderr.split())


@pytest.mark.parametrize("name", ["club", "neuucb_one", "rmbandit"])
def test_what_is_read_from_a_source_is_what_it_declares(name):
    module = catalogue.load(name)
    read = declared(module.__name__, ("TITLE", "REFERENCE"))
    assert read == {"title": module.TITLE, "reference": module.REFERENCE}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_listed(at_root, capsys, kind):
    rows = json.loads(printed(capsys, "list", kind, "--json"))[kind]
    text = printed(capsys, "list", kind)
    assert rows
    named = {line.split()[0] for line in text.splitlines() if line[:1].strip()}
    assert named >= {next(iter(row.values())) for row in rows}


def test_all_is_listed_outside_of_a_checkout_too_and_in_a_folder_without_papers_what_needs_none(
    at_root, tmp_path, capsys, monkeypatch
):
    here = json.loads(printed(capsys, "list", "--json"))
    assert tuple(here) == KINDS
    monkeypatch.chdir(tmp_path)
    assert json.loads(printed(capsys, "list", "--json")) == here
    cli.main(["list", "--root", str(tmp_path)])
    told = capsys.readouterr()
    assert "algorithms: " in told.out
    assert "papers: " not in told.out
    assert "has no paper files" in told.err


def test_experiments_that_are_left_out_say_why(at_root, capsys):
    rows = {row["name"]: row for row in json.loads(printed(capsys, "list", "experiments", "--json"))["experiments"]}
    assert "data.use.article is none" in rows["lnucb_ta_table7"]["left_out"]
    assert rows["meta_ban_fig1"]["left_out"] == ""
    assert "left out" in printed(capsys, "show", "lnucb_ta_table7")


def test_an_algorithm_is_shown_with_its_options_and_its_formula(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)  # no checkout is needed
    club = catalogue.load("club")
    shown = printed(capsys, "show", "club")
    for text in (club.TITLE, club.REFERENCE, club.__doc__.splitlines()[0], *(o.meaning for o in club.OPTIONS)):
        assert " ".join(text.split()) in " ".join(shown.split())
    assert shown.endswith(plain.source("club"))
    facts = json.loads(printed(capsys, "show", "club", "--json"))["algorithm"]
    assert facts["twin"] == plain.source("club")
    assert facts["options"]["alpha"]["default"] == 0.1
    assert facts["options"]["alpha"]["values"] == "a number from 0"
    assert facts["options"]["graph"]["values"] == "complete, erdos-renyi"


def test_an_algorithm_and_the_paper_of_its_name_are_both_shown(at_root, capsys):
    found = json.loads(printed(capsys, "show", "rmbandit", "--json"))
    assert list(found) == ["algorithm", "paper"]
    assert found["paper"]["short"] == "RMBandit"


def test_a_claim_is_shown_with_its_rivals_and_its_paper_with_what_it_claims(at_root, capsys):
    claim = json.loads(printed(capsys, "show", "sclb_pmlb.remark3", "--json"))["claim"]
    assert [one["of"] for one in claim["rivals"]]
    paper = json.loads(printed(capsys, "show", "sclb_pmlb", "--json"))["paper"]
    assert paper["claims"]["sclb_pmlb.remark3"] == f"{claim['place']}: {claim['says']}"
    assert isinstance(paper["headlines"], dict)
    assert paper["experiments"]["fig2"] == "Figure 2: agents around a common mean"


def test_data_sets_games_and_experiments_are_shown(at_root, capsys):
    facts = json.loads(printed(capsys, "show", "movielens-1m", "--json"))["data set"]
    assert facts["counts"]["ratings"] == 1_000_209
    assert "1000209" in printed(capsys, "show", "movielens-1m")
    assert json.loads(printed(capsys, "show", "synthetic", "--json"))["game"]["settings"]["arms"] == 10
    facts = json.loads(printed(capsys, "show", "meta_ban_fig1", "--json"))["experiment"]
    ((game, plays),) = facts["games"].items()
    assert "movielens-25m" in game
    assert plays["CLUB"]["seeds"] == "0-9"
    assert "alpha 0.1, 0, 1, 10" in plays["CLUB"]["grid"]
    assert "sweeps" in printed(capsys, "show", "rmbandit_table1")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["show", "neuucb_on"], "nothing is called 'neuucb_on': did you mean 'neuucb_one'?"),
        (["show", "movielens1m"], "did you mean 'movielens-1m'?"),
        (["show", "m_cnb_fig22"], "did you mean 'm_cnb_fig2'?"),
        (["play", "linucb_oen", *OUT], "unknown algorithm 'linucb_oen': did you mean 'linucb_one'?"),
        (["play", "club", "--game", "m-cnb", *OUT], "m-cnb is made from data"),
        (["play", "club", "--game", "synthetc", *OUT], "did you mean 'synthetic'?"),
        (
            ["play", "club", "--game", "synthetic", "--set-game", "user=2", *OUT],
            "did you mean 'users'?",
        ),
        (
            ["play", "club", "--game", "synthetic", "--set-game", "users", *OUT],
            "--set-game 'users' sets nothing",
        ),
        (["play", "club", "--set-game", "users=2", *OUT], "name it by --game"),
        (
            ["play", "club", "--game", "synthetic", "--environment", "e.npz", *OUT],
            "leave out --environment",
        ),
        (["compare", "none.parquet"], "none.parquet does not exist"),
        (["claims", "--answer", "holds"], "--answer needs verdicts"),
        (["claims", "--word", "refuted"], "--word needs verdicts"),
        (["claims", "--headlines"], "--headlines needs verdicts"),
        (["claims", "--run", "none"], "run whose claims were judged"),
        (["list", "papers", "--root", "src"], "no workflow/papers"),
        (["show", "clbu", "--root", "src"], "Papers, experiments and claims were not searched"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(at_root, capsys, argv, words):
    assert words in refused(capsys, *argv)


def test_play_and_compare_on_a_game_made_on_the_way(tmp_path, capsys):
    paths = []
    for name in ("linucb_one", "random"):
        paths.append(str(tmp_path / f"{name}.parquet"))
        game = ["--game", "synthetic", "--set-game", "users=6", "clusters=2", "items=40", "noise=0.01"]
        cli.main(["play", name, *game, "--horizon", "300", "--seeds", "0-9", "--threads", "1", "--out", paths[-1]])
    _, told = capsys.readouterr().out.split("Random: regret ")
    ending = f" after 300 rounds (mean and standard deviation of 10 runs); written to {paths[1]}"
    assert " ".join(told.split()).endswith(ending)
    shown = printed(capsys, "compare", *paths, "--out", str(tmp_path / "figure"))
    assert "synthetic users with known clusters" in shown
    found = json.loads(printed(capsys, "compare", *paths, "--json"))
    assert [row["algorithm"] for row in found["rows"]] == ["LinUCB-ONE", "Random"]
    assert [row["mark"] for row in found["rows"]] == ["best", ""]
    assert found["rows"][0]["clusters"] is None
    for ending in ("png", "svg", "csv"):
        assert (tmp_path / f"figure.{ending}").stat().st_size > 500
    cli.main(["play", "random", *game, "--horizon", "40", "--seeds", "0", "--out", str(tmp_path / "short.parquet")])
    capsys.readouterr()
    said = "LinUCB-ONE played 300 rounds of synthetic and Random 40: regret grows with rounds"
    assert said in refused(capsys, "compare", paths[0], str(tmp_path / "short.parquet"))


def test_a_wait_for_the_compiler_is_announced_and_only_that(tmp_path):
    fresh = {**os.environ, "MANYBANDITS_CACHE": str(tmp_path / "cache")}
    game = ["--game", "synthetic", "--set-game", "users=4", "clusters=2", "items=20", "--horizon", "30", "--seeds", "0"]
    command = [sys.executable, "-m", "manybandits", "play", "random", *game, "--out", str(tmp_path / "random.parquet")]
    first, second = (subprocess.run(command, env=fresh, capture_output=True, text=True, check=True) for _ in range(2))
    waited = r"Compiling the kernel of Random \(once; later plays reuse it\)\.\.\. done in \d+\.\d s\n"
    assert re.fullmatch(waited, first.stderr)
    assert second.stderr == ""
    assert first.stdout == second.stdout


def test_claims_of_paper_files_are_told_one_by_one():
    cells = [{"of": "NeuUCB-ONE", "published": 4839.6}, {"of": "M-CNB", "published": 4447.1, "where": {"data": "yelp"}}]
    whole = {"table3": {**CLAIM, "where": {"data": "movielens"}, "cells": cells}, "fig2": CLAIM}
    file = typed(ClaimsFile, {"claims": whole}, "a file")
    rows = {name: msgspec.to_builtins(entry) for name, entry in entries(file, "m_cnb")}
    assert list(rows) == ["m_cnb.table3.1", "m_cnb.table3.2", "m_cnb.fig2"]
    assert rows["m_cnb.table3.1"] | {"of": "NeuUCB-ONE", "published": 4839.6} == rows["m_cnb.table3.1"]
    assert rows["m_cnb.table3.2"]["where"] == {"data": "yelp"}
    assert all(row["place"] == "Table 3" and "cells" not in row for row in rows.values())


def told(capsys, judged, *argv: str) -> dict:
    """Return what ``claims --json`` prints about the planted run."""
    return json.loads(printed(capsys, "claims", "--run", "small", "--root", str(judged), *argv, "--json"))


def test_headlines_come_first_and_claims_are_not_added_up_over_papers(judged, capsys):
    shown = printed(capsys, "claims", "--run", "small", "--root", str(judged))
    first, second = shown.split("2 headlines: 1 inconclusive, 1 refuted")
    assert "m_cnb.best" in first
    assert "at chance: CLUB" in first
    assert "not run" in first
    assert "copy of table3.1" in second
    assert "released" in second
    assert "at chance: CLUB" in second
    assert "Only claims by the paper's text are counted" in second
    assert not re.search(r"\d claims", shown)
    assert "holding" not in shown


def test_the_claims_of_one_paper_have_a_score_per_place(judged, capsys):
    shown = printed(capsys, "claims", "--run", "small", "--root", str(judged), "--paper", "m_cnb")
    assert re.search(r"place +hold +claims +not counted\nTable 3 +1 +2 +1", shown)
    assert "rmbandit" not in shown
    found = told(capsys, judged, "--paper", "m_cnb")
    (score,) = found["scores"]
    assert (score["holding"], score["cells"], score["apart"]) == (1, 2, 1)
    assert {verdict for verdict, number in score["counts"].items() if number} == {"holds", "fails"}


def test_only_headlines_are_told_if_they_are_asked_for(judged, capsys):
    shown = printed(capsys, "claims", "--run", "small", "--root", str(judged), "--headlines")
    assert "m_cnb.best" in shown
    assert "table3.1" not in shown
    found = told(capsys, judged, "--headlines")
    assert [row["id"] for row in found["headlines"]] == ["m_cnb.best", "rmbandit.best"]
    assert (found["verdicts"], found["scores"]) == ([], [])
    assert found["counts"] == {"inconclusive": 1, "refuted": 1}


def test_headlines_are_told_in_markdown_for_a_readme(judged, capsys):
    lines = printed(capsys, "claims", "--run", "small", "--root", str(judged), "--markdown").splitlines()
    assert lines[0] == "| paper | headline | word | text | code | set-ups | controls | smaller run |"
    told = "**refuted** | fails | not run | not run | not run | yes"
    assert lines[2] == f"| M-CNB | one, two (Figure 2) | {told} |"
    assert len(lines) == 4


def test_a_run_without_verdicts_is_named_without_what_the_system_says_of_it(judged, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(judged)
    wrong = {
        ("--run", "smal"): "unknown run whose claims were judged (--run) 'smal': did you mean 'small'?",
        ("--run", ".."): "unknown run whose claims were judged (--run) '..'",
        ("--verdicts", "nosuch.jsonl"): "nosuch.jsonl does not exist: judge the claims again",
        ("--verdicts", "reports/small/verdicts.csv"): "give reports/small/verdicts.jsonl",
        ("--verdicts", "reports/small/headlines.jsonl"): "holds headlines, not verdicts",
    }
    for given, words in wrong.items():
        said = refused(capsys, "claims", *given)
        assert words in said
        assert "Errno" not in said
    (judged / "reports/small/headlines.jsonl").unlink()
    assert "headlines.jsonl does not exist" in refused(capsys, "claims", "--run", "small")
    (judged / "reports/small/verdicts.jsonl").unlink()
    assert "no run in reports has verdicts" in refused(capsys, "claims", "--run", "small")


def test_verdicts_of_an_earlier_version_are_refused_with_the_command_that_makes_them_again(judged, capsys, monkeypatch):
    monkeypatch.chdir(judged)
    path = judged / "reports/small/verdicts.jsonl"
    path.write_text(path.read_text().replace('"version":2', '"version":1', 1))
    said = refused(capsys, "claims", "--run", "small")
    assert "has verdicts of version 1, and 2 is read here: judge the claims again (`snakemake --cores all " in said
    path.rename(path.with_suffix(".csv"))
    said = refused(capsys, "claims", "--run", "small")
    assert "verdicts.csv beside it is of an earlier version: judge the claims again (`snakemake" in said


def test_a_relative_lead_is_in_per_cent_in_a_sentence(judged, capsys):
    said = " ".join(printed(capsys, "claims", "--run", "small", "--root", str(judged), "--headlines").split())
    assert "10.0 % [5.0 %, 20.0 %] above that of CLUB" in said
    assert "-10" not in said


def test_verdicts_are_filtered_by_answer_word_and_kind(judged, capsys):
    found = told(capsys, judged, "--kind", "value")
    assert [row["measured"] for row in found["verdicts"]] == [2.0, 2.2, 2.0]
    assert found["headlines"] == []
    found = told(capsys, judged, "--answer", "fails")
    assert [row["claim"]["id"] for row in found["verdicts"]] == ["m_cnb.fig2"]
    assert [row["word"] for row in found["headlines"]] == ["refuted"]
    found = told(capsys, judged, "--word", "inconclusive")
    assert [row["id"] for row in found["headlines"]] == ["rmbandit.best"]
    assert found["verdicts"] == []
    file = str(judged / "reports/small/verdicts.jsonl")
    assert told(capsys, judged) == json.loads(printed(capsys, "claims", "--verdicts", file, "--json"))
    assert "did you mean 'holds'?" in refused(capsys, "claims", "--verdicts", file, "--answer", "hold")
    assert "did you mean 'refuted'?" in refused(capsys, "claims", "--verdicts", file, "--word", "refute")
    assert "unknown paper (--paper) 'mcnb'" in refused(capsys, "claims", "--verdicts", file, "--paper", "mcnb")
    assert "no claims" in printed(capsys, "claims", "--verdicts", file, "--answer", "near miss", "--paper", "rmbandit")


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_commands_and_names(capsys, shell):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--print-completion", shell])
    assert not stop.value.code
    script = capsys.readouterr().out
    for word in ("compare", "algorithms", "meta_ban", "--verdicts"):
        assert word in script


def test_the_completion_of_bash_is_a_script_that_bash_reads(tmp_path):
    script = subprocess.run(
        [sys.executable, "-m", "manybandits", "--print-completion", "bash"], capture_output=True, text=True, check=True
    )
    (tmp_path / "completion.sh").write_text(script.stdout)
    done = subprocess.run(["bash", "-n", tmp_path / "completion.sh"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_reader_that_has_enough_ends_it_quietly():
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "manybandits", "list", "algorithms"], stdout=writing, stderr=subprocess.PIPE, check=False
    )
    os.close(writing)
    assert done.returncode == 0
    assert done.stderr == b""
