# %% [markdown]
# # LNUCB-TA: can a bandit earn a mean reward of 0.94 on this log?
#
# *Khosravi, Shafie, Raihan, Das and Ahmed, LNUCB-TA: Linear-nonlinear Hybrid Bandit Learning with Temporal Attention,
# 2025.*
#
# LNUCB-TA adds the mean reward of the nearest past contexts to LinUCB, and reduces exploration at a rate that weighs
# an arm's own mean reward against the mean of the arms' means.
#
# **What the paper says.** On a news log of 10,000 events, replayed for 800 counted rounds, LNUCB-TA earns a mean
# reward of 0.94 while LinUCB and k-nearest neighbours stay far below (Figure 1, Table 3). On four classification data
# sets its regret is lower than that of eight other methods (Table 2).
#
# The rewards of a log are limited by how often its articles are clicked. This notebook asks how much a policy can
# earn on this log with only the information that a bandit has.

# %%
from pathlib import Path

from manybandits.notebook import Results, play, show_runs

# %% tags=["parameters"]
results = "reports/paper-scale"
scale = ""

# %%
paper = Results("lnucb_ta", Path(results))
print("Settings of this run:", scale or "those of the paper")

# %% [markdown]
# ## Data and settings of this run

# %%
paper.scale()

# %% [markdown]
# ## Main figure
#
# Figure 1 of the paper: reward on the news log. A replayed event counts only if the policy picks the article that was
# shown. The log is replayed in its own order and in twenty shuffled orders.

# %%
paper.figure("fig1a", only=["LNUCB-TA", "LinUCB", "k-NN UCB", "(Lin + k-NN)-UCB", "Epsilon-greedy"])

# %% [markdown]
# ## The effect of additional information
#
# The authors' code has more information than a bandit: g is the mean of the whole reward table, including arms that
# were not pulled. A replay may also let a policy learn from every event, whether it counts or not. Each row below has
# a little more information than the row above it; its two marks show learning from the events that count, and from
# all events.

# %%
paper.figure("information")

# %%
paper.final("information")

# %% [markdown]
# ## Ablation
#
# Figure 2 of the paper removes parts of the algorithm: attention, neighbours, and both.

# %%
paper.figure("fig2")

# %% [markdown]
# ## Classification
#
# Table 2 of the paper. The paper quotes its other rows from an earlier paper; here all algorithms are played.

# %%
paper.final("table2")

# %% [markdown]
# ## Try it
#
# A small game with one user and twenty items with linear rewards. With attention, exploration nearly vanishes after a
# few pulls of an arm.

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
# ## Verdicts

# %%
paper.judgement()

# %% [markdown]
# ## What the paper leaves open

# %%
paper.choices()
