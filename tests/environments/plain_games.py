"""Oracles of the public games, written from docs/released-code.md with NumPy alone; no code is the package's.

Each round is (user told to the learner, contexts (10, d), rewards (10,), the entries or the image that are offered).
"""

from __future__ import annotations

import numpy as np


def published_files(ratings: np.ndarray, most_users: int, most_items: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return entries, user features and item features as section 1.1 says. ratings: rows of (user, item, stars)."""
    cells: dict[tuple[int, int], int] = {}
    for user, item, stars in ratings:
        if stars > 4 or stars < 2:
            cells[int(user), int(item)] = cells.get((int(user), int(item)), 0) + (1 if stars > 4 else -1)
    users, items = (sorted({pair[side] for pair in cells}) for side in (0, 1))
    stored, value = np.zeros((len(users), len(items)), int), np.zeros((len(users), len(items)), int)
    for (user, item), total in cells.items():
        stored[users.index(user), items.index(item)] = 1  # a sum of 0 is stored, too
        value[users.index(user), items.index(item)] = total
    for axis, most in ((0, 3 * most_users), (1, most_items), (0, most_users)):
        counts = stored.sum(axis=1 - axis)
        busy = sorted(range(len(counts)), key=lambda one: -counts[one])[:most]
        stored, value = stored.take(busy, axis), value.take(busy, axis)

    def features(matrix: np.ndarray) -> np.ndarray:
        left = np.linalg.svd(matrix)[0][:, :9]
        left = left / np.maximum(np.linalg.norm(left, axis=1, keepdims=True), 1e-300)
        return np.hstack([left, np.ones((len(left), 1))]) / np.sqrt(2)

    entries = [(u, i, np.sign(value[u, i])) for u, i in np.argwhere(value)]
    return np.array(entries), features(value), features(value.T)


def density(x: np.ndarray) -> np.ndarray:
    """Return the density of N(0, 0.5^2)."""
    return np.exp(-(x**2) / (2 * 0.25)) / (0.5 * np.sqrt(2 * np.pi))


class Item50:
    """Section 1.2. entries: rows of (user, item, sign); item_features: (I, 10); labels: the groups of users, (U,)."""

    def __init__(self, entries: np.ndarray, item_features: np.ndarray, labels: np.ndarray) -> None:
        self.features, self.labels = item_features, labels
        self.liked: list[list[np.ndarray]] = [[] for _ in range(max(labels) + 1)]
        self.disliked: list[list[np.ndarray]] = [[] for _ in range(max(labels) + 1)]
        for entry in entries:
            (self.liked if entry[2] == 1 else self.disliked)[labels[entry[0]]].append(entry)

    def step(self, random: np.random.Generator) -> tuple[int, np.ndarray, np.ndarray, list[np.ndarray]]:
        group = int(self.labels[random.integers(len(self.labels))])
        place = int(random.integers(10))
        arms = [self.liked[group][k] for k in random.integers(len(self.liked[group]), size=9)]
        arms.insert(place, self.disliked[group][random.integers(len(self.disliked[group]))])
        contexts = density(np.array([self.features[item] for _, item, _ in arms]))
        return group, contexts, np.eye(10)[place], arms


class Both100:
    """Section 1.3. As `Item50`, and user_features: (U, 10); the users who are drawn are the first 100."""

    def __init__(
        self, entries: np.ndarray, user_features: np.ndarray, item_features: np.ndarray, labels: np.ndarray
    ) -> None:
        self.users, self.items, self.labels = user_features, item_features, labels
        self.of: dict[tuple[int, int], list[np.ndarray]] = {}
        for entry in entries:
            self.of.setdefault((labels[entry[0]], entry[2]), []).append(entry)

    def step(self, random: np.random.Generator) -> tuple[int, np.ndarray, np.ndarray, list[np.ndarray]]:
        group = int(self.labels[random.integers(100)])
        place = int(random.integers(10))
        liked, disliked = self.of[group, 1], self.of[group, -1]
        arms = [liked[k] for k in random.integers(len(liked), size=9)]
        arms.insert(place, disliked[random.integers(len(disliked))])
        rows = [np.concatenate([self.items[item], self.users[user]]) for user, item, _ in arms]
        return group, density(np.array(rows)), np.eye(10)[place], arms


class Images:
    """Section 1.4. Grey images, (n, 28, 28), and labels of MNIST's training set and of notMNIST; users 0 to 9 are
    notMNIST's classes."""

    def __init__(
        self, mnist: tuple[np.ndarray, np.ndarray], notmnist: tuple[np.ndarray, np.ndarray], random: np.random.Generator
    ) -> None:
        self.sets = [(images.reshape(len(images), -1) / 1.0, labels) for images, labels in (notmnist, mnist)]
        self.orders = [random.permutation(len(labels)).tolist() for _, labels in self.sets]

    def step(self, random: np.random.Generator) -> tuple[int, np.ndarray, np.ndarray, tuple[int, int]]:
        coin = int(random.integers(2))
        place = self.orders[coin].pop(0)
        images, labels = self.sets[coin]
        return 10 * coin + labels[place], self.contexts(coin, images[place]), np.eye(10)[labels[place]], (coin, place)

    @staticmethod
    def contexts(coin: int, image: np.ndarray) -> np.ndarray:
        """Return the ten arms, (10, d + 9), of an image of notMNIST (coin 0) or of MNIST (1)."""
        image = (image / 255 - 0.1307) / 0.3081 if coin else image / np.linalg.norm(image)
        arms = np.zeros((10, len(image) + 9))
        for k in range(10):
            arms[k, k : k + len(image)] = image
        return arms
