"""Contexts from tags: words, tf-idf, principal components."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from manybandits.base.exceptions import InputError
from manybandits.features.tags import tag_components, words


@pytest.mark.parametrize(
    ("tag", "parts"),
    [
        ("Drum and Bass", ["drum", "and", "bass"]),
        ("hip-hop", ["hip", "hop"]),
        ("seen_live", ["seen", "live"]),
        ("80's", ["80", "s"]),
        ("música/brasileira", ["música", "brasileira"]),
        ("!!!", []),
    ],
)
def test_a_tag_falls_into_words(tag, parts):
    assert words(tag) == parts


def tagged(seed: int = 0) -> tuple[np.ndarray, pd.Series]:
    rng = np.random.default_rng(seed)
    vocabulary = np.array(["rock", "hard rock", "jazz", "free-jazz", "pop", "synth pop", "live", "folk", "new folk"])
    items = rng.integers(30, size=400)
    return items, pd.Series(vocabulary[(items + rng.integers(3, size=400)) % len(vocabulary)])


def test_components_are_those_of_a_plain_tf_idf_matrix():
    items, tags = tagged()
    ours = tag_components(items, tags, 31, 4)
    vocabulary = sorted({word for tag in tags for word in words(tag)})
    counts = np.zeros((31, len(vocabulary)))
    for item, tag in zip(items, tags, strict=True):
        for word in words(tag):
            counts[item, vocabulary.index(word)] += 1
    weight = np.log((1 + 31) / (1 + (counts > 0).sum(axis=0))) + 1
    plain = counts * weight
    plain /= np.maximum(np.linalg.norm(plain, axis=1, keepdims=True), 1e-300)
    centred = plain - plain.mean(axis=0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    scores = u[:, :4] * s[:4]
    np.testing.assert_allclose(np.abs(ours), np.abs(scores), atol=1e-8)
    assert np.array_equal(ours, tag_components(items, tags, 31, 4))


def test_too_few_words_are_named():
    with pytest.raises(InputError, match="words cannot give 40 components"):
        tag_components(*tagged(), 31, 40)
