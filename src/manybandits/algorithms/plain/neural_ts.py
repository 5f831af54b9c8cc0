"""NeuralTS, plainly: Zhang, Zhou, Li and Gu 2021, Algorithm 1; network and U are those of NeuralUCB, whose Z is U."""

from __future__ import annotations

import math

import numpy as np

from manybandits.algorithms.plain.neuucb_one import NeuUCBOne


class NeuralTS(NeuUCBOne):
    """A draw around the prediction of each arm."""

    def bonus(self, user: int, x: np.ndarray) -> float:
        sigma = math.sqrt(self.o["lambda"]) * self.width(user, x)  # sigma_{t,k}^2 = lambda g' U^-1 g / m
        return float(self.o["nu"] * sigma * self.random.normal())  # sample the estimated reward

    def learn(self, t: int, user: int, item: int, context: np.ndarray, reward: float) -> None:
        self.store(t, user, context, reward)  # set theta_t to the output of gradient descent
        self.add(user, context)  # U_t = U_{t-1} + g g' / m, with g at theta_t
