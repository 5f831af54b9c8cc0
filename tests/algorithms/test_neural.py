"""Neural policies play alone as among other replicas, and see what their games show."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import torch

from manybandits.algorithms import catalogue, contract
from manybandits.algorithms.neural._learning import History, tables_of
from manybandits.base import seeds as streams
from manybandits.base.exceptions import InputError
from manybandits.environments import classification
from manybandits.environments.kinds.batch import Batch
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.neural import play_batched
from manybandits.harness.replicas import play_replicas
from manybandits.harness.tuning import report_divergence, tune_and_play
from manybandits.results.run_table import describe
from tests.harness.beside import followed
from tests.harness.one_block import synthetic_game

DENSE = synthetic_game(users=6, clusters=2, items=30, dimension=4, arms=4)


def game_of_classes(classes: int = 3, user: str = "class", shifted: bool = False) -> UserGame:
    random = np.random.default_rng(0)
    labels = random.integers(classes, size=60)
    features = random.normal(size=(classes, 5))[labels] + 0.7 * random.normal(size=(60, 5))
    features *= random.random(features.shape) < 0.8  # as most pixels of an image, some are zero
    arrays = classification.unpack(classification.build([(features, labels)], user, "instances"))
    users = 1 if user == "hidden" else classes
    facts = {"kind": "classification", "blocks": 1 if shifted else classes, "shifted": shifted}
    first = {"draw_first": classification.draw_first}
    return UserGame("classes", facts, arrays, users, classes, classification.draw_block, **first)


def game_of_served() -> UserGame:
    """The dense game, with features of the users served."""
    served = np.random.default_rng(5).normal(size=(DENSE.users, 3))
    return replace(DENSE, name="served", facts={}, arrays={**DENSE.arrays, "served_table": served}, groups=None)


BLOCKS = game_of_classes()
GAMES = {"dense": DENSE, "blocks": BLOCKS}


def chosen(
    game: UserGame,
    name: str,
    settings: list[dict],
    seeds: list[int],
    horizon: int,
    precision=torch.float32,
):
    """Return the arms of R replicas, (R, horizon), and the policy that played them."""
    algorithm = catalogue.load(name)
    shape = game.users, game.items, game.arms, game.dimension, horizon
    problem = contract.Problem(*shape, blocks=game.blocks, each_arm_its_user=game.each_arm_its_user)
    random = streams.words(np.array(seeds), "policy")
    full = [contract.complete(algorithm, setting, "test") for setting in settings]
    tables = tables_of(game.arrays, "cpu", precision, shifts=game.arms if game.shifted else 1)
    player = algorithm.Policy(problem, contract.stack(full), random, tables)
    arms = []
    select = player.select
    player.select = lambda view: arms.append(select(view)) or arms[-1]
    play_batched(game, player, Batch(np.array(seeds), np.array([horizon])))
    return torch.stack(arms, dim=1).numpy(), player


SMALL = {"width": 7}
TRAINED = {**SMALL, "steps": 3, "batch": 4, "rate": 0.02}
PLAIN = {**TRAINED, "network": "plain"}
CASES = [
    ("neuucb_one", {**TRAINED, "covariance": "full", "alpha": 1.0, "lambda": 0.1}),
    ("neuucb_one", {**TRAINED, "layers": 3, "alpha": 1.0}),
    ("neuucb_ind", {**TRAINED, "alpha": 0.01, "lambda": 0.1}),
    ("neuucb_ind", {**TRAINED, "layers": 3, "covariance": "full"}),
]
CASES += [
    ("neural_linear", {**TRAINED, "alpha": 0.5, "alpha_2": 0.3}),
    ("neural_linear", {**TRAINED, "alpha": 0.1, "alpha_2": 0.4, "layers": 3, "memory": "kept"}),
    ("neural_ts", {**PLAIN, "nu": 1.0, "lambda": 0.1}),
    ("neural_ts", {**PLAIN, "nu": 0.3, "covariance": "full", "early": 4, "until": 20, "late": 7}),
    ("neural_eps_greedy", {**PLAIN, "epsilon": 0.2}),
    ("bootstrap_nn", {**PLAIN, "networks": 3, "keep": 0.6}),
    ("bootstrap_nn", {**PLAIN, "networks": 2, "steps": 12, "layers": 3}),
    ("neuucb_ind", {**TRAINED, "alpha": 0.3, "budget": "served", "divisor": "width", "early": 3}),
]


@pytest.mark.parametrize("options", [TRAINED, {**TRAINED, "layers": 3}, {**TRAINED, "covariance": "full"}])
def test_each_arm_is_judged_by_the_network_of_its_user(options):
    game = game_of_classes(user="arm")
    full = contract.complete(catalogue.load("neuucb_ind"), {**options, "alpha": 1.0}, "test")
    for seed in (0, 1):
        followed(game, "neuucb_ind", full, seed, 60)
        ours, player = chosen(game, "neuucb_ind", [full], [seed], 60)
        assert (player.history.user[0].numpy() == ours[0]).all()
        served, _ = chosen(game_of_classes(user="class"), "neuucb_ind", [full], [seed], 60)
        assert (ours != served).any()


def test_networks_that_see_shifted_arms_choose_the_arms_of_contexts_written_out():
    game = game_of_classes(user="hidden", shifted=True)
    table = game.arrays["item_table"]
    long = [np.pad(row, (k, game.arms - 1 - k)) for row in table for k in range(game.arms)]

    def apart(rounds):
        return rounds._replace(items=rounds.items * game.arms + np.arange(game.arms, dtype=np.int32))

    def written_out(_, arms, count, random):
        return apart(classification.draw_block(game.arrays, arms, count, random))

    def first_written_out(_, arms, random):
        users, rounds = classification.draw_first(game.arrays, arms, random)
        return users, apart(rounds)

    arrays = {"item_table": np.array(long), "user_table": np.zeros((1, 0))}
    explicit = UserGame(game.name, {}, arrays, 1, game.arms, written_out, draw_first=first_written_out)
    for name in ("neuucb_one", "m_cnb", "meta_ban"):
        options = {**SMALL, "alpha": 0.5} | ({"steps": 3, "batch": 4} if name == "neuucb_one" else {})
        both = [chosen(played, name, [options], [0], 60)[0] for played in (game, explicit)]
        assert (both[0] == both[1]).all()
        assert len(set(both[0][0])) > 1


def test_first_observations_come_before_all_others_in_the_history():
    game, seen = game_of_classes(user="arm"), []

    class Policy(catalogue.load("neural_eps_greedy").Policy):
        def __init__(self, problem, *others):
            super().__init__(problem, *others)
            self.history = History(2, problem.horizon, others[-1], problem.users)

        def observe_first(self, first):
            self.history.append_all(first)
            seen.append((self.history.length, self.history.user[:, :3].tolist()))

    full = contract.stack([contract.complete(catalogue.load("neural_eps_greedy"), PLAIN, "test")] * 2)
    problem = contract.Problem(game.users, game.items, game.arms, game.dimension, 20, blocks=game.blocks)
    random = streams.words(np.arange(2), "policy")
    player = Policy(problem, full, random, tables_of(game.arrays, "cpu"))
    play_batched(game, player, Batch(np.arange(2), np.array([20])))
    assert seen == [(3, [[0, 1, 2]] * 2)]
    assert player.history.length == 23
    first = game.first_observations(np.arange(2))
    x, block, _, reward = player.history.rounds(torch.arange(3).expand(2, -1))
    assert np.array_equal(x.numpy(), game.arrays["item_table"][first.items])
    assert np.array_equal(block.numpy(), first.arms)
    assert np.array_equal(reward.numpy(), first.rewards)
    assert not np.array_equal(first.items[0], first.items[1])


def test_features_of_the_user_served_stand_beside_those_of_the_arm():
    followed(game_of_served(), "neu_a_u", TRAINED, 0, 60)
    with pytest.raises(InputError, match="needs features of the users served"):
        chosen(DENSE, "neu_a_u", [TRAINED], [0], 60)


def exploring(name: str, options: dict, values: list[float]) -> list[dict]:
    """Settings that differ in what an algorithm explores by: the first of these options that it has."""
    known = {option.name for option in catalogue.load(name).OPTIONS}
    varied = next(option for option in ("alpha", "nu", "epsilon", "keep") if option in known)
    return [{**options, varied: value} for value in values]


@pytest.mark.parametrize("where", GAMES)
@pytest.mark.parametrize(("name", "options"), CASES)
def test_a_replica_has_the_same_bits_in_any_batch(name, options, where):
    game, horizon = GAMES[where], 60
    settings = exploring(name, {**options, "width": 20}, [0.01, 0.1, 1.0]) * 4
    seeds = [r // 3 for r in range(12)]
    arms, player = chosen(game, name, settings, seeds, horizon)
    for part in (slice(0, 1), slice(4, 11)):
        others, own = chosen(game, name, settings[part], seeds[part], horizon)
        assert (others == arms[part]).all()
        for mine, theirs in zip(own.tensors, player.tensors, strict=True):
            assert torch.equal(mine, theirs[part])


def test_a_replica_that_diverges_is_marked_and_leaves_its_neighbours_alone(capsys):
    module = catalogue.load("m_cnb")
    settings = [contract.complete(module, {**SMALL, "S": norm}, "test") for norm in (1.0, 1e300, 1.0)]
    together = play_replicas(DENSE, module, settings, [0, 0, 1], horizon=60)
    alone = play_replicas(DENSE, module, settings[:1], [0], horizon=60)
    lost = together["options"] == describe(settings[1])
    assert together[lost]["regret"].isna().all()
    assert together[~lost]["regret"].notna().all()
    kept = together[(together["seed"] == 0) & ~lost].reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, alone)
    lines = report_divergence(together.assign(stage="tuning"), "M-CNB")
    assert len(lines) == 1
    assert "seed 0" in lines[0]
    assert "S=1e+300" in lines[0]
    assert "M-CNB diverged in tuning" in capsys.readouterr().err


def test_a_grid_point_that_diverges_is_never_chosen():
    module = catalogue.load("m_cnb")
    options = {**SMALL, "meta_optimiser": "plain"}
    settings = [contract.complete(module, {**options, "meta_rate": rate}, "test") for rate in (1e6, 0.1)]
    how = {"seeds": [0, 1], "tuning_seeds": [100, 101], "horizon": 40}
    assert tune_and_play(DENSE, module, settings, **how)[1] == settings[1]
    with pytest.raises(InputError, match="diverged with every option of its grid"):
        tune_and_play(DENSE, module, [settings[0], {**settings[0], "S": 2.0}], **how)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a GPU")
def test_a_device_that_is_not_there_stops_with_the_cure():
    with pytest.raises(InputError, match="device is 'cuda', which this machine does not have: give cpu"):
        tables_of(DENSE.arrays, "cuda")


@pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no GPU")
@pytest.mark.parametrize(("name", "options"), CASES)
def test_a_gpu_chooses_the_arms_of_the_processor(name, options):
    module = catalogue.load(name)
    given = [contract.complete(module, options, "test")] * 2
    tables = [play_replicas(DENSE, module, given, [0, 1], horizon=60, device=device) for device in ("cpu", "cuda")]
    pd.testing.assert_frame_equal(*tables, atol=1e-3)


def test_a_network_is_too_large_for_a_full_covariance():
    with pytest.raises(InputError, match="covariance = full keeps 10005 x 10005 numbers"):
        chosen(DENSE, "neuucb_one", [{"width": 2001, "covariance": "full"}], [0], 5)
