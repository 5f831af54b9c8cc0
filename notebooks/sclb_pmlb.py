# %% [markdown]
# # CMLB and PMLB: agents that learn together
#
# *Ghosh, Sankararaman and Ramchandran, Collaborative Learning and Personalization in Multi-Agent Stochastic Linear
# Bandits, 2021.*
#
# N agents act in every round, each with a linear bandit of its own. If they fall into clusters, CMLB first learns
# alone, then joins those who look alike and learns with them. If they lie around a common mean, PMLB learns the mean
# together and then each agent its own shift.
#
# **What the paper says.** CMLB is never worse than learning alone, and beats CLUB as clusters become uneven or agents
# become many (Figure 1). For clusters far apart the regret of an agent falls like one over the root of N (Theorem 1).
# PMLB is far better than learning alone where agents are close, and no worse where they are not (Figure 2, Theorem
# 3).

# %%
from pathlib import Path

from manybandits.notebook import Results, play, show_runs

# %% tags=["parameters"]
results = "reports/reduced"
runs = "artifacts/reduced"
scale = ""

# %%
paper = Results("sclb_pmlb", Path(results), Path(runs))
print("Settings of this run:", scale or "those of the paper")

# %% [markdown]
# ## What was run on what
#
# The games are made as the paper describes them, so there are no other data to stand in for. What stands in the
# images of Figure 1 alone, how many agents and clusters each panel has, is not known; all of a grid is shown.

# %%
paper.scale()

# %% [markdown]
# ## The central figures
#
# Agents around a common mean, closer and less close (Figure 2). The oracle knows the mean.

# %%
paper.figure("fig2", only=["PMLB", "CMLB", "LinUCB-Ind", "Oracle of the mean"])

# %%
paper.final("fig2")

# %% [markdown]
# Clusters (Figure 1): many panels, so the numbers alone. The oracle knows the clusters.

# %%
paper.final("fig1")

# %% [markdown]
# ## A theorem as a measurement
#
# Theorem 1 speaks of rates. So the number of agents is doubled five times, and the slope of the regret of the second
# half, when the clusters should be known, is read on logarithmic axes. One over the root of N is a slope of -0.5.

# %%
paper.figure("theorem1")

# %% [markdown]
# It needs the true clusters to be found: how often they were, against the distance of the clusters.

# %%
paper.figure("recovery")

# %% [markdown]
# ## Try it
#
# Twenty agents in two clusters far apart, with little noise.

# %%
small = play(
    "agents",
    ["cmlb", "linucb_alone", "cluster_oracle", "random"],
    rounds=400,
    seeds=range(5),
    agents=20,
    clusters=2,
    separation=1.2,
    noise=0.1,
)
show_runs(small)

# %%
show_runs(small, "clusters")

# %% [markdown]
# ## What holds, and what does not

# %%
paper.verdicts()

# %% [markdown]
# ## What the paper leaves open

# %%
paper.decisions()

# %% [markdown]
# And this is where another reading of the text does something else.

# %%
paper.divergences()
