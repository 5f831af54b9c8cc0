"""NeuUCB-ONE of 2022, plainly: the lines of its file are O in ``neuucb_ind_2022``."""

from __future__ import annotations

import numpy as np

from manybandits.algorithms.plain.neuucb_ind_2022 import NeuUCBIND2022


class NeuUCBONE2022(NeuUCBIND2022):
    """One network for all users."""

    alone = False

    def choose(self, t: int, u: int, items: np.ndarray, arms: np.ndarray) -> int:
        return super().choose(t, 0, items, arms)

    def learn(self, t: int, u: int, item: int, x: np.ndarray, reward: float) -> None:
        super().learn(t, 0, item, x, reward)
