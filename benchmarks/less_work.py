"""What is saved by work that is left out, each beside what it is left out of, and how near the rest is to a limit.

    python benchmarks/less_work.py [--repeats 7]

* LASSO fits of a growing history, 100 coordinates: beside one solution of 80 linear equations. Where there are
  hardly more rows than coordinates, passes alone took six times as long as passes with jumps.
* A step of descent on 50 images of the shape of MNIST's, of whose pixels a fifth are not zero: beside the multiply-adds
  that this machine does on vectors.
* A stored gradient of Meta-Ban that changes: in one pass, beside the operations of torch that do the same.
* A training of Meta-Ban on such images of one user, each once in memory: beside one with a row for every draw.
* Outputs of 50 networks of ten layers: beside the same with gradients.
* What NeuralLinear embeds anew after a training: in pieces that stay in the cache, beside all at once.
* A round of NeuUCB-ONE that does not explore (alpha = 0), beside one that does.

Both sides of a ratio take turns, and the fastest of each counts, in processor time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from unittest.mock import patch

import numpy as np
import torch

from manybandits.algorithms import catalogue
from manybandits.algorithms.neural import neural_linear
from manybandits.algorithms.neural._own_rounds import Draws
from manybandits.environments.kinds.batch import Batch
from manybandits.harness.neural import play_batched
from manybandits.harness.replicas import start_states
from manybandits.numerics.lasso import descend as descend_lasso
from manybandits.numerics.networks import Inputs, Weights, factors, users
from manybandits.numerics.networks.stored_slopes import replace
from manybandits.numerics.networks.users import Batches, descend, outputs_of_all
from neural import of_images, setting, vector_chains


def fastest(repeats: int, *jobs: Callable[[], object]) -> list[float]:
    """Return the seconds of the fastest run of each job; they take turns."""
    seconds = np.full((repeats + 1, len(jobs)), np.inf)
    for turn in range(repeats + 1):
        for place, job in enumerate(jobs):
            began = time.thread_time()
            job()
            seconds[turn, place] = time.thread_time() - began
    return [float(least) for least in seconds[1:].min(axis=0)]  # the first turn compiles


def lasso(repeats: int, rows: range, penalty: float = 0.02) -> None:
    """Print the time of fits of 100 coordinates to the first n of some rows, each from the last solution."""
    random = np.random.default_rng(0)
    x = random.normal(size=(rows.stop, 100))
    y = x @ (random.normal(size=100) * (random.random(100) < 0.3)) + random.normal(size=rows.stop)
    grams, moments = [x[:n].T @ x[:n] / n for n in rows], [x[:n].T @ y[:n] / n for n in rows]
    b = np.zeros(100)

    def fit() -> None:
        b[:] = 0.0
        for gram, moment in zip(grams, moments, strict=True):
            descend_lasso(gram, moment, penalty, b, np.empty(100))

    def solve() -> None:
        for gram, moment in zip(grams, moments, strict=True):
            np.linalg.solve(gram[:80, :80], moment[:80])

    ours, theirs = fastest(repeats, fit, solve)
    each = f"{1e6 * ours / len(rows):.0f} us, {ours / theirs:.1f} solutions of 80 equations"
    print(f"LASSO, {rows.start} to {rows.stop} rows: {each}")


def descent(repeats: int) -> None:
    """Print the time of a step of descent on 50 images."""
    random = np.random.default_rng(0)
    pixels = random.random((1, 500, 784)) * (random.random((1, 500, 784)) < 0.2)
    x, reward = torch.as_tensor(pixels).float(), torch.as_tensor(random.random((1, 500))).float()
    block, order = torch.as_tensor(random.integers(10, size=(1, 500))), torch.arange(500).view(1, 10, 50)
    batches = Batches(torch.zeros_like(block), x, block, reward, order, torch.full((1,), 50))
    weights = torch.rand((1, 1, 10, 784, 100)) * 0.1, torch.rand((1, 1, 100, 1)) * 0.1
    chains, count = np.ones(64, np.float32), 2_000_000
    ours, machine = fastest(
        repeats,
        lambda: descend(weights, weights, torch.zeros(1, 1), batches, 1e-4),
        lambda: vector_chains(count, chains, np.float32(0.5)),
    )
    rate, most = 2 * np.count_nonzero(pixels) * 100 / ours / 1e9, 64 * count / machine / 1e9
    print(f"descent on 50 images: {1e6 * ours / 10:.0f} us, {rate:.0f} of {most:.0f} billion multiply-adds a second")


def storing(repeats: int) -> None:
    """Print the time of replacing the gradients of two replicas with networks of images, and of their sum."""
    new, own = torch.randn(2, 784_000), torch.randn(2, 784_000)
    stored, total = torch.randn(2, 2, 784_000), torch.randn(2, 784_000)
    rows, learner, shrink = torch.arange(2), torch.tensor([1, 0]), torch.full((2,), 0.01)

    def apart() -> None:
        found = new + shrink.unsqueeze(1) * own.sign()
        total.add_(found - stored[rows, learner])
        stored[rows, learner] = found

    one, many = fastest(repeats, lambda: replace((stored,), (total,), learner, (new,), (own,), shrink), apart)
    rate = 6 * new.nbytes / one / 1e9  # four arrays are read, and two of them written
    print(f"two gradients of images stored: {1e3 * one:.1f} ms, {rate:.0f} GB a second; torch {many / one:.1f} times")


def policy(name: str, rounds: int, **fixed: object) -> Callable[[], object]:
    """Return a job that plays the game of images with one replica; `job.player` is its policy."""
    game, module = of_images(), catalogue.load(name)
    options = {**setting(name, {}, 0), **fixed}

    def job() -> object:
        player = start_states(game, module, 5000, [options], [0], "cpu")
        play_batched(game, player, Batch(np.array([0]), np.array([rounds])))
        return player

    return job


def training(repeats: int) -> None:
    """Print the time of 300 steps of Meta-Ban on the images of one user."""
    player = policy("meta_ban", 1000, user_steps=1)()
    images = player.history.tables.item
    images *= torch.rand_like(images) < 0.2
    served = player.lists.count.argmax(1)
    once = player.lists.draws(served, 300, player.users.batch)
    places = torch.arange(300 * player.users.batch).view(once.order.shape)
    every = Draws(once.rounds.gather(1, once.order.flatten(1)), places, once.size, once.used)

    def on(draws: Draws) -> None:
        with patch.object(player.lists, "draws", lambda *_: draws):
            player.users.train(player.start, served)

    ours, rows = fastest(repeats, lambda: on(once), lambda: on(every))
    count = f"{once.rounds.shape[1]} images of a user"
    print(f"300 steps of Meta-Ban on {count}: {1e3 * ours:.0f} ms, {rows / ours:.2f} times that by draws")


def deep_outputs(repeats: int) -> None:
    """Print the time of the outputs of 50 networks of ten layers at ten contexts."""
    hidden = (0.1 * torch.randn(8, 1, 50, 100, 100)).unbind()
    deep = torch.randn(1, 50, 1, 20, 100), *hidden, torch.randn(1, 50, 100, 1)
    given = Inputs(torch.randn(1, 10, 20))

    def with_gradients() -> None:
        def both(weights: Weights, some: Inputs) -> torch.Tensor:
            return factors(weights, some).value

        with patch.object(users, "outputs", both):
            outputs_of_all(deep, given)

    ours, both = fastest(repeats, lambda: outputs_of_all(deep, given), with_gradients)
    print(f"outputs of 50 networks of ten layers: {1e3 * ours:.1f} ms, {both / ours:.2f} times that with gradients")


def embedding(repeats: int) -> None:
    """Print the time of embedding 5,000 images anew."""
    player = policy("neural_linear", 5000, until=0, late=5001)()

    def at_once() -> None:
        with patch.object(neural_linear, "NUMBERS", 2**40):
            player.embed_anew()

    pieces, whole = fastest(repeats, player.embed_anew, at_once)
    print(f"5,000 images embedded anew: {1e3 * pieces:.1f} ms, {whole / pieces:.2f} times that at once")


def exploring(repeats: int) -> None:
    """Print the time of a round without and with exploration."""
    without, with_it = fastest(repeats, *(policy("neuucb_one", 200, until=0, alpha=alpha) for alpha in (0.0, 0.1)))
    print(f"a round of NeuUCB-ONE: {1e6 * without / 200:.0f} us, {with_it / without:.2f} times that if it explores")


def main() -> None:
    """Print a line for each."""
    parser = argparse.ArgumentParser(description="Time what is left out beside what it is left out of.")
    parser.add_argument("--repeats", type=int, default=7)
    repeats = parser.parse_args().repeats
    torch.set_num_threads(1)
    for rows in (range(90, 130), range(130, 400)):
        lasso(repeats, rows)
    descent(repeats)
    storing(repeats)
    training(repeats)
    deep_outputs(repeats)
    embedding(repeats)
    exploring(repeats)


if __name__ == "__main__":
    main()
