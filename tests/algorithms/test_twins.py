"""Each algorithm plays beside its plain twin: the same draws, the same choices, the same state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from manybandits.algorithms import catalogue, plain
from manybandits.algorithms.plain._graph import component
from manybandits.base.exceptions import InputError
from manybandits.environments.kinds.exploration import ExplorationGame
from manybandits.environments.kinds.game import Game
from manybandits.environments.kinds.replay import ReplayGame
from tests.algorithms.test_kernel import BLOCKS as KERNEL_BLOCKS
from tests.algorithms.test_kernel import PLAIN, UNIT_BLOCKS
from tests.algorithms.test_m_cnb import MOVING
from tests.algorithms.test_meta_ban import SMALL as META
from tests.algorithms.test_multiagent import game as agents
from tests.algorithms.test_multitask import small as instances
from tests.algorithms.test_nearest import a_game as log
from tests.algorithms.test_neural import BLOCKS, DENSE, TRAINED, game_of_classes, game_of_served
from tests.algorithms.test_neural import PLAIN as NETWORK
from tests.algorithms.test_neural_ucb import EVERY_ROUND, SOME
from tests.algorithms.test_users_apart import BLOCKS as APART
from tests.algorithms.test_users_apart import SHIFTED
from tests.environments.test_exploration import a_game as network
from tests.harness.beside import beside
from tests.harness.one_block import synthetic_game

USERS = synthetic_game(separation=0.9)
STEPS = {"width": 7, "steps": 3, "batch": 20, "rate": 0.02, "early": 4, "until": 20, "late": 7}
RELEASED = {"rounding": "floor", "weights": "distance", "ties": "earliest"}
Case = tuple[str, dict[str, Any]]

LINEAR: list[Case] = [
    ("random", {}),
    ("linucb_ind", {}),
    ("linucb_ind", {"alpha": 1.0, "lambda": 0.01}),
    ("linucb_one", {"alpha": 0.01}),
    ("club", {"alpha_2": 0.4}),
    ("club", {"alpha_2": 0.5, "alpha": 1.0, "lambda": 0.1, "graph": "erdos-renyi"}),
    ("sclub", {"alpha_theta": 0.6, "alpha_p": 0.8}),
    ("sclub", {"alpha_theta": 0.8, "alpha": 1.0, "lambda": 0.1}),
    ("locb", {"seeds": 6}),
    ("locb", {"seeds": 4, "alpha": 1.0, "lambda": 0.1, "gamma": 1.5}),
    ("cofiba", {"alpha_2": 0.05, "item_clusters": 8}),
    ("cofiba", {"alpha_2": 0.15, "alpha": 1.0, "item_clusters": 60, "graph": "erdos-renyi"}),
    ("cofiba", {"alpha_2": 0.15, "alpha": 1.0, "item_clusters": 60, "graph": "erdos-renyi", "neighbourhood": "test"}),
    ("cofiba", {"alpha_2": 0.05, "item_clusters": 8, "neighbourhood": "test"}),
]
EACH_ARM_ITS_USER: list[Case] = [
    ("linucb_ind", {"alpha": 0.5}),
    ("linucb_one", {"alpha": 0.5}),
    ("club", {"alpha_2": 0.3}),
    ("sclub", {"alpha_theta": 0.4}),
    ("locb", {"seeds": 4}),
    ("cofiba", {"alpha_2": 0.1, "item_clusters": 3}),
]
LOGGED: list[Case] = [
    ("ucb", {"rho": 0.5}),
    ("kl_ucb", {"c": 1.0}),
    ("kl_ucb", {"c": 0.0}),
    ("eps_greedy", {"epsilon": 0.2}),
    ("beta_thompson", {"prior": "0.5:0.5"}),
    ("beta_thompson", {"prior": "3:1"}),
    ("linucb", {"alpha": 0.5}),
    ("linthompson", {"v": 0.5, "lambda": 0.1}),
    ("linthompson", {"v": 0.5, "lambda": 0.1, "model": "arm"}),
    ("linthompsonucb", {"v": 0.5, "alpha": 0.2}),
    ("knn_ucb", {"rho": 2.0, "phi": 0.2}),
    ("knn_ucb", {"rho": 2.0, "phi": 0.0}),
    ("knn_ucb", {"rho": 2.0, "phi": 1.0}),
    ("knn_kl_ucb", {"c": 1.0, "phi": 1.0, "most": 3}),
    ("knn_kl_ucb", {"rho": 0.3}),
    ("knn_kl_ucb", {"rho": 2.0, "c": 0.0, "phi": 0.1}),
    ("lin_knn_ucb", {"alpha": 0.3, "phi": 1.0}),
    ("lin_knn_ucb", {"alpha": 0.3, "bound": "linear"}),
    ("knn_eps_greedy", {"epsilon": 0.1}),
    ("beta_thompson_enhanced", {"theta_max": 9}),
    ("eps_greedy_enhanced", {"epsilon": 0.3}),
    ("linthompson_enhanced", {"v": 2.0}),
    ("linthompson_enhanced", {"v": 2.0, "model": "arm"}),
    ("beta_thompson_enhanced", {"theta_max": 17, **RELEASED}),
    ("eps_greedy_enhanced", {"theta_max": 17, **RELEASED}),
    ("linthompson_enhanced", {"theta_max": 17, **RELEASED}),
    ("lnucb_ta", {}),
    ("lnucb_ta", {"mean": "seen", "target": "reward"}),
    ("lnucb_ta", {"mean": "table", "alpha": 10.0}),
    ("lnucb_ta", {"theta_max": 17, "kappa": 0.2, **RELEASED}),
    ("lnucb_ta", {"attention": "no", "alpha": 0.5}),
    ("lnucb_ta", {"attention": "no", "alpha": 0.5, "lag": "yes", "lambda": 0.5}),
    ("lnucb_ta", {"neighbours": "no", "alpha": 0.5}),
]
EXPLORED: list[Case] = [
    ("eps_greedy", {}),
    ("linucb", {"alpha": 0.5}),
    ("linthompson", {"v": 0.5}),
    # With phi = 0, rounding would decide which of many equally near observations are among the nearest.
    ("knn_ucb", {"rho": 0.2, "phi": 1.0}),
    ("knn_eps_greedy", {"epsilon": 0.2}),
    ("knn_eps_greedy", {"most": 20}),
    ("eps_greedy_enhanced", {"epsilon": 0.5}),
    ("linthompson_enhanced", {"v": 2.0}),
    ("lnucb_ta", {}),
    ("lnucb_ta", {"theta_max": 40, "alpha": 10.0}),
]
KERNELS: list[Case] = [
    (name, {"kernel": kernel, "kept": 120, **options})
    for name in ("kernel_ucb", "kernel_ts")
    for kernel in ("gaussian", "exponential")
    for options in ({}, {"nu": 1.0, "lambda": 0.01, "gamma": 0.3}, {"nu": 0.01, "gamma": 5.0})
]
AGENTS: list[Case] = [
    ("linucb_alone", {}),
    ("linucb_alone", {"width": 0.5, "lambda": 0.1, "noise_scale": 0.3, "norm": 2.0}),
    ("cmlb", {"constant": 0.5}),
    ("cmlb", {"constant": 0.1, "exploration": "plain", "threshold": 2.0, "width": 0.1}),
    ("cmlb", {"constant": 0.2, "rho_min": 0.2, "norm": 0.5}),
    ("cmlb", {"constant": 0.3, "p_star": 0.3, "averaged": "unaware", "exponent": 0.25}),
    ("cmlb", {"exponent": 0.5}),
    ("sclb", {"constant": 0.2}),
    ("sclb", {"constant": 0.1, "exponent": 0.3, "lambda": 0.5, "rho_min": 0.5, "threshold": 2.0}),
    ("alb_norm", {"first_epoch": 16}),
    ("alb_norm", {"first_epoch": 16, "bound": "norm", "noise_scale": 0.2}),
    ("pmlb", {}),
    ("pmlb", {"averaged": "unaware", "width": 0.4, "norm": 2.0}),
    ("pmlb", {"common_ridge": "share"}),
    ("pmlb", {"index": "difference"}),
    ("pmlb", {"personal": "alb-norm", "first_epoch": 20, "norm": 2.0}),
    ("pmlb", {"personal": "alb-norm", "bound": "norm", "common_ridge": "share", "averaged": "unaware"}),
    ("mean_oracle", {}),
    ("club", {}),
]
INSTANCES: list[Case] = [
    ("rmbandit", {}),
    ("rmbandit", {"q": 0.2, "initial": "path", "omega_0": 0.3, "zeta": 0.2, "eta": 0.1, "lambda_1": 0.5}),
    ("rmbandit", {"q": 0.03, "h": 0.5, "poor": 0.0, "lambda_0": 0.02, "lambda_1": 0.02}),
    ("rmbandit", {"q": 0.1, "h": 0.1, "poor": 0.9, "eta": 5.0}),
    ("rmbandit", {"data": "all", "q": 0.03, "h": 0.5, "poor": 0.3}),
    ("am_bandit", {"h": 0.5}),
    ("am_bandit", {"h": 0.5, "data": "all", "initial": "path"}),
    ("averaged_bandit", {"q": 0.15, "poor": 0.5}),
    ("pooled_bandit", {"q": 0.05, "h": 1.0}),
    ("ols_bandit", {}),
    ("ols_bandit", {"q": 3, "h": 0.5}),
    ("lasso_bandit", {}),
    ("lasso_bandit", {"q": 2, "h": 0.6, "lambda_1": 0.1, "lambda_2": 0.2}),
]
NETWORKS: list[Case] = [
    ("neuucb_one", {**TRAINED, "covariance": "full", "alpha": 1.0, "lambda": 0.1}),
    ("neuucb_one", {**TRAINED, "layers": 3, "alpha": 1.0}),
    ("neuucb_ind", {**TRAINED, "alpha": 0.01, "lambda": 0.1}),
    ("neuucb_ind", {**TRAINED, "layers": 3, "covariance": "full"}),
    ("neuucb_ind", {**TRAINED, "alpha": 0.3, "budget": "served", "divisor": "width", "early": 3}),
    ("neural_linear", {**TRAINED, "alpha": 0.5, "alpha_2": 0.3}),
    ("neural_linear", {**TRAINED, "alpha": 0.1, "alpha_2": 0.4, "layers": 3, "memory": "kept"}),
    ("neural_ts", {**NETWORK, "nu": 1.0, "lambda": 0.1}),
    ("neural_ts", {**NETWORK, "nu": 0.3, "covariance": "full", "early": 4, "until": 20, "late": 7}),
    ("neural_eps_greedy", {**NETWORK, "epsilon": 0.2}),
    ("bootstrap_nn", {**NETWORK, "networks": 3, "keep": 0.6}),
    ("bootstrap_nn", {**NETWORK, "networks": 2, "steps": 12, "layers": 3}),
    ("neuucb_one", {**SOME, "alpha": 0.3}),
    ("neuucb_ind", {**SOME, "alpha": 0.3, "layers": 3}),
    ("neuucb_ind", {**SOME, "alpha": 0.3, "budget": "served", "origin": "first"}),
    ("neural_ts", {**SOME, "covariance": "full"}),
    ("neural_eps_greedy", SOME),
    ("bootstrap_nn", {**SOME, "networks": 3}),
    ("m_cnb", MOVING),
    ("meta_ban", {**META, "gamma": 0.05}),
]
TRAINED_EVERY_ROUND: list[Case] = [
    (name, {**EVERY_ROUND, **options})
    for name, options in (
        ("neuucb_one", {"alpha": 0.5, "lambda": 0.1, "covariance": "full"}),
        ("neuucb_one", {"alpha": 0.3, "lambda": 0.5, "covariance": "full", "origin": "first", "steps": 9}),
        ("neuucb_one", {"alpha": 0.2, "lambda": 0.1, "layers": 3, "covariance": "full"}),
        ("neuucb_one", {"alpha": 0.5, "lambda": 0.1}),
        ("neural_ts", {"nu": 0.5, "lambda": 0.2, "covariance": "full"}),
        ("neural_ts", {"nu": 0.3, "lambda": 0.1, "origin": "first", "steps": 9}),
    )
]
M_CNB: list[Case] = [
    ("m_cnb", options)
    for options in (
        STEPS,
        {**MOVING, "meta_optimiser": "plain", "meta_rate": 0.2, "draws": "round"},
        {**MOVING, "meta_optimiser": "plain", "meta_rate": 0.2, "user_optimiser": "plain", "user_rate": 0.5},
        {**MOVING, "draws": "round", "learners": "served", "S": 4.0},
        {**MOVING, "learning": "history", "learners": "served", "counts": "served"},
        {**MOVING, "learning": "history", "user_optimiser": "plain", "meta_training": "all", "first_data": "none"},
        {**MOVING, "meta_steps": 3, "layers": 3, "first": "own"},
        {**MOVING, "meta_steps": 2, "meta_optimiser": "plain", "draws": "round", "counts": "served", "gamma": 0.03},
        {**MOVING, "first_data": "none", "first": "own", "gamma": 0.2, "learners": "served", "meta_training": "all"},
    )
]
META_BAN: list[Case] = [
    ("meta_ban", {**META, **options})
    for options in (
        {"gamma": 0.05},
        {"gamma": 0.05, "first_data": "none", "weights": "last", "meta_start": "previous", "user_start": "previous"},
        {"gamma": 0.2, "layers": 3, "weights": "redrawn", "loss": "sum", "meta_rate": 0.003, "batch": 3},
        {"gamma": 0.1, "meta_start": "previous", "meta_optimiser": "adam", "scaled": "gradient", "alpha": 1.0},
        {"gamma": 0.1, "user_start": "previous", "user_optimiser": "plain", "user_rate": 0.5, "meta_rate": 0.3},
        {"gamma": 0.1, "gradient": "meta", "meta_rate": 0.3},
        {"gamma": 0.1, "gradient": "meta", "meta_optimiser": "adam", "meta_start": "previous", "layers": 3},
        {"gamma": 0.2, "gradient": "meta", "loss": "sum", "meta_rate": 0.01, "first_data": "none"},
    )
]


def cases() -> Iterator[tuple[Game, str, dict[str, Any], int]]:
    """Yield a game, an algorithm, its options and how many rounds to play; other games of a kind have half as many."""
    for cases, games, rounds in (
        (LINEAR, [USERS], 200),
        (EACH_ARM_ITS_USER, [APART, SHIFTED], 200),
        (LOGGED, [log("matched"), log("every", whole=True)], 100),
        (EXPLORED, [network("nodes")], 100),
        (AGENTS, [agents("clusters"), agents("mean")], 200),
        ([("cluster_oracle", {}), ("cluster_oracle", {"acting": "together"})], [agents("clusters")], 200),
        (INSTANCES, [instances(), instances(arms=3, structure="network", arrivals="poor")], 200),
        (NETWORKS, [DENSE, BLOCKS], 200),
        (TRAINED_EVERY_ROUND, [DENSE, BLOCKS], 40),
        (M_CNB, [DENSE, game_of_classes(user="class"), game_of_classes(user="arm")], 30),
        (META_BAN, [DENSE, BLOCKS], 40),
        (META_BAN[:6:5], [game_of_classes(user="arm"), game_of_classes(user="arm", shifted=True)], 40),
        ([("neu_a_u", TRAINED)], [game_of_served()], 200),
        (NETWORKS[:3] + NETWORKS[3:5], [game_of_classes(user="arm")], 60),
    ):
        for place, game in enumerate(games):
            yield from ((game, name, options, rounds // 2 if place else rounds) for name, options in cases)
    for name, options in KERNELS:
        blocks = UNIT_BLOCKS if options["kernel"] == "exponential" else KERNEL_BLOCKS
        yield from ((game, name, options, 150) for game in (PLAIN, blocks))


CASES = list(cases())


@pytest.mark.parametrize(
    ("game", "name", "options", "rounds"), CASES, ids=[f"{one[1]}-{i}" for i, one in enumerate(CASES)]
)
def test_an_algorithm_plays_as_its_twin_does(game, name, options, rounds):
    for count in range(100, rounds, 100):
        if not isinstance(game, ReplayGame | ExplorationGame):
            check_state(name, *beside(game, name, options, 0, count, horizon=rounds))
    check_state(name, *beside(game, name, options, 0, rounds))


@pytest.mark.parametrize(("name", "options"), LINEAR)
def test_a_linear_algorithm_plays_as_its_twin_does_with_another_seed(name, options):
    _, twin = beside(USERS, name, options, 1, 200)
    if name == "club":
        assert sum(map(len, twin.G.values())) < 20 * 19, "no edge was cut: the case tests nothing"
    if name == "sclub":
        assert len(twin.J) > 1, "no cluster was split: the case tests nothing"


@pytest.mark.parametrize("name", ["lnucb_ta", *(name for name, _ in LOGGED if name.endswith("enhanced"))])
def test_an_algorithm_plays_as_its_twin_does_by_the_authors_code(name):
    beside(log("matched", whole=True), name, {}, 2, 100, "released")


def test_every_twin_is_played():
    assert plain.names() == sorted({f"plain/{name}" for _, name, _, _ in CASES})
    own = {name for name in catalogue.own_names() if catalogue.family_of(name) != "released"}
    assert {name.removeprefix("plain/") for name in plain.names()} == own


def test_an_unknown_twin_is_answered_by_the_nearest():
    with pytest.raises(InputError, match="unknown plain twin 'plain/clubb': did you mean 'plain/club'"):
        plain.load("plain/clubb")


def check_state(name: str, state: Any, twin: Any) -> None:
    """Check that the state of an algorithm, where it can be read, is that of its twin."""
    relative = 1e-4 if catalogue.family_of(name) == "neural" else 1e-6
    for ours, theirs in state_of(name, state, twin):
        np.testing.assert_allclose(ours, theirs, rtol=relative, atol=1e-7, err_msg=f"the state of {name}")


def state_of(name: str, state: Any, twin: Any) -> Iterator[tuple[Any, Any]]:
    """Yield parts of the state of an algorithm with those of its twin."""
    for fast, ones in regressions(name, state, twin):
        if hasattr(fast, "estimate"):
            yield fast.count[: len(ones)], [one.T for one in ones]
            yield fast.estimate[: len(ones)], [one.theta for one in ones]
    if hasattr(twin, "paid"):
        records = state.records if hasattr(state, "records") else state.seen
        yield records.count, [len(paid) for paid in twin.paid]
        yield records.total, [sum(paid) for paid in twin.paid]
    users = range(twin.problem.users)
    if name == "club":
        yield state.label, [min(component(twin.G, i)) for i in users]
    elif name == "sclub":
        yield state.label, [twin.of(i) for i in users]
    elif name == "locb":
        yield state.member, [[i in N for i in users] for N in twin.N.values()]
    elif name == "cofiba":
        yield state.item_cluster, twin.cluster
    elif name in ("rmbandit", "am_bandit", "averaged_bandit", "pooled_bandit"):
        yield state.forced.swapaxes(0, 1), twin.forced
        yield state.estimate.swapaxes(0, 1), twin.newest
    elif name in ("kernel_ucb", "kernel_ts"):
        yield state.process.observed.triangles.rows.sum(), len(twin.y)
    elif name == "m_cnb":
        yield state.mu[0], twin.mu
        yield from zip(state.count[0], map(len, twin.T), strict=True)
        yield from networks(state.users.weights, twin.theta)
        yield from networks(state.meta.weights, [twin.Theta])
    elif name == "meta_ban":
        yield from networks([layer.unsqueeze(1) for layer in state.meta], [twin.Theta])
        learners = state.lists.learner[0]
        yield from networks([layer[:, learners] for layer in state.users], twin.theta)
    elif hasattr(twin, "net"):
        yield from networks(state.weights, [net.W for net in twin.net])


def regressions(name: str, state: Any, twin: Any) -> Iterator[tuple[Any, list[Any]]]:
    """Yield ridge regressions of an algorithm, with those of its twin."""
    state = getattr(state, "phase", state)  # SCLB has a CMLB
    twin = getattr(twin, "cmlb", twin)
    pairs = ("models", "user"), ("users", "user"), ("arms", "arms"), ("models", "model"), ("agents", "agent")
    for fast, ours in pairs:
        if hasattr(state, fast) and hasattr(twin, ours) and hasattr(getattr(state, fast), "count"):
            yield getattr(state, fast), getattr(twin, ours)
    if name == "linucb_one":
        yield state.models, [twin.one]
    if hasattr(twin, "common"):
        yield state.common, [twin.common]
    if hasattr(twin, "club"):
        yield row_of(state.club.users), twin.club.user


def row_of(stacked: Any) -> Any:
    """Return the only replica of a ridge regression."""
    return type(stacked)(*(part[0] for part in stacked))


def networks(weights: Any, ours: list[Any]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the layers of the networks of the only replica, blocks side by side, with those of a twin."""
    for learner, W in enumerate(ours):
        first, *others = (layer[0, learner] for layer in weights)
        yield first.permute(2, 0, 1).flatten(1).numpy(), W[0]
        for layer, expected in zip(others, W[1:], strict=True):
            yield layer.T.numpy(), expected
