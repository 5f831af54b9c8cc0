"""Generator of N linear regressions whose parameters differ in few coefficients, to compare estimators on.

Instance j has n_j rows of d numbers, y = x' beta^j + noise, and beta^j = beta + delta^j, where beta is dense and s
coefficients of delta^j are not zero. Errors are measured on instance 0. Source: Xu and Bastani, *Learning Across
Bandits in High Dimension via Robust Statistics*, sections 3 and B.

design   worst     Sigma = I exactly; the coefficients of delta^0 satisfy condition (i) of section B.4, no other
                   instance differs in these coefficients (ii), and the others differ in all other ones in turn (iii)
         generic   Gaussian rows, with a covariance of its own for each instance; random coefficients and signs
         mixed     as worst, but every other instance also differs in the last coefficient
regime   standard  n rows for every instance
         poor      n rows for instance 0 and n d^2 for the others; instance 0 is left out of the shared parameter
                   (section 3.5)

covariance  identity        as the design has it
            autoregression  Gaussian rows in place of Sigma = I in the designs worst and mixed, the same covariance for
                            all instances: coordinates i and i' have the correlation 1/2^|i - i'|. With Sigma = I and
                            equally many rows the pooling estimator is the averaging one; here it is not

The non-zero coefficients of delta^0 have the size `delta`, those of the others the size `others`. If `share` is given,
the worst design uses only as many coefficients as it takes for each to be that of this share of the instances.

Rows are never drawn, because estimators only see X'X / n and X'y / n. With C = L A / sqrt(n), L L' the covariance and A
the triangle of Bartlett's decomposition of a Wishart matrix, X'X / n = C C' and X' noise has the distribution of L A z,
so that n d^2 rows cost as much as n.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from manybandits.base.exceptions import InputError, pick
from manybandits.base.seeds import stream

DESIGNS, REGIMES = ("worst", "generic", "mixed"), ("standard", "poor")
COVARIANCES = ("identity", "autoregression")
CORRELATION = 0.5
"""Correlation of neighbouring coordinates: in the generic design the largest, in an autoregression that of all."""
SPREAD = 2.0
"""Variances of coordinates are between 1 / SPREAD and SPREAD in the generic design."""


@dataclass(frozen=True)
class Setting:
    """Settings of the generator; raises InputError for settings that cannot be drawn."""

    design: str = "worst"
    regime: str = "standard"
    rows: int = 400
    dimension: int = 100
    instances: int = 50
    support: int = 3
    delta: float = 2.0
    others: float = 2.0
    share: float = 0.0
    noise: float = 1.0
    covariance: str = "identity"

    def __post_init__(self) -> None:
        pick(self.design, DESIGNS, "design")
        pick(self.regime, REGIMES, "regime")
        pick(self.covariance, COVARIANCES, "covariance")
        if self.design == "generic" and self.covariance != "identity":
            raise InputError("the design generic draws a covariance for each instance: leave out covariance.")
        for name, least in (("rows", 1), ("dimension", 2), ("instances", 2), ("support", 0)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise InputError(f"{name} is {value}; give a whole number from {least}.")
        if 2 * self.support > self.dimension:
            raise InputError(f"support is {self.support}, more than half of the dimension, {self.dimension}: lower it.")
        if not self.random_rows and self.rows < self.dimension:
            raise InputError(
                f"{self.rows} rows cannot have the covariance I in {self.dimension} dimensions: "
                "give at least as many rows, or the design generic."
            )
        if not 0.0 <= self.share <= 1.0:
            raise InputError(f"share is {self.share:g}, but it is a share of the instances; give a value from 0 to 1.")
        if self.noise < 0.0:
            raise InputError(f"noise is {self.noise:g}, but it is a standard deviation; give a value from 0.")

    @property
    def random_rows(self) -> bool:
        """Whether rows are Gaussian, so that X'X / n is not exactly I."""
        return self.design == "generic" or self.covariance == "autoregression"

    @property
    def name(self) -> list[str]:
        """The values that name the random stream; a covariance of identity leaves it as it was without that setting."""
        values = {**asdict(self), "covariance": self.covariance.replace("identity", "")}
        return [str(value) for value in values.values() if value != ""]


class Regressions(NamedTuple):
    """N regressions: their true parameters, and the statistics that estimators see."""

    shared: np.ndarray  # (d,): beta
    delta: np.ndarray  # (N, d)
    gram: np.ndarray  # (N, d, d): X'X / n
    moment: np.ndarray  # (N, d): X'y / n
    rows: np.ndarray  # (N,)
    included: np.ndarray  # (N,) bool: whether an instance is used for the shared parameter


def draw(setting: Setting, seed: int) -> Regressions:
    """Draw the regressions of one seed."""
    random = stream("regressions", *setting.name, seed)
    instances, dimension, poor = setting.instances, setting.dimension, setting.regime == "poor"
    rows = np.full(instances, setting.rows * (dimension**2 if poor else 1))
    rows[0] = setting.rows
    shared = random.normal(size=dimension) / dimension
    delta = np.zeros((instances, dimension))
    size = np.full((instances, setting.support), float(setting.others))
    size[0] = setting.delta
    if setting.design == "generic":
        size *= random.choice([-1.0, 1.0], size=size.shape)
    np.put_along_axis(delta, draw_places(setting, random), size, axis=1)
    gram, moment = np.empty((instances, dimension, dimension)), np.empty((instances, dimension))
    with threadpool_limits(1):  # the order of sums in a BLAS product depends on its threads
        for j, (n, beta) in enumerate(zip(rows, shared + delta, strict=True)):
            root = draw_root(n, setting, random) if setting.random_rows else np.eye(dimension)
            gram[j] = root @ root.T if setting.random_rows else root
            moment[j] = gram[j] @ beta + setting.noise / np.sqrt(n) * (root @ random.normal(size=root.shape[1]))
    return Regressions(shared, delta, gram, moment, rows, np.arange(instances) >= poor)


def draw_places(setting: Setting, random: np.random.Generator) -> np.ndarray:
    """Return the numbers of the coefficients of delta^j that are not zero, (N, s)."""
    instances, dimension, support = setting.instances, setting.dimension, setting.support
    if setting.design == "generic":
        return np.argsort(random.random((instances, dimension)), axis=1)[:, :support]
    common = min(support, 1) if setting.design == "mixed" else 0
    places = np.full((instances, support), dimension - 1)
    places[0] = np.arange(support)
    turns = np.arange((instances - 1) * (support - common)).reshape(instances - 1, support - common)
    free = dimension - support - common
    hit = min(free, max(support, int(support / setting.share))) if setting.share else free
    places[1:, common:] = support + turns % hit
    return places


def draw_root(rows: int, setting: Setting, random: np.random.Generator) -> np.ndarray:
    """Draw C, (d, min(n, d)), with C C' = X'X / n for n Gaussian rows X, whose covariance generic draws, too."""
    dimension, generic = setting.dimension, setting.design == "generic"
    width = min(rows, dimension)
    root: np.ndarray = np.tril(random.normal(size=(dimension, width)), -1)
    np.fill_diagonal(root, np.sqrt(random.chisquare(rows - np.arange(width))))
    scale = SPREAD ** random.uniform(-0.5, 0.5, size=(dimension, 1)) if generic else np.ones((dimension, 1))
    correlation = random.uniform(0.0, CORRELATION) if generic else CORRELATION
    for i in range(1, dimension):  # an autoregression: coordinates i and j have the correlation correlation^|i - j|
        root[i] = correlation * root[i - 1] + np.sqrt(1.0 - correlation**2) * root[i]
    root *= scale / np.sqrt(rows)
    return root
