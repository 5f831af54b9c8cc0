"""Fully connected networks with ReLU and without biases, f(x) = W_L relu(... relu(W_1 x)), as lists of matrices."""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.contract import Options
from manybandits.algorithms.plain._draws import Random
from manybandits.base.exceptions import InputError

Weights = list[np.ndarray]
"""W_1, ..., W_L, each (outputs, inputs)."""


def plain_weights(random: Random, n: int, d: int, m: int, L: int) -> list[Weights]:
    """Draw the first weights of n networks: N(0, 2/m), in the last layer N(0, 1/m)."""
    draws = random.before()
    shapes = [(d, m), *[(m, m)] * (L - 2), (m, 1)]
    spread = [math.sqrt(2 / m)] * (L - 1) + [math.sqrt(1 / m)]
    layers = [s * draws.normal(size=(n, *shape)) for s, shape in zip(spread, shapes, strict=True)]
    return [[layer[i].T for layer in layers] for i in range(n)]


def symmetric_weights(random: Random, n: int, d: int, m: int, L: int) -> list[Weights]:
    """Draw those of Zhou, Li and Gu 2020, with which f is 0: (W, 0; 0, W) from N(0, 4/m), and (w, -w) from N(0, 2/m).

    Their inputs have two equal halves, (x, x) / sqrt(2): the first layer takes x, and has W / sqrt(2) twice.
    """
    if m % 2:
        raise InputError(f"width is {m}, but a network that starts at zero has two equal halves: give an even one.")
    draws, h = random.before(), m // 2
    first = math.sqrt(2 / m) * draws.normal(size=(n, d, h))
    hidden = [math.sqrt(4 / m) * draws.normal(size=(n, h, h)) for _ in range(L - 2)]
    last = math.sqrt(2 / m) * draws.normal(size=(n, h, 1))
    found = []
    for i in range(n):
        halves = [np.kron(np.eye(2), layer[i].T) for layer in hidden]
        found.append([np.vstack([first[i].T] * 2), *halves, np.hstack([last[i].T, -last[i].T])])
    return found


def inputs_of(W: Weights, X: np.ndarray) -> list[np.ndarray]:
    """Return the inputs of every layer at the rows of X, (Q, d)."""
    inputs = [X]
    for layer in W[:-1]:
        inputs.append(np.maximum(inputs[-1] @ layer.T, 0))
    return inputs


def f(W: Weights, X: np.ndarray) -> np.ndarray:
    """Return f at the rows of X, (Q,)."""
    return np.asarray((inputs_of(W, X)[-1] @ W[-1].T)[:, 0])


def slopes(W: Weights, X: np.ndarray, c: np.ndarray) -> Weights:
    """Return the gradient in W of the sum of c f(x) over the rows of X, (Q, d); c: (Q,)."""
    back, found = c[:, None], list[np.ndarray]()
    for layer, below in zip(reversed(W), reversed(inputs_of(W, X)), strict=True):
        found.insert(0, back.T @ below)
        back = (back @ layer) * (below > 0)
    return found


def g(W: Weights, x: np.ndarray) -> Weights:
    """Return the gradient of f at x, (d,)."""
    return slopes(W, x[None], np.ones(1))


def loss_slopes(W: Weights, X: np.ndarray, r: np.ndarray, share: np.ndarray | float) -> Weights:
    """Return the gradient of the sum of share (f(x) - r)^2 / 2."""
    return slopes(W, X, (f(W, X) - r) * share)


def flat(W: Weights) -> np.ndarray:
    """Return all weights as one vector."""
    return np.concatenate([layer.ravel() for layer in W])


class Steps:
    """How weights step down a gradient: by Adam (Kingma and Ba 2015), or plainly."""

    def __init__(self, kind: str, rate: float) -> None:
        self.adam, self.rate, self.s = kind == "adam", rate, 0
        self.m: Weights = []
        self.v: Weights = []

    def copy(self) -> Steps:
        """Return one that goes on from here."""
        other = Steps("adam" if self.adam else "plain", self.rate)
        other.s, other.m, other.v = self.s, self.m, self.v
        return other

    def step(self, W: Weights, gradient: Weights, X: np.ndarray) -> Weights:
        """Return the weights after a step. X: (Q, d); with Adam, weights of inputs that are 0 in all rows stay."""
        if not self.adam:
            return [layer - self.rate * slope for layer, slope in zip(W, gradient, strict=True)]
        self.s += 1
        m, v = self.m or [np.zeros_like(layer) for layer in W], self.v or [np.zeros_like(layer) for layer in W]
        self.m, self.v, moved = [], [], []
        for place, (layer, slope) in enumerate(zip(W, gradient, strict=True)):
            moves = (X != 0).any(axis=0) if place == 0 else np.ones(layer.shape[1], bool)
            self.m.append(np.where(moves, 0.9 * m[place] + 0.1 * slope, m[place]))
            self.v.append(np.where(moves, 0.999 * v[place] + 0.001 * slope**2, v[place]))
            fair = self.m[-1] / (1 - 0.9**self.s), self.v[-1] / (1 - 0.999**self.s)
            moved.append(layer - moves * self.rate * fair[0] / (np.sqrt(fair[1]) + 1e-8))
        return moved


class Network:
    """A network that is trained on batches of observations, as the options of an algorithm say.

    plain: Adam on the mean of (f - r)^2 / 2 over a batch. scaled: f has a factor sqrt(m), which is kept in rewards
    (`gain`), and gradient descent is on (f - r)^2 / 2 with a penalty of m lambda |W - W_0|^2 / 2 (Zhou et al.,
    Algorithm 2).
    """

    def __init__(self, W: Weights, o: Options, lam: float = 0.0) -> None:
        self.W, self.W_0, self.o, self.lam = W, W, o, lam
        self.scaled = o.get("network") == "scaled"
        self.gain = math.sqrt(o["width"]) if self.scaled else 1.0
        self.adam = Steps("adam", o["rate"])

    def train(self, batches: list[list[tuple[np.ndarray, float]]], sizes: list[int], known: int) -> None:
        """Take a step for each batch. batches: the observations of each that are this network's; known: so far."""
        if self.scaled and self.o["origin"] == "first":
            self.W = self.W_0  # Algorithm 2: theta^(0) = theta_0
        for batch, size in zip(batches, sizes, strict=True):
            if batch:
                X, r = np.array([x for x, _ in batch]), np.array([r / self.gain for _, r in batch])
                gradient = loss_slopes(self.W, X, r, 1 / size)
                if self.scaled:
                    pull, rate = self.lam / known * len(batch) / size, self.o["rate"] * self.o["width"]
                    parts = zip(self.W, gradient, self.W_0, strict=True)
                    self.W = [w - rate * (slope + pull * (w - first)) for w, slope, first in parts]  # Algorithm 2
                else:
                    self.W = self.adam.step(self.W, gradient, X)
