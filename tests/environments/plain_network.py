"""The plain twin of a network that is explored: everything is computed afresh from sets of seen and queried nodes."""

from __future__ import annotations

import itertools

import numpy as np


class Network:
    """A network, of which some nodes are seen at the start. edges: pairs of nodes, in any order."""

    def __init__(self, edges, start):
        self.neighbours = {}
        for a, b in edges:
            if a != b:
                self.neighbours.setdefault(int(a), set()).add(int(b))
                self.neighbours.setdefault(int(b), set()).add(int(a))
        self.start = {int(node) for node in start}
        self.queried = set()
        self.frontier = sorted(self.start)
        self.scale = max([1, *(len(self.seen_neighbours(node)) for node in self.start)])

    @property
    def seen(self):
        return self.queried | set(self.frontier)

    def seen_neighbours(self, node):
        at_start = self.start if node in self.start else set()
        around = self.neighbours.get(node, set())
        return around if node in self.queried else around & (self.queried | at_start)

    def unseen_neighbours(self, node):
        return self.neighbours.get(node, set()) - self.seen

    def context(self, node):
        around = self.seen_neighbours(node)
        if not around:
            return np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
        degrees = [len(self.seen_neighbours(other)) for other in around]
        pairs = [a in self.seen_neighbours(b) for a, b in itertools.combinations(around, 2)]
        sizes = np.array([len(around), sum(degrees) / len(around), max(degrees)]) / self.scale
        closed = sum(pairs) / len(pairs) if pairs else 0.0
        return np.array([*sizes, len(around & self.queried) / len(around), closed, 1.0])

    @property
    def contexts(self):
        return np.array([self.context(node) for node in self.frontier])

    def query(self, place):
        """Query the node at a place of the frontier, which the last one takes; return how many are newly seen."""
        node = self.frontier[place]
        new = sorted(self.unseen_neighbours(node))
        self.queried.add(node)
        self.frontier[place] = self.frontier[-1]
        self.frontier[-1:] = new
        return len(new)
