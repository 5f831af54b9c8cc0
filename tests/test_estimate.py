"""The estimate multiplies rounds at paper scale by what a round cost."""

import json

import pytest

from manybandits.core.artifacts import Provenance
from manybandits.core.errors import InputError
from manybandits.estimate import main, price, rounds_of
from manybandits.plan import make_plan, read_yaml


@pytest.fixture
def plays(root):
    config = {**read_yaml(root / "config.yaml"), "papers": ["m_cnb"], "experiments": ["m_cnb_fig2"]}
    return make_plan(config, root).plays


def test_rounds_are_those_of_the_grid_on_the_tuning_seeds_and_of_the_reported_seeds(plays):
    tuned = next(play for play in plays.values() if play.algorithm == "club")
    untuned = next(play for play in plays.values() if play.algorithm == "random")
    assert rounds_of(tuned) == 12 * 3 * 10_000 + 10 * 10_000
    assert rounds_of(untuned) == 10 * 10_000


def test_a_play_is_priced_by_its_own_run_and_left_open_without_one(plays, tmp_path):
    name, play = next((name, play) for name, play in plays.items() if play.algorithm == "club")
    path = tmp_path / f"{name}.parquet"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"")
    Provenance({}).save(path, {}, {"threads": 2, "rounds_per_second": 1000})
    assert json.loads(path.with_name(path.name + ".json").read_text())
    table = price(plays, tmp_path).set_index("play")
    assert table.loc[name, "seconds"] == rounds_of(play) * 2 / 1000
    assert table["seconds"].notna().sum() == 1


def test_an_estimate_without_any_run_says_what_to_do(root, tmp_path, monkeypatch):
    for name in ("config.yaml", "configs", "workflow", "benchmarks"):
        (tmp_path / name).symlink_to(root / name)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="no play of 'neural' was ever run: run it once, shorter, and ask again"):
        main(["--config", "configs/neural.yaml"])
