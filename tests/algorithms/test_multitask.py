"""Bandits of many instances: plain twins, invariance, what they must achieve, bad input."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.base.exceptions import InputError
from manybandits.environments.kinds.game import BLOCK
from manybandits.environments.kinds.instances import InstanceGame
from manybandits.harness.play import play
from manybandits.harness.replicas import play_replicas
from manybandits.harness.spec import PlaySpec
from tests.environments.test_instances import game
from tests.harness.beside import made

HORIZON = 200  # as many checkpoints as rounds: a curve tells every single round
FAMILY = ("rmbandit", "am_bandit", "averaged_bandit", "pooled_bandit", "ols_bandit", "lasso_bandit")
BATCHED = FAMILY[:4]


def small(**settings) -> InstanceGame:
    return game(**{"instances": 5, "dimension": 4, "sparsity": 1, "noise": 0.2, **settings})


def setting(name: str, **options) -> dict:
    return contract.complete(catalogue.load(name), options, "test")


def table_of(played: InstanceGame, name: str, seeds: list[int], horizon: int = HORIZON, options: object = None, **how):
    settings = [
        setting(name, **one) for one in (options if isinstance(options, list) else [options or {}] * len(seeds))
    ]
    return play_replicas(played, catalogue.load(name), settings, seeds, horizon=horizon, **how)


def curves(*given, column: str = "regret", **how) -> np.ndarray:
    """The curves of R replicas, (R, C)."""
    table = table_of(*given, **how)
    return table[column].to_numpy().reshape(len(given[2]), -1)


def curve_of_twin(played: InstanceGame, twin, seed: int) -> np.ndarray:
    """The regret of a twin after every round, (HORIZON,), in a loop that is not that of the kernel."""
    seeds = np.array([seed])
    rounds = played.rounds(played.population(seeds), seeds, 0)
    gaps = []
    for b in range(HORIZON):
        user, context, expected = int(rounds.users[0, b]), rounds.contexts[0, b], rounds.expected[0, b]
        arm = twin.choose(b + 1, user, np.arange(played.arms), np.tile(context, (played.arms, 1)))
        twin.learn(b + 1, user, arm, context, float(rounds.rewards[0, b, arm]))
        gaps.append(expected.max() - expected[arm])
    return np.cumsum(gaps)


GAMES = [{}, {"arms": 3, "structure": "network", "arrivals": "poor"}]


@pytest.mark.parametrize("settings", GAMES)
@pytest.mark.parametrize("name", ["rmbandit", "lasso_bandit"])
def test_policy_chooses_the_arms_of_its_twin_that_is_played_by_hand(name, settings):
    played = small(**settings)
    for seed in (0, 1):
        theirs = curve_of_twin(played, made(played, name, {}, seed, HORIZON), seed)
        np.testing.assert_allclose(curves(played, name, [seed])[0], theirs, atol=1e-9)


@pytest.mark.parametrize("name", [*FAMILY, "linucb", "linthompson", "club", "random"])
def test_a_replica_does_not_depend_on_its_neighbours_threads_or_batches(name):
    known = {option.name for option in catalogue.load(name).OPTIONS}
    varied = [{"h": h} if "h" in known else {"alpha": h} if "alpha" in known else {} for h in (0.2, 0.5, 2.0)]
    options, seeds = [varied[r % 3] for r in range(9)], [r % 4 for r in range(9)]
    together = table_of(small(), name, seeds, options=options, threads=2)
    assert together.equals(table_of(small(), name, seeds, options=options, memory=1))
    for replica in (0, 5, 8):
        alone = table_of(small(), name, [seeds[replica]], options=[options[replica]])
        rows = together.iloc[replica * HORIZON : (replica + 1) * HORIZON].reset_index(drop=True)
        assert alone.equals(rows)


@pytest.mark.parametrize("name", FAMILY)
def test_stopping_early_changes_nothing_before(name):
    """Tuning plays the first rounds of a game whose horizon the algorithm knows, and they may end within a block."""
    whole = curves(small(), name, [0], horizon=2 * BLOCK)
    early = curves(small(), name, [0], horizon=2 * BLOCK, rounds=1300)
    assert whole[0, 129] == early[0, -1]  # checkpoints are ten rounds apart in the longer one


def test_without_trimming_rmbandit_is_the_am_bandit():
    seeds = [0, 1, 2]
    plain = curves(small(), "am_bandit", seeds, horizon=1000)
    untrimmed = {"omega_0": 0.0, "zeta": 0.0, "eta": 0.0}
    assert np.array_equal(curves(small(), "rmbandit", seeds, horizon=1000, options=untrimmed), plain)
    for share in (0.01, 0.19, 0.2):  # of 5 instances one is cut at each end, even where that is more than the share
        cut = {"omega_0": 0.0, "zeta": share, "eta": 0.0}
        assert not np.array_equal(curves(small(), "rmbandit", seeds, horizon=1000, options=cut), plain)


def test_rounded_down_the_share_of_few_instances_is_none_and_that_of_many_the_same():
    seeds, plain = [0, 1], {"zeta": 0.12, "omega_0": 0.12, "eta": 0.0, "q": 0.1}
    for instances, same in ((5, False), (20, True)):
        played = small(instances=instances)
        one = curves(played, "rmbandit", seeds, horizon=1000, options={**plain, "poor": 0.0})
        down = curves(played, "rmbandit", seeds, horizon=1000, options={**plain, "poor": 0.0, "rounding": "down"})
        assert np.array_equal(one, down) == same
    five = curves(small(), "am_bandit", seeds, horizon=1000, options={"q": 0.1, "poor": 0.0})
    down = curves(small(), "rmbandit", seeds, horizon=1000, options={**plain, "poor": 0.0, "rounding": "down"})
    assert np.array_equal(down, five)


def test_a_trimmed_mean_never_trims_nothing_without_a_count():
    """With 6 instances at omega 0.12, and with two, of which none can be cut."""
    own, out = {"zeta": 0.12, "omega_0": 0.12, "eta": 0.0, "poor": 0.0, "q": 0.1}, {}
    for instances in (2, 6, 20):
        table = table_of(small(instances=instances), "rmbandit", [0], options=own, horizon=1000)
        out[instances] = {name: int(table[name].iloc[-1]) for name in ("cut_to_one", "untrimmed")}
    assert out[2]["untrimmed"] > 0
    assert out[6]["cut_to_one"] > 0
    assert out[6]["untrimmed"] == out[20]["untrimmed"] == 0
    assert out[20]["cut_to_one"] == 0
    plain = table_of(small(instances=6), "am_bandit", [0], horizon=1000)
    assert plain[["cut_to_one", "untrimmed", "capped"]].to_numpy().sum() == 0
    above = table_of(small(instances=6), "rmbandit", [0], options={**own, "eta": 5.0}, horizon=1000)
    assert above["capped"].iloc[-1] > 0


def test_all_data_are_all_observations_of_an_arm_and_a_batch_is_the_last_one(uncompiled):
    """At the end of a batch the all-sample estimates of both options rest on as many rounds as the option says."""
    from manybandits.algorithms.multitask import rmbandit

    problem = contract.Problem(users=3, items=2, arms=2, dimension=4, horizon=1000)
    rng, counts = np.random.default_rng(0), {}
    for data in ("batch", "all"):
        state = rmbandit.start(problem, setting("rmbandit", data=data, q=0.1), np.ones(1, np.uint64))
        first, seen = int(state.batch[1]), []
        for t in range(1, 4 * first + 1):
            if t in (first, 2 * first, 4 * first):  # before its observation ends the batch
                seen.append(int(state.sums.count.sum()) + 1)
            rmbandit.learn(state, t, t % 3, t % 2, rng.normal(size=4), 1.0)
        counts[data] = [count / first for count in seen]
    assert counts == {"batch": [1, 1, 2], "all": [1, 2, 4]}


def test_a_ridge_is_a_prior_observation_of_every_component(uncompiled):
    """Least squares with the weight w of the identity are those of d more rows sqrt(w) e_i that pay nothing. What all
    instances share has it; the LASSO that starts from there has not, so that its penalty is large here."""
    rng, weight = np.random.default_rng(0), 0.7
    x, y = rng.normal(size=(12, 4)), rng.normal(size=12)
    more = np.vstack([x, np.sqrt(weight) * np.eye(4)]), np.append(y, np.zeros(4))
    expected = np.linalg.lstsq(*more, rcond=None)[0]
    for name in ("rmbandit", "ols_bandit"):
        module = catalogue.load(name)
        problem = contract.Problem(users=1, items=2, arms=2, dimension=4, horizon=100)
        words = {"q": 12.5 / (2 * 4 * np.log(100)), "lambda_1": 1e6} if name == "rmbandit" else {}
        state = module.start(problem, setting(name, ridge=weight, **words), np.ones(1, np.uint64))
        for t, (row, reward) in enumerate(zip(x, y, strict=True), 1):
            module.learn(state, t, 0, 0, row, reward)
        if name == "rmbandit":
            module.learn(state, 13, 0, 1, x[0], 0.0)
        found = state.estimate[0, 0] if name == "rmbandit" else state.every.estimate[0]
        np.testing.assert_allclose(found, expected, atol=1e-9)


def test_of_one_instance_the_shared_model_is_its_own():
    """Trimmed, averaged and pooled, the least squares of one instance stay what they are."""
    one, seeds = small(instances=1), [0, 1]
    pooled = curves(one, "pooled_bandit", seeds, horizon=1000)
    for name in BATCHED[:3]:
        np.testing.assert_allclose(curves(one, name, seeds, horizon=1000), pooled, atol=1e-9)


def test_a_penalty_without_end_is_the_averaged_bandit_and_none_is_least_squares_alone():
    seeds, same = [0, 1, 2], small(sparsity=0, shift=0.0)
    averaged = curves(same, "averaged_bandit", seeds, horizon=1000)
    bound = {"lambda_0": 1e6, "lambda_1": 1e6}
    assert np.array_equal(curves(same, "am_bandit", seeds, horizon=1000, options=bound), averaged)
    # What is shared is forgotten where there are as many observations as dimensions, as least squares are unique.
    few, free = small(sparsity=0, shift=0.0, dimension=2), {"lambda_0": 0.0, "lambda_1": 0.0, "q": 1.0}
    alone = table_of(few, "am_bandit", seeds, horizon=1000, options=free)
    trimmed = table_of(few, "rmbandit", seeds, horizon=1000, options={**free, "zeta": 0.4})
    assert alone["fallbacks"].sum() == trimmed["fallbacks"].sum() == 0
    np.testing.assert_allclose(alone["regret"], trimmed["regret"], atol=1e-9)


def test_where_instances_are_equal_all_that_share_are_ahead_of_all_that_do_not():
    same, seeds = game(instances=20, dimension=20, sparsity=0), list(range(4))
    final = {name: curves(same, name, seeds, horizon=8000)[:, -1].mean() for name in FAMILY}
    assert max(final["averaged_bandit"], final["pooled_bandit"]) < min(final["ols_bandit"], final["lasso_bandit"])


def test_one_model_for_all_pays_for_ever_where_instances_differ():
    """Its regret grows linearly; that of models which may differ does not."""
    differ, seeds = game(instances=10, dimension=10, sparsity=3, noise=0.3), list(range(4))
    for name, grows in (
        ("averaged_bandit", True),
        ("pooled_bandit", True),
        ("rmbandit", False),
        ("lasso_bandit", False),
    ):
        curve = curves(differ, name, seeds, horizon=16_000).mean(axis=0)
        late = (curve[-1] - curve[99]) / (curve[99] - curve[49])  # of 8,000 rounds over the 4,000 before them
        assert (late > 1.7) == grows, (name, late)


def test_screening_by_as_many_forced_samples_as_dimensions_is_worse_than_none():
    """Least squares are at their worst there: with 10 to 12 samples in 10 dimensions, good arms are left out."""
    differ, seeds = game(instances=10, dimension=10, sparsity=3, noise=0.3), list(range(4))
    screened, free = (
        curves(differ, "ols_bandit", seeds, horizon=16_000, options={"h": h})[:, -1] for h in (5.0, 1000.0)
    )
    assert (free < screened / 2).all()


def test_trimming_helps_where_differences_are_poorly_aligned():
    apart = game(instances=20, dimension=40, sparsity=2, alignment="disjoint", difference=2.0, noise=0.3)
    seeds = list(range(8))
    robust, averaging = (curves(apart, name, seeds, horizon=16_000)[:, -1] for name in BATCHED[:2])
    gain = averaging - robust
    assert gain.mean() - 2 * gain.std(ddof=1) / np.sqrt(len(seeds)) > 0


def test_too_few_observations_are_counted_and_enough_are_not():
    def counted(q: float) -> dict:
        table = table_of(small(), "rmbandit", [0], options={"q": q}, horizon=4000)
        return {name: int(table[name].iloc[-1]) for name in ("fits", "fallbacks")}

    starved, fed = counted(0.02), counted(2.0)
    assert 0 < starved["fallbacks"] < starved["fits"]
    assert fed["fallbacks"] == 0
    assert fed["fits"] > 0
    assert table_of(small(), "pooled_bandit", [0], options={"q": 2.0}, horizon=4000)["fallbacks"].iloc[-1] == 0


def test_a_lasso_that_does_not_converge_is_counted(monkeypatch):
    from manybandits.algorithms.multitask import lasso_bandit, rmbandit
    from manybandits.algorithms.multitask._arms import new_sums

    given_up = lambda *given: -1  # noqa: E731
    monkeypatch.setattr(rmbandit, "debias", given_up)
    monkeypatch.setattr(lasso_bandit, "descend", given_up)
    sums, fits = new_sums(3, 2, 4)._replace(count=np.ones((3, 2), np.int64)), np.zeros(6, np.int64)
    state = SimpleNamespace(sums=sums, fits=fits, residual=np.zeros(4), down=False)
    own, out = np.zeros((3, 4)), np.zeros((3, 2, 4))
    rmbandit.estimate_arm.py_func(state, 0, own, np.ones(3, bool), 0.1, np.ones(3), out)
    assert fits.tolist() == [0, 0, 3, 1, 0, 0]  # one of three is cut at each end, and omega N is 0.3
    lasso_bandit.refit.py_func(state, sums, 0, 1, 0.1, out)
    assert fits.tolist() == [1, 0, 4, 1, 0, 0]


def test_what_was_counted_stands_in_the_facts_of_a_run(tmp_path):
    from manybandits.base.artifacts import load_facts
    from manybandits.environments import instances

    path, out = tmp_path / "game.npz", tmp_path / "run.parquet"
    instances.main(["--instances", "4", "--dimension", "5", "--sparsity", "1", "--out", str(path)])
    play(path, PlaySpec(algorithm="rmbandit", grid={"q": [0.05, 0.1]}, seeds=(0, 1), horizon=1000), out)
    facts = load_facts(out)
    assert facts["fits"]["fits"] > facts["fits"]["fallbacks"] > 0
    assert set(facts["fits"]) == set(InstanceGame.fit_columns)
    play(path, PlaySpec(algorithm="random", seeds=(0,), horizon=10), out)
    assert "fits" not in load_facts(out)


def test_arms_are_forced_as_often_as_stated():
    from manybandits.algorithms.multitask._arms import forced_arm

    arms = [forced_arm(arrival, 2, 3) for arrival in range(1, 49)]
    run_of = [0, 0, 1, 1, 2, 2]
    never = [-1] * 6
    assert arms == run_of * 2 + never + run_of + never * 3 + run_of  # runs 0, 1, 3 and 7


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (
            lambda: curves(small(), "rmbandit", [0], options={"q": 9}),
            "of 200 rounds and leaves none to play: lower the option q",
        ),
        (lambda: setting("rmbandit", zeta=0.5), "zeta is 0.5; give a value below 0.5"),
        (lambda: setting("rmbandit", omega_0=0.7), "omega_0 is 0.7; give a value below 0.5"),
        (lambda: setting("rmbandit", lambda_1=-1), "lambda_1 is -1; give a value from 0"),
        (lambda: setting("rmbandit", initial="paht"), "did you mean 'path'"),
        (lambda: setting("ols_bandit", q=0.5), "q is 0.5, which is not a whole number"),
        (lambda: setting("lasso_bandit", lambda_0=1), "LASSO bandit has no option 'lambda_0'"),
        (lambda: curves(small(), "neuucb_one", [0]), "is written for games that serve one user per round"),
        (lambda: curves(small(), "cmlb", [0]), "give it a game in which they all act"),
    ],
)
def test_bad_input_stops_with_one_sentence(act, words):
    with pytest.raises(InputError) as error:
        act()
    assert words in str(error.value)
    assert "\n" not in str(error.value)
