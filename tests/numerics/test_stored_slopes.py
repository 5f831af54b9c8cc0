"""Stored gradients: one learner's changes, the sum follows, and the loop is the formula."""

from __future__ import annotations

import pytest
import torch

from manybandits.numerics.networks import stored_slopes

REPLICAS, LEARNERS = 3, 4
SHAPES = [(2, 5, 7), (7, 1)]


def drawn(*shape: int) -> tuple[torch.Tensor, ...]:
    """Return random layers with these first dimensions; a quarter of their numbers are 0."""
    return tuple(torch.randn(*shape, *layer) * (torch.rand(*shape, *layer) > 0.25) for layer in SHAPES)


@pytest.mark.parametrize("precision", [torch.float32, torch.float64])
def test_a_gradient_is_replaced_and_the_sum_is_that_of_all(precision):
    torch.manual_seed(0)
    stored = tuple(layer.to(precision) for layer in drawn(REPLICAS, LEARNERS))
    before = tuple(layer.clone() for layer in stored)
    total = tuple(layer.sum(1) for layer in stored)
    new, own = (tuple(layer.to(precision) for layer in drawn(REPLICAS)) for _ in range(2))
    learner, shrink = torch.tensor([2, 0, 2]), torch.tensor([0.0, 0.1, 2.0], dtype=precision)
    stored_slopes.replace(stored, total, learner, new, own, shrink)
    for layer, old, whole, slope, weight in zip(stored, before, total, new, own, strict=True):
        pull = shrink.view(-1, *[1] * (slope.dim() - 1)) * weight.sign()
        for r, u in enumerate(learner.tolist()):
            torch.testing.assert_close(layer[r, u], slope[r] + pull[r])
            others = [v for v in range(LEARNERS) if v != u]
            assert torch.equal(layer[r, others], old[r, others])
        torch.testing.assert_close(whole, layer.sum(1), rtol=0, atol=1e-5)
