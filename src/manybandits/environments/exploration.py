"""Network exploration game: part of a network is seen, and each query asks for the neighbours of one seen node.

Source: Madhawa and Murata 2019, *A multi-armed bandit approach for exploring partially observed networks*; LNUCB-TA,
Figure 7, plays it on the AstroPh network, of which 5 % are seen at first.

The arms of a round are all nodes that are seen but not queried; their contexts are computed from the seen part of the
network (`manybandits.environments.frontier`). A query of a node reveals all its neighbours; its reward is the number of
newly seen nodes, and the horizon is the number of queries. A node is queried only once, so all nodes are the same item
for a policy: they share its model and differ only in their contexts. A policy learns from the reward divided by the
largest degree that is seen at the start, because guarantees of policies are for rewards of about 1; run tables contain
the number of nodes.

Regret is measured against a greedy explorer that has access to the whole network: the number of nodes that it has newly
seen after as many queries from the same start, minus that of the policy. The greedy explorer is not optimal, so regret
can be negative.

A replica that has queried all nodes that it can reach has totals of NaN from then on. It is reported, and its options
are never chosen.

A seed draws the nodes that are seen at the start. The edges among them are seen too, and none of them is queried,
because a query would reveal neighbours that are not among them. The paper does not state how they are drawn:

start = walk     by a random walk along edges, which now and then jumps to any node, until enough nodes are visited:
                 the way in which a network is sampled if its nodes cannot be listed
start = nodes    uniformly: few of them are neighbours, and nodes of large degree are not preferred
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from manybandits.base.artifacts import Provenance, load_table, save_arrays
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.environments.command_line import read_settings
from manybandits.environments.frontier import FEATURES
from manybandits.environments.kinds.exploration import LAYOUT as PLAYED
from manybandits.environments.kinds.exploration import ExplorationGame
from manybandits.environments.layout import FLAG, indices

LAYOUT = {**PLAYED, "count": indices(into="nodes", least=1), "walks": FLAG}
SETTINGS: dict[str, Any] = {"seen": 0.05, "start": "walk"}
"""The settings of the game, with their defaults."""
MEANINGS = {"seen": "share of the nodes", "start": "how they are drawn: walk or nodes"}
STARTS = ("walk", "nodes")
NOTES = {"walk": "by a walk", "nodes": "drawn uniformly"}
JUMP = 0.01
"""Probability that a walk jumps to any node, so that it leaves small components."""


def check(settings: dict[str, Any]) -> None:
    """Raise InputError if no game can be made with these settings, whatever the network."""
    pick(settings["start"], STARTS, "start")
    if not 0.0 < settings["seen"] < 1.0:
        raise InputError(f"seen is {settings['seen']:g}, a share of the nodes: give a number between 0 and 1.")


def build(edges: np.ndarray, seen: float, start: str) -> dict[str, np.ndarray]:
    """Return the arrays of a game. edges: (E, 2) int, nodes numbered from 0; edges from a node to itself are left out.

    first: (n + 1,), neighbour: (2 m,) int32; the neighbours of node v are neighbour[first[v] : first[v + 1]], sorted.
    Raises InputError if there is no edge, or if there are too few nodes for such a start.
    """
    nodes = int(edges.max(initial=-1)) + 1
    pairs = np.unique(np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1), axis=0)
    if not len(pairs):
        raise InputError("there is no edge between two nodes: there is nothing to explore.")
    count = round(seen * nodes)
    if not 1 <= count < nodes:
        raise InputError(f"seen is {seen:g} of {nodes} nodes, which leaves {count}: give a share of 1 to {nodes - 1}.")
    ends = np.concatenate([pairs, pairs[:, ::-1]])
    ends = ends[np.lexsort((ends[:, 1], ends[:, 0]))]
    return {
        "first": np.searchsorted(ends[:, 0], np.arange(nodes + 1)),
        "neighbour": ends[:, 1].astype(np.int32),
        "count": np.array(count),
        "walks": np.array(start == "walk"),
    }


def draw_start(arrays: dict[str, np.ndarray], random: np.random.Generator) -> np.ndarray:
    """Return the nodes that are seen at the start of one seed, (s,) int32, sorted."""
    first, count = arrays["first"], int(arrays["count"])
    nodes = len(first) - 1
    if not arrays["walks"]:
        return np.sort(random.choice(nodes, count, replace=False)).astype(np.int32)
    node = int(random.integers(nodes))
    met = {node}
    while len(met) < count:
        degree = int(first[node + 1] - first[node])
        stuck = degree == 0 or random.random() < JUMP
        node = int(random.integers(nodes) if stuck else arrays["neighbour"][first[node] + random.integers(degree)])
        met.add(node)
    return np.array(sorted(met), np.int32)


def game(name: str, facts: dict[str, Any], arrays: dict[str, np.ndarray]) -> ExplorationGame:
    return ExplorationGame(name, facts, arrays, facts["dimension"], draw_start)


def freeze(path: Path, tidy: Path, role: str, seen: float, start: str) -> None:
    """Build a game from a folder of tidy data and write it to `path`. role: the family of data that the paper names."""
    from manybandits import datasets  # games use data sets only here, for names in their facts

    dataset = datasets.of_folder(tidy)
    source = tidy / "edges.parquet"
    settings = {"seen": seen, "start": start}
    check(settings)
    provenance = Provenance({"game": "exploration", **settings, "role": role, "datasets": [dataset.name]}, (source,))
    try:
        arrays = build(load_table(source)[["source", "target"]].to_numpy(), seen, start)
    except InputError as error:
        raise InputError(f"{source}: {error}") from error
    nodes = len(arrays["first"]) - 1
    stand_in = dataset.family != role
    note = f"{dataset.title}, standing in for {role}" if stand_in else dataset.title
    facts = {
        "kind": "exploration",
        "users": 1,
        "items": 1,
        "arms": nodes,
        "dimension": len(FEATURES),
        "protocol": "paper",
        "role": role,
        "dataset": {"name": dataset.name, "title": dataset.title, "completeness": dataset.completeness},
        "stand_in": stand_in,
        "data_note": f"{note}; {100 * seen:g} % seen at the start, {NOTES[start]}",
        "settings": settings,
        "counts": {"nodes": nodes, "edges": len(arrays["neighbour"]) // 2, "start": int(arrays["count"])},
    }
    save_arrays(path, arrays, facts)
    provenance.save(path)


def main(argv: list[str] | None = None) -> None:
    freeze(**read_settings(argv, "Freeze a network that is explored by queries.", SETTINGS, MEANINGS, "folder"))


if __name__ == "__main__":
    run_script(main)
