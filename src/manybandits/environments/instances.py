"""Games of N similar instances, such as hospitals: each is a linear bandit of its own, with the same K arms.

In round t one individual arrives, at instance j with probability p_j, with a context x that is the same for all arms;
arm k pays x' beta_k^j + noise, where beta_k^j = beta_k + delta_k^j and delta_k^j has few nonzero components.
Source: Xu and Bastani, *Learning Across Bandits in High Dimension via Robust Statistics*, section 2.1. A seed draws the
instances as well as the rounds. The paper has no experiments; settings without a section are our choice.

shared        beta_k ~ N(0, I / d), dense: the size of rewards does not depend on d
structure     sparse: delta_k^j has `sparsity` nonzero components for all j. network (equation 1): instance
              j = 1, ..., N differs from the first one in min(ceil(j^alpha), d) components, so that the first
              `instances` are its neighbourhood. ball: the same, but all of the N instances differ from the first one in
              min(ceil(N^alpha), d) components, as many as the text allows each of them
alignment     which components differ. random: random ones, with random signs. disjoint (Appendix B.4): other ones for
              each instance until all components are used, with the same sign for one arm, so that they add up in a
              mean, and the opposite sign for the next arm, so that they do not cancel when arms are compared.
              aligned (Definition 2, well aligned): the same ones for all instances, with random signs
contexts      standard normal, truncated to [-1, 1] (Assumption 1), as in Bastani and Bayati 2020; instance j
              multiplies component i by a factor of its own from (1 - `shift`, 1]. With a `correlation` the normal
              components are an autoregression, components i and i' with correlation^|i - i'|, before they are truncated
arrivals      balanced: p_j = 1/N. poor (section 4.4): the first instance has 1/d^2 of the probability of each other
              one. Or the N probabilities, separated by commas
counts        all or first: regret and reward are those of all instances, or of the first one only
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from manybandits.base.artifacts import Provenance, save_arrays
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.environments.command_line import read_settings
from manybandits.environments.instance_conditions import theorem2, theorems
from manybandits.environments.kinds.instances import Arrivals, InstanceGame
from manybandits.environments.layout import FLAG, count, reals

LAYOUT = {
    "probability": reals("users"),
    "differing": reals("users"),
    "disjoint": FLAG,
    "dimension": count("dimension"),
    "arms": count("arms"),
    "difference": reals(),
    "shift": reals(),
    "noise": reals(),
    "aligned": FLAG.maybe,
    "correlation": reals().maybe,
}
SETTINGS: dict[str, Any] = {
    "instances": 20,
    "dimension": 50,
    "arms": 2,
    "structure": "sparse",
    "sparsity": 3,
    "alpha": 1.0,
    "alignment": "random",
    "difference": 0.5,
    "shift": 0.5,
    "correlation": 0.0,
    "noise": 0.5,
    "arrivals": "balanced",
    "counts": "all",
}
"""The settings of the game, with their defaults."""
WORDS = {
    "structure": ("sparse", "network", "ball"),
    "alignment": ("random", "disjoint", "aligned"),
    "counts": ("all", "first"),
}


def probabilities(arrivals: str, instances: int, dimension: int) -> np.ndarray:
    """Return the probability of an arrival at each instance, (N,); raise InputError if `arrivals` is not valid."""
    if arrivals in ("balanced", "poor"):
        weight = np.ones(instances)
        weight[0] = 1.0 if arrivals == "balanced" else dimension**-2.0
        return weight / weight.sum()
    try:
        given = np.array([float(part) for part in arrivals.split(",")])
    except ValueError as error:
        raise InputError(
            f"arrivals is {arrivals!r}: give balanced, poor, or one probability per instance, such as 0.5,0.3,0.2."
        ) from error
    if len(given) != instances:
        raise InputError(f"arrivals holds {len(given)} probabilities for {instances} instances: give one for each.")
    if not ((given >= 0).all() and abs(given.sum() - 1.0) < 1e-9):
        raise InputError(
            f"arrivals is {arrivals!r}, with the sum {given.sum():g}: give numbers that are not below 0 and sum to 1."
        )
    return given


def differing(structure: str, instances: int, dimension: int, sparsity: int, alpha: float) -> np.ndarray:
    """Return the number of components in which each instance differs from the shared vectors, (N,)."""
    if structure == "sparse":
        return np.full(instances, sparsity)
    rank = np.arange(1, instances + 1) if structure == "network" else np.full(instances, instances)
    power = np.minimum(np.ceil(rank ** float(alpha) - 1e-9), dimension).astype(np.int64)
    power[0] = 0
    return power


def check(settings: dict[str, Any]) -> None:
    """Raise InputError if no game can be made with these settings."""
    for name, words in WORDS.items():
        pick(settings[name], words, name)
    for name, least in (("instances", 1), ("dimension", 1), ("arms", 2), ("sparsity", 0)):
        if settings[name] != int(settings[name]) or settings[name] < least:
            raise InputError(f"{name} is {settings[name]}: give a whole number from {least} on.")
    for name in ("alpha", "difference", "noise"):
        if not 0.0 <= settings[name] < np.inf:
            raise InputError(f"{name} is {settings[name]:g}: give a number that is not below 0.")
    if not 0.0 <= settings["shift"] < 1.0:
        raise InputError(f"shift is {settings['shift']:g}: give a number from 0 to below 1, the most that is lost.")
    if not 0.0 <= settings["correlation"] < 1.0:
        raise InputError(f"correlation is {settings['correlation']:g}: give a number from 0 to below 1.")
    if settings["structure"] == "sparse" and settings["sparsity"] > settings["dimension"]:
        raise InputError(
            f"sparsity is {settings['sparsity']}, but there are only {settings['dimension']} dimensions to differ in: "
            "lower sparsity."
        )
    probabilities(settings["arrivals"], settings["instances"], settings["dimension"])


def build(**settings: Any) -> dict[str, np.ndarray]:
    """Return the arrays of a game. settings: all of `SETTINGS`."""
    check(settings)
    shape = settings["instances"], settings["dimension"]
    # Arrays name the random streams, so that settings at their first values leave them as they were.
    more = {"aligned": np.array(True)} if settings["alignment"] == "aligned" else {}
    if settings["correlation"] > 0.0:
        more["correlation"] = np.array(float(settings["correlation"]))
    return {
        "probability": probabilities(settings["arrivals"], *shape),
        "differing": differing(settings["structure"], *shape, settings["sparsity"], settings["alpha"]),
        "disjoint": np.array(settings["alignment"] == "disjoint"),
        **{name: np.array(settings[name]) for name in ("dimension", "arms")},
        **{name: np.array(float(settings[name])) for name in ("difference", "shift", "noise")},
        **more,
    }


def draw_population(arrays: dict[str, np.ndarray], random: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Draw the instances of one seed: beta, (N, K, d), and the scale of their contexts, (N, d)."""
    differing, dimension, arms = arrays["differing"], int(arrays["dimension"]), int(arrays["arms"])
    instances = len(differing)
    shared = random.normal(size=(arms, dimension)) / np.sqrt(dimension)
    beta = np.tile(shared, (instances, 1, 1))
    if arrays["disjoint"]:
        order = random.permuted(np.tile(np.arange(dimension), (arms, 1)), axis=1)
        sign = np.broadcast_to((-1.0) ** np.arange(arms)[:, None], beta.shape)
        first = np.cumsum(differing) - differing
        component = order[:, (first[:, None] + np.arange(dimension)) % dimension].transpose(1, 0, 2)
    else:
        drawn = beta.shape[1:] if "aligned" in arrays else beta.shape
        component = random.permuted(np.broadcast_to(np.arange(dimension), drawn), axis=-1)
        component = np.broadcast_to(component, beta.shape)
        sign = random.choice([-1.0, 1.0], size=beta.shape)
    differs = np.arange(dimension) < differing[:, None, None]
    delta = np.zeros_like(beta)
    np.put_along_axis(delta, component, np.where(differs, float(arrays["difference"]) * sign, 0.0), axis=2)
    scale = 1.0 - float(arrays["shift"]) * random.random((instances, dimension))
    return beta + delta, scale


def bounded_normal(size: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Draw from the standard normal distribution truncated to [-1, 1]: values outside are drawn again."""
    drawn = random.standard_normal(size).ravel()
    outside = np.flatnonzero(np.abs(drawn) > 1.0)
    while len(outside):
        drawn[outside] = random.standard_normal(len(outside))
        outside = outside[np.abs(drawn[outside]) > 1.0]
    return drawn.reshape(size)


def correlated_normal(size: tuple[int, int], correlation: float, random: np.random.Generator) -> np.ndarray:
    """Draw rows of an autoregression, each component of which is standard normal and truncated to [-1, 1]."""
    from scipy.special import ndtr, ndtri  # here, because few games need it

    drawn = random.standard_normal(size)
    for i in range(1, size[1]):
        drawn[:, i] = correlation * drawn[:, i - 1] + np.sqrt(1.0 - correlation**2) * drawn[:, i]
    least, most = ndtr(-1.0), ndtr(1.0)
    truncated: np.ndarray = ndtri(least + (most - least) * ndtr(drawn))
    return np.clip(truncated, -1.0, 1.0)


def draw_arrivals(
    arrays: dict[str, np.ndarray],
    population: tuple[np.ndarray, ...],
    first: int,
    count: int,
    random: np.random.Generator,
) -> Arrivals:
    """Draw `count` rounds of one seed; they do not depend on the rounds before `first`."""
    beta, scale = population
    users = np.searchsorted(np.cumsum(arrays["probability"])[:-1], random.random(count), side="right").astype(np.int32)
    size = count, beta.shape[2]
    correlated = "correlation" in arrays
    drawn = (
        correlated_normal(size, float(arrays["correlation"]), random) if correlated else bounded_normal(size, random)
    )
    contexts = scale[users] * drawn
    expected = np.einsum("bkd,bd->bk", beta[users], contexts)
    noise = float(arrays["noise"]) * random.standard_normal(count)
    return Arrivals(users, contexts, expected + noise[:, None], expected)


def describe(settings: dict[str, Any]) -> str:
    """Return a description of the game in one line."""
    few = f"s = {settings['sparsity']}" if settings["structure"] == "sparse" else f"alpha = {settings['alpha']:g}"
    notes = {
        "structure": {"ball": "all equally far from the first one"},
        "alignment": {"disjoint": "disjoint differences", "aligned": "aligned differences"},
        "arrivals": {"balanced": "", "poor": "the first one data-poor"},
        "counts": {"first": "regret of the first one"},
    }
    more = [notes[name].get(settings[name], "") for name in ("structure", "alignment", "counts")]
    more.append(f"correlation {settings['correlation']:g}" if settings["correlation"] else "")
    more.append(notes["arrivals"].get(settings["arrivals"], f"p = {settings['arrivals']}"))
    parts = f"N = {settings['instances']}, d = {settings['dimension']}, K = {settings['arms']}, {few}", *more
    return ", ".join(part for part in parts if part)


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> InstanceGame:
    shape = facts["users"], facts["arms"], facts["dimension"]
    return InstanceGame(name, facts, arrays, *shape, draw_population, draw_arrivals)


def freeze(path: Path, **settings: Any) -> None:
    """Build a game and write it to `path`. settings: all of `SETTINGS`."""
    provenance = Provenance({"game": "instances", **settings})
    arrays = build(**settings)
    facts = {
        "kind": "instances",
        "users": settings["instances"],
        "arms": settings["arms"],
        "dimension": settings["dimension"],
        "counts_first": settings["counts"] == "first",
        "protocol": "paper",
        "role": "synthetic",
        "dataset": {"name": "synthetic", "title": "synthetic instances", "completeness": "generated"},
        "stand_in": False,
        "data_note": describe(settings),
        "settings": settings,
        **({"theorem2": theorem2(settings)} if settings["structure"] == "sparse" else {}),
        "theorems": theorems(settings, arrays["probability"], int(arrays["differing"].max())),
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def main(argv: list[str] | None = None) -> None:
    meanings = {
        **{name: " or ".join(words) for name, words in WORDS.items()},
        "sparsity": "number of components in which an instance differs from the shared vectors",
        "alpha": "instance j differs from the first one in j^alpha components; in a ball all of them in N^alpha",
        "difference": "size of a difference",
        "shift": "instances multiply contexts by factors from 1 - shift to 1",
        "correlation": "of neighbouring components of a context",
        "noise": "standard deviation of the noise of rewards",
        "arrivals": "balanced, poor, or one probability per instance",
    }
    freeze(**read_settings(argv, "Freeze a game of similar synthetic instances.", SETTINGS, meanings))


if __name__ == "__main__":
    run_script(main)
