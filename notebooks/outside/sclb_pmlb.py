# %% [markdown]
# # CMLB and PMLB, once more
#
# Two results of the replication, derived without this package: the regret per agent of CMLB where agents form clusters
# (Ghosh, Sankararaman and Ramchandran, Figure 1), and that of PMLB where they lie around a common mean (Figure 2).
# Agents and rounds are drawn anew, so means agree within intervals and not digit by digit.

# %%
import numpy as np
import pandas as pd
from agreement import RESULTS, compare

# %% [markdown]
# ## OFUL for many agents at once, or for averages of their rewards

# %%
N, T, K, D, DELTA, SEEDS = 50, 1000, 25, 15, 0.4, 10


class OFUL:
    def __init__(self, averaged):
        self.inverse, self.sums = np.tile(np.eye(D), (len(averaged), 1, 1)), np.zeros((len(averaged), D))
        self.count, self.averaged = 0, averaged

    @property
    def estimate(self):
        return np.einsum("nij,nj->ni", self.inverse, self.sums)

    def choose(self, contexts, shift):
        radius = np.sqrt(D * np.log((1 + self.count) / DELTA) / self.averaged) + 1
        spread = np.sqrt(np.einsum("ki,nij,kj->nk", contexts, self.inverse, contexts))
        return ((self.estimate + shift) @ contexts.T + radius[:, None] * spread).argmax(1)

    def learn(self, x, reward):
        v = np.einsum("nij,nj->ni", self.inverse, x)
        self.inverse -= v[:, :, None] * v[:, None, :] / (1 + (v * x).sum(1))[:, None, None]
        self.sums += reward[:, None] * x
        self.count += 1


# %% [markdown]
# ## Algorithm 3: connected components of agents with near estimates


# %%
def clusters(estimates):
    near = np.linalg.norm(estimates[:, None] - estimates, axis=2) <= 3 / (N * T) ** 0.2
    label, before = np.arange(N), None
    while before is None or (label != before).any():
        before, label = label, np.array([label[row].min() for row in near])
    return np.unique(label, return_inverse=True)[1]


# %% [markdown]
# ## Algorithms 2 and 4: a first phase, alone or all together, and a second, in clusters or alone with a shift


# %%
def play(theta, clustered, random):
    first = int(np.ceil(0.2**2 * D * (N * T) ** 0.4 * np.log(1 / DELTA))) if clustered else int(np.sqrt(T))
    label = np.arange(N) if clustered else np.zeros(N, int)
    bandit, shift, regret = OFUL(np.bincount(label)), np.zeros(D), 0.0
    for t in range(T):
        if t == first:
            label, shift = (clusters(bandit.estimate), shift) if clustered else (np.arange(N), bandit.estimate[0])
            bandit = OFUL(np.bincount(label))
        contexts = random.normal(size=(K, D)) / np.sqrt(D)
        arms = contexts[bandit.choose(contexts, shift)]
        paid = (theta * arms[label]).sum(1)
        regret += ((theta @ contexts.T).max(1) - paid).mean()
        seen = paid + random.normal(size=N) - arms[label] @ shift
        bandit.learn(arms, np.bincount(label, seen) / np.bincount(label))
    return regret


def in_clusters(random):
    rows = random.normal(size=(5, D))
    return np.repeat(rows / np.linalg.norm(rows, axis=1, keepdims=True), 10, axis=0)


def around_a_mean(random):
    return random.normal(size=D) + 0.1 * random.normal(size=(N, D))


# %% [markdown]
# ## Agreement

# %%
for name, figure, panel, draw in (
    ("CMLB", "fig1", "N = 50, L = 5, z = 0, noise 1", in_clusters),
    ("PMLB", "fig2", "N = 50, theta ~ N(mu, 0.01 I), noise 1", around_a_mean),
):
    table = pd.read_csv(f"{RESULTS}/tables/sclb_pmlb_{figure}.csv").set_index(["algorithm", "data"])
    theirs = table.loc[(name, panel), ["regret", "std", "n"]]
    compare(name, lambda random: play(draw(random), name == "CMLB", random), SEEDS, *theirs)  # noqa: B023
