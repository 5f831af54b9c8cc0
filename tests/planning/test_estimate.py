"""The estimate multiplies rounds at paper scale by what a round cost."""

import json

import pytest

from manybandits.base.artifacts import Provenance
from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError
from manybandits.planning.estimate import main, price, prices, stages_of
from manybandits.planning.plan import make_plan


@pytest.fixture
def plays(root):
    config = {**read_yaml(root / "config.yaml"), "papers": ["m_cnb"], "experiments": ["m_cnb_fig2"], "league": False}
    return make_plan(config, root).plays


def test_rounds_are_those_of_the_grid_on_the_tuning_seeds_and_of_the_reported_seeds(plays):
    tuned = next(play for play in plays.values() if play.spec.algorithm == "club")
    untuned = next(play for play in plays.values() if play.spec.algorithm == "random")
    assert stages_of(tuned) == {"tuning": (9 * 3, 2_000), "evaluation": (10, 10_000)}
    assert stages_of(untuned) == {"evaluation": (10, 10_000)}


def test_a_play_is_priced_by_its_own_run_and_left_open_without_one(plays, tmp_path):
    name = next(name for name, play in plays.items() if play.spec.algorithm == "club")
    path = tmp_path / f"{name}.parquet"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")
    stages = {
        "tuning": {"replicas": 12, "rounds": 500, "seconds": 12.0},
        "evaluation": {"replicas": 3, "rounds": 2000, "seconds": 9.0},
    }
    Provenance({}).save(path, costs={"threads": 2, "stages": stages})
    assert json.loads(path.with_name(path.name + ".json").read_text())
    table = price(plays, tmp_path).set_index("play")
    early, late = 1000 * 0.002, 0.001  # 3 s for 2,000 rounds of a replica, of which the first 1,000 take 2 s
    expected = 9 * 3 * (early + 1000 * late) + 10 * (early + 9000 * late)
    assert table.loc[name, "seconds"] == pytest.approx(expected * 2)
    assert table["seconds"].notna().sum() == 1


def test_rounds_have_one_price_where_tuning_was_as_long_as_the_run():
    stage = {"replicas": 3, "rounds": 2000, "seconds": 6.0}
    assert prices({"tuning": {**stage, "seconds": 60.0}, "evaluation": stage}) == (0.001, 0.001)
    assert prices({"evaluation": stage}) == (0.001, 0.001)


def test_an_estimate_after_a_run_names_hours_on_the_cores_asked_for(root, tmp_path, monkeypatch, capsys, plays):
    for name in ("Snakefile", "config.yaml", "workflow"):
        (tmp_path / name).symlink_to(root / name)
    (tmp_path / "one.yaml").write_text("papers: [m_cnb]\nexperiments: [m_cnb_fig2]\nleague: false\nname: one\n")
    name = next(name for name, play in plays.items() if play.spec.algorithm == "random")
    path = tmp_path / f"artifacts/one/runs/{name}.parquet"
    path.parent.mkdir(parents=True)
    path.touch()
    stage = {"replicas": 10, "rounds": 10_000, "seconds": 7200.0}
    Provenance({}).save(path, costs={"threads": 1, "stages": {"evaluation": stage}})
    monkeypatch.chdir(tmp_path)
    main(["--config", "one.yaml", "--cores", "4"])
    printed = capsys.readouterr().out
    assert "2.0 hours of one core, 0.5 hours on 4; " in printed
    assert f"{len(plays) - 1} of {len(plays)} plays were never run" in printed


def test_an_estimate_without_any_run_says_what_to_do(root, tmp_path, monkeypatch):
    for name in ("Snakefile", "config.yaml", "configs", "workflow"):
        (tmp_path / name).symlink_to(root / name)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        InputError, match="no play of 'reduced' was ever run: run it once with fewer rounds, then estimate again"
    ):
        main(["--config", "configs/reduced.yaml"])
