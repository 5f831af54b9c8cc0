"""The neural methods of the public code: the compiled form has the choices and the state of its plain twin."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.algorithms import contract, plain
from manybandits.algorithms.contract import Problem
from manybandits.algorithms.released import m_cnb_2023, m_cnb_2024, meta_ban_2022, neuucb_ind_2022, neuucb_one_2022
from manybandits.harness.replicas import play_replicas
from manybandits.numerics import one_sample
from manybandits.results.run_table import describe
from tests.harness.one_block import play_written, synthetic_game

ROUNDS, USERS, ARMS, DIMENSION = 200, 12, 4, 5


def started(algorithm, rounds=ROUNDS, **options):
    """Return the state of the compiled form, and its twin with the same stream."""
    name = algorithm.__name__.rpartition(".")[2]
    given = Problem(USERS, 50, ARMS, DIMENSION, rounds), contract.complete(algorithm, options, "a test")
    state, twin = (start(*given, np.array([7], np.uint64)) for start in (algorithm.start, plain.load(f"plain/{name}")))
    return state, twin


def play(algorithm, state, twin, rounds=ROUNDS):
    """Play both on one game in which what pays depends on the user, and check that their arms are equal."""
    rng = np.random.default_rng(5)
    taste = rng.normal(size=(USERS, DIMENSION))
    drawn = []
    for _ in range(rounds):
        user = int(rng.integers(USERS))
        arms = np.exp(-2 * rng.normal(scale=0.5, size=(ARMS, DIMENSION)) ** 2)
        drawn.append((user, arms, np.arange(ARMS) == np.argmax(arms @ taste[user])))
    chosen = play_written(algorithm.__name__.rpartition(".")[2], USERS, state, drawn)
    for t, ((user, arms, paid), arm) in enumerate(zip(drawn, chosen, strict=True), 1):
        assert arm == twin.choose(t, user, np.arange(ARMS), arms), f"round {t}"
        twin.learn(t, user, int(arm), arms[arm], float(paid[arm]))


def same(rows, networks):
    return all(np.array_equal(row, one.numbers) for row, one in zip(rows, networks, strict=True))


@pytest.mark.parametrize("gamma", [0.4, 0.02])
def test_m_cnb_of_2024_is_its_twin(gamma):
    state, twin = started(m_cnb_2024, gamma=gamma)
    play(m_cnb_2024, state, twin)
    assert same(state.meta, [twin.meta])
    assert same(state.users, twin.user)
    assert state.served.tolist() == twin.count


@pytest.mark.parametrize(
    ("version", "user_side"), [("january", 0), ("february", 0), ("march", 0), ("january", 1), ("march", 1)]
)
def test_meta_ban_of_2022_is_its_twin(version, user_side):
    state, twin = started(meta_ban_2022, version=version, gamma=0.1, user_side=user_side, steps=60)
    play(meta_ban_2022, state, twin)
    assert same(state.meta, [twin.meta])
    assert same(state.users, twin.user)
    assert [
        row[:count].tolist() for row, count in zip(state.kept.places, state.kept.counts, strict=True)
    ] == twin.stored


@pytest.mark.parametrize("algorithm", [m_cnb_2023, m_cnb_2024, meta_ban_2022, neuucb_ind_2022, neuucb_one_2022])
def test_a_run_whose_networks_diverge_is_lost_and_others_go_on(algorithm):
    game = synthetic_game()
    settings = [contract.complete(algorithm, {"rate": rate}, "a test") for rate in (1e30, 1e-3)]
    table = play_replicas(game, algorithm, settings, [0, 0], horizon=40)
    lost = table["options"] == describe(settings[0])
    assert table[lost]["regret"].isna().all()
    assert table[lost]["reward"].isna().all()
    alone = play_replicas(game, algorithm, settings[1:], [0], horizon=40)
    pd.testing.assert_frame_equal(table[~lost].reset_index(drop=True), alone)
    assert alone["regret"].notna().all()


def test_meta_ban_takes_a_thousand_steps_a_round_as_its_twin_does():
    state, twin = started(meta_ban_2022, rounds=12)
    play(meta_ban_2022, state, twin, rounds=12)
    assert same(state.meta, [twin.meta])


@pytest.mark.parametrize("options", [{}, {"optimiser": "adam", "until": 30, "late": 7, "steps": 40}])
@pytest.mark.parametrize("algorithm", [neuucb_one_2022, neuucb_ind_2022])
def test_neuucb_of_2022_is_its_twin(algorithm, options):
    state, twin = started(algorithm, **options)
    play(algorithm, state, twin)
    assert same(state.networks, twin.user)
    assert np.allclose(state.squares, np.array(twin.big), rtol=1e-6)


def test_m_cnb_of_2023_is_meta_ban_of_march_2022():
    played = []
    for algorithm, options in ((m_cnb_2023, {}), (meta_ban_2022, {"version": "march"})):
        state, twin = started(algorithm, steps=20, **options)
        play(algorithm, state, twin)
        played.append(state.meta.copy())
    assert np.array_equal(*played)


def test_a_network_learns_as_pytorch_s_does():
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(1)
    row = one_sample.networks(1, DIMENSION, 8, rng)[0]
    layers = torch.nn.Sequential(torch.nn.Linear(DIMENSION, 8), torch.nn.ReLU(), torch.nn.Linear(8, 1))
    first, last = row[: (DIMENSION + 1) * 8].reshape(DIMENSION + 1, 8), row[(DIMENSION + 1) * 8 :]
    with torch.no_grad():
        for target, source in zip(
            layers.parameters(), (first[:-1].T, first[-1], last[None, :-1], last[-1:]), strict=True
        ):
            target.copy_(torch.as_tensor(source.copy()))
    contexts, rewards = rng.normal(size=(40, DIMENSION)).astype(np.float32), rng.random(40).astype(np.float32)
    room = one_sample.workspace(DIMENSION, 8)
    for optimiser, step in ((torch.optim.Adam, one_sample.adam), (torch.optim.SGD, one_sample.descend)):
        made = optimiser(layers.parameters(), lr=0.01)
        room.moments[:] = 0
        for k, (x, r) in enumerate(zip(contexts, rewards, strict=True), start=1):
            made.zero_grad()
            loss = (layers(torch.as_tensor(x)) - r) ** 2
            loss.backward()
            made.step()
            ours = step(row, x, r, 0.01, k, room) if step is one_sample.adam else step(row, x, r, 0.01, room)
            assert ours == pytest.approx(loss.item(), rel=1e-3, abs=1e-6)
    theirs = torch.cat(
        [(part.detach().mT if part.dim() == 2 else part.detach()).flatten() for part in layers.parameters()]
    ).numpy()
    assert np.allclose(row, theirs, atol=1e-4)


def test_a_sample_is_the_start_of_a_random_order_and_leaves_the_numbers_as_they_were():
    numbers, random = np.arange(9), np.array([3], np.uint64)
    drawn = [tuple(one_sample.sample(6, 4, numbers, random).tolist()) for _ in range(3000)]
    assert numbers.tolist() == list(range(9))
    assert all(len(set(one)) == 4 and max(one) < 6 for one in drawn)
    counts = np.bincount([place for one in drawn for place in one], minlength=6)
    assert (abs(counts - 2000) < 150).all()
    assert one_sample.sample(0, 4, numbers, random).tolist() == []


def test_trainings_fall_on_the_rounds_of_the_public_code():
    rounds = [t for t in range(10_000) if one_sample.trains_after(t, 10, 1000, 100)]
    assert len(rounds) == 190
    assert rounds[:3] + rounds[98:102] == [0, 10, 20, 980, 990, 1000, 1100]
