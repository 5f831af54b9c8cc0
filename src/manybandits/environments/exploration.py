"""A network that is explored by queries: of a part that is seen, which node's neighbours to ask for next.

Source: Madhawa and Murata 2019, *A multi-armed bandit approach for exploring partially observed networks*; LNUCB-TA,
Figure 7, plays it on the AstroPh network, of which 5 % are seen at first.

The arms of a round are all nodes that are seen but not queried, described by what is seen of the network
(`manybandits.environments.frontier`). The query of a node shows all its neighbours; its reward is the number of nodes
that are newly seen, and the horizon is the number of queries. A node is queried once, so to a policy all nodes are of
one kind: they share its model, and only contexts tell them apart. A policy learns from the reward divided by the
largest degree that is seen at the start, as what policies are known to do well holds for rewards of the size of 1; run
tables hold the number of nodes.

Regret is against a greedy explorer that knows the whole network: the nodes that it has newly seen after as many queries
of its own, from the same start, minus those of the policy. It is not the best possible one, and so may be overtaken.

A replica that has queried all that it could reach has no numbers from there on, is reported, and never chosen.

A seed draws which nodes are seen at the start. The edges among them are known, and none of them is queried: a queried
one would show neighbours that are not among them. How they are drawn is not stated:

start = walk     a random walk along edges, which now and then goes on from any node, until so many nodes are met: the
                 way in which a network is seen whose nodes nobody can list
start = nodes    uniformly: few of them are neighbours, and they are seen without a preference for large degrees
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np

from manybandits.base.artifacts import Provenance, load_table, save_arrays
from manybandits.base.exceptions import InputError, pick, run_script
from manybandits.environments.frontier import FEATURES
from manybandits.environments.kinds.exploration import ExplorationGame

SETTINGS: dict[str, Any] = {"seen": 0.05, "start": "walk"}
"""What a game is made with, and the default of each."""
STARTS = ("walk", "nodes")
NOTES = {"walk": "by a walk", "nodes": "drawn uniformly"}
JUMP = 0.01
"""How often a walk goes on from any node, so that it leaves small components."""


def check(settings: dict[str, Any]) -> None:
    """Raise InputError when no game can be made with these settings, whatever the network."""
    pick(settings["start"], STARTS, "start")
    if not 0.0 < settings["seen"] < 1.0:
        raise InputError(f"seen is {settings['seen']:g}, a share of the nodes: give a number between 0 and 1.")


def build(edges: np.ndarray, seen: float, start: str) -> dict[str, np.ndarray]:
    """Return the arrays of a game. edges: (E, 2) int, nodes numbered from 0; edges of a node with itself are left out.

    first: (n + 1,), neighbour: (2 m,) int32; the neighbours of node v are neighbour[first[v] : first[v + 1]], sorted.
    Raises InputError where there is no edge, or too few nodes for such a start.
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
    """Return the nodes that one seed sees at the start, (s,) int32, sorted."""
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
    """Return a game that was frozen. name: digest of its arrays; facts, arrays: what is stored in it."""
    return ExplorationGame(name, facts, arrays, int(facts["dimension"]), draw_start)


def freeze(path: Path, tidy: Path, role: str, seen: float, start: str) -> None:
    """Build a game from a folder of tidy data and write it to `path`. role: the family of data that the paper names."""
    from manybandits import datasets  # a game knows of data sets only here: their names for the record

    dataset = datasets.load(tidy.name).DATASET
    source = tidy / "edges.parquet"
    settings = {"seen": seen, "start": start}
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
    """Freeze a game from the command line."""
    parser = argparse.ArgumentParser(description="Freeze a network that is explored by queries.")
    parser.add_argument("--seen", type=float, default=SETTINGS["seen"], help="share of the nodes (default 0.05)")
    parser.add_argument("--start", default=SETTINGS["start"], help="walk (default) or nodes: how they are drawn")
    parser.add_argument("--tidy", type=Path, required=True, help="the folder of a tidy data set")
    parser.add_argument("--role", required=True, help="the family of data that the paper names, e.g. astroph")
    parser.add_argument("--out", type=Path, required=True, help="the .npz file to write")
    given = parser.parse_args(argv)
    check({"seen": given.seen, "start": given.start})
    freeze(given.out, given.tidy, given.role, given.seen, given.start)


if __name__ == "__main__":
    run_script(main)
