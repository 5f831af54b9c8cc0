# %% [markdown]
# # LNUCB-TA and LinUCB, once more
#
# Two results of the replication, derived without this package: the clicks that LNUCB-TA (Khosravi et al., Algorithms 1
# to 3) and LinUCB earn in 800 counted events of the news log. The log is read from the same file; its events are
# shuffled anew, so means agree within intervals and not digit by digit. alpha is the one that the replication chose.

# %%
import gzip

import numpy as np
import pandas as pd
from agreement import DATA, RESULTS, chosen, compare

# %% [markdown]
# ## Replay: an event counts if the policy chooses the article that was shown

# %%
SEEDS, ROUNDS, K, D = 10, 800, 10, 10
with gzip.open(f"{DATA}/news-bandit-10k/dataset.txt.gz") as file:
    rows = np.loadtxt(file)
shown, click, contexts = rows[:, 0].astype(int) - 1, rows[:, 1], rows[:, 2:].reshape(-1, K, D)


def replay(policy, random):
    counted = []
    for event in random.permutation(len(rows)):
        arm = policy.choose(contexts[event], random)
        if arm == shown[event]:
            policy.learn(arm, contexts[event, arm], click[event])
            counted.append(click[event])
            if len(counted) == ROUNDS:
                return sum(counted)
    return np.nan


# %% [markdown]
# ## The policies: LinUCB is LNUCB-TA without neighbours and attention


# %%
class Policy:
    def __init__(self, alpha, hybrid):
        self.alpha, self.hybrid = alpha, hybrid
        self.inverse, self.sums = np.tile(np.eye(D), (K, 1, 1)), np.zeros((K, D))
        self.seen, self.paid = [[] for _ in range(K)], [[] for _ in range(K)]

    def neighbours(self, arm, x):
        paid = np.array(self.paid[arm])
        k = int(np.floor(1 + 4 * paid.var() + 0.5)) if len(paid) else 1
        if not self.hybrid or len(paid) < k:
            return 0.0
        distance = ((np.array(self.seen[arm]) - x) ** 2).sum(1)
        return paid[np.lexsort((-np.arange(len(paid)), distance))[:k]].mean()

    def choose(self, offered, random):
        pulls, mean = np.array([(len(one), np.mean(one or [0])) for one in self.paid]).T
        rate = self.alpha * ((0.5 * mean.mean() + 0.5 * mean) / (pulls + 1) if self.hybrid else 1)
        v = np.einsum("kij,kj->ki", self.inverse, offered)
        value = (self.sums * v).sum(1) + rate * np.sqrt((offered * v).sum(1))
        value += [self.neighbours(arm, x) for arm, x in enumerate(offered)]
        return random.choice(np.flatnonzero(value > value.max() - 1e-12))

    def learn(self, arm, x, reward):
        v = self.inverse[arm] @ x
        self.sums[arm] += (reward - self.neighbours(arm, x)) * x
        self.inverse[arm] -= np.outer(v, v) / (1 + x @ v)
        self.seen[arm].append(x)
        self.paid[arm].append(reward)


# %% [markdown]
# ## Agreement

# %%
table = pd.read_csv(f"{RESULTS}/tables/lnucb_ta_fig1a.csv").query("data.str.contains('drawn')").set_index("algorithm")
for name in ("LNUCB-TA", "LinUCB"):
    row, hybrid = table.loc[name], name == "LNUCB-TA"
    alpha = chosen(row["options"])["alpha"]
    theirs = ROUNDS - row["regret"], row["std"], row["n"]
    compare(name, lambda random: replay(Policy(alpha, hybrid), random), SEEDS, *theirs)  # noqa: B023
