"""Options and first state of KernelUCB and KernelTS.

paper     the posterior's standard deviation is multiplied by nu             (Chowdhury and Gopalan 2017)
released  it is multiplied by sqrt(lambda nu)                                (code published with Zhang et al. 2021)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import LAMBDA, Option, Options, Problem
from manybandits.numerics.gaussian_process import Process, new_process

OPTIONS = (
    Option("nu", 0.1, "exploration: multiplies the posterior's standard deviation", low=0.0),
    LAMBDA,
    Option("gamma", 1.0, "gamma of the kernel", low=1e-6),
    Option("kernel", "gaussian", "exp(-gamma |x - y|^2), or exp(-gamma |x - y|)", words=("gaussian", "exponential")),
    Option("kept", 1000, "number of first observations that are learned from", low=1, structural=True),
)
RELEASED = "the posterior's deviation is multiplied by sqrt(lambda nu)"
RELEASED_OPTIONS = tuple(option.name for option in OPTIONS)


class State(NamedTuple):
    scale: float  # the factor of the posterior's standard deviation
    process: Process
    random: np.ndarray  # (1,) uint64


def first_state(problem: Problem, options: Options, released: bool, random: np.ndarray, together: int) -> State:
    """Return the state before the first round. together: the number of arms whose joint posterior is asked for."""
    scale = np.sqrt(options["lambda"] * options["nu"]) if released else options["nu"]
    kept = min(options["kept"], problem.horizon * problem.users)
    covariance = options["lambda"], options["gamma"], options["kernel"] == "exponential"
    return State(scale, new_process(*covariance, kept, together, *problem.contexts), random)
