"""Groups of users by K-means on their features."""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

from manybandits.base.exceptions import InputError


def k_means(features: np.ndarray, groups: int) -> np.ndarray:
    """Return the group of every user, (n,) int32. features: (n, d).

    Ten starts with a fixed seed, on one core: the same features give the same groups.
    """
    from sklearn.cluster import KMeans

    if groups > len(np.unique(features, axis=0)):
        raise InputError(f"{groups} groups were asked for, but there are only {len(features)} users to divide.")
    with threadpool_limits(1):
        return KMeans(n_clusters=groups, n_init=10, random_state=0).fit(features).labels_.astype(np.int32)
