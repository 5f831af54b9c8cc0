"""Ridge regression on block contexts that are not written out: predictions, observations, and transfers of data.

The functions do what the functions of the same name do in `manybandits.numerics.ridge`, which calls them. Data move
between learners by adding and subtracting weights; `refresh` then updates the factors of
`manybandits.numerics.sparse_blocks.block_factors`.
"""

from __future__ import annotations

import numpy as np

from manybandits.base.exceptions import Uncomputable
from manybandits.compiling.parts import part
from manybandits.numerics import triangles
from manybandits.numerics.samplers import normal
from manybandits.numerics.sparse_blocks.block_factors import (
    BlockRidge,
    catch_up,
    cut_back,
    drop_factor,
    estimate_block,
    gather_products,
)
from manybandits.numerics.sparse_blocks.block_log import enter, features_of, squared_length, take_features


@part
def squared_norm(ridge: BlockRidge, x: np.ndarray) -> float:
    return squared_length(ridge.log, x[1])


@part(inlined=False)
def mean_and_spread(ridge: BlockRidge, learner: int, x: np.ndarray) -> tuple[float, float]:
    log, s = ridge.log, learner * len(ridge.log.ends) + x[2]
    q = log.values[: ridge.triangles.rows[s]]
    if ridge.full[s]:
        take_features(log, x[1])
        along = triangles.solve(ridge.triangles, s, log.values)
        return along, triangles.product(q, q)
    gather_products(ridge, learner, x)
    along = triangles.solve(ridge.triangles, s, log.values)
    square = squared_length(log, x[1])
    rest = square - triangles.product(q, q)
    if square > 0.0 and not rest > triangles.TOLERANCE * square:
        raise Uncomputable
    return along, max(rest, 0.0) / ridge.regularization[learner]


@part(inlined=False)
def predict(ridge: BlockRidge, learner: int, contexts: np.ndarray, mean: np.ndarray, spread: np.ndarray) -> None:
    for k in range(len(contexts)):
        mean[k], spread[k] = mean_and_spread(ridge, learner, contexts[k])


@part(inlined=False)
def draw(
    ridge: BlockRidge, learner: int, contexts: np.ndarray, random: np.ndarray, mean: np.ndarray, off: np.ndarray
) -> None:
    # The contexts of a round are in different blocks, between which M^-1 is zero: they are drawn independently.
    for k in range(len(contexts)):
        mean[k], spread = mean_and_spread(ridge, learner, contexts[k])
        off[k] = np.sqrt(spread) * normal(random)


@part(inlined=False)
def mean_at(ridge: BlockRidge, learner: int, x: np.ndarray) -> float:
    features = features_of(ridge.log, x[1])
    first = x[2] * len(features)
    estimate = estimate_of(ridge, learner)
    total = 0.0
    for j in range(len(features)):
        total += estimate[first + j] * features[j]
    return total


@part(inlined=False)
def spread_at(ridge: BlockRidge, learner: int, x: np.ndarray) -> float:
    return mean_and_spread(ridge, learner, x)[1]


@part(inlined=False)
def accumulate(ridge: BlockRidge, learner: int, x: np.ndarray, reward: float) -> None:
    enter(ridge.log, x, reward)
    ridge.weight[learner, x[0]] += 1
    ridge.count[learner] += 1


@part(inlined=False)
def observe(ridge: BlockRidge, learner: int, x: np.ndarray, reward: float) -> None:
    accumulate(ridge, learner, x, reward)
    log, s = ridge.log, learner * len(ridge.log.ends) + x[2]
    if ridge.full[s]:
        take_features(log, x[1])
        triangles.rotate(ridge.triangles, s, log.values, reward)
        ridge.factored[learner, x[0]] += 1
        ridge.current[s] = False
    else:
        cut_back(ridge, learner, x[2])
        catch_up(ridge, learner, x[2])


@part(inlined=False)
def refresh(ridge: BlockRidge, learner: int) -> None:
    # First free the tiles of all blocks, then take new ones.
    for block in range(len(ridge.log.ends)):
        cut_back(ridge, learner, block)
    for block in range(len(ridge.log.ends)):
        catch_up(ridge, learner, block)


@part
def estimate_of(ridge: BlockRidge, learner: int) -> np.ndarray:
    for block in range(len(ridge.log.ends)):
        if not ridge.current[learner * len(ridge.log.ends) + block]:
            estimate_block(ridge, learner, block)
    return ridge.estimate[learner]


@part(inlined=False)
def pool(
    target: BlockRidge, slot: int, source: BlockRidge, label: np.ndarray, name: int, regularization: float
) -> None:
    if target.regularization[slot] != regularization:
        release(target, slot)
        target.regularization[slot] = regularization
    target.weight[slot] = 0
    target.count[slot] = 0
    for learner in range(len(label)):
        if label[learner] == name:
            transfer(target, slot, source, learner, 1, regularization)
    refresh(target, slot)


@part(inlined=False)
def release(ridge: BlockRidge, learner: int) -> None:
    for block in range(len(ridge.log.ends)):
        drop_factor(ridge, learner, block)
    ridge.weight[learner] = 0
    ridge.count[learner] = 0


@part(inlined=False)
def transfer(target: BlockRidge, slot: int, source: BlockRidge, learner: int, sign: int, regularization: float) -> None:
    for i in range(target.weight.shape[1]):
        target.weight[slot, i] += sign * source.weight[learner, i]
    target.count[slot] += sign * source.count[learner]


@part(inlined=False)
def copy(target: BlockRidge, slot: int, source: BlockRidge, learner: int) -> None:
    blocks = len(target.log.ends)
    for block in range(blocks):
        s, other = slot * blocks + block, learner * blocks + block
        triangles.duplicate(target.triangles, s, source.triangles, other)
        target.full[s], target.current[s] = source.full[other], source.current[other]
    target.regularization[slot] = source.regularization[learner]
    for i in range(target.weight.shape[1]):
        target.weight[slot, i], target.factored[slot, i] = source.weight[learner, i], source.factored[learner, i]
    for j in range(target.estimate.shape[1]):
        target.estimate[slot, j] = source.estimate[learner, j]
    target.count[slot] = source.count[learner]
