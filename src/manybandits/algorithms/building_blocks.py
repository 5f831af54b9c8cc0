"""What an algorithm in a file of one's own is built from, in one place: `manybandits new algorithm` imports from here.

Declarations
    ``Option``, ``ALPHA`` and ``LAMBDA`` for OPTIONS; ``Options`` and ``Problem``, which `start` gets.
Compiling
    ``part``: a function that is compiled. It may call what follows.
Choosing
    ``best(values, random)``: the largest of K values, ties broken at random.
    ``largest(values)``, ``dot(a, b)``: plain loops, which compile faster than NumPy's.
Drawing, from ``state.random`` alone
    ``uniform(random)`` from [0, 1), ``below(random, n)`` from 0 to n - 1, ``normal(random)``.
Ridge regression, one or more models (see `manybandits.numerics.ridge`)
    ``Ridge``, made by ``new_ridge(regularization, models, *problem.contexts)``; ``predict(ridge, model, contexts, mean,
    spread)`` fills the means theta' x and the squares x' M^-1 x of K contexts; ``observe(ridge, model, x, reward)``.

The algorithms of this package import these from where they are defined, so that an edit elsewhere reruns none of them.
"""

from __future__ import annotations

from manybandits.algorithms.contract import ALPHA, LAMBDA, Option, Options, Problem
from manybandits.algorithms.linear._optimism import best
from manybandits.compiling.parts import part
from manybandits.numerics.draws import below, uniform
from manybandits.numerics.ridge import Ridge, new_ridge, observe, predict
from manybandits.numerics.samplers import normal
from manybandits.numerics.vectors import dot, largest

__all__ = [
    "ALPHA",
    "LAMBDA",
    "Option",
    "Options",
    "Problem",
    "Ridge",
    "below",
    "best",
    "dot",
    "largest",
    "new_ridge",
    "normal",
    "observe",
    "part",
    "predict",
    "uniform",
]
