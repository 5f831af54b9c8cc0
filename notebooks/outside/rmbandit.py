# %% [markdown]
# # RMBandit, once more
#
# Two results of the replication, derived without this package: the regret of RMBandit (Xu and Bastani, Algorithms 1 and
# 2) in 50 instances with 100 dimensions, which differ in 3 of them: in random ones, or in other ones at each instance.
# Instances and rounds are drawn anew, so means agree within intervals and not digit by digit. The options are those
# that the replication chose.

# %%
import numpy as np
import pandas as pd
from agreement import RESULTS, chosen, compare

# %% [markdown]
# ## The game

# %%
N, K, D, S, T = 50, 2, 100, 3, 50_000


def game(random, disjoint):
    beta = np.tile(random.normal(size=(K, D)) / np.sqrt(D), (N, 1, 1))
    order = [random.permutation(D) for _ in range(K)]
    for j, k in np.ndindex(N, K):
        if disjoint:
            beta[j, k, order[k][(S * j + np.arange(S)) % D]] += (-1) ** k
        else:
            beta[j, k, random.choice(D, S, replace=False)] += 0.5 * random.choice([-1, 1], S)
    scale, at, x = random.uniform(0.5, 1, (N, D)), random.integers(N, size=T), random.normal(size=(T, D))
    while (outside := np.abs(x) > 1).any():
        x[outside] = random.normal(size=outside.sum())
    x *= scale[at]
    return at, x, np.einsum("tkd,td->tk", beta[at], x), 0.5 * random.normal(size=T)


# %% [markdown]
# ## Algorithm 1: the trimmed mean of least squares, and a LASSO from there


# %%
def robust(at, x, y, omega, penalty):
    count, mine = np.bincount(at, minlength=N), [(x[at == j], y[at == j]) for j in range(N)]
    gram, moment = np.array([a.T @ a for a, _ in mine]), np.array([a.T @ b for a, b in mine])
    diagonal = np.maximum(np.einsum("nii->ni", gram), 1e-12)
    ridge = np.where(count < D, 1e-6 * diagonal.mean(1), 0)[:, None, None] * np.eye(D)
    own = np.linalg.solve(gram + ridge, moment[:, :, None])[count >= max(1, 0.1 * count.mean()), :, 0]
    cut = min(max(int(omega * len(own)), 1), (len(own) - 1) // 2)
    shared = np.sort(own, axis=0)[cut : len(own) - cut].mean(0)
    beta, before = np.tile(shared, (N, 1)), np.inf
    while np.abs(beta - before).max() > 1e-6:
        before = beta.copy()
        for i in range(D):
            step = moment[:, i] - np.einsum("nj,nj->n", gram[:, i], beta) + diagonal[:, i] * (beta[:, i] - shared[i])
            beta[:, i] = shared[i] + np.sign(step) * np.maximum(np.abs(step) - penalty * count / 2, 0) / diagonal[:, i]
    return beta


def fitted(rows, before, *told):
    """Return the estimates of all arms; one that was not played keeps its own."""
    return np.stack([robust(*own, *told) if len(own[0]) else before[:, k] for k, own in enumerate(rows)], 1)


# %% [markdown]
# ## Algorithm 2: forced samples, then batches of doubling length


# %%
def play(random, disjoint, q, lambda_1, h=5.0, lambda_0=0.1):
    at, x, mean, noise = game(random, disjoint)
    first, end, regret = 0, max(1, int(np.ceil(q * N * K * D * np.log(T)))), 0.0
    forced = every = np.zeros((N, K, D))
    while first < T:
        now = slice(first, min(end, T))
        place, n = at[now], np.bincount(at[now], minlength=N)
        if first == 0:
            arm = pd.Series(place).groupby(place).cumcount().to_numpy() % K
            omega, path = 0.12, np.full(N, lambda_1)
        else:
            safe, value = (np.einsum("tkd,td->tk", estimate[place], x[now]) for estimate in (forced, every))
            arm = np.where(safe >= safe.max(1, keepdims=True) - h / 2, value, -np.inf).argmax(1)
            omega = 0.1 + 0.02 * np.sqrt(np.log(D * n[n > 0].min()))
            path = lambda_1 * np.sqrt(np.log(D * n.clip(1)) / n.clip(1))
        paid = np.take_along_axis(mean[now], arm[:, None], 1)[:, 0]
        regret += (mean[now].max(1) - paid).sum()
        rows = [(place[arm == k], x[now][arm == k], (paid + noise[now])[arm == k]) for k in range(K)]
        forced = forced if first else fitted(rows, forced, 0.1, np.full(N, lambda_0))
        every, first, end = fitted(rows, every, omega, path), end, 2 * end
    return regret


# %% [markdown]
# ## Agreement

# %%
for figure, disjoint in (("regret", False), ("aligned", True)):
    row = pd.read_csv(f"{RESULTS}/tables/rmbandit_{figure}.csv").set_index("algorithm").loc["RMBandit"]
    compare(figure, lambda random: play(random, disjoint, **chosen(row["options"])), 4, *row[["regret", "std", "n"]])  # noqa: B023
