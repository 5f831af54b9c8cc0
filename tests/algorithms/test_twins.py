"""Each algorithm plays beside its plain twin: the same draws, the same choices, the same state."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from manybandits.algorithms import catalogue, plain
from manybandits.algorithms.plain._graph import component
from manybandits.algorithms.plain._robust import lasso
from manybandits.base.exceptions import InputError
from manybandits.environments.kinds.game import Game
from tests.algorithms.test_kernel import BLOCKS as KERNEL_BLOCKS
from tests.algorithms.test_kernel import PLAIN, UNIT_BLOCKS
from tests.algorithms.test_m_cnb import CASES as M_CNB_CASES
from tests.algorithms.test_m_cnb import MOVING
from tests.algorithms.test_meta_ban import READINGS
from tests.algorithms.test_meta_ban import SMALL as META
from tests.algorithms.test_multiagent import game as agents
from tests.algorithms.test_multitask import small as instances
from tests.algorithms.test_nearest import AUTHORS
from tests.algorithms.test_nearest import a_game as log
from tests.algorithms.test_neural import BLOCKS, DENSE, TRAINED, game_of_classes, game_of_served
from tests.algorithms.test_neural import CASES as NEURAL
from tests.algorithms.test_neural_ucb import DRAWN, EVERY_ROUND
from tests.algorithms.test_users_apart import BLOCKS as APART
from tests.algorithms.test_users_apart import CASES as EACH_ARM_ITS_USER
from tests.algorithms.test_users_apart import SHIFTED
from tests.environments.test_exploration import a_game as network
from tests.harness.beside import beside, followed
from tests.harness.one_block import synthetic_game

USERS, LOG, NETWORK = synthetic_game(separation=0.9), log(), network("nodes")
CLUSTERS, INSTANCES_OF = agents("clusters"), instances()
FIRST = set(map(id, (USERS, APART, LOG, NETWORK, CLUSTERS, INSTANCES_OF, DENSE, PLAIN)))
"""The first game of each kind."""
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
    ("sclub", {"alpha_theta": 1.5, "alpha_p": 0.15}),  # frequencies decide
    ("locb", {"seeds": 6}),
    ("locb", {"seeds": 4, "alpha": 1.0, "lambda": 0.1, "gamma": 1.5}),
    ("cofiba", {"alpha_2": 0.05, "item_clusters": 8}),
    ("cofiba", {"alpha_2": 0.15, "alpha": 1.0, "item_clusters": 60, "graph": "erdos-renyi"}),
    ("cofiba", {"alpha_2": 0.15, "alpha": 1.0, "item_clusters": 60, "graph": "erdos-renyi", "neighbourhood": "test"}),
    ("cofiba", {"alpha_2": 0.05, "item_clusters": 8, "neighbourhood": "test"}),
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
EXPLORED: list[Case] = [("knn_eps_greedy", {"epsilon": 0.2}), ("lnucb_ta", {})]
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
    ("linucb_alone", {"region": "ball", "width": 0.2}),
    ("cmlb", {"region": "ball", "width": 0.2, "constant": 0.05}),
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
    ("rmbandit", {"poor": 0.0, "q": 0.1}),
    ("rmbandit", {"poor": 0.0, "q": 0.1, "data": "all"}),
    ("rmbandit", {"poor": 0.0, "q": 0.1, "h": 0.5, "zeta": 0.2, "eta": 0.1, "omega_0": 0.15, "lambda_1": 0.1}),
    ("rmbandit", {"poor": 0.0, "h": 0.3, "q": 0.04, "data": "all", "lambda_0": 0.02}),
    ("am_bandit", {"h": 0.5}),
    ("am_bandit", {"h": 0.5, "data": "all", "initial": "path"}),
    ("averaged_bandit", {"q": 0.15, "poor": 0.5}),
    ("pooled_bandit", {"q": 0.05, "h": 1.0}),
    ("ols_bandit", {}),
    ("ols_bandit", {"q": 3, "h": 0.5}),
    ("lasso_bandit", {}),
    ("lasso_bandit", {"q": 2, "h": 0.6, "lambda_1": 0.1, "lambda_2": 0.2}),
]
NETWORKS: list[Case] = [*NEURAL, *DRAWN, ("m_cnb", MOVING), ("meta_ban", {**META, "gamma": 0.05})]
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
M_CNB: list[Case] = [("m_cnb", options) for options in M_CNB_CASES]
META_BAN: list[Case] = [("meta_ban", {**META, **options}) for options in READINGS]


def cases() -> Iterator[tuple[Game, str, dict[str, Any], int]]:
    """Yield a game, an algorithm, its options and how many rounds to play; other games of a kind have half as many."""
    for cases, games, rounds in (
        (LINEAR, [USERS], 200),
        (EACH_ARM_ITS_USER, [APART, SHIFTED], 200),
        (LOGGED, [LOG, log("every", whole=True)], 100),
        (EXPLORED, [NETWORK], 100),
        (AGENTS, [CLUSTERS, agents("mean")], 200),
        ([("cluster_oracle", {}), ("cluster_oracle", {"acting": "together"})], [CLUSTERS], 200),
        (INSTANCES, [INSTANCES_OF, instances(arms=3, structure="network", arrivals="poor")], 200),
        (NETWORKS, [DENSE, BLOCKS], 200),
        (TRAINED_EVERY_ROUND, [DENSE, BLOCKS], 40),
        (M_CNB, [DENSE, game_of_classes(user="class"), game_of_classes(user="arm")], 30),
        (META_BAN, [DENSE, BLOCKS], 40),
        (META_BAN[:6:5], [game_of_classes(user="arm"), game_of_classes(user="arm", shifted=True)], 40),
        ([("m_cnb", {**MOVING, "alpha": 1.0, "learners": "served", "S": 0.1})], [game_of_classes(user="arm")], 60),
        ([("neu_a_u", TRAINED)], [game_of_served()], 200),
        (NETWORKS[:3] + NETWORKS[3:5], [game_of_classes(user="arm")], 60),
    ):
        for place, game in enumerate(games):
            yield from ((game, name, options, rounds // 2 if place else rounds) for name, options in cases)
    for name, options in KERNELS:
        blocks = UNIT_BLOCKS if options["kernel"] == "exponential" else KERNEL_BLOCKS
        yield from ((game, name, options, 150) for game in (PLAIN, blocks))


CASES = list(cases())


SOME = {id(APART): ("linucb_ind",), id(NETWORK): ()}
"""Games of which each needs a kernel of its own, and the algorithms that play them in ``make test``. LinUCB explores a
network beside its twin in `tests/environments/test_exploration.py`."""


def in_depth(game: Game, name: str) -> bool:
    """Return whether a case is one of those in depth: another game of its kind, or another algorithm than some."""
    return id(game) not in FIRST or name not in SOME.get(id(game), name)


PARAMETERS = [
    pytest.param(*case, id=f"{case[1]}-{place}", marks=[pytest.mark.release(group="policies")] * in_depth(*case[:2]))
    for place, case in enumerate(CASES)
]


@pytest.mark.parametrize(("game", "name", "options", "rounds"), PARAMETERS)
def test_an_algorithm_plays_as_its_twin_does(game, name, options, rounds):
    if catalogue.family_of(name) == "neural" and not in_depth(game, name):
        follow(game, name, options, rounds)
        return
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
    known = {option.name for option in catalogue.load(name).OPTIONS}
    options = {option: word for option, word in AUTHORS.items() if option in known}
    beside(log("matched", whole=True), name, options, 2, 100)


NEURAL_NAMES = [name for name in catalogue.names() if catalogue.family_of(name) == "neural"]


def follow(game, name, options, rounds):
    """Compare networks as they are played, in single precision; in depth they are compared in double precision."""
    state, twin = followed(game, name, options, 0, rounds)
    for ours, theirs in networks_of(name, state, twin):
        assert np.abs(ours - theirs).max() < 1e-3 * np.abs(theirs).max()


@pytest.mark.parametrize("name", NEURAL_NAMES)
def test_networks_as_their_papers_have_them_play_as_their_twins_do(name):
    follow(game_of_served(), name, {"width": 20}, 200)


def test_every_twin_is_played():
    """Those of public code by `test_released_linear.py` and `test_released_neural.py`."""
    released = {name for name in catalogue.names() if catalogue.family_of(name) == "released"}
    assert {name for _, name, _, _ in CASES} | released == set(catalogue.names())
    assert plain.names() == sorted(f"plain/{name}" for name in catalogue.names())


NUMBERED = {  # how many lines the boxes of the papers number
    "meta_ban": {1: 19, 2: 11, 3: 9},
    "m_cnb": {1: 22},
    "sclb": {1: 4},
    "cmlb": {2: 12, 3: 6},
    "pmlb": {4: 14},
    "lnucb_ta": {1: 10, 2: 12, 3: 6},
}
LONGER = ("cofiba", "m_cnb", "meta_ban", "rmbandit", "sclub")
"""Those whose boxes have more than 25 lines."""
SHARED = {"lnucb_ta": ["_neighbours"]}
"""The files beside a twin that have some of its lines."""


@pytest.mark.parametrize("name", NUMBERED)
def test_every_numbered_line_of_a_box_is_named_in_its_twin_or_left_out_with_the_reason(name):
    """A comment names it, on the statement that is this line, or the docstring has it after "Not here"."""
    text = "".join(plain.source(file) for file in [name, *SHARED.get(name, [])])
    named = re.findall(r"# Algorithm (\d+), lines? ([\d, and to]*\d)", text)
    left_out = re.findall(r"Algorithm (\d+), lines? ([^:;]+):\s\w", text.split('"""')[1].split("Not here:")[1])
    assert all(len(numbers(lines)) <= 3 for _, lines in named), "a statement is more than three lines"
    for box, count in NUMBERED[name].items():
        here = {line for number, lines in named if int(number) == box for line in numbers(lines)}
        out = {line for number, lines in left_out if int(number) == box for line in numbers(lines)}
        assert here | out == set(range(1, count + 1)), f"Algorithm {box}"
        assert not here & out, f"Algorithm {box}"


def numbers(words: str) -> list[int]:
    """Return the numbers of "1, 3 to 5 and 8"."""
    found = []
    for first, last in re.findall(r"(\d+)(?: to (\d+))?", words):
        found += range(int(first), int(last or first) + 1)
    return found


def test_a_twin_of_a_short_box_fits_on_a_screen():
    boxes = [name for name in catalogue.names() if catalogue.family_of(name) != "released"]
    assert {name for name in boxes if len(plain.source(name).splitlines()) > 60} == set(LONGER)


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
        records = state.records if hasattr(state, "records") else getattr(state, "near", state).seen
        yield records.count, [len(paid) for paid in twin.paid]
        yield records.total, [sum(paid) for paid in twin.paid]
    users = range(twin.problem.users)
    if name == "club":
        yield state.label, [min(component(twin.G, i)) for i in users]
    elif name == "sclub":
        yield state.label, [twin.of(i) for i in users]
    elif name == "locb":
        yield state.clusters.member, [[i in N for i in users] for N in twin.N.values()]
    elif name == "cofiba":
        yield state.item_cluster, twin.cluster
    elif name in ("rmbandit", "am_bandit", "averaged_bandit", "pooled_bandit"):
        yield state.forced.swapaxes(0, 1), twin.forced
        yield state.estimate.swapaxes(0, 1), twin.newest
    elif name == "lasso_bandit":
        arms, zeros = range(twin.problem.arms), np.zeros(twin.problem.dimension)
        rows = [[twin.rows(twin.forced, j, k) for k in arms] for j in users]
        yield state.forced_estimate, [[lasso(one, twin.o["lambda_1"], zeros) for one in row] for row in rows]
        yield state.every.count, [[len(twin.every.get((j, k), [])) for k in arms] for j in users]
    elif name == "ols_bandit":
        yield state.every.count, [len(twin.every.get((j, k), [])) for j in users for k in range(twin.problem.arms)]
    elif name in ("kernel_ucb", "kernel_ts"):
        yield state.process.observed.triangles.rows.sum(), len(twin.y)
    elif name == "m_cnb":
        yield state.mu[0], twin.mu
        yield from zip(state.count[0], map(len, twin.T), strict=True)
    if catalogue.family_of(name) == "neural":
        yield from networks_of(name, state, twin)


def networks_of(name: str, state: Any, twin: Any) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the layers of the networks of an algorithm with those of its twin."""
    if name == "m_cnb":
        yield from networks(state.users.weights, twin.theta)
        yield from networks(state.meta.weights, [twin.Theta])
    elif name == "meta_ban":
        yield from networks([layer.unsqueeze(1) for layer in state.meta], [twin.Theta])
        learners = state.lists.learner[0]
        yield from networks([layer[:, learners] for layer in state.users.weights], twin.theta)
    else:
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
