"""Display names of algorithms, options, settings, measures and columns, the same everywhere.

Run tables, the CSV files of figures and tables, and verdicts hold the titles from the plan: the title of an algorithm
and the options that differ from its defaults, such as ``k-NN UCB, phi 1``. Everything that people read (figures,
Markdown, LaTeX, pages, notebooks, the command line) shows them through `algorithm_name`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

RANDOM = "Random"
"""The title of the algorithm that chooses uniformly, which others are compared with."""
ALGORITHMS = {
    "LinUCB-Ind": "OFUL, one per agent",  # LinUCB-IND is another algorithm
    "CMLB, threshold 0": "CMLB, nobody merged",
    "CMLB, delta 1e-05": "CMLB, exploring as in section 6",
    "SCLB, delta 1e-05": "SCLB, exploring as in section 6",
    "CMLB, delta 1e-05, constant 1, rho_min 0.5": "CMLB, exploring as proved",
    "SCLB, delta 1e-05, constant 1, rho_min 0.5": "SCLB, exploring as proved",
    "CMLB, delta 0.3, exponent 0.5, constant 0.5": "CMLB, exploring as in section 6.2",
    "CLUB, graph erdos-renyi, alpha 1, alpha_2 2": "CLUB, set as in section 6.2",
    "CLUB, alpha 1, alpha_2 2": "CLUB, not tuned",
    "k-NN UCB, phi 1": "k-NN UCB (distance counted)",
    "k-NN KL-UCB, phi 1": "k-NN KL-UCB (distance counted)",
    "(Lin + k-NN)-UCB, phi 1": "(Lin + k-NN)-UCB (distance counted)",
    "BetaThompson-enhanced, gamma 0": "BetaThompson-enhanced, even attention",
    "Epsilon-greedy-enhanced, gamma 0": "Epsilon-greedy-enhanced, even attention",
    "LinThompson-enhanced, gamma 0": "LinThompson-enhanced, even attention",
    "M-CNB, learners served": "M-CNB, only the user served learns",
    "M-CNB, learners served, first own": "M-CNB, users start apart",
    "M-CNB, learners served, first own, gamma 0.1": "M-CNB, users start apart, gamma = 0.1",
    "LNUCB-TA, by kappa": "LNUCB-TA, by the weight of the global mean",
    "LNUCB-TA, by theta_max": "LNUCB-TA, by the most neighbours",
    "LNUCB-TA, mean table, target reward, weights distance, rounding floor, ties earliest": (
        "LNUCB-TA, as the authors' class, without its lag"
    ),
    "LNUCB-TA, mean table, target reward, weights distance, rounding floor, ties earliest, lag yes": (
        "LNUCB-TA, as the authors' class"
    ),
    "RMBandit, zeta 0.158, eta 0.075, omega_0 0.158": "RMBandit, trimming as in the theorem",
    "RMBandit, lambda_0 1000, lambda_1 1000": "RMBandit, without its LASSO",
    "RMBandit, h": "RMBandit, by the gap h",
    "RMBandit, q": "RMBandit, by the forced samples q",
    "RMBandit, lambda_1": "RMBandit, by the regularisation lambda_1",
    "RMBandit, omega_0": "RMBandit, by the trimmed share of forced samples, omega_0",
    "RMBandit, zeta": "RMBandit, by the trimmed share of all samples, zeta",
    "RMBandit, poor": "RMBandit, by the share of data-poor instances",
}
"""Title of an algorithm, with or without options -> display name. All other titles are display names already."""
FAMILIES = {
    "contextfree": "Without contexts",
    "kernel": "Kernels and Gaussian processes",
    "linear": "Linear, with users and clusters",
    "multiagent": "Linear, many agents at once",
    "multitask": "Linear, many similar instances",
    "nearest": "Nearest neighbours",
    "neural": "Neural networks",
    "released": "The public code of M-CNB and Meta-Ban",
}
"""Family of algorithms, the folder that its files are in -> heading; all others are called by their names."""
TOGETHER = {
    "steps 1, early 1, late 1": "one step after every round",
    "early 1, late 1": "trained after every round",
}
"""Options with their values, one after the other -> what they are together, in words."""
OPTIONS = {
    "attention no": "without attention",
    "neighbours no": "without neighbours",
    "mean table": "mean of the whole log",
    "mean seen": "mean of all rewards",
    "target reward": "linear part fits the rewards",
    "ties earliest": "earliest of equally near neighbours",
    "rounding floor": "k rounded down",
    "weights distance": "neighbours weighted by distance",
    "graph erdos-renyi": "random first graph",
    "kernel exponential": "exponential kernel",
    "model arm": "one model per arm",
    "averaged unaware": "unaware of averaging",
    "exploration plain": "exploring with C, not its square",
    "p_star 0.025": "p* = 0.025",
    "rho_min 0.066667": "exploring 1 / rho_min times as long",
    "noise_scale 0.5": "knowing that the noise is 0.5",
    "noise_scale 0.1": "knowing that the noise is 0.1",
    "common_ridge share": "common ridge lambda / N",
    "bound norm": "bounding S",
    "bound linear": "bound of the linear part alone",
    "index difference": "index of the difference",
    "personal alb-norm": "with ALB-Norm as the personal bandit",
    "initial path": "regularisation from the start",
    "data all": "all observations",
    "first_data none": "without first observations",
    "gradient meta": "gradients at the meta-learner",
    "meta_start previous": "the meta-learner goes on",
    "user_start previous": "users start from the meta-learner",
    "weights last": "groups by the last weights",
    "learning history": "users learn from all their data",
    "learners served": "only the user served learns",
    "meta_optimiser plain": "plain steps of the meta-learner",
    "meta_training all": "meta-learner trained on all data",
    "gamma 1000": "all users together",
    "early 1": "trained after every round at first",
}
"""Option with its value, in words; all others are shown as ``option = value``."""
SETTINGS = {
    "agents": "agents N",
    "instances": "instances N",
    "arms": "arms K",
    "dimension": "dimension d",
    "rounds": "rounds t",
    "horizon": "horizon T, played anew for each",
    "separation": "distance of two clusters' vectors",
    "epsilon": "epsilon: distance of an agent's vector from the mean",
    "sparsity": "s: components in which an instance differs",
    "rows": "rows of the instance, n",
    "support": "differing coefficients s",
    "share": "share of instances that move a component",
    "omega": "share cut at each end, omega",
    "constant": "constant of the penalty",
    "groups": "users",
}
"""Settings of games and of regressions that can be swept -> label of an axis."""
GAME_SETTINGS = {
    "m-cnb": "the game of M-CNB's text",
    "meta-ban": "the game of Meta-Ban's text",
    "item-50": "the public game item-50",
    "both-100": "the public game both-100",
    "middle dropped": "ratings in between dropped",
    "pays disliked": "disliked items pay",
    "densest code": "most active as in the code",
    "factors signs": "features from signs",
    "density normal": "features through a density",
    "halves apart": "features from other ratings",
    "context both": "arms of item and rater",
    "context item": "arms of items",
    "pools users": "raters served",
    "pools groups": "groups served",
    "served all": "the group of any rater",
    "draws with": "draws with replacement",
    "grouping ours": "our groups",
}
"""A game, or a setting of one with its value -> what it is in a few words."""
LOSSES = {"replay": "came to the end of the log", "exploration": "queried all that is in reach"}
"""Kind of game -> how a run of it may be lost, other than that it diverged."""
OPTION_AXES = {
    "layers": "layers of the network",
    "nu": "nu: how far a cluster reaches",
    "gamma": "gamma: the gap between clusters",
    "S": "norm parameter S",
    "early": "early: rounds between two trainings at first",
}
"""Options of algorithms that figures sweep -> label of an axis; all others are shown by their names."""
MEASURES = {
    "regret": "cumulative regret",
    "reward": "cumulative reward",
    "mean": "mean reward of the rounds so far",
    "final": "final regret",
    "clusters": "clusters",
    "size": "users in the cluster that is played",
    "purity": "share of these users that are of the same group",
    "seconds": "seconds per run",
    "error": "error",
}
"""Measure -> label of an axis."""
TUNINGS = {
    "tuning-seeds": "options chosen on other seeds than those shown",
    "halving": "options chosen on other seeds than those shown, by successive halving",
    "best-of-grid": "options are those of the best grid point on the seeds shown",
}
"""How options were chosen -> part of a caption."""
FLAGS = {
    "at chance": "no better than chance",
    "not discriminating": "the control keeps the bound, too",
    "control not played": "control not run",
    "cannot vary": "option without effect",
    "edge of the grid": "best value at the grid's boundary",
    "dead network": "dead ReLUs",
}
"""Kind of a flag -> its name on pages; all others are called by their kind."""
NOTES = {
    "orders drawn": "shuffled order",
    "its own order": "original order",
    "learning from every event": "learning from every event, played or not",
    "user hidden": "no user ID",
    "user arm": "each arm belongs to one user",
    "user class": "the user is the class",
    "contexts: item": "item features only",
    "contexts: item and rater": "item and user features",
    "words as codes": "integer-coded categories",
    "numbers standardised": "standardised numbers",
    "regret of the first one": "regret of the first instance",
    "the first one data-poor": "the first instance is data-poor",
}
"""Part of what a game says of itself, as stored in games and run tables -> what people read."""
COLUMNS = {
    "regret_per_round": "regret per round",
    "reward_per_round": "reward per round",
    "rounds_per_second": "rounds per second",
    "ns_per_decision": "ns per decision",
    "peak_memory_mib": "peak memory (MiB)",
    "std": "standard deviation",
    "n": "runs",
    "edge": "at an edge of the grid",
    "lost": "failed runs",
    "variant": "protocol",
}
"""Column of a table -> header, if it is not simply the name with spaces."""
_OPTION = re.compile(r"^([A-Za-z]\w*) (-?[\d.]+(?:e-?\d+)?)$")


def algorithm_name(title: object) -> str:
    """Return the display name of the algorithm or estimator whose title in run tables is `title`.

    >>> algorithm_name("k-NN UCB, phi 1"), algorithm_name("M-CNB, nu 1.1"), algorithm_name("CLUB")
    ('k-NN UCB (distance counted)', 'M-CNB, nu = 1.1', 'CLUB')
    >>> algorithm_name("NeuUCB-ONE 2022, trained as in 2023"), algorithm_name("NeuUCB-ONE, steps 1, early 1, late 1")
    ('NeuUCB-ONE 2022, trained as in 2023', 'NeuUCB-ONE, one step after every round')
    """
    if str(title) in ALGORITHMS:
        return ALGORITHMS[str(title)]
    text = str(title)
    for several, words_of_them in TOGETHER.items():
        text = re.sub(rf", {several}(?=,|$)", f", {words_of_them}", text)
    name, *options = text.split(", ")
    words = [OPTIONS.get(option) or _OPTION.sub(r"\1 = \2", option) for option in options]
    return ", ".join([ALGORITHMS.get(name, name), *words])


def name_before_verb(title: object) -> str:
    """Return the display name of an algorithm as the subject of a sentence: options end with a comma, too.

    >>> f"{name_before_verb('M-CNB, nu 1.1')} has the least regret"
    'M-CNB, nu = 1.1, has the least regret'
    """
    name = algorithm_name(title)
    return f"{name}," if ", " in name else name


def setting_words(text: str) -> str:
    """Return in words what a game is, or what is changed in it.

    >>> setting_words("m-cnb, middle dropped, users 500")
    "the game of M-CNB's text, ratings in between dropped, users = 500"
    """
    return ", ".join(GAME_SETTINGS.get(one) or _OPTION.sub(r"\1 = \2", one) for one in text.split(", "))


def flag_name(kind: str) -> str:
    """Return the name of a kind of flag on pages."""
    return FLAGS.get(kind, kind)


def note_words(note: str) -> str:
    """Return what a game says of itself in words that need no explanation.

    >>> note_words("MNIST; user arm; each instance once"), note_words("Yelp; contexts: item; middle dropped")
    ('MNIST; each arm belongs to one user; each instance once', 'Yelp; item features only; ratings in between dropped')
    """
    return "; ".join(
        ", ".join(NOTES.get(one) or GAME_SETTINGS.get(one, one) for one in part.split(", "))
        for part in note.removesuffix(".").split("; ")
    ) + ("." if note.endswith(".") else "")


def column_name(column: str) -> str:
    """Return the header of a column of a table."""
    return COLUMNS.get(column, column.replace("_", " "))


def listed(words: Sequence[str]) -> str:
    """Return words as a list with "and".

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
