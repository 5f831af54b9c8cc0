# %% [markdown]
# # M-CNB: does clustering neural bandits pay?
#
# *Ban, Qi, Wei, Liu and He, Meta Clustering of Neural Bandits, KDD 2024.*
#
# A recommender serves many users. One neural bandit for all users ignores that tastes differ; one per user learns
# everything from scratch for each of them. M-CNB has one network per user. For every arm it finds the users whose
# networks predict nearly the same as that of the user served, and adapts a shared *meta-learner* to this group before
# it predicts.
#
# **What the paper says.** On four recommendation data sets its regret is 5.8, 7.7, 8.1 and 2.0 percent below the best
# of eight other methods (Figure 2), and it is also the lowest on image and table data (Figures 3 and 4). It is mostly
# compared with NeuUCB-ONE, one network for all users.
#
# This notebook shows the results of a rerun. It recomputes none of them: figures, tables and verdicts are read from
# the folders named below.

# %%
from pathlib import Path

from manybandits.notebook import Results, play, show_runs

# %% tags=["parameters"]
results = "reports/paper-scale"
scale = ""

# %%
paper = Results("m_cnb", Path(results))
print("Settings of this run:", scale or "those of the paper")

# %% [markdown]
# ## Data and settings of this run
#
# The paper plays 10,000 rounds, ten times. The table shows what this run played. Where it has other data than the
# paper, or fewer of them, its verdicts are marked as those of a smaller run.

# %%
paper.scale()

# %% [markdown]
# ## Main figure
#
# Figure 2 of the paper: regret against rounds. First M-CNB, its closest rival, one linear model for all users, the
# best-known clustering method, and a random policy.

# %%
paper.figure("fig2", only=["M-CNB", "NeuUCB-ONE", "LinUCB-ONE", "CLUB", "Random"])

# %% [markdown]
# Then the final regret of all algorithms.

# %%
paper.final("fig2")

# %% [markdown]
# ## Paired comparison
#
# All algorithms faced the same rounds: the same users, arms and rewards. The difference of two algorithms is
# therefore known more precisely than the regret of either. Left of the line M-CNB is better.

# %%
paper.pairs("fig2", "M-CNB", "NeuUCB-ONE")

# %% [markdown]
# ## What the clusters are
#
# The paper attributes the gain to the clusters. How many users are in the cluster that is played, and how many of
# them are in the true group of the user served? By Algorithm 1 all users start from the same weights, learn from one
# observation of their own, and from then on every member of a cluster takes the same step. The experiment `learners`
# also plays other readings of the text: only the user served learns, users learn from all of their own data, or start
# from different weights.

# %%
paper.figure("clusters")

# %%
paper.figure("learners")

# %% [markdown]
# ## Try it
#
# A small game with known groups: ten users in two groups, with linear rewards. It takes seconds.

# %%
small = play(
    "synthetic",
    ["m_cnb", ("m_cnb", {"learning": "history", "learners": "served"}), "neuucb_one", "club", "random"],
    rounds=200,
    seeds=range(3),
    users=10,
    clusters=2,
    items=100,
    dimension=6,
)
show_runs(small)

# %%
show_runs(small, "size")

# %% [markdown]
# ## Verdicts

# %%
paper.judgement()

# %% [markdown]
# ## What the paper leaves open

# %%
paper.choices()
