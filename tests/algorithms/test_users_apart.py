"""Games that present each arm to a user of its own: a policy values an arm for that user, or says that it cannot."""

import numpy as np
import pytest

from manybandits.algorithms import catalogue, contract
from manybandits.base import seeds as streams
from manybandits.base.exceptions import InputError
from manybandits.environments import classification
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.users import UserGame
from manybandits.harness import neural
from manybandits.harness.replicas import play_replicas, start_states
from manybandits.numerics.sparse_blocks import block_log
from tests.harness.beside import made
from tests.harness.one_block import play, play_apart_by_hand, synthetic_game

ROUNDS, WIDTH, CLASSES = 300, 6, 4


def game_of(user: str, arms: str = "blocks") -> UserGame:
    """Two data sets of four classes, the second of which is the first with noise; users are eight or the one hidden."""
    rng = np.random.default_rng(0)
    labels = rng.integers(CLASSES, size=600)
    features = rng.normal(size=(CLASSES, WIDTH))[labels] + 0.6 * rng.normal(size=(600, WIDTH))
    parts = [(features, labels), (features + 0.3 * rng.normal(size=features.shape), labels)]
    arrays = classification.build(parts, user, "classes")
    blocks = CLASSES if arms == "blocks" else 1
    users = 1 if user == "hidden" else 2 * CLASSES
    facts = {"name": "apart", "users": users, "arms": CLASSES, "blocks": blocks, "shifted": arms == "shifted"}
    return classification.game("apart", facts, arrays)


def start(game: UserGame, name: str, options: dict, seed: int = 0):
    """Return the state of one replica."""
    algorithm = catalogue.load(name)
    setting = contract.complete(algorithm, options, "test")
    return start_states(game, algorithm, ROUNDS, [setting], [seed], "cpu")


BLOCKS, SHIFTED = game_of("arm"), game_of("arm", "shifted")
CASES = [
    ("linucb_ind", {"alpha": 0.5}),
    ("linucb_one", {"alpha": 0.5}),
    ("club", {"alpha_2": 0.3}),
    ("sclub", {"alpha_theta": 0.4}),
    ("locb", {"seeds": 4}),
    ("cofiba", {"alpha_2": 0.1, "item_clusters": 3}),
]


@pytest.mark.parametrize("game", [BLOCKS, SHIFTED], ids=["blocks", "shifted"])
@pytest.mark.parametrize(("name", "options"), CASES)
def test_policy_chooses_the_arms_of_its_twin_that_is_played_by_hand(name, options, game):
    ours = play(game, name, start(game, name, options, 1), [1], ROUNDS)[0]
    assert np.array_equal(ours, play_apart_by_hand(game, made(game, name, options, 1, ROUNDS), 1, ROUNDS))


@pytest.mark.parametrize(("name", "options"), CASES)
def test_arms_are_those_of_contexts_written_out(name, options, monkeypatch):
    written_out = play(BLOCKS, name, start(BLOCKS, name, options), [0], ROUNDS)
    monkeypatch.setattr(block_log, "LONGEST", 10)
    assert np.array_equal(play(BLOCKS, name, start(BLOCKS, name, options), [0], ROUNDS), written_out)


@pytest.mark.parametrize("name", [name for name, _ in CASES if name not in ("linucb_ind", "linucb_one")])
def test_the_user_of_the_arm_played_is_in_its_own_cluster(name):
    algorithm = catalogue.load(name)
    table = play_replicas(BLOCKS, algorithm, [contract.complete(algorithm, {}, "test")], [0], horizon=ROUNDS)
    assert table["size"].between(1, BLOCKS.users).all()
    assert table["purity"].between(1 / BLOCKS.users, 1).all()


def test_a_user_learns_only_from_the_arms_that_are_presented_to_it():
    state = start(SHIFTED, "linucb_ind", {"alpha": 0.5})
    arms = play(SHIFTED, "linucb_ind", state, [0], ROUNDS)[0]
    users = SHIFTED.rounds(np.array([0]), 0).users[0, np.arange(ROUNDS), arms]
    assert np.array_equal(state.models.count[0], np.bincount(users, minlength=SHIFTED.users))


def test_neural_linear_clusters_the_users_of_the_arms_played():
    module, horizon = catalogue.load("neural_linear"), 60
    setting = contract.complete(module, {"width": 8, "layers": 2}, "test")
    random = streams.words(np.array([0]), "policy")
    policy = neural.start(BLOCKS, module, horizon, contract.stack([setting]), random, "cpu")
    neural.play_batched(BLOCKS, policy, Batch(np.array([0]), np.array([horizon])))
    rounds = BLOCKS.rounds(np.array([0]), 0)
    counts = policy.club.users.count[0]
    assert counts.sum() == horizon
    assert np.array_equal(counts, np.bincount(policy.history.user[0, :horizon].numpy(), minlength=BLOCKS.users))
    assert (counts > 0).sum() > np.unique(rounds.users[0, :horizon, 0]).size


def plays_one_user_for_all(name: str) -> bool:
    """Return whether a policy plays other arms if the users of a game are changed to one."""
    game, horizon = synthetic_game(separation=0.9), 120
    one = UserGame(**{**vars(game), "draw_block": as_one_user})
    arms, alone = (play(each, name, start(game, name, {}), [0], horizon) for each in (game, one))
    return np.array_equal(arms, alone)


def as_one_user(*given):
    rounds = synthetic_game(separation=0.9).draw_block(*given)
    return rounds._replace(users=np.zeros_like(rounds.users))


NAMES = [name for name in catalogue.names() if hasattr(catalogue.load(name), "choose") and name != "cluster_oracle"]


@pytest.mark.parametrize("name", NAMES)
def test_a_policy_with_a_model_per_user_values_one_arm_or_says_that_it_cannot(name):
    algorithm = catalogue.load(name)
    declared = hasattr(algorithm, "value") or getattr(algorithm, "MODEL_PER_USER", False)
    assert declared or plays_one_user_for_all(name)


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(catalogue.load(name), "MODEL_PER_USER")])
def test_a_policy_that_cannot_value_one_arm_is_refused(name):
    algorithm = catalogue.load(name)
    with pytest.raises(InputError, match="in apart each arm has a user of its own: give it a game with user = class"):
        BLOCKS.per_arm_users(algorithm)
    assert game_of("class").per_arm_users(algorithm) == ()
