# %% [markdown]
# # Meta-Ban: one network for a group that changes with every arm
#
# *Ban, Qi, Wei and He, Neural Collaborative Filtering Bandits via Meta Learning, 2022.*
#
# Two users may agree on comedies and differ on horror. So Meta-Ban groups users anew for every arm: those whose
# networks predict nearly the same for it. A meta-learner takes a few steps on the data of that group, and then
# predicts.
#
# **What the paper says.** Meta-Ban has the lowest regret on MovieLens, Yelp and two sets of images (Figures 1 to 3).
# Neural methods beat linear clustering, by far on images. A wider group, nu = 5, is better than a narrow one, nu =
# 1.1 (Figure 4).
#
# What it does *not* say is how large its two step sizes are, and whether the learner sees who is served where a class
# of images is a user: then the name of the user is the answer.

# %%
from pathlib import Path

from manybandits.notebook import Results, play, show_runs

# %% tags=["parameters"]
results = "reports/reduced"
runs = "artifacts/reduced"
scale = ""

# %%
paper = Results("meta_ban", Path(results), Path(runs))
print("Settings of this run:", scale or "those of the paper")

# %% [markdown]
# ## What was run on what

# %%
paper.scale()

# %% [markdown]
# ## The central figure
#
# Figure 1 of the paper: regret on MovieLens. A rating below two stars pays here: the task is to find what a user
# dislikes.

# %%
paper.figure("fig1", only=["Meta-Ban", "NeuUCB-ONE", "NeuUCB-IND", "LOCB", "LinUCB-ONE", "Random"])

# %%
paper.final("fig1")

# %%
paper.pairs("fig1", "Meta-Ban", "NeuUCB-ONE")

# %% [markdown]
# ## Images: who is served, and what that gives away
#
# Figure 3 plays images, a class a user. If the learner is told the user, it is told the label. The figure shows the
# game both ways; what lies between the two panels of an algorithm is what the name of the user was worth.

# %%
paper.figure("fig3", only=["Meta-Ban", "NeuUCB-ONE", "LinUCB-ONE", "CLUB", "Random"])

# %% [markdown]
# ## How far a group reaches
#
# Figure 4 of the paper varies nu; below it, what the groups were.

# %%
paper.figure("fig4")

# %%
paper.figure("clusters")

# %% [markdown]
# ## Step sizes that are not stated

# %%
paper.figure("steps")

# %% [markdown]
# ## Try it
#
# Ten users in two groups with linear rewards. A narrow group and a wide one, beside one network for all.

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
