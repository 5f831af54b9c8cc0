"""Groups of users by K-means clustering of their features."""

import numpy as np
from threadpoolctl import threadpool_limits

from manybandits.base.exceptions import InputError

SAME = 9
"""Digits in which features of users who rate alike are the same; the others are rounding errors."""


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
