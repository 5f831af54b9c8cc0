"""Which readings the site of a run shows: its own, those of a committed run, or none."""

from __future__ import annotations

import pytest

from manybandits.base.artifacts import save_text
from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.planning.plan import make_plan
from manybandits.planning.workflow import Workflow

OF = {"readings_of": "readings"}
FILES = (
    "readings/m_cnb_recommendation.csv",
    "readings/m_cnb_recommendation.choices.csv",
    "figures/readings_m_cnb_recommendation.svg",
)


@pytest.fixture
def planned(root, tmp_path, monkeypatch):
    """Return what makes the run of a configuration, with tmp_path in place of the checkout."""
    config = overlay(read_yaml(root / "config.yaml"), read_yaml(root / "configs/smoke.yaml"))

    def run(*overlays: dict) -> Workflow:
        merged = overlay(config, {"papers": ["meta_ban", "m_cnb"], "experiments": ["meta_ban_fig1"]})
        for one in overlays:
            merged = overlay(merged, one)
        monkeypatch.chdir(root)
        plan = make_plan(merged, root)
        monkeypatch.chdir(tmp_path)
        return Workflow(plan, merged, root)

    return run


def shown(run: Workflow) -> tuple[list[str], list[str]]:
    """Return the files of readings that the site reads, and what it is told of them."""
    (page,) = (job for job in run.jobs if job.rule.name == "page")
    words, files = page.words(), [file for file in page.inputs if "readings" in file]
    return files, words[words.index("--readings-of") : words.index("--out")] if "--readings-of" in words else []


def committed(folder, *files: str) -> None:
    for file in files:
        save_text(folder / "reports/readings" / file, "")


def test_the_readings_of_a_committed_run_are_inputs_of_the_site_with_a_chart_each(planned, tmp_path):
    committed(tmp_path, "readings.csv", *FILES)
    run = planned(OF)
    assert shown(run)[1] == [
        *("--readings-of", "reports/readings", "--readings", "m_cnb_recommendation"),
    ]
    assert shown(run)[0] == [
        "reports/readings/readings.csv",
        *(f"reports/readings/{file}" for file in FILES),
    ]
    assert "reports/smoke/charts/readings_m_cnb_recommendation.js" in run.site
    assert not any("readings" in file for file in run.derived)


@pytest.mark.parametrize("files", [(), FILES, ("readings.csv", *FILES[1:])])
def test_a_run_that_has_no_readings_or_not_yet_all_files_is_named_and_stops_nothing(planned, tmp_path, files):
    committed(tmp_path, *files)
    run = planned(OF)
    assert shown(run)[0] == []
    assert shown(run)[1] == ["--readings-of", "reports/readings", "--readings"]
    assert not any("readings_" in file for file in run.site)


def test_readings_of_a_committed_run_are_shown_without_their_pictures_where_these_are_not_committed(planned, tmp_path):
    committed(tmp_path, "readings.csv", *FILES[:2])
    run = planned(OF)
    assert run.readings_shown == ["m_cnb_recommendation"]
    assert shown(run)[0] == [f"reports/readings/{file}" for file in ("readings.csv", *FILES[:2])]


def test_a_run_that_asks_for_none_tells_the_site_nothing(planned, tmp_path):
    committed(tmp_path, "readings.csv", *FILES)
    run = planned()
    assert shown(run) == ([], [])


def test_a_run_that_plays_readings_shows_its_own(planned):
    own = {"readings": {"m_cnb.robust": {"most": 1}}, "algorithms": "all"}
    run = planned(own, OF)
    assert shown(run)[1] == ["--readings-of", "reports/smoke", "--readings", "m_cnb_robust"]
    assert shown(run)[0] == [
        *("reports/smoke/readings.csv", "reports/smoke/readings/m_cnb_robust.csv"),
        *("reports/smoke/readings/m_cnb_robust.choices.csv", "reports/smoke/figures/readings_m_cnb_robust.svg"),
    ]
    assert set(shown(run)[0]) <= set(run.derived)


def test_a_name_that_no_run_can_have_is_refused(planned):
    with pytest.raises(InputError, match="readings_of"):
        planned({"readings_of": "../reports"})
