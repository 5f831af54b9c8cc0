"""Games of instances that are alike: who arrives, how instances differ, what rounds depend on, what cannot be made."""

from __future__ import annotations

import shutil

import numpy as np
import pytest
from scipy.stats import kstest, truncnorm

from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError
from manybandits.environments import instance_conditions as conditions
from manybandits.environments import instances
from manybandits.environments.game_file import load_game
from manybandits.environments.kinds.game import BLOCK
from manybandits.environments.kinds.instances import InstanceGame
from manybandits.planning.jobs import check_settings
from manybandits.planning.plan import make_plan
from tests.planted.papers import save_paper


def game(**settings) -> InstanceGame:
    full = {**instances.SETTINGS, **settings}
    # As in frozen games, a setting that came later leaves the streams as they were unless it is given.
    named = {name: value for name, value in full.items() if name != "correlation" or value}
    return InstanceGame(
        f"test {sorted(named.items())}",
        {"name": "test", "counts_first": full["counts"] == "first"},
        instances.build(**full),
        full["instances"],
        full["arms"],
        full["dimension"],
        instances.draw_population,
        instances.draw_arrivals,
    )


def population(seed: int = 0, **settings) -> tuple[np.ndarray, np.ndarray]:
    (drawn,) = game(**settings).population(np.array([seed]))
    return drawn


def drawn(seeds=(0, 1, 2, 3), block: int = 0, **settings):
    played = game(**settings)
    return played.rounds(played.population(np.array(seeds)), np.array(seeds), block)


def apart(beta: np.ndarray) -> np.ndarray:
    """How many components of instance j differ from the first one's, for every arm, (N, K)."""
    return (beta != beta[0]).sum(axis=2)


@pytest.mark.parametrize(
    ("arrivals", "share"),
    [
        ("balanced", [0.25] * 4),
        ("poor", [1 / (1 + 3 * 9)] + [9 / (1 + 3 * 9)] * 3),
        ("0.5,0.25,0.2,0.05", [0.5, 0.25, 0.2, 0.05]),
        ("0,0,0,1", [0, 0, 0, 1]),
    ],
)
def test_instances_get_their_share_of_the_arrivals(arrivals, share):
    users = drawn(range(10), instances=4, dimension=3, arrivals=arrivals).users
    assert np.allclose(np.bincount(users.ravel(), minlength=4) / users.size, share, atol=0.015)


@pytest.mark.parametrize("alignment", ["random", "disjoint"])
def test_every_instance_differs_from_what_is_shared_in_as_many_components_as_stated(alignment):
    beta, _ = population(instances=40, dimension=30, sparsity=2, alignment=alignment, difference=0.7)
    shared = np.median(beta, axis=0)  # few instances differ in a component
    assert ((beta != shared).sum(axis=2) == 2).all()
    assert np.allclose(np.abs(beta - shared)[beta != shared], 0.7)


def test_disjoint_differences_are_apart_until_every_component_is_taken_and_of_one_sign_for_an_arm():
    beta, _ = population(instances=10, dimension=20, sparsity=2, alignment="disjoint")
    differs = beta != np.median(beta, axis=0)
    assert (differs.sum(axis=0) == 1).all()
    assert (beta[:, 0] >= np.median(beta[:, 0], axis=0)).all()
    assert (beta[:, 1] <= np.median(beta[:, 1], axis=0)).all()
    beta, _ = population(instances=30, dimension=20, sparsity=2, alignment="disjoint")
    assert ((beta != np.median(beta, axis=0)).sum(axis=0) == 3).all()


def test_aligned_differences_are_in_the_same_components_at_every_instance_with_either_sign():
    beta, _ = population(instances=40, dimension=20, sparsity=2, alignment="aligned", difference=0.7)
    moved = np.ptp(beta, axis=0) > 0
    assert (moved.sum(axis=1) == 2).all()
    signs = np.sign(beta - beta.mean(axis=0))[:, moved]
    assert (np.abs(signs.mean(axis=0)) < 0.6).all()
    np.testing.assert_allclose(np.ptp(beta, axis=0)[moved], 1.4)


def test_correlated_contexts_are_bounded_and_each_component_is_a_truncated_normal():
    rounds = drawn(shift=0.0, dimension=5, correlation=0.5)
    assert np.abs(rounds.contexts).max() <= 1.0
    flat = rounds.contexts.reshape(-1, 5)
    for component in flat.T:
        assert kstest(component, truncnorm(-1, 1).cdf).pvalue > 0.001
    found = np.corrcoef(flat.T)
    assert abs(found[0, 1] - 0.48) < 0.03  # of the uniform numbers beneath it would be 0.483
    assert abs(found[0, 4]) < 0.12


def test_settings_that_came_later_leave_the_streams_of_older_games_as_they_were():
    names = set(instances.build(**instances.SETTINGS))
    assert names == {"probability", "differing", "disjoint", "dimension", "arms", "difference", "shift", "noise"}


def test_a_game_says_up_to_which_horizon_the_conditions_of_theorem_2_hold():
    def facts(**settings):
        return conditions.theorem2({**instances.SETTINGS, **settings})

    large = facts(instances=1600, dimension=40, sparsity=1)
    key = "log of the longest horizon of inequality 29"
    zeta, longest = np.sqrt(1 / 40), np.exp(large[key])
    assert np.isclose(np.log(40 * longest / 2), 1600 * (0.5 - conditions.LEAST_C - zeta) ** 2 / 9)
    # So the path of the theory, with as many arrivals at an instance as there are rounds, stays below 1/2.
    assert zeta + np.sqrt(9 / 1600 * np.log(40 * longest / 2)) <= 0.5 - conditions.LEAST_C + 1e-9
    assert longest > 1e6
    assert facts(instances=50, dimension=100)[key] < 0
    assert not facts(sparsity=13, dimension=50)["d > 4 s"]


def ends(**settings) -> dict:
    full = {**instances.SETTINGS, **settings}
    arrays = instances.build(**full)
    return conditions.theorems(full, arrays["probability"], int(arrays["differing"].max()))


def test_theorem_3_asks_for_a_data_poor_instance_and_for_no_number_of_others():
    found = ends(instances=2, dimension=20, sparsity=4, arrivals="poor")
    first, last = found["rmbandit_theorem3"]
    share = 1 / (1 + 20**2)  # of the first instance, so that d is the log of d N T at the last horizon
    assert (first, np.log(20 * 2 * last * share)) == (1.0, pytest.approx(20.0))
    assert found["rmbandit_theorem2"] is None
    assert ends(instances=2, dimension=20, sparsity=5, arrivals="poor")["rmbandit_theorem3"] is None  # d = 4 s
    assert ends(instances=2, dimension=20, sparsity=4)["rmbandit_theorem3"] is None  # equally many arrivals


def test_theorem_2_asks_for_balanced_arrivals_and_corollary_4_for_a_network():
    settings = {"instances": 1600, "dimension": 40, "sparsity": 1}
    assert ends(**settings)["rmbandit_theorem2"][1] > 1e6
    assert ends(**settings)["rmbandit_corollary4"] is None
    assert ends(**settings, arrivals="poor")["rmbandit_theorem2"] is None
    # With alpha 0 every instance of the neighbourhood differs in one component, as above.
    network = {"instances": 1600, "dimension": 40, "structure": "network", "alpha": 0.0}
    assert ends(**network)["rmbandit_corollary4"] == ends(**settings)["rmbandit_theorem2"]
    assert ends(**{**network, "alpha": 1.0})["rmbandit_corollary4"] is None
    assert ends(**{**network, "instances": 7})["rmbandit_corollary4"] is None


def test_the_constraint_at_the_end_of_appendix_c_7_is_met_by_no_horizon_of_two():
    for dimension in (2, 10, 1000):
        assert np.exp(1 / (dimension * np.log(dimension))) < (2.1 if dimension == 2 else 1.1)


@pytest.mark.parametrize(("alpha", "most"), [(0.0, 1), (0.5, 5), (1.0, 16), (2.0, 16)])
def test_in_a_network_an_instance_of_rank_r_differs_in_a_power_of_r_components(alpha, most):
    for alignment in instances.WORDS["alignment"]:
        settings = {"structure": "network", "alpha": alpha, "instances": 25, "dimension": 16, "alignment": alignment}
        beta, _ = population(**settings)
        rank = np.arange(1, 26)
        expected = np.minimum(np.ceil(rank**alpha), 16)
        expected[0] = 0
        assert (apart(beta) == expected[:, None]).all()
        assert apart(beta).max() == most
        beta, _ = population(**{**settings, "structure": "ball"})
        assert (apart(beta) == np.where(rank == 1, 0, most)[:, None]).all()


@pytest.mark.parametrize("dimension", [5, 80])
def test_rewards_are_of_one_size_whatever_the_dimension(dimension):
    expected = drawn(range(40), dimension=dimension, sparsity=0, shift=0.0, instances=2).expected
    assert 0.45 < expected.std() < 0.62  # ||beta|| = 1, times the deviation 0.54 of a component


def test_contexts_are_bounded_and_follow_the_truncated_normal():
    rounds = drawn(shift=0.0, dimension=5)
    assert np.abs(rounds.contexts).max() <= 1.0
    assert kstest(rounds.contexts.ravel(), truncnorm(-1, 1).cdf).pvalue > 0.001
    _, scale = population(shift=0.4, instances=3, dimension=5)
    assert scale.min() > 0.6
    assert scale.max() <= 1.0
    assert len(np.unique(scale)) == 15
    shifted = drawn([0], shift=0.4, instances=3, dimension=5)
    for user in range(3):
        seen = shifted.contexts[0][shifted.users[0] == user]
        assert (np.abs(seen).max(axis=0) <= scale[user]).all()


def test_an_arm_pays_its_parameter_of_the_instance_and_noise():
    beta, _ = population(noise=0.3)
    rounds = drawn([0], noise=0.3)
    for b in range(20):
        arms = beta[rounds.users[0, b]] @ rounds.contexts[0, b]
        np.testing.assert_allclose(rounds.expected[0, b], arms, atol=1e-12)
    noise = rounds.rewards - rounds.expected
    np.testing.assert_allclose(noise, noise[:, :, :1].repeat(2, axis=2), atol=1e-12)  # of the individual, not the arm
    assert abs(noise.std() - 0.3) < 0.02


def test_rounds_depend_on_game_seed_and_block_only():
    played, seeds = game(), np.array([5, 3])
    people = played.population(seeds)
    together = played.rounds(people, seeds, 2)
    alone = played.rounds(played.population(seeds[1:]), seeds[1:], 2, 700)
    for a, b in zip(together, alone, strict=True):
        assert np.array_equal(a[1, :700], b[0])
        assert b.flags.c_contiguous
    assert not np.array_equal(played.rounds(people, seeds, 1).contexts, together.contexts)
    assert together.users.shape == (2, BLOCK)


def test_only_the_first_instance_counts_where_the_game_says_so():
    played, seeds = game(counts="first", instances=3), np.array([0])
    rounds = played.rounds(played.population(seeds), seeds, 0)
    counted, first = played.counted(rounds), rounds.users == 0
    assert 0 < first.mean() < 1
    for name in ("rewards", "expected"):
        assert np.array_equal(getattr(counted, name)[first], getattr(rounds, name)[first])
        assert (getattr(counted, name)[~first] == 0).all()
    every = game(instances=3)
    assert every.counted(rounds) is rounds


def test_a_game_is_frozen_to_the_same_bytes_and_played_from_its_file(tmp_path):
    for folder in ("one", "two"):
        arguments = ["--instances", "4", "--counts", "first", "--arrivals", "0.1,0.2,0.3,0.4"]
        instances.main([*arguments, "--out", str(tmp_path / folder / "game.npz")])
    assert (tmp_path / "one/game.npz").read_bytes() == (tmp_path / "two/game.npz").read_bytes()
    played = load_game(tmp_path / "one/game.npz")
    assert isinstance(played, InstanceGame)
    assert (played.users, played.arms, played.dimension) == (4, 2, 50)
    assert played.facts["data_note"] == "N = 4, d = 50, K = 2, s = 3, regret of the first one, p = 0.1,0.2,0.3,0.4"


PAPER = {
    **{"title": "T", "short": "S", "reference": "R", "game": "instances", "decisions": {}},
    "settings": {"horizon": 1000, "seeds": "0-1", "tuning_seeds": "100", "tuning": "tuning-seeds", "grid": {}},
    "experiments": {
        "sweep": {
            **{"place": "P", "title": "T", "band": "std", "figure": {"kind": "sweep", "x": "instances"}},
            "with": {"dimension": 10, "counts": "first"},
            "panels": [{"with": {"instances": count}, "settings": {"horizon": 100 * count}} for count in (2, 5)],
            "algorithms": ["rmbandit", {"ols_bandit": {"q": [1, 2]}}],
        },
        "adult": {
            **{"place": "P", "title": "T", "band": "std", "game": "adult-instances", "data": ["adult"]},
            "with": {"by": ["occupation", "native-country"]},
            "algorithms": ["pooled_bandit"],
        },
    },
}


def planned(root, folder, paper: dict):
    shutil.copytree(root / "workflow", folder / "workflow")
    save_paper(folder / "workflow/papers/one", paper)
    return make_plan({**read_yaml(root / "config.yaml"), "papers": ["one"], "league": False}, folder)


def test_a_paper_file_sweeps_the_game_with_a_horizon_for_each_size(root, tmp_path):
    plan = planned(root, tmp_path, PAPER)
    sizes = {
        play.environment.arguments: play.spec.horizon for play in plan.plays.values() if play.environment.datasets == ()
    }
    common = ("--dimension", "10", "--counts", "first", "--instances")
    assert sizes == {(*common, "2"): 200, (*common, "5"): 500}
    assert {play.spec.algorithm for play in plan.plays.values()} == {"rmbandit", "ols_bandit", "pooled_bandit"}
    groups = [play.environment.arguments for play in plan.plays.values() if play.environment.datasets]
    assert sorted(groups) == [("--role", "adult", "--by", by) for by in ("native-country", "occupation")]


def test_a_paper_file_with_a_bad_setting_stops_before_any_job(root, tmp_path):
    paper = {**PAPER, "experiments": {"sweep": {**PAPER["experiments"]["sweep"], "with": {"sparsity": 51}}}}
    with pytest.raises(InputError, match="sparsity is 51, but there are only 50 dimensions"):
        planned(root, tmp_path, paper)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"instances": 0}, "instances is 0: give a whole number from 1 on"),
        ({"instances": 2.5}, "instances is 2.5: give a whole number"),
        ({"dimension": 0}, "dimension is 0: give a whole number from 1 on"),
        ({"arms": 1}, "arms is 1: give a whole number from 2 on"),
        ({"sparsity": 51}, "sparsity is 51, but there are only 50 dimensions"),
        ({"sparsity": -1}, "sparsity is -1"),
        ({"structure": "sparce"}, "did you mean 'sparse'"),
        ({"alignment": "well"}, "unknown alignment 'well'"),
        ({"counts": "frist"}, "did you mean 'first'"),
        ({"shift": 1.0}, "shift is 1: give a number from 0 to below 1"),
        ({"noise": -0.1}, "noise is -0.1"),
        ({"alpha": float("nan")}, "alpha is nan"),
        ({"difference": float("inf")}, "difference is inf"),
        ({"arrivals": "poore"}, "arrivals is 'poore': give balanced, poor, or one probability"),
        (
            {"instances": 2, "arrivals": "0.5,0.4"},
            "with the sum 0.9: give numbers that are not below 0 and sum to 1",
        ),
        ({"instances": 2, "arrivals": "1.5,-0.5"}, "not below 0"),
        ({"instances": 2, "arrivals": "nan,1"}, "not below 0"),
        ({"instances": 3, "arrivals": "0.5,0.5"}, "2 probabilities for 3 instances"),
    ],
)
def test_a_game_that_cannot_be_made_is_named(settings, words):
    with pytest.raises(InputError, match=words):
        instances.build(**{**instances.SETTINGS, **settings})
    with pytest.raises(InputError, match=words):
        check_settings("instances", settings, "a paper file")
