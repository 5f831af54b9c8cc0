# What the notebooks of Meta-Ban and M-CNB share: ratings as they are in the files, factors, groups, and small networks.
import lzma

import numpy as np
import pandas as pd
from scipy.cluster.vq import kmeans2
from scipy.sparse.linalg import svds

M = 100


def read(data):
    with lzma.open(f"{data}/movielens-1m/ratings.dat.xz", "rt") as file:
        movielens = np.array([line.split("::")[:3] for line in file], int).T
    yelp = np.load(f"{data}/yelp-2000x10000/yelp_2000users_10000items_entry.npy").astype(int).T
    return {"movielens-1m": movielens, "yelp-2000x10000": yelp}


def unit(rows):
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)


def matrix_of(user, item, rating, most_users, most_items):
    """Return the ratings of the busiest users and items, and 0 elsewhere."""
    user, item = pd.Series(user), pd.Series(item)
    kept = user.isin(user.value_counts()[:most_users].index) & item.isin(item.value_counts()[:most_items].index)
    return pd.crosstab(user[kept], item[kept], rating[kept], aggfunc="last").fillna(0).to_numpy()


def factors_and_groups(matrix):
    left, _, right = svds(matrix, k=10)
    return unit(right.T), kmeans2(unit(left), 50, minit="++", seed=0)[1]


def first_weights(random):
    return [random.normal(size=(10, M)) * (2 / M) ** 0.5, random.normal(size=M) * M**-0.5]


def value(a, b, x):
    return np.maximum(x @ a, 0) @ b


def slopes(a, b, x, error):
    """Return the gradient of the sum of error f(x) over the rows of x, a layer at a time."""
    return [x.T @ (error[:, None] * (x @ a > 0) * b), np.maximum(x @ a, 0).T @ error]


def change(one, other, x):
    """Return the distance between the gradients of two networks at one arm."""
    one, other = (np.concatenate([g.ravel() for g in slopes(*w, x[None], np.ones(1))]) for w in (one, other))
    return np.linalg.norm(one - other)
