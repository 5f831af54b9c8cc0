"""All commands have one look: help, JSON, messages, and no more imports than they need."""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from types import SimpleNamespace

import pandas as pd
import pytest

from manybandits import cli
from manybandits.base import printing
from manybandits.cli import jobs, texts
from manybandits.cli.commands import build_parser
from manybandits.results.readings_table import SUMMARY
from tests.planted.verdicts import save

COMMANDS = build_parser().commands()
NESTED = {f"{name} {data}": one for name, command in COMMANDS.items() for data, one in command.commands().items()}
SHARED = ("--config", "--root", "--cores", "--json")
"""The options that close every command, in this order."""
ONE = ("--set", "papers=[rmbandit]", "--set", "experiments=[rmbandit_fig1]")
FIGURE = ["reproduce", "rmbandit_fig1", "--config", "smoke", *ONE]
SMALL = ("--game", "synthetic", "--set-game", "users=4", "clusters=2", "items=20")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with a run table, a table of ratings, a run with verdicts and a site, and no Snakemake."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(jobs.subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=0))
    cli.main(["new", "algorithm", "mine.py"])
    ratings = [(user, item, 1 + (user * item) % 5) for user in range(12) for item in range(40)]
    pd.DataFrame(ratings, columns=["user", "item", "rating"]).to_csv("ratings.csv", index=False)
    report = tmp_path / "reports/small"
    report.mkdir(parents=True)
    save(report, [])
    pd.DataFrame([dict.fromkeys(SUMMARY, "none")]).to_csv(report / "readings.csv", index=False)
    (report / "index.html").touch()
    return tmp_path


@pytest.mark.parametrize("name", ["", *COMMANDS, *NESTED])
def test_help_is_within_80_columns_and_says_what_a_command_does(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    one = {"": build_parser(), **COMMANDS, **NESTED}[name]
    text = one.format_help()
    assert max(map(len, text.splitlines())) <= 80
    assert re.match(r"[A-Z].*\.$", one.description)
    for action in one._actions:
        assert action.help or one.commands(), f"{name} {action.dest} has no help"


@pytest.mark.parametrize("name", [*COMMANDS, *NESTED])
def test_shared_options_close_a_command_in_one_order_with_one_meaning(name):
    one = {**COMMANDS, **NESTED}[name]
    if name in ("game", "data"):
        return  # their kinds of data, or actions, have the options
    own = [option for option in one.options() if option not in SHARED]
    assert one.options() == [*own, *(option for option in SHARED if option in one.options())] or name == "play"
    assert "--json" in one.options()
    told = {action.option_strings[0]: action.help for action in one._actions if action.option_strings}
    for option in set(SHARED[:3]) & set(told):
        meant = {other._option_string_actions[option].help for other in COMMANDS.values() if option in other.options()}
        assert len(meant - {"cores to play on (default: all)"}) == 1


def test_the_keys_of_json_are_documented_for_every_command():
    assert set(texts.KEYS) == set(COMMANDS)
    for name, one in COMMANDS.items():
        assert texts.KEYS[name].split(",")[0] in one.format_help()


@pytest.mark.parametrize(
    ("argv", "keys"),
    [
        (["list"], {"algorithms", "datasets", "games", "papers", "experiments", "claims"}),
        (["list", "papers"], {"papers"}),
        (["show", "club"], {"algorithm"}),
        (["show", "mine.py"], {"algorithm"}),
        (
            ["play", "mine.py", *SMALL, "--horizon", "30", "--seeds", "0-1", "--out", "a.parquet"],
            {"algorithm", "run_table", "rounds", "seeds", "regret", "options", "summary"},
        ),
        (["game", "ratings", "ratings.csv", "--users", "4", "--out", "g.npz"], {"game", "remarks"}),
        (["data", "list"], {"datasets"}),
        (["data", "show", "mnist"], {"dataset"}),
        (["data", "tidy", "embedded-ratings", "--out", "tidy"], {"written"}),
        (["estimate", "--config", "smoke"], {"run", "jobs", "speed"}),
        (["new", "paper", "my_paper"], {"kind", "written", "next"}),
        (["claims"], {"claims", "counts"}),
        (["claims", "--run", "small"], {"headlines", "verdicts", "counts", "scores"}),
        (["readings", "--run", "small"], {"readings"}),
        (FIGURE, {"run", "made"}),
        (["site"], {"run", "page"}),
    ],
)
def test_json_is_one_document_with_the_documented_keys_and_nothing_else(here, capsys, argv, keys):
    capsys.readouterr()
    cli.run([*argv, "--json"])
    found = json.loads(capsys.readouterr().out)
    assert set(found) == keys or (argv[0] == "game" and set(found) > keys)
    for key in keys if argv[0] not in ("show", "list") else ():
        assert re.search(rf"\b{key}\b", texts.KEYS[argv[0]])


def test_json_of_check_and_compare_has_the_documented_keys(here, capsys):
    capsys.readouterr()
    cli.run(["check", "mine.py", *SMALL, "--json"])
    assert set(json.loads(capsys.readouterr().out)) == {"algorithm", "failed", "checks"}
    cli.run(["play", "mine.py", *SMALL, "--horizon", "30", "--out", "a.parquet"])
    capsys.readouterr()
    cli.run(["compare", "a.parquet", "--out", "figure", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"rows", "note", "effective", "written"}
    assert all((here / name).is_file() for name in found["written"])
    assert "Bold" not in found["note"]


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["lits"], "unknown command 'lits': did you mean 'list'?"),
        (["list", "algoritms"], "unknown kind 'algoritms': did you mean 'algorithms'?"),
        (["list", "--jsn"], "manybandits list takes no '--jsn': did you mean '--json'?"),
        (["claims", "--headline"], "takes no '--headline': did you mean '--headlines'?"),
        (["site", "paper-scale"], "manybandits site takes no 'paper-scale': choose one of --cores, "),
        (["data", "fetsh", "mnist"], "unknown action 'fetsh': did you mean 'fetch'?"),
        (["data", "show", "mnits"], "unknown data set 'mnits': did you mean 'mnist'?"),
        (["verify", "--root", "."], "has no run tables"),
        (["game", "ratngs"], "unknown kind of data 'ratngs': did you mean 'ratings'?"),
        (["game", "log", "a.csv", "--out", "a.npz", "--propensty", "p"], "did you mean '--propensity'?"),
        (["new", "algoritm", "a.py"], "unknown kind 'algoritm': did you mean 'algorithm'?"),
        (["new", "paper", "MyPaper"], "MyPaper cannot be the name of a paper"),
        (["play"], "required: ALGORITHM, --out"),
        (["play", "club", "--out", "a.parquet"], "no game is named: give --game synthetic"),
        (["play", "mine", "--game", "synthetic", "--out", "a.parquet"], "for the file in this folder, write mine.py"),
        (["play", "mine.py", "--game", "synthetic", "--out", "a.csv"], "give a name that ends with .parquet"),
        (
            ["play", "mine.py", "--game", "synthetic", "--out", "mine.py/a.parquet"],
            "mine.py/a.parquet cannot be written",
        ),
        (["play", "mine.py", "--environment", "ratings.csv", "--out", "a.parquet"], "ratings.csv is no frozen game"),
        (["play", "mine.py", "--game", "synthetic", "--cores", "0", "--out", "a.parquet"], "not a whole number from 1"),
        (["check", "mine"], "for the file in this folder, write mine.py"),
        (["check", "clubb"], "did you mean 'club'?"),
        (["league", "--add", "mine"], "for the file in this folder, write mine.py"),
        (["league", "--add", "mine.py", "--arena", "recomendation"], "did you mean 'recommendation'?"),
        (["league", "--add", "mine.py", "--out", "league.png"], "give the name without .png"),
        (["compare", "mine.py"], "mine.py is no run table: give a file that ends with .parquet"),
        (["show", "mine"], "for what is in this folder, write ./mine.py"),
        (["show", "./missing.py"], "there is no such file"),
        (["show", "./reports"], "reports/experiments.yaml does not exist"),
        (["readings", "m_cbn"], "unknown paper 'm_cbn': did you mean 'm_cnb'?"),
        (["claims", "--paper", "m_cbn"], "did you mean 'm_cnb'?"),
        (["reproduce", "all", "--config", "smoek"], "did you mean 'smoke'?"),
        (["site", "--run", "smal"], "reports/smal has no site; sites are there of small"),
        (["--print-completion", "bsh"], "unknown shell (--print-completion) 'bsh': did you mean 'bash'?"),
    ],
)
def test_what_is_wrong_is_one_line_that_names_the_cure_with_status_2(here, capsys, argv, words):
    capsys.readouterr()
    with pytest.raises(SystemExit) as stop:
        cli.main(argv)
    told = capsys.readouterr()
    assert (stop.value.code, told.out) == (2, "")
    assert told.err.startswith("error: ")
    assert told.err.count("\n") == 1
    assert words in told.err


def test_a_job_that_fails_ends_with_status_1(here, capsys, monkeypatch):
    monkeypatch.setattr(jobs.subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=1))
    with pytest.raises(SystemExit) as stop:
        cli.main(FIGURE)
    assert stop.value.code == 1
    assert "rmbandit_fig1 could not be made" in capsys.readouterr().err


def test_the_help_of_a_play_has_the_options_of_its_algorithm(capsys):
    for argv, there in ((["play", "club", "--help"], True), (["play", "--help"], False)):
        with pytest.raises(SystemExit) as stop:
            cli.main(argv)
        assert not stop.value.code
        assert ("width of the test that cuts an edge" in capsys.readouterr().out) is there


def test_a_configuration_before_the_target_does_not_swallow_it():
    args = build_parser().parse_args(["reproduce", "--config", "smoke", "rmbandit_fig1"])
    assert (list(map(str, args.config)), args.targets) == (["smoke"], ["rmbandit_fig1"])


HEAVY = ("torch", "numba", "matplotlib", "snakemake", "sklearn", "scipy", "pandas")
LIGHT = [
    (["list", "algorithms"], HEAVY),
    (["list", "games"], HEAVY),
    (["list", "papers"], HEAVY),
    (["list", "claims"], HEAVY),
    (["claims", "--paper", "m_cnb"], HEAVY),
    (["show", "m_cnb.fig2"], HEAVY),
    (["show", "meta_ban"], ("matplotlib", "snakemake", "sklearn")),  # an algorithm, too, which imports torch
    (["show", "club"], ("torch", "matplotlib", "snakemake", "sklearn", "pandas")),
    (["list", "datasets"], HEAVY[:-1]),
    (["list", "experiments"], HEAVY[:-1]),
    (["show", "movielens-1m"], HEAVY[:-1]),
    (["readings", "m_cnb"], HEAVY[:-1]),
    (["site"], HEAVY[:-1]),
    (["compare", "none.parquet"], HEAVY[:-1]),
    (["new", "game", "MY.txt"], HEAVY),
    (["check", "none"], ("torch", "matplotlib", "snakemake", "sklearn")),
    (["league", "--add", "none"], ("torch", "matplotlib", "snakemake", "sklearn")),
    (["game", "log", "none.csv", "--out", "a.npz"], ("torch", "matplotlib", "snakemake", "sklearn")),
]


@pytest.mark.parametrize(("argv", "unneeded"), LIGHT, ids=[" ".join(argv) for argv, _ in LIGHT])
def test_a_command_imports_no_package_that_it_does_not_need(tmp_path, argv, unneeded):
    code = "import sys\nfrom manybandits.cli import main\ntry:\n    main(sys.argv[1:])\nfinally:\n    "
    code += "print('imported:', *sorted({name.split('.')[0] for name in sys.modules}), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, *argv], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    (imported,) = re.findall("imported: (.*)", done.stderr)
    assert "Traceback" not in done.stderr
    assert not set(unneeded) & set(imported.split())


@pytest.mark.parametrize("columns", ["60", "80", "200"])
def test_a_table_is_within_the_terminal_and_nothing_of_it_is_cut(capsys, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    words = "a title with many words that does not fit into the line of any terminal that is this narrow"
    rows = [{"name": f"row-{n}", "value": n / 3, "title": words, "other": words[::-1], "empty": ""} for n in range(3)]
    printing.print_table(rows, ("name", "value", "title", "other", "empty"))
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= int(columns)
    assert sorted(set(words.split())) == sorted(set(words.split()) & set(text.split()))
    assert "empty" not in text


def test_a_table_too_wide_for_columns_has_a_field_per_line(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    rows = [{f"column_{n}": f"{'word' * 3}{n}" for n in range(9)} for _ in range(2)]
    printing.print_table(rows, tuple(rows[0]))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:2]] == [["column", "0", "wordwordword0"], ["column", "1", "wordwordword1"]]
    assert len(lines) == 19


def test_numbers_that_are_not_finite_are_null(capsys):
    printing.print_json({"a": float("nan"), "b": [float("inf"), 1.5]})
    assert json.loads(capsys.readouterr().out) == {"a": None, "b": [None, 1.5]}


def test_errors_of_the_parser_name_the_command_whose_help_says_more(capsys):
    with pytest.raises(SystemExit):
        build_parser().parse_args(["compare"])
    assert "`manybandits compare --help` says more" in capsys.readouterr().err
    assert isinstance(build_parser(), argparse.ArgumentParser)
