# %% [markdown]
# # M-CNB, once more
#
# Two results of the replication, derived without this package: the regret of M-CNB (Ban, Qi, Wei, Liu and He,
# Algorithms 1 and 2) in its first 1,000 rounds on MovieLens and on Yelp, with the item alone in every context. Ratings
# are read from the same files; factors, pre-clusters, rounds and weights are made anew, so means agree within intervals
# and not digit by digit. alpha and eta_2 are those that the replication chose.

# %%
import numpy as np
import pandas as pd
from agreement import DATA, RESULTS, chosen, compare, regret_after
from recommendation import M, change, factors_and_groups, first_weights, matrix_of, read, slopes, value

# %% [markdown]
# ## The game: 50 pre-clusters are served; of ten ratings by their members one is the best possible, and pays

# %%
ROUNDS, SEEDS = 1000, 3


def game(user, item, rating):
    matrix = matrix_of(user, item, rating, 10_000, 10_000)
    table, group = factors_and_groups(matrix)
    of = [np.nonzero(matrix * (group == g)[:, None]) for g in range(50)]
    best = [matrix[entry] == matrix.max() for entry in of]
    pools = [(entry[1][mask], entry[1][~mask]) for entry, mask in zip(of, best, strict=True)]
    return table, [pool for pool in pools if len(pool[0]) > 0 and len(pool[1]) > 8]


# %% [markdown]
# ## Steps of Adam


# %%
def stepped(network, g, rate):
    """A network is (weights, first moments, second moments, steps)."""
    weights, first, second, steps = network
    first = [0.9 * m + 0.1 * one for m, one in zip(first, g, strict=True)]
    second = [0.999 * v + 0.001 * one**2 for v, one in zip(second, g, strict=True)]
    fair, spread = 1 - 0.9 ** (steps + 1), 1 - 0.999 ** (steps + 1)
    moves = [m / fair / (np.sqrt(v / spread) + 1e-8) for m, v in zip(first, second, strict=True)]
    return [w - rate * move for w, move in zip(weights, moves, strict=True)], first, second, steps + 1


# %% [markdown]
# ## M-CNB: the meta-learner takes a step for the cluster of every arm; that of the arm played learns


# %%
def play(table, pools, random, alpha, meta_rate):
    start = first_weights(random)
    fresh = start, [np.zeros_like(w) for w in start], [np.zeros_like(w) for w in start], 0
    meta, users, seen, regret = fresh, [fresh] * len(pools), [[] for _ in pools], 0.0
    doubt = np.sqrt((1 + 1) / 2) + np.sqrt(2 * np.log(1 / 0.1))
    for t in range(-len(pools), ROUNDS):  # line 3 before round 0: one observation of every user
        u = t if t < 0 else random.integers(len(pools))
        items, order = (
            np.r_[random.choice(pools[u][0]), random.choice(pools[u][1], 9, replace=False)],
            random.permutation(10),
        )
        x, reward, arm, learners = table[items[order]], (order == 0).astype(float), random.integers(10), [u]
        if t >= 0:
            opinion, index, adapted = np.array([value(*own[0], x) for own in users]), np.zeros(10), []
            near = np.abs(opinion - opinion[u]) <= 4 / 5 * 0.4
            for k in range(10):
                drawn = [seen[v][random.integers(len(seen[v]))] for v in np.flatnonzero(near[:, k])]
                past, paid = (np.array(part) for part in zip(*drawn, strict=True))
                adapted.append(
                    stepped(meta, slopes(*meta[0], past, (value(*meta[0], past) - paid) / len(paid)), meta_rate)
                )
                width = change(adapted[k][0], start, x[k]) / M**0.25 + doubt / np.sqrt(len(seen[u]))
                index[k] = value(*adapted[k][0], x[k]) + alpha * width
            arm = index.argmax()
            meta, learners = adapted[arm], np.flatnonzero(near[:, arm])
            regret += 1 - reward[arm]
        for v in learners:
            users[v] = stepped(
                users[v], slopes(*users[v][0], x[[arm]], value(*users[v][0], x[[arm]]) - reward[arm]), 0.001
            )
            seen[v].append((x[arm], reward[arm]))
    return regret


# %% [markdown]
# ## Agreement

# %%
table = pd.read_csv(f"{RESULTS}/tables/m_cnb_items.csv").set_index(["algorithm", "environment"])
for name, ratings in read(DATA).items():
    options, drawn = chosen(table.loc[("M-CNB", f"m-cnb-paper-{name}"), "options"]), game(*ratings)
    theirs = regret_after(ROUNDS, "m_cnb", f"m-cnb-paper-{name}")
    compare(name, lambda random: play(*drawn, random, **options), SEEDS, *theirs)  # noqa: B023
