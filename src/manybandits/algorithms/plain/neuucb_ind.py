"""NeuUCB-IND, plainly: Zhou, Li and Gu 2020, Algorithms 1 and 2, with a network for each user."""

from __future__ import annotations

from manybandits.algorithms.plain.neuucb_one import NeuUCBOne


class NeuUCBInd(NeuUCBOne):
    """NeuralUCB of each user; a training draws from all rounds, or with budget=served from those of the user served."""

    by_user = True

    def networks(self) -> int:
        return self.problem.users

    def of(self, user: int) -> int:
        return user

    def rounds(self) -> list[int]:
        served = self.seen[-1][0]
        return [p for p, one in enumerate(self.seen) if self.o["budget"] == "shared" or one[0] == served]
