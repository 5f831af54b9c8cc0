# %% [markdown]
# # RMBandit: sharing what most instances agree on
#
# *Xu and Bastani, Learning Across Bandits in High Dimension via Robust Statistics, 2021.*
#
# Many hospitals treat alike, and differ in a few things. Each is a linear bandit; their parameters are one shared
# vector plus a difference with few components. The estimator takes, component by component, a *trimmed* mean over
# instances, so that those who differ there do not pull it, and then learns each difference by a LASSO.
#
# **What the paper says.** It is theory. Its error grows with the number of components that differ, s, and only weakly
# with the dimension d (Table 1); the regret of RMBandit inherits that (Theorem 2, Corollary 3). A data-poor instance
# gains most: its regret grows with the logarithm of d, where learning alone pays a power of d (Theorem 3). The paper
# plays nothing; all games here are ours.

# %%
from pathlib import Path

from manybandits.notebook import Results, play, show_runs

# %% tags=["parameters"]
results = "reports/reduced"
runs = "artifacts/reduced"
scale = ""

# %%
paper = Results("rmbandit", Path(results), Path(runs))
print("Settings of this run:", scale or "those of the paper's file")

# %% [markdown]
# ## What was run on what

# %%
paper.scale()

# %% [markdown]
# ## The idea in a picture
#
# Figure 1 of the paper: what instances differ in, the mean, the trimmed mean, and what the LASSO finds.

# %%
paper.figure("fig1")

# %% [markdown]
# ## Rates as slopes
#
# Table 1 states rates. On logarithmic axes a rate is a slope, so errors are measured over sweeps of rows, dimension,
# instances and sparsity, and their slopes stand beside those stated.

# %%
paper.figure("table1")

# %%
paper.table("table1", ["regime", "swept", "estimator", "slope", "low", "high", "stated"])

# %% [markdown]
# ## Regret
#
# The bandits that use the estimators, against rounds and against the dimension.

# %%
paper.figure("regret")

# %%
paper.pairs("regret", "RMBandit", "OLS bandit")

# %%
paper.figure("dimension")

# %% [markdown]
# ## The data-poor instance

# %%
paper.figure("theorem3")

# %% [markdown]
# ## Try it
#
# Ten instances in twenty dimensions that differ in two components.

# %%
small = play(
    "instances",
    [("rmbandit", {"q": 0.03}), ("ols_bandit", {"q": 1}), ("pooled_bandit", {"q": 0.01}), "random"],
    rounds=3000,
    seeds=range(5),
    instances=10,
    dimension=20,
    sparsity=2,
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
# And this is where another reading of the text does something else.

# %%
paper.divergences()
