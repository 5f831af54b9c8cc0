"""How often a trimmed mean of corrupted values errs as much as Lemma 1 of the RMBandit paper says: a simulation.

    python -m manybandits.measurements.rmbandit_lemma1 [--draws 2000] [--out STEM]

Lemma 1: of N values fewer than zeta N are corrupted, the others are independent, sigma_j-subgaussian, of equal mean mu.
With omega = zeta + eta and eta < 1/2 - c - zeta,

    P[|trimmed mean - mu| >= max_j sigma_j (3 zeta + 4 eta) sqrt(log(3 / eta)) / c] <= 3 exp(-N eta^2 / 9)

Here the values are normal with standard deviations between 1/2 and 1, and the corrupted ones all lie far to one side.
The mean, for which the lemma is not made, is measured beside it. Below N = 9 log(3) / eta^2 the bound says nothing.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from manybandits.base.exceptions import run_script
from manybandits.base.seeds import stream
from manybandits.base.table_files import Markdown
from manybandits.estimators.multitask import averaged
from manybandits.measurements.command_line import parser_of, write

SIZES = (50, 400, 1600)
"""N: the smallest is that of most experiments, where the bound is above 1."""
ZETA, ETA, C = 0.1, 0.2, 0.1
FAR = 1000.0
"""Value of the corrupted ones, in standard deviations."""
PARTS = ("trimmed mean", "mean", "bound of Lemma 1")
NOTE = (
    f"Share of draws whose error is as large as the lemma says, zeta = {ZETA}, eta = {ETA}, c = {C}; the mean is not "
    "covered by it."
)


def threshold() -> float:
    """Return the error of which the lemma speaks, for sigma_j up to 1."""
    return float((3 * ZETA + 4 * ETA) * np.sqrt(np.log(3 / ETA)) / C)


def bound(size: int) -> float:
    """Return the lemma's bound on the probability of that error. size: N."""
    return float(3 * np.exp(-size * ETA**2 / 9))


def shares(size: int, draws: int) -> dict[str, float]:
    """Return the share of draws in which the trimmed mean and the mean of N values have that error, and the bound."""
    random = stream("lemma1", size)
    values = random.normal(size=(draws, size)) * random.uniform(0.5, 1.0, size=size)
    values[:, : int(np.ceil(ZETA * size)) - 1] = FAR  # fewer than zeta N
    every = np.ones(size, bool)
    errors = [np.abs(averaged(values[:, :, None], every, omega)[:, 0]) for omega in (ZETA + ETA, 0.0)]
    found = [float((error >= threshold()).mean()) for error in errors]
    return dict(zip(PARTS, (*found, bound(size)), strict=True))


def main(argv: list[str] | None = None) -> None:
    title = "RMBandit, Lemma 1: errors of a trimmed mean"
    parser = parser_of("Measure the probability that Lemma 1 bounds.", title, repeated=False)
    parser.add_argument("--draws", type=int, default=2000)
    args = parser.parse_args(argv)
    measured = {size: shares(size, args.draws) for size in SIZES}
    rows = [(part, size, measured[size][part]) for part in PARTS for size in SIZES]
    table = pd.DataFrame(rows, columns=["part", "instances", "probability"])
    cells = [[part, *(f"{measured[size][part]:.4f}" for size in SIZES)] for part in PARTS]
    heads = ["part", *(f"N = {size:,}" for size in SIZES)]
    write(args, table, [("", Markdown.table(heads, "l" + "r" * len(SIZES), cells))], NOTE, draws=args.draws)


if __name__ == "__main__":
    run_script(main)
