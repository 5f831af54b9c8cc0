"""Networks of one hidden layer that learn from one observation at a time, for compiled policies.

    f(x) = w' [relu(W' [x, 1]), 1]          loss of an observation: (f(x) - r)^2

This is how the public code of M-CNB and Meta-Ban trains, see `train`. A network is a row of P = (d + 1) m + m + 1
numbers of single precision: W row by row, then w, whose last entries are the biases. Every sum is added in the order of
its terms, so that a plain twin gets the same bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.compiling.parts import part
from manybandits.numerics.draws import below
from manybandits.numerics.vectors import fill

FADING, FADING_SQUARES, EPSILON = 0.9, 0.999, 1e-8
"""b1, b2 and eps of Adam (Kingma and Ba 2015), as PyTorch has them by default."""
ENOUGH = 1e-3
"""The mean loss of a pass at which a training ends."""


class History(NamedTuple):
    """The observations so far."""

    contexts: np.ndarray  # (T, d) float32
    rewards: np.ndarray  # (T,) float32
    length: np.ndarray  # (1,)


class Workspace(NamedTuple):
    """Room for what a step computes, and for what Adam remembers while a network is trained."""

    hidden: np.ndarray  # (m,) float32: the hidden units
    slopes: np.ndarray  # (P,) float32: a gradient
    moments: np.ndarray  # (2, P) float32: the means of gradients, and of their squares


def networks(count: int, dimension: int, width: int, random: np.random.Generator) -> np.ndarray:
    """Return n networks, (n, P), with PyTorch's first weights: all uniform within 1 / sqrt(inputs of the layer)."""
    first, last = dimension**-0.5, width**-0.5
    parts = (
        random.uniform(-first, first, (count, (dimension + 1) * width)),
        random.uniform(-last, last, (count, width + 1)),
    )
    return np.hstack(parts).astype(np.float32)


def workspace(dimension: int, width: int) -> Workspace:
    """Return room for the steps of networks of this shape."""
    size = (dimension + 1) * width + width + 1
    return Workspace(*(np.zeros(shape, np.float32) for shape in ((width,), (size,), (2, size))))


def history(dimension: int, horizon: int) -> History:
    """Return room for T observations."""
    return History(np.zeros((horizon, dimension), np.float32), np.zeros(horizon, np.float32), np.zeros(1, np.int64))


@part
def remember(seen: History, x: np.ndarray, reward: float) -> int:
    """Add an observation of context x, (d,), and return its place."""
    place = seen.length[0]
    for i in range(len(x)):
        seen.contexts[place, i] = x[i]
    seen.rewards[place] = reward
    seen.length[0] = place + 1
    return place


@part
def output(network: np.ndarray, x: np.ndarray, hidden: np.ndarray) -> float:
    """Return f of a network, (P,), at x, (d,) float32, and fill hidden, (m,)."""
    width, last = len(hidden), (len(x) + 1) * len(hidden)
    biases = network[len(x) * width : last]
    for j in range(width):
        hidden[j] = biases[j]
    for i in range(len(x)):
        entry, row = x[i], network[i * width : (i + 1) * width]
        for j in range(width):
            hidden[j] += entry * row[j]
    above, nothing = network[last:], network.dtype.type(0)
    found = above[width]
    for j in range(width):
        hidden[j] = max(hidden[j], nothing)
        found += above[j] * hidden[j]
    return found


@part
def slope(network: np.ndarray, x: np.ndarray, pull: float, hidden: np.ndarray, slopes: np.ndarray) -> None:
    """Fill slopes, (P,), with pull times the gradient of f at x, (d,), where `output` has filled hidden, (m,)."""
    width, last = len(hidden), (len(x) + 1) * len(hidden)
    biases, nothing = slopes[len(x) * width : last], network.dtype.type(0)
    for j in range(width):
        slopes[last + j] = pull * hidden[j]
        biases[j] = pull * network[last + j] if hidden[j] > 0 else nothing
    slopes[last + width] = pull
    for i in range(len(x)):
        entry, row = x[i], slopes[i * width : (i + 1) * width]
        for j in range(width):
            row[j] = entry * biases[j]


@part
def squared_slope(network: np.ndarray, x: np.ndarray, hidden: np.ndarray) -> float:
    """Return |g|^2 for the gradient g of f at x, (d,), where `output` has filled hidden, (m,)."""
    last, one = (len(x) + 1) * len(hidden), network.dtype.type(1)
    length, above, below_it = one, one, one - one
    for i in range(len(x)):
        length += x[i] * x[i]
    for j in range(len(hidden)):
        above += hidden[j] * hidden[j]
        if hidden[j] > 0:
            below_it += network[last + j] * network[last + j]
    return above + length * below_it


@part
def descend(network: np.ndarray, x: np.ndarray, reward: float, rate: float, room: Workspace) -> float:
    """Take a plain gradient step on (f(x) - r)^2, and return this loss before it."""
    kind, slopes = network.dtype.type, room.slopes
    error = output(network, x, room.hidden) - kind(reward)
    slope(network, x, kind(rate) * (kind(2) * error), room.hidden, slopes)
    for p in range(len(network)):
        network[p] -= slopes[p]
    return error * error


@part
def adam(network: np.ndarray, x: np.ndarray, reward: float, rate: float, k: int, room: Workspace) -> float:
    """Take Adam's step number k = 1, 2, ... on (f(x) - r)^2, and return this loss before it."""
    kind, slopes, m, v = network.dtype.type, room.slopes, room.moments[0], room.moments[1]
    error = output(network, x, room.hidden) - kind(reward)
    slope(network, x, kind(2) * error, room.hidden, slopes)
    fading, fading_squares, epsilon = kind(FADING), kind(FADING_SQUARES), kind(EPSILON)
    fresh, fresh_squares = kind(1.0 - FADING), kind(1.0 - FADING_SQUARES)
    size, root = kind(rate / (1.0 - FADING**k)), kind(1.0 / np.sqrt(1.0 - FADING_SQUARES**k))
    for p in range(len(network)):
        m[p] = fading * m[p] + fresh * slopes[p]
        v[p] = fading_squares * v[p] + fresh_squares * (slopes[p] * slopes[p])
        network[p] -= size * m[p] / (np.sqrt(v[p]) * root + epsilon)
    return error * error


@part(inlined=False)
def train(
    network: np.ndarray,
    by_adam: bool,
    rate: float,
    seen: History,
    order: np.ndarray,
    most: int,
    again: bool,
    room: Workspace,
    random: np.ndarray,
) -> None:
    """Train a network, (P,), on some observations, as the public code does in all of its trainings.

    One step an observation, over and over, until there were `most` steps, or until the mean loss of a whole pass, each
    taken before its step, is at most `ENOUGH`. Adam starts anew. order: the places of the observations, already
    shuffled, of which only the first `most` are needed; again: whether every later pass has an order of its own.
    """
    for side in range(2):
        fill(room.moments[side], 0.0)
    steps = 0
    while steps < most and len(order) > 0:
        if again and steps > 0:
            shuffle(order, random)
        losses = 0.0
        for place in order:
            steps += 1
            if by_adam:
                losses += adam(network, seen.contexts[place], seen.rewards[place], rate, steps, room)
            else:
                losses += descend(network, seen.contexts[place], seen.rewards[place], rate, room)
            if steps == most:
                break
        if losses / len(order) <= ENOUGH:
            break


@part
def shuffle(order: np.ndarray, random: np.ndarray) -> None:
    """Put order, (n,), into a random order (Fisher and Yates)."""
    for s in range(len(order) - 1):
        other = s + below(random, len(order) - s)
        order[s], order[other] = order[other], order[s]


@part
def sample(total: int, most: int, numbers: np.ndarray, random: np.ndarray) -> np.ndarray:
    """Return the first `most` of 0, ..., total - 1 in a random order, or all of them.

    numbers: 0, 1, ..., at least `total` of them; they are the same afterwards.
    """
    count = min(total, most)
    found, swapped = np.empty(count, np.int64), np.empty(count, np.int64)
    for s in range(count):
        other = s + below(random, total - s)
        numbers[s], numbers[other] = numbers[other], numbers[s]
        found[s], swapped[s] = numbers[s], other
    for s in range(count - 1, -1, -1):
        numbers[s], numbers[swapped[s]] = numbers[swapped[s]], numbers[s]
    return found


@part
def trains_after(t: int, early: int, until: int, late: int) -> bool:
    """Return whether networks are trained after round t = 0, 1, ...: every `early` rounds before `until`, or `late`."""
    return t % early == 0 if t < until else t % late == 0


@part
def first_largest(values: np.ndarray, diverged: np.ndarray) -> int:
    """Return the place of the first largest of values, (K,); set diverged, (1,) bool, if one is NaN or infinite."""
    arm = 0
    for k in range(len(values)):
        if not np.isfinite(values[k]):
            diverged[0] = True
        if values[k] > values[arm]:
            arm = k
    return arm
