# %% [markdown]
# # Meta-Ban: a meta-learner for groups of users that change with every arm
#
# *Ban, Qi, Wei and He, Neural Collaborative Filtering Bandits via Meta Learning, 2022.*
#
# Two users may agree on comedies and differ on horror films. Meta-Ban therefore groups users anew for every arm:
# those whose networks predict nearly the same for it. A meta-learner takes a few steps on the data of that group and
# then predicts.
#
# **What the paper says.** Meta-Ban has the lowest regret on MovieLens, Yelp and two sets of images (Figures 1 to 3).
# One network for all users and Meta-Ban beat linear clustering on MovieLens and Yelp, and linear clustering is poor on
# images. A wider group, nu = 5, is better than a narrow one, nu = 1.1 (Figure 4).
#
# The paper does *not* state its two step sizes, nor its numbers of steps; they are tuned here.

# %%
from pathlib import Path

from manybandits.notebook import Results, play, show_runs

# %% tags=["parameters"]
results = "reports/paper-scale"
scale = ""

# %%
paper = Results("meta_ban", Path(results))
print("Settings of this run:", scale or "those of the paper")

# %% [markdown]
# ## Data and settings of this run

# %%
paper.scale()

# %% [markdown]
# ## Main figure
#
# Figure 1 of the paper: regret on MovieLens. The reward is 1 for a rating below two stars: the task is to find what a
# user dislikes.

# %%
paper.figure("fig1", only=["Meta-Ban", "NeuUCB-ONE", "NeuUCB-IND", "LOCB", "LinUCB-ONE", "Random"])

# %%
paper.final("fig1")

# %%
paper.pairs("fig1", "Meta-Ban", "NeuUCB-ONE")

# %% [markdown]
# ## Images
#
# In Figure 3 each class of images is a user, and the user who is served is the class of the image. Arms are the image,
# shifted by one entry an arm.

# %%
paper.figure("fig3", only=["Meta-Ban", "NeuUCB-ONE", "LinUCB-ONE", "CLUB", "Random"])

# %% [markdown]
# ## Size of the groups
#
# Figure 4 of the paper varies nu, which widens the groups; below it, the size and purity of the groups.

# %%
paper.figure("fig4")

# %%
paper.figure("clusters")

# %% [markdown]
# ## The numbers that the paper does not state, two at a time, each pair tuned

# %%
paper.figure("steps")

# %% [markdown]
# ## Try it
#
# A small game with ten users in two groups and linear rewards: Meta-Ban with narrow and with wide groups, and one
# network for all users.

# %%
small = play(
    "synthetic",
    [("meta_ban", {"nu": 1.1}), ("meta_ban", {"nu": 5}), "neuucb_one", "random"],
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
