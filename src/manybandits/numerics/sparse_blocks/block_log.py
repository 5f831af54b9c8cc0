"""The log of observed block contexts, x in block k of K and zeros elsewhere, which are too long to be written out.

A context is a reference, (3,) int64: the number of its round, the item whose features are x, and the block k. All
contexts of a round have the same item. An observation is identified by the number of its round.

Which items a game offers does not depend on what is played. The inner products of the features of a round with those
of all rounds before it are therefore computed ahead, many rounds at a time, as one matrix product (`tabulate`). Inner
products of earlier rounds, which ridge regressions need when data move between learners, are computed one by one.

A log is made for all replicas of a play at once, because its table of products is shared by those of one seed. Its
arrays have the replica axis first. The states of policies contain the log of one replica.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from manybandits.compiling.lanes import LANES, add_product, load, sum_lanes, zeros
from manybandits.compiling.parts import part
from manybandits.compiling.replicas import Shared
from manybandits.numerics.triangles import padded_length

LONGEST = 800
"""Length of the longest context that is written out: a ridge regression on such contexts has matrices of this size.
An image of 28 x 28 pixels that is shifted by one entry per arm has 793."""
SPAN = 2 * LANES
"""Number of features that are skipped together if all of them are zero, as most pixels of an image are."""
TABLED, TOGETHER = 125, 1000
"""Rounds whose inner products are computed ahead, and earlier rounds per matrix product. The shapes never vary, because
the bits of a matrix product may depend on its shape."""


class Log(NamedTuple):
    """The observations of each of R replicas in T rounds, and inner products of its current round."""

    features: Shared  # (I, d) float32
    products: Shared  # (S, TABLED, T): inner products of rounds `tabled`, `tabled` + 1, ... with earlier ones
    stream: np.ndarray  # (R, 1): the seed of a replica
    tabled: np.ndarray  # (R, 1)
    item: np.ndarray  # (R, T) int32: the item of a round
    block: np.ndarray  # (R, T) int16: the block that was chosen, -1 = none yet
    reward: np.ndarray  # (R, T)
    square: np.ndarray  # (R, T): the squared length of x
    following: np.ndarray  # (R, T) int32: the next round in the same block, -1 = none yet
    ends: np.ndarray  # (R, K, 2) int32: the first and the last round in a block, -1 = none
    product: np.ndarray  # (R, T): the inner products of each round's x with the x of one round
    measured: np.ndarray  # (R, T) int32: the number of this round
    spans: np.ndarray  # (R, S) int32: the starts of the spans of x that are not all zero
    spanned: np.ndarray  # (R, 2): the number of spans, and of their round
    values: np.ndarray  # (R, V): workspace


def new_log(stream: np.ndarray, features: np.ndarray, blocks: int, rounds: int) -> Log:
    """Return the log of R replicas before the first of T rounds.

    stream: (R,), which of S seeds a replica plays; features: (I, d), as float32.
    """
    replicas, width = len(stream), features.shape[1]
    return Log(
        features=Shared(np.ascontiguousarray(features, np.float32)),
        products=Shared(np.zeros((stream.max() + 1, TABLED, rounds))),
        stream=stream[:, None].astype(np.int64),
        tabled=np.full((replicas, 1), rounds),
        item=np.zeros((replicas, rounds), np.int32),
        block=np.full((replicas, rounds), -1, np.int16),
        reward=np.zeros((replicas, rounds)),
        square=np.zeros((replicas, rounds)),
        following=np.full((replicas, rounds), -1, np.int32),
        ends=np.full((replicas, blocks, 2), -1, np.int32),
        product=np.zeros((replicas, rounds)),
        measured=np.full((replicas, rounds), -1, np.int32),
        spans=np.zeros((replicas, -(-width // SPAN)), np.int32),
        spanned=np.full((replicas, 2), -1),
        values=np.zeros((replicas, padded_length(width))),
    )


def log_of(state: tuple[Any, ...]) -> Log | None:
    """Return the log in a policy's state, or None if the state has none."""
    if isinstance(state, Log):
        return state
    found = (log_of(field) for field in state if isinstance(field, tuple))
    return next((log for log in found if log is not None), None)


def tabulate(log: Log, items: np.ndarray, mapping: Callable[..., Iterable[None]] = map) -> None:
    """Compute the inner products of the last rounds with all rounds up to them, ahead of these rounds.

    items: (S, t), the items of the first t >= 1 rounds for each of S seeds; mapping: applies a function to all seeds,
    as `map` does. The last rounds are those from the largest multiple of `TABLED` below t on.
    """
    count = items.shape[1]
    first = (count - 1) // TABLED * TABLED
    log.tabled[:] = first

    def fill(seed: int) -> None:
        features, table = log.features.array, log.products.array[seed]
        rows, earlier = np.zeros((TABLED, features.shape[1])), np.zeros((TOGETHER, features.shape[1]))
        rows[: count - first] = features[items[seed, first:]]
        for start in range(0, count, TOGETHER):
            part = items[seed, start : start + TOGETHER]
            earlier[: len(part)] = features[part]
            table[:, start : start + len(part)] = (rows @ earlier.T)[:, : len(part)]

    list(mapping(fill, range(len(items))))


@part
def features_of(log: Log, item: int) -> np.ndarray:
    """Return the features of an item, (d,) float32."""
    return log.features.array[item]


@part
def take_features(log: Log, item: int) -> None:
    """Fill `values` of the log with the features of an item, followed by zeros."""
    x = features_of(log, item)
    log.values[len(x) :] = 0.0
    for j in range(len(x)):
        log.values[j] = x[j]


@part(inlined=False)
def squared_length(log: Log, item: int) -> float:
    """Return the squared length of the features of an item."""
    total = 0.0
    for value in features_of(log, item):
        total += np.float64(value) ** 2
    return total


@part
def enter(log: Log, x: np.ndarray, reward: float) -> None:
    """Record the observation of a round, unless it is recorded already, by another learner."""
    number, block = x[0], x[2]
    if log.block[number] >= 0:
        return
    log.item[number], log.block[number], log.reward[number] = x[1], block, reward
    log.square[number] = squared_length(log, x[1])
    if log.ends[block, 0] < 0:
        log.ends[block, 0] = number
    else:
        log.following[log.ends[block, 1]] = number
    log.ends[block, 1] = number


@part(inlined=False)
def note_spans(log: Log, number: int, item: int) -> None:
    """Find the spans of `SPAN` features, of the item of round `number`, that are not all zero."""
    x = features_of(log, item)
    found = 0
    for first in range(0, len(x), SPAN):
        used = False
        for j in range(first, min(first + SPAN, len(x))):
            used |= x[j] != 0
        log.spans[found] = first
        found += used
    log.spanned[0], log.spanned[1] = found, number


@part
def product_with(log: Log, i: int, number: int, item: int) -> float:
    """Return the inner product of the features of round i and those of round `number`, whose item is `item`."""
    if log.tabled[0] <= number < log.tabled[0] + TABLED and i <= number:
        return log.products.array[log.stream[0], number - log.tabled[0], i]
    if log.measured[i] != number:
        if log.spanned[1] != number:
            note_spans(log, number, item)
        x, y = features_of(log, item), features_of(log, log.item[i])
        low = high = zeros()
        for place in range(log.spanned[0]):
            first = log.spans[place]
            low = add_product(low, load(x, first), load(y, first))
            high = add_product(high, load(x, first + LANES), load(y, first + LANES))
        log.product[i], log.measured[i] = sum_lanes(low) + sum_lanes(high), number
    return log.product[i]
