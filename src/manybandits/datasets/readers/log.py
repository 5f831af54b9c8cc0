"""Logs of recommended articles: a small one of 10,000 events, and the front page of Yahoo!.

Of the front page log, R6A, the first events of the first of its ten days are read. A line is an event: the article
shown, whether it was clicked, the user's six features (one of them constant), and the articles that it was drawn from
uniformly, with their features::

    1241160900 109513 0 |user 2:0.000012 ... 6:0.023 1:1.0 |109498 2:0.306 ... 1:1.0 |109509 2:0.306 ... 1:1.0 ...

Articles come and go, but a replay has the same K arms throughout. The arms here are the articles that were available in
all of the first `EVENTS` events; events that showed another article are left out, and in the remaining events each arm
is shown with the same probability. About one in twenty of the `EVENTS` shows the arm that a policy picks, because about
twenty articles were available, whatever K is: enough for 7,500 rounds (LNUCB-TA, Table 7).

The context of every arm is the user's features. The features of an article never change, so an algorithm with one model
per arm, as all algorithms that replay this log are, would learn nothing from them.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from manybandits.base.exceptions import InputError
from manybandits.datasets.archives import open_packed
from manybandits.datasets.base import Tidy

ARMS, FEATURES = 10, 10
EVENTS, USER_FEATURES = 200_000, 6


def news(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the small log as tidy arrays, arm, (n,) from 0, click, (n,), and contexts, (n, K, d), and its counts."""
    path = next(iter(raw.values()))
    with open_packed(path) as file:
        return read_news(file.read().decode("ascii"), path)


def front_page(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the log of Yahoo! as such arrays, and its counts."""
    path = next(iter(raw.values()))
    with open_packed(path) as file, io.TextIOWrapper(file, encoding="ascii") as lines:
        return read_front_page(lines, path)


def read_news(text: str, path: Path) -> tuple[Tidy, dict[str, int]]:
    """Return tidy arrays and counts from lines of an arm (1 to 10), a click (0 or 1) and 100 features.

    path: for messages. Raises InputError naming the first line that is not as expected.
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines, start=1):
        if len(line) != 2 + ARMS * FEATURES:
            raise InputError(
                f"{path}, line {number} has {len(line)} columns instead of {2 + ARMS * FEATURES}: fetch it again."
            )
    table = np.array(lines, dtype=np.int64)
    arm, click = table[:, 0], table[:, 1]
    for values, low, high, what in ((arm, 1, ARMS, "arm"), (click, 0, 1, "click")):
        wrong = np.flatnonzero((values < low) | (values > high))
        if wrong.size:
            raise InputError(f"{path}, line {wrong[0] + 1}: {what} {values[wrong[0]]} is not one of {low} to {high}.")
    contexts = table[:, 2:].reshape(-1, ARMS, FEATURES)
    counts = {"events": len(table), "arms": len(np.unique(arm)), "clicks": int(click.sum())}
    return {"log.npz": {"arm": arm - 1, "click": click, "contexts": contexts}}, counts


def read_front_page(lines: Iterable[str], path: Path, events: int = EVENTS) -> tuple[Tidy, dict[str, int]]:
    """Return tidy arrays and counts from the first `events` lines; arms are in the order of their official numbers.

    path: for messages. Raises InputError naming the first line that is not an event.
    """
    shown, click, users = [], [], []
    lasting: set[int] = set()
    for number, line in enumerate(itertools.islice(lines, events), start=1):
        try:
            article, clicked, user, pool = read_event(line)
        except (ValueError, KeyError) as error:
            raise InputError(
                f"{path}, line {number} is not an event (time, article shown, click, |user and six features, |article "
                "and its features, ...): get the file again."
            ) from error
        if article not in pool or clicked not in (0, 1):
            raise InputError(
                f"{path}, line {number}: article {article} with click {clicked} is not among its articles."
            )
        shown.append(article)
        click.append(clicked)
        users.append(user)
        lasting = lasting & pool if number > 1 else pool
    if len(lasting) < 2:
        raise InputError(
            f"{path}: its first {len(shown):,} events have {len(lasting)} articles in common; two are needed."
        )
    arms = np.array(sorted(lasting))
    kept = np.isin(shown, arms)
    arm, chosen = np.searchsorted(arms, np.array(shown)[kept]), np.array(click)[kept]
    contexts = np.repeat(np.array(users, np.float32)[kept][:, None], len(arms), axis=1)
    counts = {"events read": len(shown), "events": len(arm), "arms": len(arms), "clicks": int(chosen.sum())}
    return {"log.npz": {"arm": arm, "click": chosen, "contexts": contexts}}, counts


def read_event(line: str) -> tuple[int, int, list[float], set[int]]:
    """Return the article shown, the click, the user's features in the order of their numbers, and the article pool."""
    event, user, *articles = line.split("|")
    _, article, clicked = event.split()
    values = dict(feature.split(":") for feature in user.removeprefix("user").split())
    features = [float(values[str(place)]) for place in range(1, USER_FEATURES + 1)]
    return int(article), int(clicked), features, {int(text.split(maxsplit=1)[0]) for text in articles}
