# %% [markdown]
# # CMLB and PMLB: agents that learn together
#
# *Ghosh, Sankararaman and Ramchandran, Collaborative Learning and Personalization in Multi-Agent Stochastic Linear
# Bandits, 2021.*
#
# N agents act in every round, each with a linear bandit of its own. If the agents form clusters, CMLB lets each agent
# first learn alone, then groups agents with similar estimates, which learn together. If the agents' parameters lie
# around a common mean, PMLB first learns the mean from all agents and then the deviation of each agent.
#
# **What the paper says.** CMLB is never worse than learning alone, and beats CLUB as clusters become uneven or agents
# become many (Figure 1). For clusters far apart, the regret of an agent decreases as one over the square root of N
# (Theorem 1). PMLB is far better than learning alone where agents are close, and no worse where they are not (Figure
# 2, Theorem 3).

# %%
from pathlib import Path

from manybandits.notebook import Results, play, show_runs

# %% tags=["parameters"]
results = "reports/paper-scale"
scale = ""

# %%
paper = Results("sclb_pmlb", Path(results))
print("Settings of this run:", scale or "those of the paper")

# %% [markdown]
# ## Data and settings of this run
#
# The games are generated as the paper describes them, so no data are replaced. The numbers of agents and clusters of
# each panel are given only in the images of Figure 1 and are not known here; therefore a whole grid of them is shown.

# %%
paper.scale()

# %% [markdown]
# ## Main figures
#
# Agents around a common mean, at several distances from it (Figure 2). The oracle knows the mean.

# %%
paper.figure("fig2", only=["PMLB", "CMLB", "LinUCB-Ind", "Oracle of the mean"])

# %%
paper.final("fig2")

# %% [markdown]
# Clusters of agents (Figure 1). It has many panels, so only the final numbers are shown. The oracle knows the
# clusters.

# %%
paper.final("fig1")

# %% [markdown]
# ## Measuring the rate of Theorem 1
#
# Theorem 1 states a rate. The number of agents is doubled five times, and the slope of the regret in the second half
# of the rounds, when the clusters should be known, is measured on logarithmic axes. One over the square root of N is
# a slope of -0.5.

# %%
paper.figure("theorem1")

# %% [markdown]
# The theorem requires that the true clusters are found. The figure shows how often they were, against the distance of
# the clusters.

# %%
paper.figure("recovery")

# %% [markdown]
# ## Try it
#
# A small game with twenty agents in two clusters far apart, and little noise.

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
# ## Verdicts

# %%
paper.judgement()

# %% [markdown]
# ## What the paper leaves open

# %%
paper.choices()
