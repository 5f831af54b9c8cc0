"""Adapters: their logic with small stand-ins, and the libraries themselves where they are installed."""

from __future__ import annotations

import sys
import types

import numpy as np
import pytest

import manybandits as mb
from manybandits.algorithms.contract import Problem
from manybandits.interface import plays
from manybandits.interface.adapters import rows_of, shared_context

PROBLEM = Problem(1, 3, 3, 4, 100)
SHARED = np.tile(np.arange(4.0), (3, 1))
OWN = np.arange(12.0).reshape(3, 4)


@pytest.fixture(autouse=True)
def _warned(monkeypatch):
    monkeypatch.setattr(plays, "_TOLD", _Everything())


class _Everything(set):
    def __contains__(self, name: object) -> bool:
        return True


class Recorder:
    """Records what a policy of a library is asked and told."""

    def __init__(self, **options):
        self.options, self.told = options, []


class RiverPolicy(Recorder):
    def __init__(self, alpha=1.0, seed=None):
        super().__init__(alpha=alpha, seed=seed)

    def pull(self, arm_ids, context=None):
        self.asked = arm_ids, context
        return arm_ids[-1]

    def update(self, arm_id, context, reward):
        self.told.append((arm_id, context, reward))


class RiverCounter(Recorder):
    def pull(self, arm_ids):
        return arm_ids[1]

    def update(self, arm_id, reward):
        self.told.append((arm_id, reward))


class Scores(Recorder):
    """A policy of contextualbandits: arm k scores entry k of a context."""

    def __init__(self, nchoices, random_state=None, **options):
        super().__init__(nchoices=nchoices, random_state=random_state, **options)

    def predict(self, X):
        return self.decision_function(X).argmax(axis=1)

    def decision_function(self, X):
        return X[:, : self.options["nchoices"]]

    def partial_fit(self, X, a, r):
        self.told.append((X.tolist(), a.tolist(), r.tolist()))


class MAB(Recorder):
    """The interface of mabwiser's class of this name: arm k scores entry k of a context."""

    is_contextual = True

    def __init__(self, arms, learning_policy, neighborhood_policy=None, seed=0):
        super().__init__(learning_policy=learning_policy, neighborhood_policy=neighborhood_policy, seed=seed)
        self.arms = arms

    def fit(self, decisions, rewards, contexts):
        assert not self.told
        self.partial_fit(decisions, rewards, contexts)

    def partial_fit(self, decisions, rewards, contexts):
        self.told.append((decisions, rewards, contexts.tolist()))

    def predict(self, contexts):
        assert self.told
        return int(contexts[0, : len(self.arms)].argmax())

    def predict_expectations(self, contexts):
        return [dict(zip(self.arms, row.tolist(), strict=False)) for row in contexts]


@pytest.fixture
def mabwiser(monkeypatch):
    module = types.ModuleType("mabwiser.mab")
    module.MAB = MAB
    monkeypatch.setitem(sys.modules, "mabwiser", types.ModuleType("mabwiser"))
    monkeypatch.setitem(sys.modules, "mabwiser.mab", module)


def test_the_context_of_a_round_is_found_if_arms_share_it():
    blocks = np.kron(np.eye(3), np.array([1.0, 2.0]))
    assert shared_context(blocks, PROBLEM._replace(blocks=3)).tolist() == [1.0, 2.0]
    assert shared_context(SHARED, PROBLEM).tolist() == [0, 1, 2, 3]
    assert shared_context(OWN, PROBLEM) is None
    assert rows_of(SHARED, PROBLEM).shape == (1, 4)
    assert rows_of(OWN, PROBLEM).shape == (3, 4)


def test_river_gets_the_context_as_features_with_names():
    one = mb.adapters.river(RiverPolicy)(problem=PROBLEM, seed=7, alpha=0.5)
    assert one.policy.options == {"alpha": 0.5, "seed": 7}
    assert one.choose(0, SHARED) == 2
    one.learn(0, SHARED[2], 1.0)
    assert one.policy.asked == ([0, 1, 2], {0: 0.0, 1: 1.0, 2: 2.0, 3: 3.0})
    assert one.policy.told == [(2, {0: 0.0, 1: 1.0, 2: 2.0, 3: 3.0}, 1.0)]
    with pytest.raises(mb.InputError, match="river's RiverPolicy sees one context in a round"):
        one.choose(0, OWN)


def test_river_policies_without_contexts_play_any_game():
    one = mb.adapters.river(RiverCounter())(problem=PROBLEM, seed=7)
    assert one.choose(0, OWN) == 1
    one.learn(0, OWN[1], 0.5)
    assert one.policy.told == [(1, 0.5)]


def test_contextualbandits_scores_every_arm_at_its_own_context():
    one = mb.adapters.contextualbandits(Scores)(problem=PROBLEM, seed=7, alpha=2.0)
    assert one.policy.options == {"nchoices": 3, "random_state": 7, "alpha": 2.0}
    # Scores on the diagonal: 0, 9, 6.
    assert one.choose(0, np.array([[0.0, 5, 5, 5], [5, 9, 5, 5], [5, 5, 6, 5]])) == 1
    one.learn(0, OWN[1], 1.0)
    assert one.choose(0, SHARED) == 2
    one.learn(0, SHARED[2], 0.0)
    assert one.policy.told == [([[5.0, 9.0, 5.0, 5.0]], [1], [1.0]), ([[0.0, 1.0, 2.0, 3.0]], [2], [0.0])]


def test_mabwiser_learns_before_it_predicts(mabwiser):
    one = mb.adapters.mabwiser(Recorder, "near")(problem=PROBLEM, seed=7, alpha=2.0)
    assert one.policy.options["learning_policy"].options == {"alpha": 2.0}
    assert (one.policy.options["neighborhood_policy"], one.policy.options["seed"]) == ("near", 7)
    first = one.choose(0, SHARED)
    one.learn(0, SHARED[first], 1.0)
    assert one.policy.told == [([first], [1.0], [[0.0, 1.0, 2.0, 3.0]])]
    assert one.choose(0, SHARED) == 2
    assert one.choose(0, np.array([[0.0, 5, 5, 5], [5, 9, 5, 5], [5, 5, 6, 5]])) == 1
    one.learn(0, OWN[1], 0.0)
    assert one.policy.told[1] == ([1], [0.0], [[5.0, 9.0, 5.0, 5.0]])


@pytest.mark.parametrize("neighbours", [types.SimpleNamespace(k=3), types.SimpleNamespace(n_clusters=3)])
def test_mabwiser_draws_arms_until_there_are_as_many_observations_as_it_asks_for(mabwiser, neighbours):
    one = mb.adapters.mabwiser(Recorder, neighbours)(problem=PROBLEM, seed=7)
    arms = []
    for reward in (1.0, 0.0, 1.0):
        assert not one.policy.told
        arms.append(one.choose(0, SHARED))
        one.learn(0, SHARED[arms[-1]], reward)
    assert one.policy.told == [(arms, [1.0, 0.0, 1.0], [[0.0, 1.0, 2.0, 3.0]] * 3)]
    assert one.choose(0, SHARED) == 2
    one.learn(0, SHARED[2], 1.0)
    assert one.policy.told[1] == ([2], [1.0], [[0.0, 1.0, 2.0, 3.0]])


def test_an_adapted_policy_is_tuned_and_named_after_its_library():
    game = mb.games.instances(instances=2, dimension=4, arms=3)
    runs = mb.play(mb.adapters.river(RiverPolicy), game=game, horizon=30, seeds=[0], alpha=[0.1, 1])
    assert runs.title == "RiverPolicy (river)"
    assert runs.settings["grid"] == {"alpha": [0.1, 1]}


def test_a_policy_that_was_made_already_takes_no_options():
    with pytest.raises(mb.InputError, match="RiverPolicy was made already, so it takes no option 'alpha'"):
        mb.adapters.river(RiverPolicy())(problem=PROBLEM, seed=7, alpha=1)


LINEAR = {
    "river.bandit": lambda module: (mb.adapters.river(module.LinUCBDisjoint), {}),
    "mabwiser.mab": lambda module: (mb.adapters.mabwiser(module.LearningPolicy.LinUCB), {"alpha": 1.0}),
    "contextualbandits.online": lambda module: (
        mb.adapters.contextualbandits(module.LinUCB),
        {"alpha": 1.0, "fit_intercept": 0, "use_float": 0},
    ),
}


@pytest.mark.parametrize("library", LINEAR)
def test_linucb_of_a_library_is_level_with_ours(library):
    module = pytest.importorskip(library, reason=f"{library.split('.')[0]} is not installed")
    policy, options = LINEAR[library](module)
    game = mb.games.instances(instances=1, dimension=5, arms=5, noise=0.1)
    how = {"game": game, "horizon": 400, "seeds": range(3)}
    theirs, ours, random = (
        mb.play(policy, **how, **options),
        mb.play("linucb", alpha=1.0, **how),
        mb.play("random", **how),
    )
    ended = [one.final["regret"].mean() for one in (theirs, ours, random)]
    assert abs(ended[0] - ended[1]) < 0.1 * ended[2]
