"""NeuralUCB and neural Thompson sampling, written from their papers one observation at a time.

Zhou, Li and Gu (2020), "Neural contextual bandits with UCB-based exploration", ICML, Algorithms 1 and 2. Zhang, Zhou,
Li and Gu (2021), "Neural Thompson sampling", ICLR, Algorithm 1. A network is a list of matrices; nothing here is
batched, and nothing is shared with the package.
"""

import itertools
from collections.abc import Sequence

import numpy as np

Weights = list[np.ndarray]


def symmetric_weights(rng: np.random.Generator, d: int, m: int, layers: int) -> Weights:
    """theta_0 for inputs of 2d numbers: blocks (W, 0; 0, W) from N(0, 4/m), and (w, -w) from N(0, 2/m)."""
    widths = [d] + [m // 2] * (layers - 1)
    weights: Weights = []
    for before, after in itertools.pairwise(widths):
        block = rng.normal(0, np.sqrt(4 / m), (after, before))
        weights.append(np.block([[block, np.zeros_like(block)], [np.zeros_like(block), block]]))
    last = rng.normal(0, np.sqrt(2 / m), m // 2)
    return [*weights, np.concatenate([last, -last])[None]]


def doubled(x: np.ndarray) -> np.ndarray:
    """The input with two equal halves, of the same length as x: the papers assume such contexts."""
    return np.concatenate([x, x]) / np.sqrt(2)


def value(weights: Weights, x: np.ndarray) -> float:
    """f(x; theta) = sqrt(m) W_L relu(W_(L-1) ... relu(W_1 x))."""
    for matrix in weights[:-1]:
        x = np.maximum(matrix @ x, 0)
    return float(np.sqrt(weights[-1].shape[1]) * (weights[-1] @ x)[0])


def gradient(weights: Weights, x: np.ndarray) -> Weights:
    """Gradient of f in every matrix, by the chain rule from the last one to the first."""
    inputs = [x]
    for matrix in weights[:-1]:
        inputs.append(np.maximum(matrix @ inputs[-1], 0))
    outer = np.array([np.sqrt(weights[-1].shape[1])])
    gradients: Weights = []
    for matrix, given in zip(reversed(weights), reversed(inputs), strict=True):
        gradients.insert(0, np.outer(outer, given))
        outer = (matrix.T @ outer) * (given > 0)
    return gradients


def flat(weights: Weights) -> np.ndarray:
    """All entries of the matrices as one vector."""
    return np.concatenate([matrix.ravel() for matrix in weights])


def trained(
    start: Weights,
    first: Weights,
    seen: Sequence[np.ndarray],
    rewards: Sequence[float],
    lam: float,
    rate: float,
    steps: int,
) -> Weights:
    """Gradient descent on sum (f - r)^2 / 2 + m lam |theta - theta_0|^2 / 2, from `start`."""
    weights, m = list(start), first[-1].shape[1]
    for _ in range(steps):
        slopes = [m * lam * (now - then) for now, then in zip(weights, first, strict=True)]
        for x, reward in zip(seen, rewards, strict=True):
            error = value(weights, x) - reward
            slopes = [slope + error * part for slope, part in zip(slopes, gradient(weights, x), strict=True)]
        weights = [matrix - rate * slope for matrix, slope in zip(weights, slopes, strict=True)]
    return weights


class NeuralBandit:
    """What both share: theta_0, the design matrix Z (U in the second paper), and all data so far.

    Parameters
    ----------
    first : theta_0.
    lam : lambda, of the design matrix and of the penalty.
    width : gamma (UCB), nu (Thompson sampling).
    rate, steps : eta as a function of the round, and J.
    from_first : train from theta_0 (Algorithm 2), or from the latest weights.
    diagonal : keep the diagonal of the design matrix only, as both papers' experiments do.
    """

    def __init__(self, first, lam, width, rate, steps, from_first=True, diagonal=False):
        self.first, self.weights = first, list(first)
        self.lam, self.width, self.rate, self.steps = lam, width, rate, steps
        self.from_first, self.diagonal = from_first, diagonal
        self.m = first[-1].shape[1]
        self.design = lam * np.eye(flat(first).size)
        self.seen: list[np.ndarray] = []
        self.rewards: list[float] = []

    def add_to_design(self, x):
        """Z + g g' / m with the gradient at the present weights."""
        g = flat(gradient(self.weights, x))
        self.design += np.outer(g, g) / self.m

    def quadratic(self, x):
        """g' Z^-1 g / m."""
        g = flat(gradient(self.weights, x))
        solved = g / np.diag(self.design) if self.diagonal else np.linalg.solve(self.design, g)
        return float(g @ solved / self.m)

    def train(self, x, reward):
        """theta_t from all observations so far."""
        self.seen.append(x)
        self.rewards.append(reward)
        start = self.first if self.from_first else self.weights
        rate = self.rate(len(self.seen))
        self.weights = trained(start, self.first, self.seen, self.rewards, self.lam, rate, self.steps)


class NeuralUCB(NeuralBandit):
    """Algorithm 1 of Zhou et al.: the design matrix takes the gradient at theta_(t-1)."""

    def indices(self, contexts):
        """f + gamma sqrt(g' Z^-1 g / m), one for each arm."""
        return np.array([value(self.weights, x) + self.width * np.sqrt(self.quadratic(x)) for x in contexts])

    def learn(self, x, reward):
        self.add_to_design(x)
        self.train(x, reward)


class NeuralTS(NeuralBandit):
    """Algorithm 1 of Zhang et al.: the design matrix takes the gradient at theta_t, after the training."""

    def moments(self, contexts):
        """Mean f and standard deviation nu sigma of each arm's sampled reward, sigma^2 = lambda g' U^-1 g / m."""
        means = np.array([value(self.weights, x) for x in contexts])
        return means, np.array([self.width * np.sqrt(self.lam * self.quadratic(x)) for x in contexts])

    def learn(self, x, reward):
        self.train(x, reward)
        self.add_to_design(x)
