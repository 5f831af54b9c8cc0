"""Groups of users by K-means clustering of their features: ours, and those of M-CNB's authors.

Their repository gives no labels, but names scikit-learn 0.24.1, and no version that can be installed today gives the
same ones. ``published_groups.npz`` has what that version gives for the published features of users (with numpy 1.20.1
and scipy 1.6.2 on Python 3.8.18): ``KMeans(n_clusters=groups, random_state=0).fit(features).labels_``.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits

from manybandits.base.exceptions import InputError

SAME = 9
"""Digits in which features of users who rate alike are the same; the others are rounding errors."""
LABELS = Path(__file__).with_name("published_groups.npz")
"""Arrays named by a data set and the number of groups: the group of each user, (n,) uint8."""
SHA1 = {
    ("movielens-2000x10000", 50): "e8682d6b8ebc10c56e275614cc5c32fd036af2a5",
    ("movielens-2000x10000", 100): "8f4dce7207bcbbce65338796a230c1ed1653c1da",
    ("yelp-2000x10000", 50): "c57835598b3e57e4360683f9a48bfb828e00914b",
    ("yelp-2000x10000", 100): "a3a4ee8508bc492dc1b9c9e9b9d24a03f87ec824",
}
"""The checksum of the labels as little-endian int32, by data set and number of groups."""


def k_means(features: np.ndarray, groups: int) -> np.ndarray:
    """Return the group of every user, (n,) int32. features: (n, d).

    K-means runs ten times from a fixed seed, on one core, so that the same features give the same groups. Raises
    InputError where there are fewer distinct users than groups.
    """
    from sklearn.cluster import KMeans

    distinct = len(np.unique(np.round(features, SAME), axis=0))
    if groups > distinct:
        most = f"give at most {distinct} groups (--users of a table of yours)" if distinct > 1 else "use other ratings"
        raise InputError(
            f"{groups} groups were asked for, but the users have only {distinct} distinct feature vectors: {most}."
        )
    with threadpool_limits(1):
        return KMeans(n_clusters=groups, n_init=10, random_state=0).fit(features).labels_.astype(np.int32)


def published_groups(dataset: str, groups: int) -> np.ndarray | None:
    """Return the authors' group of each user of a data set, (n,) int32; None if they never made so many groups of it.

    Raises InputError if the file of labels is damaged.
    """
    if (dataset, groups) not in SHA1:
        return None
    with np.load(LABELS) as file:
        labels: np.ndarray = file[f"{dataset} {groups}"].astype("<i4")
    if hashlib.sha1(labels.tobytes()).hexdigest() != SHA1[dataset, groups]:
        raise InputError(f"{LABELS}: the {groups} groups of {dataset} are not the authors': install manybandits again.")
    return labels
