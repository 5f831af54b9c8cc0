# %% [markdown]
# # M-CNB: does clustering neural bandits pay?
#
# *Ban, Qi, Wei, Liu and He, Meta Clustering of Neural Bandits, KDD 2024.*
#
# A recommender serves many users. One neural bandit for all of them forgets that tastes differ; one for each starts
# from nothing, again and again. M-CNB lets every user have a network, finds for every arm the users whose networks
# predict nearly the same as that of the user served, and adapts a shared *meta-learner* to that group before it
# predicts.
#
# **What the paper says.** On four recommendation data sets its regret is 5.8, 7.7, 8.1 and 2.0 percent below the best
# of eight other methods (Figure 2), and it is the lowest on image and table data, too (Figures 3 and 4). One network
# for all of them, NeuUCB-ONE, is what it is measured against most.
#
# This notebook shows what a rerun found. It computes nothing of it: figures, tables and verdicts come from the run
# whose folders stand here.

# %%
from pathlib import Path

from manybandits.notebook import Results, play, show_runs

# %% tags=["parameters"]
results = "reports/reduced"
runs = "artifacts/reduced"
scale = ""

# %%
paper = Results("m_cnb", Path(results), Path(runs))
print("Settings of this run:", scale or "those of the paper")

# %% [markdown]
# ## What was run on what
#
# The paper plays 10,000 rounds, ten times. What this run played is below; where data are others than the paper's, or
# fewer, no claim on them can count as fully reproduced.

# %%
paper.scale()

# %% [markdown]
# ## The central figure
#
# Figure 2 of the paper: regret against rounds. First the method, its closest rival, one linear model for all users,
# the best known clustering method, and a policy that chooses at random.

# %%
paper.figure("fig2", only=["M-CNB", "NeuUCB-ONE", "LinUCB-ONE", "CLUB", "Random"])

# %% [markdown]
# Then all of them, at the end.

# %%
paper.final("fig2")

# %% [markdown]
# ## Pairs, not crowds
#
# All algorithms faced the same rounds: the same users, arms and rewards. So the difference of two algorithms is known
# better than either of them. Left of the line M-CNB is the better one.

# %%
paper.pairs("fig2", "M-CNB", "NeuUCB-ONE")

# %% [markdown]
# ## What the clusters are
#
# The gain is said to come from clusters. How many users are in the one that is played, and how many of these are of
# the true group of the user served? By the letter of Algorithm 1 every member of a cluster takes the same step from
# the same start; then users stay alike, and a cluster stays everybody. The experiment `learners` also plays users
# that learn alone and begin apart.

# %%
paper.figure("clusters")

# %%
paper.figure("learners")

# %% [markdown]
# ## Try it
#
# Ten users in two groups, linear rewards: a small game in which the groups are known. It takes seconds.

# %%
small = play(
    "synthetic",
    ["m_cnb", ("m_cnb", {"learners": "served", "first": "own"}), "neuucb_one", "club", "random"],
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
# ## What holds, and what does not

# %%
paper.verdicts()

# %% [markdown]
# ## What the paper leaves open
#
# Somebody who reruns a paper has to choose where its text is silent. These are the choices that were made.

# %%
paper.decisions()

# %% [markdown]
# And this is where the authors' code does something else than the text.

# %%
paper.divergences()
