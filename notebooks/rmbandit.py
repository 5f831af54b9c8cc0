# %% [markdown]
# # RMBandit: learning the parameters that most instances share
#
# *Xu and Bastani, Learning Across Bandits in High Dimension via Robust Statistics, 2021.*
#
# Many hospitals face similar decision problems that differ in a few respects. Each is an instance, a linear bandit
# whose parameter is one shared vector plus a difference with few components. The estimator computes, component by
# component, a *trimmed* mean over instances, so that instances that differ there do not bias it, and then learns each
# difference by a LASSO.
#
# **What the paper says.** The paper is theoretical. The error of the estimator grows with the number of components
# that differ, s, and only weakly with the dimension d (Table 1), and so does the regret of RMBandit (Theorem 2,
# Corollary 3). A data-poor instance gains most: its regret grows with the logarithm of d, while that of learning
# alone grows with a power of d (Theorem 3). The paper has no experiments on games; all games here are ours.

# %%
from pathlib import Path

from manybandits.notebook import Results, play, show_runs

# %% tags=["parameters"]
results = "reports/paper-scale"
scale = ""

# %%
paper = Results("rmbandit", Path(results))
print("Settings of this run:", scale or "those of the paper's file")

# %% [markdown]
# ## Data and settings of this run

# %%
paper.scale()

# %% [markdown]
# ## The idea of the estimator
#
# Figure 1 of the paper: the components in which instances differ, the mean, the trimmed mean, and the estimates of
# the LASSO.

# %%
paper.figure("fig1")

# %% [markdown]
# ## Rates as slopes
#
# Table 1 states rates. On logarithmic axes a rate is a slope. Errors are therefore measured over sweeps of rows,
# dimension, instances and sparsity, and their slopes are compared with the stated rates.

# %%
paper.figure("table1")

# %%
paper.table("table1", ["regime", "swept", "estimator", "slope", "low", "high", "stated"])

# %% [markdown]
# ## Regret
#
# The regret of the bandits that use these estimators, against rounds and against the dimension.

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
# A small game with ten instances in twenty dimensions that differ in two components.

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
# ## Verdicts

# %%
paper.judgement()

# %% [markdown]
# ## What the paper leaves open

# %%
paper.choices()
