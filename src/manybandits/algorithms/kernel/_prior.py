"""What the Gaussian processes of the kernel policies are told before the first round: noise, kernel, and memory.

paper     the posterior's deviation is multiplied by nu                      (Chowdhury and Gopalan 2017)
released  by sqrt(lambda nu)                                                 (code published with Zhang et al. 2021)
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.policy import LAMBDA, Option, Options, Problem
from manybandits.core.process import Process, new_process

OPTIONS = (
    Option("nu", 0.1, "exploration: multiplies the posterior's standard deviation", low=0.0),
    LAMBDA,
    Option("gamma", 1.0, "of the kernel exp(-gamma |x - y|^2)", low=1e-6),
    Option("kept", 1000, "observations that are learned from, the first ones", low=1, structural=True),
)
RELEASED = "the posterior's deviation is multiplied by sqrt(lambda nu)"
RELEASED_OPTIONS = tuple(option.name for option in OPTIONS)


def prior(problem: Problem, options: Options) -> Process:
    """Return the process of every replica before the first round."""
    kept = min(int(options["kept"][0]), problem.horizon * problem.users)
    return new_process(options["lambda"], options["gamma"], kept, problem.arms, problem.dimension, problem.log)


def exploration(options: Options, released: bool) -> np.ndarray:
    """Return what multiplies the posterior's deviation, (R,)."""
    return np.sqrt(options["lambda"] * options["nu"]) if released else options["nu"]
