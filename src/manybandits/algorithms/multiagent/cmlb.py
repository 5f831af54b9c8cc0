"""CMLB: agents learn alone, are clustered once, and then every cluster learns as one agent.

Source: Ghosh, Sankararaman and Ramchandran 2021, *Collaborative learning and personalization in multi-agent
stochastic linear bandits*, Algorithms 2 and 3.

    individual      T_Explore = C^(2) d (N T)^(2 alpha) ln(1 / delta) rounds: every agent plays its own OFUL  (2-4)
    cluster         i ~ j if |theta_i - theta_j| <= gamma; the components of this graph are the clusters,
                    those of fewer than p* N agents together are one                                      (5, Alg. 3)
    collaborative   a new OFUL per cluster; all its agents play the arm of that OFUL, which learns from the
                    average of their rewards                                                              (6-12)

`exponent` is the paper's alpha, `constant` its C. C^(2) is the square of C, or C itself (`exploration`): a second
constant is played as such a `constant`. The proof of Lemma 1 divides T_Explore by rho_min, Algorithm 2 does not. If
T_Explore is longer than the game, as it is with the paper's settings for Last.FM, agents learn alone to the end.
gamma = 3 / (N T)^alpha, as in Lemma 1.

The average of m rewards has m times less variance; the proof of Lemma 1 needs an OFUL that uses this, so that sigma is
divided by sqrt(m) here. With ``averaged=unaware`` it is not, as Algorithm 2 is written.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from manybandits.algorithms.contract import Option, Options, Problem, script
from manybandits.algorithms.multiagent._oful import OFUL, Oful, new_oful, optimistic_arm, radius
from manybandits.compiling.parts import part
from manybandits.numerics.ridge import Ridge, new_ridge, observe
from manybandits.numerics.vectors import assign, distance, fill

TITLE = "CMLB"
REFERENCE = "Ghosh et al. 2021, Algorithms 2 and 3"
EXPONENT = Option("exponent", 0.2, "the paper's alpha: exploration lasts (N T)^(2 alpha)", low=0.0, high=0.5)
CONSTANT = Option("constant", 0.2, "the paper's C, which multiplies the exploration", low=0.0)
EXPLORATION = Option(
    "exploration", "squared", "C^(2), which multiplies the exploration: C squared, or C", words=("squared", "plain")
)
RHO_MIN = Option("rho_min", 1.0, "divides the exploration; 1: Algorithm 2; 1 / d: the proof of Lemma 1", low=1e-6)
THRESHOLD = Option("threshold", 3.0, "gamma (N T)^alpha (Lemma 1)", low=0.0)
P_STAR = Option("p_star", 0.0, "clusters of a smaller share of the agents than this are merged", low=0.0, high=1.0)
AVERAGED = Option("averaged", "aware", "whether OFUL uses that an average has less noise", words=("aware", "unaware"))
EXPLORING = (EXPONENT, CONSTANT, EXPLORATION, RHO_MIN, THRESHOLD, AVERAGED)
"""The options of Algorithm 2 that SCLB has, too."""
OPTIONS = (*OFUL, *EXPLORING, P_STAR)


class Phase(NamedTuple):
    """The state of Algorithm 2, which SCLB runs several times with other parameters."""

    oful: Oful
    norm: float  # S
    aware: bool
    exponent: float  # the paper's alpha
    factor: float  # C^(2) / rho_min
    threshold: float  # gamma (N T)^alpha
    delta: np.ndarray  # (1,)
    explore: np.ndarray  # (1,): T_Explore; longer than the phase if agents learn alone to its end
    gamma: np.ndarray  # (1,)
    p_star: np.ndarray  # (1,)
    agents: Ridge  # N learners
    clusters: Ridge  # N learners: a cluster is named after its first agent
    label: np.ndarray  # (N,): the cluster of every agent
    size: np.ndarray  # (N,): of the cluster of that name
    nothing: np.ndarray  # (d,): no shift
    random: np.ndarray  # (1,) uint64


class State(NamedTuple):
    phase: Phase


def start(problem: Problem, options: Options, random: np.ndarray) -> State:
    phase = new_phase(problem, options, random)
    set_phase(phase, problem.horizon, options["delta"], options["p_star"])
    return State(phase)


def new_phase(problem: Problem, options: Options, random: np.ndarray) -> Phase:
    """Return a phase in which every agent is alone; `set_phase` sets the rest."""
    agents, regularization, constant = problem.users, options["lambda"], options["constant"]
    return Phase(
        oful=new_oful(options),
        norm=options["norm"],
        aware=options["averaged"] == "aware",
        exponent=options["exponent"],
        factor=(constant**2 if options["exploration"] == "squared" else constant) / options["rho_min"],
        threshold=options["threshold"],
        delta=np.zeros(1),
        explore=np.zeros(1, np.int64),
        gamma=np.zeros(1),
        p_star=np.zeros(1),
        agents=new_ridge(regularization, agents, problem.dimension),
        clusters=new_ridge(regularization, agents, problem.dimension),
        label=np.arange(agents),
        size=np.ones(agents, np.int64),
        nothing=np.zeros(problem.dimension),
        random=random,
    )


@part(inlined=False)
def set_phase(phase: Phase, horizon: int, delta: float, p_star: float) -> None:
    """Set what Algorithm 2 takes as input for a phase of so many rounds, and T_Explore."""
    agents, dimension = phase.agents.moment.shape
    power = float(agents * horizon) ** phase.exponent  # (N T)^alpha
    rounds = np.ceil(phase.factor * dimension * power**2 * np.log(1.0 / delta))
    phase.delta[0] = delta
    phase.explore[0] = int(min(max(1.0, rounds), horizon + 1.0))
    phase.gamma[0] = phase.threshold / power
    phase.p_star[0] = p_star


@part
def choose_all(state: State, t: int, contexts: np.ndarray, chosen: np.ndarray) -> None:
    choose_in_phase(state.phase, t, contexts, chosen)


@part
def learn_all(state: State, t: int, contexts: np.ndarray, chosen: np.ndarray, rewards: np.ndarray) -> None:
    learn_in_phase(state.phase, t, contexts, chosen, rewards)


@part
def label_agents(state: State, labels: np.ndarray) -> None:
    assign(labels, state.phase.label)


@part
def choose_in_phase(phase: Phase, t: int, contexts: np.ndarray, chosen: np.ndarray) -> None:
    """Choose in round t of the phase."""
    exploring = t <= phase.explore[0]
    bandits = phase.agents if exploring else phase.clusters
    for agent in range(len(chosen)):
        if not exploring and phase.label[agent] != agent:
            chosen[agent] = chosen[phase.label[agent]]
            continue
        averaged = float(phase.size[agent]) if phase.aware and not exploring else 1.0
        reach = radius(phase.oful, phase.norm, phase.delta[0], contexts.shape[1], bandits.count[agent], averaged)
        chosen[agent] = optimistic_arm(phase.oful, bandits, agent, reach, contexts, phase.nothing, phase.random)


@part
def learn_in_phase(phase: Phase, t: int, contexts: np.ndarray, chosen: np.ndarray, rewards: np.ndarray) -> None:
    """Learn in round t of the phase; cluster the agents at the end of its exploration."""
    if t <= phase.explore[0]:
        for agent in range(len(chosen)):
            observe(phase.agents, agent, contexts[chosen[agent]], rewards[agent])
        if t == phase.explore[0]:
            maximal_cluster(phase.agents.estimate, phase.gamma[0], phase.p_star[0], phase.label, phase.size)
        return
    average = np.zeros(len(chosen))
    for agent in range(len(chosen)):
        average[phase.label[agent]] += rewards[agent] / phase.size[phase.label[agent]]
    for agent in range(len(chosen)):
        if phase.label[agent] == agent:
            observe(phase.clusters, agent, contexts[chosen[agent]], average[agent])


@part(inlined=False)
def maximal_cluster(estimates: np.ndarray, gamma: float, p_star: float, label: np.ndarray, size: np.ndarray) -> None:
    """Algorithm 3: fill label, (N,), and size, (N,), from the agents' estimates, (N, d)."""
    agents = len(estimates)
    for i in range(agents):
        label[i] = i
    for i in range(agents):
        for j in range(i):
            a, b = root(label, i), root(label, j)
            if a != b and distance(estimates[i], estimates[j]) <= gamma:
                label[max(a, b)] = min(a, b)
    fill(size, 0)
    for i in range(agents):
        label[i] = root(label, i)
        size[label[i]] += 1
    rest = -1  # the first agent of a small cluster; all small clusters take its name
    for i in range(agents):
        name = label[i]
        if size[name] < p_star * agents:
            if rest < 0:
                rest = name
            label[i] = rest
    if rest >= 0:
        fill(size, 0)
        for i in range(agents):
            size[label[i]] += 1


@part
def root(label: np.ndarray, agent: int) -> int:
    """Return the first agent of the group of `agent`, and shorten the links to it."""
    while label[agent] != agent:
        label[agent] = label[label[agent]]
        agent = label[agent]
    return agent


if __name__ == "__main__":
    script(__file__)
