# %% [markdown]
# # LNUCB-TA: what a reward of 0.94 would take
#
# *Khosravi, Shafie, Raihan, Das and Ahmed, LNUCB-TA: Linear-nonlinear Hybrid Bandit Learning with Temporal Attention,
# 2025.*
#
# LNUCB-TA adds to LinUCB the mean reward of the nearest past contexts, and lets exploration fade by a rate that
# weighs an arm's own mean with the mean of all.
#
# **What the paper says.** On a news log of 10,000 events, replayed for 800 counted rounds, LNUCB-TA earns a mean
# reward of 0.94 where LinUCB and k-nearest neighbours stay far below (Figure 1, Table 3). On four data sets of
# classes its regret is lower than that of eight other methods (Table 2).
#
# A click log pays what its articles pay. So the question of this notebook: how much can a bandit earn on this log
# that knows only what a bandit knows?

# %%
from pathlib import Path

from manybandits.notebook import Results, play, show_runs

# %% tags=["parameters"]
results = "reports/reduced"
runs = "artifacts/reduced"
scale = ""

# %%
paper = Results("lnucb_ta", Path(results), Path(runs))
print("Settings of this run:", scale or "those of the paper")

# %% [markdown]
# ## What was run on what

# %%
paper.scale()

# %% [markdown]
# ## The central figure
#
# Figure 1 of the paper: reward on the news log. A replayed event counts only where the policy picks the article that
# was shown. The log is replayed in its own order, and in twenty shuffled ones.

# %%
paper.figure("fig1a", only=["LNUCB-TA", "LinUCB", "k-NN UCB", "(Lin + k-NN)-UCB", "Epsilon-greedy"])

# %% [markdown]
# ## What an algorithm is told
#
# The authors' class knows more than a bandit: g is the mean of the whole reward table, pulled or not. And a replay
# may let a policy learn from every event, shown or not. Each row below is told a little more than the one above it;
# the two marks of a row differ in whether it learns from the events that count, or from all.

# %%
paper.figure("information")

# %%
paper.final("information")

# %% [markdown]
# ## With and without its parts
#
# Figure 2 of the paper takes the parts away: attention, neighbours, both.

# %%
paper.figure("fig2")

# %% [markdown]
# ## Classes
#
# Table 2 of the paper. Its other rows are quoted from an earlier paper; here all are played.

# %%
paper.final("table2")

# %% [markdown]
# ## Try it
#
# One user and twenty items with linear rewards. With attention, exploration is nearly gone after a few pulls of an
# arm.

# %%
small = play(
    "synthetic",
    ["lnucb_ta", ("lnucb_ta", {"attention": "no"}), ("lnucb_ta", {"neighbours": "no"}), "linucb", "random"],
    rounds=400,
    seeds=range(5),
    users=1,
    clusters=1,
    items=20,
    dimension=6,
)
show_runs(small)

# %% [markdown]
# ## What holds, and what does not

# %%
paper.verdicts()

# %% [markdown]
# ## What the paper leaves open

# %%
paper.decisions()

# %% [markdown]
# And this is where the authors' code does something else than the text.

# %%
paper.divergences()
