"""``manybandits reproduce`` and ``site``: what is checked before a job starts, and what is handed to Snakemake."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from manybandits import cli
from manybandits.base.exceptions import InputError
from manybandits.cli import jobs, site
from manybandits.interface import extras

SMOKE = ("--config", "smoke", "--set", "papers=[rmbandit]", "--set", "experiments=[rmbandit_fig1]")  # no networks


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def calls(monkeypatch) -> list[list[str]]:
    """What Snakemake is called with, in place of a call."""
    found: list[list[str]] = []
    monkeypatch.setattr(jobs.subprocess, "run", lambda words, **_: found.append(words) or SimpleNamespace(returncode=0))
    return found


def test_a_figure_is_made_by_the_rules_of_the_project_in_the_folder_of_the_user(here, calls, capsys, root):
    cli.run(["reproduce", "rmbandit_fig1", *SMOKE, "--set", "settings.seeds=0-3", "--cores", "3", "--json"])
    (words,) = calls
    assert words[words.index("--snakefile") + 1] == str(root / "Snakefile")
    assert words[words.index("--cores") + 1] == "3"
    saved = yaml.safe_load(Path(words[words.index("--configfile") + 1]).read_text())
    assert (saved["name"], saved["papers"]) == ("smoke", ["rmbandit"])
    assert saved["settings"]["seeds"] == "0-3"
    assert saved["settings"]["horizon"] == 200  # of the overlay
    made = json.loads(capsys.readouterr().out)["made"]
    assert made == ["reports/smoke/figures/rmbandit_fig1.svg", "reports/smoke/tables/rmbandit_fig1.csv"]
    assert site.configuration_of("smoke", root, here) == saved


def test_a_measurement_that_is_drawn_is_named_with_its_picture(here, calls, capsys, mirror):
    only = ("papers=[m_cnb]", "experiments=[m_cnb_probe]", f"data.mirror={mirror}")
    cli.run(["reproduce", "m_cnb_probe", *(word for one in only for word in ("--set", one))])
    assert [Path(one).name for one in capsys.readouterr().out.split()] == ["m_cnb_probe.svg", "m_cnb_probe.csv"]


def test_targets_of_a_whole_run_are_named_with_what_they_make(here, calls, capsys):
    cli.run(["reproduce", "verdicts", "all", *SMOKE])
    made = ["verdicts.jsonl", "headlines.jsonl", "index.html"]
    assert capsys.readouterr().out.split() == [f"reports/smoke/{name}" for name in made]
    with pytest.raises(InputError, match="unknown target of this configuration 'league'"):
        cli.run(["reproduce", "league", *SMOKE])  # the run smoke has none


def test_a_dry_run_leaves_the_configuration_of_a_run_as_it_is(here, calls, capsys):
    cli.run(["reproduce", "rmbandit_fig1", *SMOKE, "--dry-run"])
    assert "--dry-run" in calls[0]
    assert not (here / "artifacts/smoke").exists()
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rmbandit_fig2"], "unknown target of this configuration 'rmbandit_fig2': did you mean 'rmbandit_fig1'"),
        (["rmbandit_fig1", "--set", "settings.horzon=2"], "did you mean 'horizon'"),
        (["rmbandit_fig1", "--set", "settings"], "sets nothing: write for example"),
        (["rmbandit_fig1", "--set", "papers=[rmbandit"], "is no value of YAML"),
        (["rmbandit_fig1", "--config", "smoek"], "did you mean 'smoke'"),
    ],
)
def test_what_is_wrong_is_said_before_a_job_starts(here, calls, arguments, words):
    with pytest.raises(InputError, match=words.replace("[", r"\[")):
        cli.run(["reproduce", *arguments[:1], *SMOKE, *arguments[1:]])
    assert calls == []
    assert not (here / "artifacts/smoke").exists()


def test_no_cores_are_refused_rather_than_waited_for(here, calls, capsys):
    with pytest.raises(SystemExit):
        cli.run(["reproduce", "rmbandit_fig1", *SMOKE, "--cores", "0"])
    assert "--cores: '0' is not a whole number from 1" in capsys.readouterr().err
    assert calls == []


def test_an_experiment_without_data_says_why_it_is_left_out(here, calls):
    with pytest.raises(InputError, match=r"lnucb_ta_table7 is left out of this configuration: .*data\.use"):
        cli.run(["reproduce", "lnucb_ta_table7", "--set", "papers=[lnucb_ta]", "--set", "league=false"])
    assert calls == []


@pytest.mark.parametrize(("package", "extra"), [("snakemake", "workflow"), ("altair", "report")])
def test_a_missing_package_is_named_with_its_extra_before_a_job_starts(here, calls, monkeypatch, package, extra):
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == package else object())
    with pytest.raises(InputError, match=rf"'{package}', .* is not installed: `pip install 'manybandits\[{extra}\]'`"):
        cli.run(["reproduce", "all", *SMOKE])
    assert calls == []


def test_every_command_names_the_extra_of_a_package_that_it_lacks(here, monkeypatch):
    def run(_: object) -> None:
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setattr("manybandits.cli.list.run", run)
    with pytest.raises(InputError, match=r"'torch', which neural algorithms need, .*'manybandits\[neural\]'"):
        cli.run(["list", "papers"])


def test_the_packages_of_extras_are_those_of_the_project(root):
    declared = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for package, extra in extras.EXTRAS.items():
        assert any(one.replace("-", "_").startswith(package) for one in declared[extra]), f"{package} in [{extra}]"
    assert set(extras.USERS) == set(extras.EXTRAS.values())


def test_the_site_of_the_only_run_is_found_and_one_of_several_must_be_named(here, capsys, calls):
    with pytest.raises(InputError, match=r"no run in \./reports has a site"):
        cli.run(["site"])
    for name in ("one", "two"):
        page = here / "reports" / name / "index.html"
        page.parent.mkdir(parents=True)
        page.touch()
        cli.run(["site", "--run", name])
        assert capsys.readouterr().out == f"reports/{name}/index.html\n"
        if name == "one":
            cli.run(["site", "--json"])
            assert json.loads(capsys.readouterr().out) == {"run": "one", "page": "reports/one/index.html"}
    with pytest.raises(InputError, match="name one by --run; choose one of one, two"):
        cli.run(["site"])
    with pytest.raises(InputError, match=r"reports/smoke has no site; .* one, two: add --make"):
        cli.run(["site", "--run", "smoke"])
    with pytest.raises(InputError, match="unknown run 'smok': did you mean 'smoke'"):
        cli.run(["site", "--run", "smok", "--make"])
    assert calls == []
