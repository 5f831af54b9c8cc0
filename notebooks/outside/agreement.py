# Whether runs made here and those of the replication agree: the 95 % interval of their difference (Welch) holds 0.
import os

import numpy as np
import pandas as pd
from scipy.stats import ttest_ind_from_stats

RESULTS = os.environ.get("RESULTS", "reports/paper-scale")  # the folder of a run of the replication
DATA = os.environ.get("MANYBANDITS_MIRROR", "data")  # the raw data sets, a folder each


def compare(name, play, seeds, mean, std, runs):
    """Play with some streams, and print both means. mean, std, runs: those of the replication."""
    own = np.array([play(np.random.default_rng(seed)) for seed in range(seeds)])
    here = own.mean(), own.std(ddof=1), seeds
    agrees = ttest_ind_from_stats(*here, mean, std, runs, equal_var=False).pvalue > 0.05
    print(f"{name}: {here[0]:.0f} here, {mean:.0f} in the replication; {'agrees' if agrees else 'DIFFERS'}")


def regret_after(rounds, method, game):
    """Return the regret of a paper's method in the replication after some rounds: mean, deviation and runs."""
    wanted = [("stage", "==", "evaluation"), ("chosen", "==", True), ("round", "==", rounds)]
    regret = pd.read_parquet(f"{RESULTS}/runs/{method}/{game}/{method}.parquet", filters=wanted)["regret"]
    return regret.mean(), regret.std(), len(regret)


def chosen(options):
    """Return the options that the replication chose, such as ``alpha=0.1 lambda=1``, as numbers."""
    return {key: float(value) for key, value in (part.split("=") for part in options.split())}
