"""NeuA+U, plainly: Ban et al. 2024, section 6: NeuralUCB with one network, which takes features of arm and user."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from manybandits.algorithms.plain.neuucb_one import NeuUCBOne
from manybandits.base.exceptions import InputError


class NeuAU(NeuUCBOne):
    """NeuUCB-ONE whose contexts end with the features of the user served."""

    def dimension(self) -> int:
        if not self.features.shape[1]:
            raise InputError("NeuA+U needs features of the users served, and there are none: choose another algorithm.")
        return self.problem.dimension + self.features.shape[1]

    def values(self, t: int, user: int, items: np.ndarray, contexts: np.ndarray) -> Sequence[float]:
        return super().values(t, user, items, np.array([[*x, *self.features[user]] for x in contexts]))

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        super().learn(t, user, item, np.array([*context, *self.features[user]]), reward)
