"""The Yahoo! front page log R6A, which Yahoo! gives out on request: the first events of the first of its ten days.

A line of the log is an event: the article shown, whether it was clicked, the user's six features (one of them
constant), and the articles that it was drawn from uniformly, with their features::

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
from manybandits.datasets._archives import open_packed
from manybandits.datasets.base import Dataset, File, Tidy

EVENTS, FEATURES = 200_000, 6
FIRST_DAY = "ydata-fp-td-clicks-v1_0.20090501.gz"

DATASET = Dataset(
    name="yahoo-r6a",
    family="article",
    title=f"Yahoo! front page log, first {EVENTS:,} events",
    kind="log",
    completeness="subset",
    licence="Yahoo! Webscope agreement: given out on request for research, no redistribution",
    citation="Yahoo! Webscope R6A; Li, Chu, Langford and Schapire 2010",
    home="https://webscope.sandbox.yahoo.com/catalog.php?datatype=r",
    counts={},
    files=(File(FIRST_DAY),),
    by_hand=f"ask for R6A at https://webscope.sandbox.yahoo.com/catalog.php?datatype=r and place {FIRST_DAY} in "
    "{folder}.",
    notes="There is no public copy, so no counts are verified; the counts found are recorded.",
)


def tidy(raw: dict[str, Path]) -> tuple[Tidy, dict[str, int]]:
    """Return the log as tidy arrays, arm, (n,) from 0, click, (n,), and contexts, (n, K, d), and its counts."""
    path = raw[FIRST_DAY]
    with open_packed(path) as file, io.TextIOWrapper(file, encoding="ascii") as lines:
        return read_log(lines, path)


def read_log(lines: Iterable[str], path: Path, events: int = EVENTS) -> tuple[Tidy, dict[str, int]]:
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
    features = [float(values[str(place)]) for place in range(1, FEATURES + 1)]
    return int(article), int(clicked), features, {int(text.split(maxsplit=1)[0]) for text in articles}
