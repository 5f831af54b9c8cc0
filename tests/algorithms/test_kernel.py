"""The kernel policies against scikit-learn, in both forms of block contexts."""

import numpy as np
import pytest
from numba import njit
from scipy.spatial.distance import cdist
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, Matern

from manybandits.algorithms import catalogue, contract
from manybandits.base.exceptions import InputError
from manybandits.compiling.kernels import replica_bytes
from manybandits.compiling.replicas import row
from manybandits.environments import classification
from manybandits.environments.kinds.users import UserGame
from manybandits.harness.replicas import start_states
from manybandits.numerics import gaussian_process
from manybandits.numerics.growing_matrix import TILE
from manybandits.numerics.samplers import joint_normal
from manybandits.numerics.sparse_blocks.block_gaussian_process import BlockProcess
from manybandits.numerics.sparse_blocks.block_log import new_log
from tests.harness.one_block import play, synthetic_game

NAMES = ("kernel_ucb", "kernel_ts")
WIDTH, ARMS = 12, 4
KEPT, ROUNDS = 150, 260


def game_of_blocks(one_length=False) -> UserGame:
    """Four classes that overlap; some features are zero, and where lengths may differ, of some instances all are."""
    rng = np.random.default_rng(0)
    labels = rng.integers(ARMS, size=1000)
    features = rng.normal(size=(ARMS, WIDTH))[labels] + rng.normal(size=(1000, WIDTH))
    features[rng.random(features.shape) < 0.4] = 0
    if not one_length:
        features[:20] = 0
    arrays = classification.unpack(classification.build([(features, labels)], "hidden", "instances"))
    facts = {"name": "blocks", "kind": "classification", "blocks": ARMS}
    return UserGame("blocks", facts, arrays, 1, ARMS, classification.draw_block)


BLOCKS, UNIT_BLOCKS = game_of_blocks(), game_of_blocks(one_length=True)
PLAIN = synthetic_game(users=1, clusters=1, items=40, arms=6)


def arms(name, settings, seeds, cuts=(), threads=1, game=BLOCKS):
    """Play a game, and return the state and the arms, (R, ROUNDS)."""
    algorithm = catalogue.load(name)
    full = [contract.complete(algorithm, {"kept": KEPT, **setting}, "test") for setting in settings]
    state = start_states(game, algorithm, ROUNDS, full, seeds, "cpu")
    return state, play(game, name, state, seeds, ROUNDS, cuts=cuts, threads=threads)


@pytest.fixture
def written_out(monkeypatch):
    """No policy asks for references to block contexts."""
    for name in NAMES:
        monkeypatch.setattr(catalogue.load(name), "NAMES_BLOCKS", False)


@pytest.mark.parametrize("name", NAMES)
def test_arms_are_those_of_contexts_written_out(name, request):
    named, one = arms(name, [{}, {"nu": 1.0}], [0, 1])
    request.getfixturevalue("written_out")
    written, two = arms(name, [{}, {"nu": 1.0}], [0, 1])
    assert np.array_equal(one, two)
    assert isinstance(named.process, BlockProcess)
    assert isinstance(written.process, gaussian_process.Process)


@pytest.mark.parametrize("name", NAMES)
def test_a_replica_does_not_depend_on_its_neighbours_threads_or_pieces(name):
    settings = [{"nu": (0.01, 0.1, 1.0)[r % 3], "lambda": (0.1, 1.0)[r % 2]} for r in range(12)]
    seeds = [r % 5 for r in range(12)]
    _, together = arms(name, settings, seeds, threads=2)
    for r in (0, 11):
        _, alone = arms(name, [settings[r]], [seeds[r]], cuts=(1, 77))
        assert np.array_equal(alone[0], together[r])


def observed(form: str, kept: int, lam: float, gamma: float, seen: int = 150, kernel: str = "gaussian"):
    """A process that was offered `seen` observations, those it keeps, and arms to ask for, named and in full."""
    rng = np.random.default_rng(3)
    features = classification.unit_rows(rng.normal(size=(200, WIDTH))).astype(np.float32)
    if kernel == "gaussian":  # whatever their lengths
        features[::7] *= 0.5
        features[:, :3] *= rng.random((200, 3)) < 0.5
    references = np.stack([np.arange(200), np.arange(200), rng.choice(ARMS, 200, p=[0.7, 0.2, 0.1, 0.0])], axis=1)
    asked = np.array([[200, 190, block] for block in range(ARMS)])

    def full(names):
        return np.stack([np.kron(np.eye(ARMS)[block], features[item].astype(float)) for _, item, block in names])

    log = new_log(np.zeros(1, np.int64), features, ARMS, 300) if form == "named" else None
    made = gaussian_process.new_process(lam, gamma, kernel == "exponential", kept, ARMS, WIDTH * ARMS, row(log, 0))
    rewards = rng.normal(size=seen)
    for x, reward in zip(references if log else full(references), rewards, strict=False):
        gaussian_process.observe(made, x, reward)
    return made, full(references[:kept]), rewards[:kept], asked if log else full(asked), full(asked)


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("form", ["written out", "named"])
@pytest.mark.parametrize("kept", [1, TILE, 140])
@pytest.mark.parametrize(("lam", "gamma"), [(1.0, 1.0), (0.01, 0.2), (0.1, 8.0)])
@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
def test_mean_and_covariance_are_those_of_scikit_learn(form, kept, lam, gamma, kernel):
    made, contexts, rewards, asked, in_full = observed(form, kept, lam, gamma, kernel=kernel)
    theirs = RBF((2 * gamma) ** -0.5) if kernel == "gaussian" else Matern(1 / gamma, nu=0.5)
    model = GaussianProcessRegressor(theirs, alpha=lam, optimizer=None).fit(contexts, rewards)
    mean, covariance = np.empty(ARMS), np.empty((ARMS, ARMS))
    gaussian_process.posterior(made, asked, mean, covariance)
    expected = model.predict(in_full, return_cov=True)
    np.testing.assert_allclose(mean, expected[0], atol=1e-9)
    np.testing.assert_allclose(covariance, expected[1], atol=1e-9)
    np.testing.assert_allclose(np.sqrt(np.diag(covariance)), model.predict(in_full, return_std=True)[1], atol=1e-8)


@pytest.mark.parametrize("form", ["written out", "named"])
@pytest.mark.parametrize("seen", [0, 1, 150])
@pytest.mark.parametrize("kernel", ["gaussian", "exponential"])
def test_marginals_are_the_mean_and_the_diagonal_of_the_joint_posterior_to_the_last_bit(form, seen, kernel):
    made, _, _, asked, _ = observed(form, 140, 0.1, 0.7, seen=seen, kernel=kernel)
    mean, covariance = np.empty(ARMS), np.empty((ARMS, ARMS))
    gaussian_process.posterior(made, asked, mean, covariance)
    alone, variance = np.empty(ARMS), np.empty(ARMS)
    gaussian_process.marginals(made, asked, alone, variance)
    assert alone.tobytes() == mean.tobytes()
    assert variance.tobytes() == np.diag(covariance).tobytes()


def test_kernel_ucb_holds_a_row_for_one_arm_however_many_there_are():
    few, many = (
        start_states(
            synthetic_game(users=1, clusters=1, items=400, arms=arms),
            catalogue.load("kernel_ucb"),
            ROUNDS,
            [contract.complete(catalogue.load("kernel_ucb"), {}, "test")],
            [0],
            "cpu",
        )
        for arms in (2, 300)
    )
    assert replica_bytes(few) == replica_bytes(many)


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("form", ["written out", "named"])
def test_without_observations_mean_and_covariance_are_those_of_the_prior(form):
    made, _, _, asked, in_full = observed(form, 1, 1.0, 0.7, seen=0)
    mean, covariance = np.empty(ARMS), np.empty((ARMS, ARMS))
    gaussian_process.posterior(made, asked, mean, covariance)
    np.testing.assert_allclose(mean, 0.0)
    np.testing.assert_allclose(covariance, np.exp(-0.7 * cdist(in_full, in_full, "sqeuclidean")), atol=1e-12)


@njit
def draw_many(mean, covariance, scale, random, out):
    for i in range(len(out)):
        joint_normal(mean, covariance.copy(), scale, random, out[i])


@pytest.mark.usefixtures("uncompiled")
def test_kernel_ts_draws_arms_from_the_posterior():
    """Mean and covariance of what it draws, and how often each arm is then the best."""
    made, _, _, asked, _ = observed("named", 6, 1.0, 0.2)
    mean, covariance = np.empty(ARMS), np.empty((ARMS, ARMS))
    gaussian_process.posterior(made, asked, mean, covariance)
    drawn = np.empty((100_000, ARMS))
    draw_many(mean, covariance, 2.0, np.array([7], np.uint64), drawn)
    error = 2.0 * np.sqrt(np.diag(covariance).max() / len(drawn))
    np.testing.assert_allclose(drawn.mean(axis=0), mean, atol=5 * error)
    np.testing.assert_allclose(np.cov(drawn.T), 4.0 * covariance, atol=0.02 * 4.0 * covariance.max())
    assert covariance[0, 1] > 0.1 * covariance.max()  # independent draws would be seen

    algorithm = catalogue.load("kernel_ts")
    random = np.array([7], np.uint64)
    state = algorithm.State(2.0, made, random)
    chosen = [algorithm.choose(state, 1, 0, np.arange(ARMS), asked) for _ in range(1500)]
    shares = np.bincount(chosen, minlength=ARMS) / len(chosen)
    np.testing.assert_allclose(shares, np.bincount(drawn.argmax(axis=1), minlength=ARMS) / len(drawn), atol=0.05)


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_learned_once_all_that_is_kept_is_there(name):
    """Of two plays that differ after `kept` rounds only, the processes are equal; before, they are not."""
    short, _ = arms(name, [{"kept": 40}], [0])
    long, _ = arms(name, [{"kept": 41}], [0])
    assert short.process.observed.triangles.rows.sum() == 40
    assert long.process.observed.triangles.rows.sum() == 41
    before = short.process.precision.copy(), short.process.moment.copy(), short.process.common.copy()
    play(BLOCKS, name, short, [0], ROUNDS)
    after = short.process.precision, short.process.moment, short.process.common
    assert all(np.array_equal(one, two) for one, two in zip(before, after, strict=True))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"nu": -0.1}, "nu is -0.1; give a value from 0 to inf"),
        ({"lambda": 0}, "lambda is 0; give a value from 1e-06"),
        ({"gamma": 0}, "gamma is 0; give a value from 1e-06"),
        ({"kept": 0}, "kept is 0; give a value from 1"),
        ({"kept": 10.5}, "kept is 10.5, which is not a whole number"),
        ({"alpha": 1}, "KernelTS has no option 'alpha'; choose one of gamma, kept, kernel, lambda, nu"),
    ],
)
def test_a_bad_option_stops_with_its_name_and_the_cure(given, words):
    with pytest.raises(InputError, match=words):
        contract.complete(catalogue.load("kernel_ts"), given, "test")


def test_more_observations_than_memory_holds_stop_with_the_option_to_lower():
    with pytest.raises(InputError, match=r"a Gaussian process on 100,000 observations of 5 numbers .* option kept"):
        gaussian_process.new_process(1.0, 1.0, False, 100_000, 2, 5)


def test_an_exponential_kernel_is_refused_where_blocks_of_contexts_differ_in_length():
    with pytest.raises(InputError, match=r"lengths from 0 to 1, but an exponential kernel .* set kernel to gaussian"):
        arms("kernel_ucb", [{"kernel": "exponential"}], [0])


def test_a_short_game_takes_no_more_than_it_can_use():
    algorithm = catalogue.load("kernel_ucb")
    setting = contract.complete(algorithm, {"kept": 10**6}, "test")
    state = start_states(BLOCKS, algorithm, 50, [setting], [0], "cpu")
    assert state.process.height.shape == (1, ARMS, 50)
    assert replica_bytes(state) < 2**20
