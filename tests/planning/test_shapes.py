"""Plays that no run has measured are priced by the games whose shape is nearest, and timed where that is not enough."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from manybandits.base.configuration import read_yaml
from manybandits.planning import timing
from manybandits.planning.cost_model import ALIKE_IN_KIND, CostModel, read_rates
from manybandits.planning.plan import make_plan
from manybandits.planning.shapes import distance, growth, shape_of

HEADER = "paper,game,title,algorithm,replicas,rounds,nanoseconds,memory_mb\n"


@pytest.fixture(scope="module")
def pmlb(root):
    """A play of PMLB."""
    named = {"papers": ["sclb_pmlb"], "algorithms": ["pmlb"], "league": False}
    plays = make_plan({**read_yaml(root / "config.yaml"), **named}, root).plays
    return next(play for play in plays.values() if play.spec.algorithm == "pmlb")


def on(play, game: str):
    return replace(play, environment=replace(play.environment, name=game))


def model(tmp_path, measured: dict[str, int], timed: dict[str, int]) -> CostModel:
    """Return the model of an algorithm that takes so many nanoseconds on games, in a run or timed singly."""
    for name, rates in (("rates.csv", measured), ("timed.csv", timed)):
        rows = [f"sclb_pmlb,{game},PMLB,pmlb,6,500,{nanoseconds},300\n" for game, nanoseconds in rates.items()]
        (tmp_path / name).write_text(HEADER + "".join(rows))
    return CostModel(tmp_path / "rates.csv", tmp_path / "timed.csv")


def test_a_name_gives_the_sizes_it_names_and_the_defaults_of_the_others():
    assert shape_of("agents-population-mean-agents-10-noise-1-dimension-2") == {
        "agents": 10,
        "arms": 25,
        "dimension": 2,
    }
    assert shape_of("instances-instances-1600-dimension-40")["instances"] == 1600
    assert shape_of("classification-mnist-user-arm") == {}
    assert shape_of("a-game-of-a-plug-in-agents-10") == {}


def test_only_agents_make_a_round_longer():
    small, large = {"agents": 10, "arms": 5, "dimension": 2}, {"agents": 40, "arms": 25, "dimension": 15}
    assert growth(large, small) == 4.0
    assert growth({"arms": 5}, large) == growth({}, {}) == 1.0
    assert distance(small, small) == 0.0 < distance(small, {**small, "arms": 25}) < distance(small, large)


def test_a_play_is_priced_by_the_nearest_shape_in_proportion_to_its_agents(pmlb, tmp_path):
    near, far = "agents-agents-10-dimension-2", "agents-agents-50-dimension-15"
    prices = model(tmp_path, {near: 1000, far: 90_000}, {})
    cost = prices.of_play(on(pmlb, "agents-agents-20-dimension-2"))
    known = prices.of_play(on(pmlb, near))
    assert cost.level == ALIKE_IN_KIND
    assert cost.seconds == pytest.approx(2 * known.seconds)


def test_a_run_counts_more_than_a_play_that_was_timed_singly(pmlb, tmp_path):
    game = pmlb.environment.name
    alone = model(tmp_path, {}, {game: 300}).of_play(pmlb).seconds
    both = model(tmp_path, {game: 100}, {game: 300}).of_play(pmlb).seconds
    assert alone == pytest.approx(3 * both)


def test_of_plays_that_are_alike_the_dearest_is_timed_if_they_are_dear_together(pmlb, tmp_path):
    prices = model(tmp_path, {"agents-agents-50": 1000}, {})
    longer = replace(pmlb, spec=replace(pmlb.spec, horizon=2 * pmlb.spec.horizon))
    plays = [on(pmlb, "agents-sigma-1-agents-20"), on(longer, "agents-sigma-2-agents-20"), on(pmlb, "agents-agents-50")]
    cheap, dear, known = (prices.of_play(play).seconds for play in plays)
    assert timing.chosen(plays, prices, cheap + dear - 1e-6, measured=False) == [plays[1]]
    assert timing.chosen(plays, prices, cheap + dear + 1e-6, measured=False) == []
    assert timing.chosen(plays[2:], prices, known - 1e-6, measured=True) == [plays[2]]


@pytest.mark.slow
def test_timing_adds_the_rate_of_a_play_and_the_next_estimate_uses_it(root, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(timing, "SECONDS", 0.05)
    (tmp_path / "one.yaml").write_text("papers: [sclb_pmlb]\nleague: false\nname: one\nalgorithms: [random]\n")
    out = tmp_path / "timed.csv"
    monkeypatch.setattr(timing, "chosen", lambda plays, *_: plays[:1])
    timing.main(["--config", str(tmp_path / "one.yaml"), "--out", str(out)])
    (rate,) = read_rates(out)
    assert f"{rate.nanoseconds} ns a round" in capsys.readouterr().out
    assert rate.nanoseconds > 0 < rate.memory_mb
