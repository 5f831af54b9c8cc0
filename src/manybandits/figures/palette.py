"""The palette of figures: one colour, dash and marker per algorithm, the same in every figure of every paper.

The methods that the papers propose are red; `OWN` lists them. All others have the colours of seaborn's palette
``colorblind``, which colour-blind readers can distinguish, muted so that red stands out, or these colours darkened.
Random is grey and dotted. Dashes and markers distinguish lines in greyscale. A run of an algorithm with other options
than usual, such as ``M-CNB, nu 3``, has a tone of the algorithm's colour, and a dash and a marker of its own. All
figures, the interactive charts and the notebooks take their looks from here. In figures of comparisons, a user's own
policy is red instead (`hero`). Names and order need no colour, so that seaborn is loaded where something is drawn, and
not by what titles a figure.
"""

from __future__ import annotations

import colorsys
import contextlib
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import NamedTuple

from manybandits.claims.verdict import Answer
from manybandits.results.display_names import RANDOM

COLORBLIND = {"blue": 0, "orange": 1, "green": 2, "pink": 4, "brown": 5, "sky": 9}
"""Places in seaborn's palette ``colorblind`` of colours that are not grey, close to red or too pale for a line."""
MUTED, DARK, PALE = 0.75, 0.62, 1.5
"""The saturation that is left of a muted colour, and the lightness of dark and pale ones, relative to the base."""
RED, GREY, INK = "#c1121f", "#8a8a8a", "#222222"


def toned(color: str, saturation: float = 1.0, lightness: float = 1.0) -> str:
    """Return a colour with its saturation and lightness multiplied. color: as ``#rrggbb``.

    >>> toned("#0173b2", saturation=0.75)
    '#176d9c'
    """
    red, green, blue = (int(color[place : place + 2], 16) / 255 for place in (1, 3, 5))
    hue, light, saturated = colorsys.rgb_to_hls(red, green, blue)
    parts = colorsys.hls_to_rgb(hue, min(0.74, light * lightness), saturated * saturation)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


@functools.cache
def colors() -> Mapping[str, str]:
    """Return the colours of algorithms, by name."""
    found = {name: toned(base, MUTED) for name, base in _bases().items()}
    found |= {f"dark {name}": toned(base, MUTED, DARK) for name, base in _bases().items()}
    found |= {"red": RED, "dark red": toned(RED, 1.0, 0.55), "pale red": toned(RED, 1.0, PALE)}
    return found | {"grey": GREY, "ink": INK}


@functools.cache
def _bases() -> Mapping[str, str]:
    """Return the colours of seaborn's palette that others are derived from, by name."""
    import seaborn

    every = seaborn.color_palette("colorblind").as_hex()
    return {name: str(every[place]) for name, place in COLORBLIND.items()}


DASHES: Mapping[str, tuple[float, ...]] = {
    "solid": (),
    "dashed": (3.7, 1.6),
    "dash-dot": (6.4, 1.6, 1, 1.6),
    "long": (7, 2),
    "medium": (5, 1),
    "short": (2, 1),
    "dense dots": (1, 1),
    "dash-dot-dot": (3, 1, 1, 1),
    "two dots": (6, 2, 1, 2, 1, 2),
    "wide": (8, 2),
    "dots": (1, 3),
}
"""Dashes by name: the lengths of lines and gaps, in widths of the line."""
LOOKS = {
    # The methods that the papers propose.
    "M-CNB": ("red", "solid", "X"),
    "Meta-Ban": ("red", "solid", "*"),
    "LNUCB-TA": ("red", "solid", "H"),
    "RMBandit": ("red", "solid", "D"),
    "Robust multitask": ("red", "solid", "D"),  # RMBandit's estimator
    "CMLB": ("red", "solid", "P"),
    "SCLB": ("dark red", "dashed", "s"),
    "PMLB": ("pale red", "dash-dot", "^"),
    "M-CNB 2023": ("dark red", "dashed", "X"),
    "M-CNB 2024": ("red", "solid", "p"),
    "Meta-Ban 2022": ("red", "solid", "v"),
    # Clusters of linear bandits.
    "CLUB": ("blue", "solid", "o"),
    "COFIBA": ("orange", "dashed", "s"),
    "SCLUB": ("green", "dash-dot", "^"),
    "LOCB": ("pink", "medium", "D"),
    "CLUB 2022": ("blue", "dashed", "h"),
    "COFIBA 2022": ("orange", "dash-dot", "h"),
    "SCLUB 2022": ("green", "short", "h"),
    "LOCB 2022": ("pink", "dash-dot", "h"),
    # One linear model, or one per user, agent, arm or instance.
    "LinUCB": ("sky", "dash-dot-dot", "v"),
    "LinUCB-ONE": ("sky", "short", "d"),
    "LinUCB-IND": ("brown", "dense dots", "P"),
    "LinUCB-Ind": ("brown", "dense dots", "X"),
    "ALB-Norm": ("dark pink", "two dots", "<"),
    "LinThompson": ("green", "two dots", ">"),
    "LinThompson-enhanced": ("dark green", "short", "D"),
    "LinThompsonUCB": ("dark sky", "medium", "o"),
    "Oracle": ("ink", "wide", "*"),
    "Oracle of the mean": ("ink", "wide", "h"),
    # Networks and kernels.
    "NeuUCB-ONE": ("dark blue", "long", "h"),
    "NeuUCB-IND": ("dark pink", "two dots", ">"),
    "NeuUCB-ONE 2022": ("dark blue", "long", "s"),
    "NeuUCB-IND 2022": ("dark pink", "two dots", "P"),
    "NeuralLinear": ("dark orange", "short", "p"),
    "NeuA+U": ("dark green", "dash-dot-dot", "^"),
    "KernelUCB": ("dark brown", "medium", "d"),
    "KernelTS": ("brown", "dashed", "H"),
    "NeuralTS": ("dark pink", "dash-dot", "s"),
    "Neural epsilon-greedy": ("dark sky", "dashed", "p"),
    "BootstrapNN": ("pink", "long", "P"),
    # Nearest neighbours, and bandits without contexts.
    "k-NN UCB": ("orange", "solid", "v"),
    "k-NN KL-UCB": ("green", "dashed", "X"),
    "k-NN epsilon-greedy": ("dark orange", "dash-dot", "<"),
    "(Lin + k-NN)-UCB": ("blue", "medium", "s"),
    "UCB": ("dark brown", "short", "^"),
    "KL-UCB": ("dark pink", "medium", "o"),
    "BetaThompson": ("pink", "dashed", "v"),
    "BetaThompson-enhanced": ("dark pink", "long", "d"),
    "Epsilon-greedy": ("dark blue", "dash-dot-dot", "o"),
    "Epsilon-greedy-enhanced": ("dark blue", "dashed", "v"),
    # Instances of related problems: bandits, and the estimators that they are named after.
    "OLS bandit": ("brown", "dashed", "p"),
    "Independent": ("brown", "dashed", "p"),
    "Averaged OLS bandit": ("orange", "medium", "^"),
    "Averaging": ("orange", "medium", "^"),
    "Pooled OLS bandit": ("green", "dash-dot", "o"),
    "Pooling": ("green", "dash-dot", "o"),
    "AM bandit": ("blue", "long", "v"),
    "Averaging multitask": ("blue", "long", "v"),
    "LASSO bandit": ("dark sky", "dash-dot-dot", "h"),
    "LASSO": ("dark sky", "dash-dot-dot", "h"),
    "Trimmed mean": ("dark green", "medium", "v"),
    "Random": ("grey", "dots", "x"),
}
"""Title of an algorithm or estimator -> the names of its colour and dash, and its marker."""
OWN = (
    *("M-CNB", "Meta-Ban", "LNUCB-TA", "RMBandit", "Robust multitask", "CMLB", "SCLB", "PMLB"),
    *("M-CNB 2023", "M-CNB 2024", "Meta-Ban 2022"),
)
"""The methods that the papers propose: red, bold, and the first of a figure."""
KNOWING = ("Oracle", "Oracle of the mean")
"""Algorithms that are told what others learn: references, and no rivals."""
TONES = (0.6, 1.5, 0.8, 1.7, 0.45, 1.25)
"""Lightness of the runs of one algorithm with other options than usual, relative to its own."""
OTHER_DASHES = ("dashed", "short", "dash-dot", "medium", "two dots", "dense dots")
OTHER_MARKERS = "os^Dv<>PphdH"
ANSWERS: Mapping[Answer, tuple[str, str]] = {
    Answer.HOLDS: ("o", "#004a80"),
    Answer.NEAR: ("D", "#775800"),
    Answer.FAILS: ("s", "#8a1500"),
    Answer.UNCLEAR: ("_", "#55555e"),
    Answer.SAME: ("|", "#3d6b6b"),
    Answer.OUTSIDE: ("x", "#6d4a8f"),
    Answer.UNTESTABLE: ("+", "#6a6a73"),
}
"""Marker and colour of answers: circles hold, squares do not; those of a smaller run than the paper's are hollow."""
GAMES = (("dark blue", "o"), ("orange", "s"), ("green", "^"), ("pink", "D"))
"""Names of colours, and markers, of games in their order, in figures where a mark is a game and not an algorithm."""


class Look(NamedTuple):
    """How a series is drawn. dash: lengths of lines and gaps, in line widths, none if solid; marker: Matplotlib's."""

    color: str
    dash: tuple[float, ...] = ()
    marker: str = "o"
    own: bool = False


def algorithm_of(title: str) -> str:
    """Return the algorithm of a run: its title without the options that follow.

    >>> algorithm_of("M-CNB, nu 3")
    'M-CNB'
    """
    return title.partition(", ")[0]


_HEROES: ContextVar[tuple[str, ...]] = ContextVar("heroes", default=())


@contextlib.contextmanager
def hero(*titles: str) -> Iterator[None]:
    """Draw runs in a block as papers' methods are drawn elsewhere: red, first, the reference of ratios.

    The papers' methods are then drawn as all others are. titles: of the runs; an empty one is none.
    """
    token = _HEROES.set(tuple(filter(None, titles)))
    try:
        yield
    finally:
        _HEROES.reset(token)


def is_own(title: str) -> bool:
    """Return whether a run is a hero of the figure; without one, of a method that a paper proposes, as proposed."""
    return title in (_HEROES.get() or OWN)


def standing(title: str) -> int:
    """Return 0 for a method that a paper proposes, 1 for one with other options, 2 for any other run, 3 for Random."""
    if algorithm_of(title) in OWN and not _HEROES.get():
        return 0 if is_own(title) else 1
    if is_own(title):
        return 0
    return 3 if title == RANDOM else 2


def look(title: str, others: Sequence[str]) -> Look:
    """Return the look of a run.

    title: as in run tables. others: all titles of the figure, sorted; a run that has no look of its own gets one by its
    place among those of the same algorithm, and an algorithm that has none by its place among all.
    """
    algorithm = algorithm_of(title)
    if _HEROES.get() and is_own(title):
        return Look(RED, (), OTHER_MARKERS[_HEROES.get().index(title) % len(OTHER_MARKERS)], own=True)
    displaced = bool(_HEROES.get()) and algorithm in OWN
    if title in LOOKS and not displaced:
        color, dash, marker = LOOKS[title]
        return Look(colors()[color], DASHES[dash], marker, is_own(title))
    if algorithm not in LOOKS or displaced:
        place = others.index(title)
        return _nth(place, toned([*_bases().values()][place % len(COLORBLIND)], 1.0, 0.8))
    varied = [one for one in others if algorithm_of(one) in LOOKS and one not in LOOKS] or [title]
    alike = [one for one in varied if algorithm_of(one) == algorithm]
    tone = TONES[alike.index(title) % len(TONES)]
    # Markers are counted over all algorithms, so that two runs with other options have different ones.
    return _nth(varied.index(title), toned(colors()[LOOKS[algorithm][0]], 1.0, tone))


def _nth(place: int, color: str) -> Look:
    dash, marker = OTHER_DASHES[place % len(OTHER_DASHES)], OTHER_MARKERS[place % len(OTHER_MARKERS)]
    return Look(color, DASHES[dash], marker)


def looks_of(titles: Iterable[str]) -> dict[str, Look]:
    """Return the looks of the series of a figure, in the order given."""
    names = list(dict.fromkeys(titles))
    return {name: look(name, sorted(names)) for name in names}


def labelled_looks(titles: Iterable[str]) -> dict[str, Look]:
    """Return the looks of many series of which each has its name beside it: own methods are red, others alike."""
    others = Look(colors()["dark blue"])
    return {title: one if standing(title) in (0, 3) else others for title, one in looks_of(titles).items()}


def game_look(place: int) -> Look:
    """Return the look of a game by its place."""
    color, marker = GAMES[place % len(GAMES)]
    return Look(colors()[color], (), marker)


def in_order(titles: Sequence[str], values: Mapping[str, float], higher: bool = False) -> list[str]:
    """Return titles as figures list them: own methods, then the others from the best to the worst, Random last.

    values: title -> value, NaN where runs were lost; higher: whether more is better.
    """

    def place(title: str) -> tuple[int, float]:
        value = values[title]
        lost = value != value
        return standing(title), float("inf") if lost else -value if higher else value

    return sorted(titles, key=place)
