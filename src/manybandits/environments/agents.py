"""Synthetic games in which N agents, each with a preference vector of its own, act on the same K arms in every round.

In round t the K contexts are drawn from N(0, I/d), or uniformly from the unit sphere (`contexts`), the same for all
agents; agent i receives theta_i' x + noise for the arm x that it plays. A seed draws the agents as well as the rounds.
Source of the populations: Ghosh, Sankararaman and Ramchandran 2021, sections 6.1 and 6.3.

clusters    L clusters, cluster l of size proportional to l^-z, rounded, so that late clusters may be empty (`sizes`:
            an agent each first, or every agent draws its cluster); the agents of a cluster share a vector that is
            uniform on the unit sphere. With `separation` s, in
            (0, sqrt 2], all pairs of vectors are at distance s exactly: sqrt(1 - s^2 / 2) q_0 + s / sqrt 2 q_l
            for a random orthonormal frame q. L = d vectors have a multiple of the sum of all q_l in place of q_0.
mean        theta_i ~ N(mu, sigma I), where mu ~ N(0, I); `sigma` is a variance. No two agents are alike. With
            `longest` above 0 no vector is longer, as the theorems need: theta_i = mu + r u_i with r^2 = sigma d,
            |mu| = longest - r and u_i uniform on the unit sphere.

`delta` and `exponent`, those of the policies, do not change the game: with them the number of rounds is computed from
which on the conditions of the theorems hold in it, the fact `conditions`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from manybandits.base.artifacts import Provenance, save_arrays
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.environments.agent_conditions import conditions, theorems
from manybandits.environments.command_line import read_settings
from manybandits.environments.kinds.agents import PIECE, AgentGame
from manybandits.environments.layout import FLAG, count, indices, reals
from manybandits.features.factors import unit_rows

LAYOUT = {
    "cluster": indices("users", into="users", least=-1),
    "noise": reals(),
    "arms": count("arms"),
    "dimension": count("dimension"),
    "separation": reals().maybe,
    "sphere": FLAG.maybe,
    "sigma": reals().maybe,
    "longest": reals().maybe,
    "share": reals("clusters").maybe,
}
SIZES = ("shares", "one-first", "drawn")
"""How the sizes of clusters follow from their shares."""


def shares_of(clusters: int, z: float) -> np.ndarray:
    """Return the share, (L,), of clusters l = 1, ..., L: proportional to l^-z, 1 in total."""
    share: np.ndarray = np.arange(1, clusters + 1) ** -float(z)
    return share / share.sum()


def cluster_sizes(agents: int, clusters: int, z: float, sizes: str = "shares") -> np.ndarray:
    """Return the sizes, (L,), of clusters l = 1, ..., L: N in total.

    sizes: "shares", N times the share of a cluster, rounded; "one-first", an agent each and the rest by shares;
    "drawn", the same as "shares", in whose place every seed draws sizes of its own.
    """
    if not 1 <= clusters <= agents:
        raise InputError(f"{clusters} clusters of {agents} agents: give from 1 to {agents} clusters.")
    first = 1 if pick(sizes, SIZES, "sizes") == "one-first" else 0
    exact = first + (agents - first * clusters) * shares_of(clusters, z)
    exact = np.round(exact, 9)  # so that equal shares are equal
    whole = np.floor(exact).astype(np.int64)
    largest = np.argsort(whole - exact, kind="stable")[: agents - whole.sum()]
    whole[largest] += 1  # the largest remainders are rounded up
    return whole


def draw_population(arrays: dict[str, np.ndarray], random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw the agents of one seed: their vectors, (N, d), and clusters, (N,)."""
    cluster, dimension = arrays["cluster"], int(arrays["dimension"])
    if "longest" in arrays:
        apart = np.sqrt(float(arrays["sigma"]) * dimension)
        mean = (float(arrays["longest"]) - apart) * unit_rows(random.normal(size=(1, dimension)))
        return mean + apart * unit_rows(random.normal(size=(len(cluster), dimension))), cluster
    if "sigma" in arrays:
        mean = random.normal(size=dimension)
        spread = np.sqrt(float(arrays["sigma"])) * random.normal(size=(len(cluster), dimension))
        return mean + spread, cluster
    if "share" in arrays:
        cluster = np.sort(random.choice(len(arrays["share"]), len(cluster), p=arrays["share"]))
    count, separation = int(cluster.max()) + 1, float(arrays["separation"])
    if separation == 0.0:
        return unit_rows(random.normal(size=(count, dimension)))[cluster], cluster
    return equidistant(count, separation, dimension, random)[cluster], cluster


def equidistant(count: int, separation: float, dimension: int, random: np.random.Generator) -> np.ndarray:
    """Draw `count` <= d vectors of length 1, every two of them at the same distance. Return (count, d)."""
    away = separation / np.sqrt(2.0)
    if count < dimension:
        frame = np.linalg.qr(random.normal(size=(dimension, count + 1)))[0].T
        return np.sqrt(1.0 - away**2) * frame[0] + away * frame[1:]
    frame = np.linalg.qr(random.normal(size=(dimension, count)))[0].T
    shared = (np.sqrt(count - (count - 1) * away**2) - away) / count  # of every vector of the frame
    return shared * frame.sum(axis=0) + away * frame


def draw_piece(arrays: dict[str, np.ndarray], theta: np.ndarray, random: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Draw `PIECE` rounds of one seed, in the order of `AgentRounds`. theta: (N, d)."""
    agents, dimension = theta.shape
    contexts = random.normal(size=(PIECE, int(arrays["arms"]), dimension))
    if "sphere" in arrays:
        contexts /= np.sqrt((contexts**2).sum(axis=2, keepdims=True))
    else:
        contexts /= np.sqrt(dimension)
    noise = float(arrays["noise"]) * random.normal(size=(PIECE, agents))
    expected = theta @ contexts.reshape(-1, dimension).T  # one product for all rounds, (N, PIECE K)
    expected = expected.reshape(agents, PIECE, -1).transpose(1, 0, 2)
    return contexts, np.zeros((PIECE, 0), np.int32), expected, noise


SETTINGS: dict[str, Any] = {
    "population": "clusters",
    "agents": 50,
    "clusters": 5,
    "z": 0.0,
    "sizes": "shares",
    "separation": 0.0,
    "sigma": 0.1,
    "noise": 1.0,
    "arms": 25,
    "dimension": 15,
    "contexts": "gaussian",
    "longest": 0.0,
    "delta": 0.4,
    "exponent": 0.2,
}
"""The settings of the game, with their defaults."""


def check(settings: dict[str, Any]) -> None:
    """Raise InputError if no game can be made with these settings."""
    build(**settings)


def build(
    population: str,
    agents: int,
    clusters: int,
    z: float,
    sizes: str,
    separation: float,
    sigma: float,
    noise: float,
    arms: int,
    dimension: int,
    contexts: str,
    longest: float,
    delta: float,
    exponent: float,
) -> dict[str, np.ndarray]:
    """Return the arrays of a game; raise InputError if no game can be made with these settings."""
    if agents < 1 or arms < 2 or dimension < 1 or noise < 0 or sigma < 0:
        raise InputError(
            f"{agents} agents, {arms} arms, {dimension} dimensions, noise {noise:g}, sigma {sigma:g}: give at least "
            "one agent, two arms and one dimension, and neither noise nor sigma below 0."
        )
    if not (0.0 < delta < 1.0 and 0.0 <= exponent <= 0.5):
        raise InputError(f"delta is {delta:g}, exponent {exponent:g}: delta is between 0 and 1, exponent 0 to 0.5.")
    common = {"noise": np.array(float(noise)), "arms": np.array(arms), "dimension": np.array(dimension)}
    if pick(contexts, ("gaussian", "sphere"), "contexts") == "sphere":
        common["sphere"] = np.array(True)
    if pick(population, ("clusters", "mean"), "population") == "mean":
        if longest > 0.0:
            common["longest"] = np.array(float(longest))
            if sigma * dimension > longest**2:
                raise InputError(f"vectors no longer than {longest:g} allow sigma up to {longest**2 / dimension:g}.")
        return {"cluster": np.full(agents, -1), "sigma": np.array(float(sigma)), **common}
    if not 0.0 <= separation <= np.sqrt(2.0):
        raise InputError(f"separation is {separation:g}; unit vectors can be from 0 to {np.sqrt(2.0):g} apart here.")
    if separation > 0.0 and clusters > dimension:
        raise InputError(f"{clusters} clusters at one distance need {clusters} dimensions or more, not {dimension}.")
    cluster = np.repeat(np.arange(clusters), cluster_sizes(agents, clusters, z, sizes))
    if sizes == "drawn":
        common["share"] = shares_of(clusters, z)
    return {"cluster": cluster, "separation": np.array(float(separation)), **common}


def describe(settings: dict[str, Any]) -> str:
    """Return a description of the game in one line."""
    small = f", d = {settings['dimension']}" if settings["dimension"] != SETTINGS["dimension"] else ""
    tail = f"noise {settings['noise']:g}{small}"
    if settings["population"] == "mean":
        law = f"~ N(mu, {settings['sigma']:g} I)"
        if settings["longest"]:
            law = f"at most {settings['longest']:g} long, sigma {settings['sigma']:g}"
        return f"N = {settings['agents']}, theta {law}, {tail}"
    apart = f", distance {settings['separation']:g}" if settings["separation"] else ""
    return f"N = {settings['agents']}, L = {settings['clusters']}, z = {settings['z']:g}{apart}, {tail}"


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> AgentGame:
    shape = facts["users"], facts["arms"], facts["dimension"]
    return AgentGame(name, facts, arrays, *shape, draw_population, draw_piece)


def freeze(path: Path, **settings: Any) -> None:
    """Build a game and write it to `path`. settings: the parameters of `build`."""
    provenance = Provenance({"game": "agents", **settings})
    arrays = build(**settings)
    # Where agents draw their clusters, the conditions of theorems must hold for any draw.
    largest = settings["agents"] if "share" in arrays else int(np.bincount(np.maximum(arrays["cluster"], 0)).max())
    facts = {
        "kind": "agents",
        "users": settings["agents"],
        "arms": settings["arms"],
        "dimension": settings["dimension"],
        "protocol": "paper",
        "role": "synthetic",
        "dataset": {"name": "synthetic", "title": "synthetic agents", "completeness": "generated"},
        "stand_in": False,
        "conditions": conditions(settings, largest),
        "theorems": theorems(settings, largest),
        "data_note": describe(settings),
        "all_act": True,
        "settings": settings,
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def main(argv: list[str] | None = None) -> None:
    meanings = {
        "population": "clusters or mean",
        "z": "cluster l has size proportional to l^-z",
        "sizes": "shares: N times the share of a cluster, rounded; one-first: an agent each, the rest by shares; "
        "drawn: every agent draws its cluster",
        "separation": "distance of the vectors of all pairs of clusters; 0: uniform vectors",
        "sigma": "variance of the agents around their mean",
        "noise": "standard deviation of the noise of rewards",
        "contexts": "gaussian, N(0, I/d), or sphere, uniform vectors of length 1",
        "longest": "agents around a mean: the longest possible vector; 0: normal vectors",
        "delta": "the policies' delta, for the conditions of the theorems",
        "exponent": "the policies' alpha, likewise",
    }
    freeze(**read_settings(argv, "Freeze a game of synthetic agents that all act in every round.", SETTINGS, meanings))


if __name__ == "__main__":
    run_script(main)
