"""Options and first state of KernelUCB and KernelTS."""

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


class State(NamedTuple):
    nu: float
    process: Process
    random: np.ndarray  # (1,) uint64


def first_state(problem: Problem, options: Options, random: np.ndarray, together: int) -> State:
    """Return the state before the first round. together: the number of arms whose joint posterior is asked for."""
    kept = min(options["kept"], problem.horizon * problem.users)
    covariance = options["lambda"], options["gamma"], options["kernel"] == "exponential"
    return State(options["nu"], new_process(*covariance, kept, together, *problem.contexts), random)
