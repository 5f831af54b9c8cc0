"""Seconds of the LASSO problems of Table 1's sweeps, beside scikit-learn's Lasso in a loop, and whether both agree.

    python benchmarks/multitask.py [--seeds 30] [--threads 2]

The problems are those of the second step of the two multitask estimators: each on one instance at every point of the
sweeps of `workflow/papers/rmbandit`, experiment "generic", in the standard regime, a repetition a seed, the
constant of the penalty 2. scikit-learn is given the same problem as rows: a square root of the Gram matrix, which costs
it at least as little as the rows themselves, and the tolerance at which it comes as near to the minimum.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn.linear_model import Lasso
from threadpoolctl import threadpool_limits

from manybandits.base.configuration import read_yaml
from manybandits.estimators.comparison import Point, points_of
from manybandits.estimators.multitask import averaged, debiased, independent
from manybandits.estimators.regressions import draw

ROOT = Path(__file__).resolve().parents[1]
TOLERANCE = 1e-10


def problems(point: Point, seeds: int) -> tuple[np.ndarray, ...]:
    """Return the problems of a point, two a seed: Gram matrices, moments, penalties and what is shared."""
    found = []
    for seed in range(seeds):
        one = draw(point.setting, seed)
        estimates = independent(one.gram, one.moment)[0]
        for omega in (0.0, point.omega):
            found.append((one.gram[0], one.moment[0], 2.0 * point.penalty, averaged(estimates, one.included, omega)))
    return tuple(map(np.array, zip(*found, strict=True)))


def loop(gram: np.ndarray, moment: np.ndarray, penalty: np.ndarray, shared: np.ndarray) -> np.ndarray:
    """Solve the problems by scikit-learn, one after the other."""
    found = np.empty_like(moment)
    for p in range(len(gram)):
        root = np.linalg.cholesky(gram[p]).T
        y = np.linalg.solve(root.T, moment[p] - gram[p] @ shared[p])
        # Its objective has 1 / (2 rows) before the square, and there are d rows.
        lasso = Lasso(alpha=penalty[p] / 2 / len(root), fit_intercept=False, tol=TOLERANCE, max_iter=1_000_000)
        found[p] = shared[p] + lasso.fit(root, y).coef_
    return found


def measure(seeds: int, threads: int) -> pd.DataFrame:
    """Return a row a point: what was swept, problems, the seconds of both, their ratio and largest difference."""
    content = read_yaml(ROOT / "workflow/papers/rmbandit/experiments.yaml")["experiments"]["generic"]
    rows = []
    for swept, points in points_of({**content["with"], "regime": "standard"}, content["regression"]).items():
        for value, point in points.items():
            given = problems(point, seeds)
            debiased(*(array[:1] for array in given))  # so that all is compiled
            began = time.perf_counter()
            ours = debiased(*given, threads=threads)
            middle = time.perf_counter()
            with threadpool_limits(1):
                theirs = loop(*given)
            seconds = middle - began, time.perf_counter() - middle
            rows.append((swept, value, len(ours), *seconds, seconds[1] / seconds[0], np.abs(ours - theirs).max()))
    return pd.DataFrame(rows, columns=["swept", "value", "problems", "ours", "scikit_learn", "ratio", "difference"])


def main() -> None:
    """Print the table, and the sums."""
    parser = argparse.ArgumentParser(description="Time the LASSO problems of Table 1.")
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    table = measure(args.seeds, args.threads)
    print(table.to_string(index=False, float_format="{:.3g}".format))
    ours, theirs = table["ours"].sum(), table["scikit_learn"].sum()
    print(f"{table['problems'].sum():,} problems: {ours:.2f} s, scikit-learn {theirs:.2f} s, {theirs / ours:.1f} times")


if __name__ == "__main__":
    main()
