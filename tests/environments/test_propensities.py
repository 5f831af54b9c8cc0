"""Propensities make estimates of a log that was not uniform right, as closed forms and Open Bandit Pipeline say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.environments import replay
from manybandits.environments.game_file import load_game
from manybandits.environments.offpolicy import TOO_FEW, cumulative_estimate, effective_size, fit_clicks, too_few
from manybandits.environments.own import log as freeze_log
from manybandits.harness.replicas import play_replicas

CHANCES = np.array([[0.1, 0.5, 0.3], [0.7, 0.2, 0.4]])
"""Of a click, for each of two kinds of contexts and each of three arms."""
LOGGED = np.array([[0.6, 0.1, 0.3], [0.2, 0.2, 0.6]])
"""Of being shown, likewise."""
POLICY = np.array([1, 2])
VALUE = CHANCES[[0, 1], POLICY].mean()
REPLAYED = (CHANCES[[0, 1], POLICY] * LOGGED[[0, 1], POLICY]).sum() / LOGGED[[0, 1], POLICY].sum()
"""The value that replay finds: events count the more often, the more often the log shows the policy's arm."""
ESTIMATES = ("inverse", "self-normalised", "doubly-robust")


def a_log(seed: int, events: int = 2000, logged: np.ndarray = LOGGED):
    random = np.random.default_rng(seed)
    kind = random.integers(2, size=events)
    shown = (random.random(events)[:, None] > np.cumsum(logged[kind], axis=1)).sum(axis=1)
    click = (random.random(events) < CHANCES[kind, shown]).astype(float)
    return kind, shown, click, logged[kind, shown]


def guesses(kind, shown, click) -> dict[str, np.ndarray | None]:
    contexts = np.broadcast_to(kind[:, None, None], (len(kind), 3, 1)).astype(float)
    return {
        "inverse": np.zeros((len(kind), 3)),
        "self-normalised": None,
        "doubly-robust": fit_clicks(shown, click, contexts),
    }


def final(curve: np.ndarray) -> float:
    return curve[-1] / len(curve)


@pytest.fixture(scope="module")
def estimates():
    """Each estimate of the value of POLICY after a log, for 300 logs: name -> (300,)."""
    found: dict[str, list[float]] = {name: [] for name in (*ESTIMATES, "replay")}
    for seed in range(300):
        kind, shown, click, propensity = a_log(seed)
        for name, guess in guesses(kind, shown, click).items():
            found[name].append(final(cumulative_estimate(POLICY[kind], shown, click, guess, propensity)))
        found["replay"].append(final(cumulative_estimate(POLICY[kind], shown, click)))
    return {name: np.array(values) for name, values in found.items()}


@pytest.mark.parametrize("name", ESTIMATES)
def test_a_weighted_estimate_is_right_on_average(estimates, name):
    error = estimates[name].std(ddof=1) / np.sqrt(len(estimates[name]))
    assert abs(estimates[name].mean() - VALUE) < 4 * error
    assert error < 0.003  # so that the line above says something


def test_plain_replay_is_not(estimates):
    error = estimates["replay"].std(ddof=1) / np.sqrt(len(estimates["replay"]))
    assert abs(estimates["replay"].mean() - REPLAYED) < 4 * error
    assert abs(estimates["replay"].mean() - VALUE) > 10 * error


def test_the_error_of_inverse_propensity_is_its_closed_form(estimates):
    second = (CHANCES / LOGGED)[[0, 1], POLICY].mean()
    expected = np.sqrt((second - VALUE**2) / 2000)  # the variance of one weighted click over the number of events
    assert estimates["inverse"].std(ddof=1) == pytest.approx(expected, rel=0.15)
    covered = np.abs(estimates["inverse"] - VALUE) < 1.96 * expected
    assert 0.91 < covered.mean() < 0.985  # 300 logs


def test_estimates_are_what_their_formulas_say():
    kind, shown, click, p = a_log(0, events=150)
    chosen, guess = POLICY[kind], np.random.default_rng(1).random((150, 3))
    robust = cumulative_estimate(chosen, shown, click, guess, p)
    normal = cumulative_estimate(chosen, shown, click, None, p)
    inverse = cumulative_estimate(chosen, shown, click, np.zeros((150, 3)), p)
    size = effective_size(p[chosen == shown])
    t = 0
    for e in range(150):
        if chosen[e] != shown[e]:
            continue
        t += 1
        w = [1 / p[i] if chosen[i] == shown[i] else 0.0 for i in range(e + 1)]
        paid = sum(w[i] * click[i] for i in range(e + 1))
        told = sum(guess[i, chosen[i]] + w[i] * (click[i] - guess[i, chosen[i]]) for i in range(e + 1))
        assert inverse[t - 1] == pytest.approx(t * paid / (e + 1))
        assert normal[t - 1] == pytest.approx(t * paid / sum(w))
        assert robust[t - 1] == pytest.approx(t * told / (e + 1))
        assert size[t - 1] == pytest.approx(sum(w) ** 2 / sum(one**2 for one in w))
    assert len(robust) == len(normal) == len(inverse) == len(size) == t


def test_equal_propensities_change_nothing():
    kind, shown, click, p = a_log(0, logged=np.full((2, 3), 1 / 3))
    for name, guess in guesses(kind, shown, click).items():
        plain = cumulative_estimate(POLICY[kind], shown, click, guess)
        assert np.allclose(cumulative_estimate(POLICY[kind], shown, click, guess, p), plain), name
    assert np.allclose(effective_size(p), np.arange(1, len(p) + 1))


def test_few_effective_events_are_called_too_few():
    assert too_few(TOO_FEW, "CLUB") == ""
    assert too_few(TOO_FEW - 1, "CLUB").startswith("The effective sample size of CLUB is 99, below 100: a few events")


@pytest.mark.parametrize("name", ESTIMATES)
def test_a_game_plays_with_propensities(name):
    _, shown, click, p = a_log(3)
    log = {"arm": shown, "click": click, "contexts": np.ones((2000, 3, 1)), "propensity": p}
    arrays = replay.build(log, "shuffled", "matched", name)
    game = replay.game("", {"name": "log", "arms": 3, "dimension": 1}, arrays)
    random = catalogue.load("random")
    setting = contract.complete(random, {}, "test")
    table = play_replicas(game, random, [setting] * 30, list(range(30)), horizon=500, threads=2)
    last = table[table["round"] == 500]
    share = last["reward"].to_numpy() / 500
    error = share.std(ddof=1) / np.sqrt(30)
    # One log: its own mean of weighted clicks over the three arms, not the true mean, is what orders vary around.
    own = {"inverse": (click / p).sum() / (3 * 2000), "self-normalised": (click / p).sum() / (1 / p).sum()}
    assert abs(share.mean() - own.get(name, own["inverse"])) < 4 * error + 0.01
    assert error < 0.01
    assert (last["effective"] < 500).all()
    assert (last["effective"] > 100).all()


def test_replay_of_a_thinned_log_finds_what_a_uniform_log_would():
    """A policy that learns earns the same on a log that was not uniform, thinned, as on one that was."""
    shares = {}
    for name, logged in (("thinned", LOGGED), ("uniform", np.full((2, 3), 1 / 3))):
        kind, shown, click, p = a_log(5, 60_000, logged)
        contexts = np.repeat(np.eye(2)[kind][:, None], 3, axis=1)
        log = {"arm": shown, "click": click, "contexts": contexts, **({"propensity": p} if name == "thinned" else {})}
        arrays = replay.build(log, "shuffled", "matched", "replay")
        game = replay.game("", {"name": "log", "arms": 3, "dimension": 2}, arrays)
        linucb = catalogue.load("linucb")
        setting = contract.complete(linucb, {"alpha": 0.5}, "test")
        table = play_replicas(game, linucb, [setting] * 20, list(range(20)), horizon=1500, threads=2)
        shares[name] = table[table["round"] == 1500]["reward"].to_numpy() / 1500
        assert "effective" not in table
    best = CHANCES.max(axis=1).mean()
    error = np.sqrt(sum(share.var(ddof=1) / 20 for share in shares.values()))
    assert abs(shares["thinned"].mean() - shares["uniform"].mean()) < 4 * error + 0.01  # 0.01: two logs of one truth
    assert all(best - 0.08 < share.mean() < best + 0.01 for share in shares.values())


def test_a_thinned_replay_is_the_same_in_any_batch():
    _, shown, click, p = a_log(6)
    log = {"arm": shown, "click": click, "contexts": np.ones((2000, 3, 1)), "propensity": p}
    arrays = replay.build(log, "shuffled", "matched", "replay")
    game = replay.game("", {"name": "log", "arms": 3, "dimension": 1}, arrays)
    module = catalogue.load("ucb")
    setting = contract.complete(module, {}, "test")
    together = play_replicas(game, module, [setting] * 3, [0, 1, 2], horizon=100, threads=2)
    alone = play_replicas(game, module, [setting], [1], horizon=100)
    assert np.array_equal(alone["reward"], together.loc[together["seed"] == 1, "reward"])


# Open Bandit Pipeline, on the small sample of its data that comes with it.


@pytest.fixture(scope="module")
def sample():
    """The folder of the sample of the Open Bandit Dataset, logged by Thompson sampling, for men's fashion."""
    obp = pytest.importorskip("obp", reason="obp (Open Bandit Pipeline) is not installed: pip install --no-deps obp")
    return Path(obp.__file__).parent / "dataset/obd/bts/men/men.csv"


def policies(shown: np.ndarray, arms: int) -> dict[str, np.ndarray]:
    """Policies to evaluate: the arm of every event."""
    drawn = np.random.default_rng(0).integers(arms, size=len(shown))
    return {"random": drawn, "most shown": np.full(len(shown), np.bincount(shown).argmax())}


@pytest.mark.parametrize("which", ["random", "most shown"])
def test_estimates_are_those_of_open_bandit_pipeline(sample, tmp_path, which):
    from obp import ope

    drop = ["timestamp", "position", *(f"user_feature_{place}" for place in range(4))]
    columns = {"arm": "item_id", "reward": "click", "propensity": "propensity_score"}
    freeze_log(sample, tmp_path / "g.npz", columns, drop=drop, estimate="doubly-robust")
    arrays = load_game(tmp_path / "g.npz").arrays
    shown, click, p, guess = (arrays[name] for name in ("shown", "click", "propensity", "guess"))
    events, arms = guess.shape
    chosen = policies(shown, arms)[which]
    end = np.flatnonzero(chosen == shown)[-1] + 1  # our curves end with the last event that counts
    given = {
        "reward": click[:end],
        "action": shown[:end],
        "pscore": p[:end],
        "position": np.zeros(end, int),
        "action_dist": np.eye(arms)[chosen[:end]][:, :, None],
        "estimated_rewards_by_reg_model": guess[:end, :, None],
    }
    theirs = {
        "replay": ope.ReplayMethod(),
        "inverse": ope.InverseProbabilityWeighting(),
        "self-normalised": ope.SelfNormalizedInverseProbabilityWeighting(),
        "doubly-robust": ope.DoublyRobust(),
    }
    ours = {
        "replay": (None, None),
        "inverse": (np.zeros((events, arms)), p),
        "self-normalised": (None, p),
        "doubly-robust": (guess, p),
    }
    for name, estimator in theirs.items():
        value = final(cumulative_estimate(chosen, shown, click, *ours[name]))
        assert value == pytest.approx(estimator.estimate_policy_value(**given), rel=1e-9), name
