# %% [markdown]
# # Meta-Ban, once more
#
# Two results of the replication, derived without this package: the regret of Meta-Ban (Ban, Qi, Wei and He, Algorithms
# 1 to 3) in its first 500 rounds on MovieLens and on Yelp. Ratings are read from the same files; factors, groups,
# rounds and weights are made anew, so means agree within intervals and not digit by digit. J_1 and eta_2 are those that
# the replication chose.

# %%
import numpy as np
import pandas as pd
from agreement import DATA, RESULTS, chosen, compare, regret_after
from recommendation import M, change, factors_and_groups, first_weights, matrix_of, read, slopes, value

# %% [markdown]
# ## The game: users are drawn by group; of ten items one has the worst rating, and pays

# %%
ROUNDS, SEEDS = 500, 3


def game(user, item, rating):
    matrix = matrix_of(user, item, rating, 2000, 10_000)
    table, group = factors_and_groups(matrix)
    pays, others = matrix == min(rating), (matrix != 0) & (matrix > min(rating))
    served = (pays.sum(1) > 0) & (others.sum(1) > 8)
    groups = [np.flatnonzero((group == g) & served) for g in np.unique(group[served])]
    return table, groups, [np.flatnonzero(row) for row in pays], [np.flatnonzero(row) for row in others]


# %% [markdown]
# ## Algorithm 3: a user learns, by J_1 steps of Adam from Theta_0 on all that it has seen


# %%
def trained(start, x, y, user_steps):
    own, first, second = list(start), [0, 0], [0, 0]
    for step in range(1, int(user_steps) + 1):
        for layer, g in enumerate(slopes(*own, x, (value(*own, x) - y) / len(y))):
            first[layer], second[layer] = 0.9 * first[layer] + 0.1 * g, 0.999 * second[layer] + 0.001 * g * g
        for layer in (0, 1):
            spread = np.sqrt(second[layer] / (1 - 0.999**step)) + 1e-8
            own[layer] = own[layer] - 0.001 * first[layer] / (1 - 0.9**step) / spread
    return own


# %% [markdown]
# ## Algorithms 1 and 2: the meta-learner adapts to the group of every arm, by gradients at the weights of its users


# %%
def play(table, groups, pays, others, random, user_steps, meta_rate):
    start = first_weights(random)
    users, downhill = ([np.tile(layer * s, (len(pays), *[1] * layer.ndim)) for layer in start] for s in (1, 0))
    seen, regret = [[] for _ in pays], 0.0

    def arms(u):
        items, order = np.r_[random.choice(pays[u]), random.choice(others[u], 9, replace=False)], random.permutation(10)
        return table[items[order]], (order == 0).astype(float)

    def learn(u, *observation):
        seen[u].append(observation)
        x, y = (np.array(part) for part in zip(*seen[u], strict=True))
        own, newest = trained(start, x, y, user_steps), random.random() * (len(y) + 1) < 1
        for layer, g in enumerate(slopes(*own, x, (value(*own, x) - y) / len(y))):
            downhill[layer][u] = g + 0.01 / M**0.5 * np.sign(own[layer])
            users[layer][u] = own[layer] if newest else users[layer][u]

    for t in range(-sum(map(len, groups)), ROUNDS):  # line 3 before round 0: one observation of every user
        u = np.concatenate(groups)[t] if t < 0 else random.choice(groups[random.integers(len(groups))])
        (x, reward), index = arms(u), random.random(10)
        if t >= 0:
            opinion = np.einsum("ukm,um->uk", np.maximum(np.einsum("kd,udm->ukm", x, users[0]), 0), users[1])
            near = (np.abs(opinion - opinion[u]) <= 4 / 5 * 0.4) & np.array([len(one) > 0 for one in seen])[:, None]
            for arm in range(10):
                meta = [w - 10 * meta_rate * g[near[:, arm]].mean(0) for w, g in zip(start, downhill, strict=True)]
                width = M**-0.25 * change(meta, start, x[arm]) + len(seen[u]) ** -0.5
                index[arm] = value(*meta, x[arm]) + 0.1 * width
            regret += 1 - reward[index.argmax()]
        learn(u, x[index.argmax()], reward[index.argmax()])
    return regret


# %% [markdown]
# ## Agreement

# %%
for name, figure in (("movielens-1m", "fig1"), ("yelp-2000x10000", "fig2")):
    table = pd.read_csv(f"{RESULTS}/tables/meta_ban_{figure}.csv").set_index("algorithm")
    options = {key: chosen(table.loc["Meta-Ban", "options"])[key] for key in ("user_steps", "meta_rate")}
    drawn = game(*read(DATA)[name])
    theirs = regret_after(ROUNDS, "meta_ban", f"meta-ban-paper-{name}")
    compare(name, lambda random: play(*drawn, random, **options), SEEDS, *theirs)  # noqa: B023
