"""Feature vectors of tagged items: principal components of the tf-idf matrix of items and the words of their tags.

Source: Ghosh, Sankararaman and Ramchandran 2021, section 6.2, after Cesa-Bianchi, Gentile and Zappella 2013.
"""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
from scipy import sparse

from manybandits.base.exceptions import InputError


def words(tag: str) -> list[str]:
    """Return the words of a tag in lower case, split at every character that is not a letter or a digit."""
    return re.findall(r"[^\W_]+", tag.lower())


def tag_components(items: np.ndarray, tags: pd.Series, count: int, components: int) -> np.ndarray:
    """Return the principal components of the tf-idf matrix of items and words, (count, components).

    items: (m,), the item, from 0 to count - 1, of every tag that somebody gave; tags: (m,) str, the tag itself.
    A word counts as often as it was given. The row of an item without a tag is that of an item without words.
    """
    from sklearn.decomposition import PCA  # here, since importing scikit-learn takes longer than making a plan
    from sklearn.feature_extraction.text import TfidfTransformer

    split = tags.map({tag: words(tag) for tag in tags.unique()})
    number = {word: place for place, word in enumerate(sorted({word for parts in split for word in parts}))}
    if len(number) < components:
        raise InputError(f"{len(number)} words cannot give {components} components: ask for fewer components.")
    rows = np.repeat(items, split.map(len))
    columns = np.array([number[word] for parts in split for word in parts], np.int64)
    counts = sparse.coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(count, len(number))).tocsr()
    weighted = TfidfTransformer().fit_transform(counts)
    scores = PCA(components, svd_solver="arpack", random_state=0).fit_transform(weighted)
    # The sign of a component is arbitrary: make its largest entry positive.
    largest = np.abs(scores).argmax(axis=0)
    signed: np.ndarray = scores * np.sign(scores[largest, np.arange(components)])
    return signed
