"""The network of every neural class of the public code, and how it is trained: plain numpy, single precision.

``M@cf79294:mcnb.py:11-18`` is github.com/banyikun/MCNB, commit cf79294, file and lines. All four files have the same
class of networks. PyTorch's sums are in another order; these are in the order of the compiled form, to get its bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from manybandits.algorithms.plain._draws import Random
from manybandits.numerics import one_sample

ONE = np.float32(1)
Draw = Callable[[int], int]
"""Return a random number below its argument."""


def added(numbers: np.ndarray) -> np.float32:
    """Return the sum of numbers, from the first to the last."""
    return np.float32(np.cumsum(numbers, dtype=np.float32)[-1])


class Network:
    """Linear(d, m), ReLU, Linear(m, 1), both with biases (M@cf79294:mcnb.py:11-18)."""

    def __init__(self, numbers: np.ndarray, dimension: int) -> None:
        """Take P weights in a row: the first layer, input by input, its biases, the last layer, its bias."""
        self.width = (len(numbers) - 1) // (dimension + 2)
        last = (dimension + 1) * self.width
        self.w = numbers[:last].reshape(dimension + 1, self.width).copy()
        self.v = numbers[last:].copy()

    @property
    def numbers(self) -> np.ndarray:
        return np.concatenate([self.w.ravel(), self.v])

    def copy(self) -> Network:
        return Network(self.numbers, len(self.w) - 1)

    def units(self, x: np.ndarray) -> np.ndarray:
        """Return the hidden units."""
        hidden = self.w[-1].copy()
        for entry, row in zip(x, self.w[:-1], strict=True):
            hidden += entry * row
        return np.maximum(hidden, np.float32(0))

    def value(self, x: np.ndarray) -> np.float32:
        return added(np.concatenate([self.v[-1:], self.v[:-1] * self.units(x)]))

    def gradient(self, x: np.ndarray, pull: np.float32 = ONE) -> tuple[np.ndarray, np.ndarray]:
        """Return pull times the gradient of f in all weights, biases included, shaped like w and v."""
        hidden = self.units(x)
        back = np.where(hidden > 0, pull * self.v[:-1], np.float32(0))
        inputs = np.append(x, ONE)
        return inputs[:, None] * back, np.append(pull * hidden, pull)

    def squares(self, x: np.ndarray) -> np.ndarray:
        """Return the squares of all entries of the gradient, (P,)."""
        return np.concatenate([part.ravel() for part in self.gradient(x)]) ** 2


def networks(count: int, dimension: int, width: int, random: Random) -> list[Network]:
    """Return networks with first weights of their own, as the compiled form draws them."""
    return [Network(row, dimension) for row in one_sample.networks(count, dimension, width, random.before())]


def due(t: int, early: int = 10, until: int = 1000, late: int = 100) -> bool:
    """Return whether networks are trained after round t = 0, 1, ..."""
    return t % (early if t < until else late) == 0


def plain_step(network: Network, x: np.ndarray, reward: np.float32, rate: float) -> float:
    """One step of torch.optim.SGD on (f(x) - r)^2; return the loss before it."""
    error = network.value(x) - reward
    w, v = network.gradient(x, np.float32(rate) * (np.float32(2) * error))
    network.w -= w
    network.v -= v
    return float(error * error)


class Adam:
    """torch.optim.Adam with its defaults. Every training makes a new one."""

    def __init__(self) -> None:
        self.steps = 0
        self.m: list[np.ndarray] = []
        self.s: list[np.ndarray] = []

    def step(self, network: Network, x: np.ndarray, reward: np.float32, rate: float) -> float:
        error = network.value(x) - reward
        slopes = network.gradient(x, np.float32(2) * error)
        if not self.m:
            self.m, self.s = [np.zeros_like(g) for g in slopes], [np.zeros_like(g) for g in slopes]
        self.steps += 1
        size = np.float32(rate / (1 - 0.9**self.steps))
        root = np.float32(1 / math.sqrt(1 - 0.999**self.steps))
        for weights, m, s, g in zip((network.w, network.v), self.m, self.s, slopes, strict=True):
            m[:] = np.float32(0.9) * m + np.float32(1.0 - 0.9) * g
            s[:] = np.float32(0.999) * s + np.float32(1.0 - 0.999) * (g * g)
            weights -= size * m / (np.sqrt(s) * root + np.float32(1e-8))
        return float(error * error)


def shuffled(places: Sequence[int], draw: Draw, most: int) -> list[int]:
    """Return the first `most` of some places in a random order; no training looks at more."""
    order = list(places)
    for s in range(min(most, len(order))):
        other = s + draw(len(order) - s)
        order[s], order[other] = order[other], order[s]
    return order[:most]


def train(
    network: Network,
    places: Sequence[int],
    contexts: Sequence[np.ndarray],
    rewards: Sequence[np.float32],
    draw: Draw,
    *,
    most: int,
    rate: float,
    adam: bool,
    again: bool,
) -> None:
    """The loop of every training: M@53eb178:meta_ban.py:80-106, 158-191; M@cf79294:mcnb.py:58-80, 122-147."""
    order = shuffled(places, draw, most)  # M@cf79294:mcnb.py:130-131
    optimiser = Adam() if adam else None  # anew in every call
    steps = 0
    while order:
        if again and steps:  # M@cf79294:mcnb.py:62, inside of the loop over passes
            for s in range(len(order) - 1):
                other = s + draw(len(order) - s)
                order[s], order[other] = order[other], order[s]
        losses = 0.0
        for place in order:
            if steps == most:
                return
            x, reward = contexts[place], rewards[place]
            steps += 1
            losses += optimiser.step(network, x, reward, rate) if optimiser else plain_step(network, x, reward, rate)
        if steps == most or losses / len(order) <= 1e-3:
            return
