"""M-CNB as its public code was until July 2024: byte for byte the Meta-Ban of March 2022.

Source: github.com/banyikun/MCNB, commit 15f8473, ``mcnb.py``, which is blob 8e4970df, as ``meta_ban.py`` of 48c4006 is.
"""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.contract import Options, Problem, script
from manybandits.algorithms.released import meta_ban_2022
from manybandits.algorithms.released.meta_ban_2022 import State, choose, learn

TITLE = "M-CNB 2023"
REFERENCE = "Public code of M-CNB, commit 15f8473, mcnb.py"
OPTIONS = tuple(option for option in meta_ban_2022.OPTIONS if option.name != "version")
MODEL_PER_USER = True

__all__ = ["State", "choose", "learn"]


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    return meta_ban_2022.start(problem, {**options, "version": "march"}, random)


if __name__ == "__main__":
    script(__file__)
