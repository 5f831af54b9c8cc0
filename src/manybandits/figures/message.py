"""What a figure shows, as its title: by rule from the verdicts on the claims about it.

The claims that are counted and speak of the place of the figure come first: those of Figure 2 title Figure 2. One claim
is told with its numbers, several by how many hold. Where no claim was judged, as on stand-in data, comparisons of the
runs that a figure draws title it, or what it is about.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from manybandits.base.protocols import RELEASED
from manybandits.base.table_files import Row
from manybandits.figures.outcomes import AHEAD, BEHIND, LEVEL, UNKNOWN, Outcome, listed, sentence
from manybandits.results.display_names import algorithm_name, name_before_verb
from manybandits.results.measures import MEASURES, words_of
from manybandits.results.verdict_table import (
    CONTRADICTED,
    COUNTED,
    HOLDING,
    JUDGED,
    NEAR,
    NO_DIFFERENCE,
    NOT,
    OUTSIDE,
    UNDECIDED,
    bounded,
    read_verdicts,
)

KINDS = ("order", "ratio", "slope", "equality", "value")
"""Kinds of claims, the most telling first."""
CLAIMED = {
    "order": ("stated orders", "hold", "holds"),
    "ratio": ("stated ratios", "hold", "holds"),
    "slope": ("stated rates", "hold", "holds"),
    "equality": ("stated equalities", "hold", "holds"),
    "value": ("published numbers", "are met", "is met"),
}
"""Kind of claim -> what is counted, and what several of them, or none, do."""
ANSWERS = {NEAR: "nearly", UNDECIDED: "undecided", CONTRADICTED: "not", NOT: "not", OUTSIDE: "outside"}
NO_RUN = "under conditions that no run meets"
TO_RANDOM = " relative to Random"
"""What the quantity of a result says that was divided by that of Random in its own game."""


def load_rows(path: Path | None) -> list[Row]:
    """Read the verdicts on a figure for which something was measured; none if there is no file."""
    return [row for row in read_verdicts(path, JUDGED) if row["measured"]] if path else []


def told_by(rows: Sequence[Row], place: str) -> list[Row]:
    """Return the verdicts that title a figure: all are on one claim, in all its cells. place: of the figure."""
    counts = [row for row in rows if row["reading"] in (COUNTED, RELEASED) and not row["stands"]]
    candidates = counts or [row for row in rows if not row["stands"]]
    named = place.partition(", ")[2] or place
    here = [
        row for row in candidates if row["place"] and (row["place"] in place or named in row["place"])
    ] or candidates
    if not here:
        return []
    # "SCLB has less regret than SCLB" tells less than a rate: a method against itself, in other games, comes last.
    first = min(here, key=lambda row: (_with_itself(row), KINDS.index(row["kind"])))
    alike = [row for row in here if _key(row) == _key(first)]
    # Of a claim that no reading of this figure counts, all readings are told: none of them speaks for the others.
    return [row for row in alike if row["reading"] == first["reading"]] if counts else alike


def message(rows: Sequence[Row], place: str, games: Mapping[str, str]) -> str:
    """Return what the verdicts on a figure say, as a sentence; empty if none does.

    rows: as `load_rows` returns them; place: of the figure, such as ``M-CNB, Figure 2``; games: game -> its short name.
    """
    told = told_by(rows, place)
    if not told:
        return ""
    if any(map(_with_itself, told)):
        holding = sum(row["verdict"] in HOLDING for row in told)
        answer = told[0]["verdict"] if len(told) == 1 else f"holds in {holding} of {len(told)} games"
        return f"{told[0]['says'].rstrip('.')}: {answer}"
    if told[0]["kind"] == "equality" and all(row["of"] == row["rival"] for row in told):
        return f"{told[0]['says'].rstrip('.')}: {_answers(told)}"
    # One panel may be claimed about at several rounds or grid points: none of them is what is seen in all of it.
    within = len({(row["at"], row["point"], row["game"].partition(", ")[2]) for row in told}) > 1
    if told[0]["kind"] == "order" and not within:
        higher = told[0]["measure"] in MEASURES and MEASURES[told[0]["measure"]].higher
        shared = set[str].intersection(*map(_settings, told))
        outcomes = [_outcome(row, games, shared) for row in told]
        if len({row["reading"] for row in told}) > 1 and len({row["of"] for row in told}) == 1:
            outcomes = [replace(one, game=f"with {row['reading']}") for one, row in zip(outcomes, told, strict=True)]
        return sentence(outcomes, _what(told[0]), higher)
    if len(told) == 1:
        return {"ratio": _ratio, "slope": _slope, "equality": _equality, "value": _value}[told[0]["kind"]](told[0])
    return _counted(told)


def _what(row: Row) -> str:
    """Return what was measured, in words: a measure of runs, or a column of a measurement."""
    words = words_of(row["measure"])
    return words + TO_RANDOM if TO_RANDOM in row["quantity"] else words


def _with_itself(row: Row) -> bool:
    """Return whether a claim orders the results of one method in several games."""
    return bool(row["kind"] == "order" and row["of"] == row["rival"])


def _key(row: Row) -> str:
    return row["claim"].split(".")[1]


def _outcome(row: Row, games: Mapping[str, str], shared: Collection[str]) -> Outcome:
    """Return a verdict on an order as an outcome. games: game -> its short name; shared: settings of all games."""
    kinds = {**dict.fromkeys(HOLDING, AHEAD), CONTRADICTED: BEHIND, NOT: BEHIND}
    unclear = LEVEL if row["reason"] == NO_DIFFERENCE else UNKNOWN
    kind = _measured(row) if row["verdict"] == OUTSIDE else kinds.get(row["verdict"], unclear)
    return Outcome(row["of"], row["rival"], _game(row, games, kind, shared), kind, int(row["compared"]))


def _measured(row: Row) -> str:
    """Return what the interval of a lead says where no verdict does."""
    if not (row["low"] and row["high"]):
        return UNKNOWN
    return AHEAD if float(row["low"]) > 0 else BEHIND if float(row["high"]) < 0 else LEVEL


def _settings(row: Row) -> set[str]:
    """Return the settings that all games of a verdict have in common, such as ``noise 0.1``."""
    return set[str].intersection(*(set(note.split(", ")) for note in row["data"].split("; ")))


def _game(row: Row, games: Mapping[str, str], kind: str, shared: Collection[str]) -> str:
    """Return where an order was judged: on its game, on all, or on the least favourable one of several."""
    if TO_RANDOM in row["quantity"]:
        return ""  # the results of two games, each relative to its own Random
    name = row["game"].split(", ")[0]
    count, left = divmod(int(row["comparisons"] or 0), int(row["compared"]))
    if count < 2 or left:
        return games.get(name, name)
    if kind == AHEAD:
        own = sorted(_settings(row) - set(shared))
        return f"all {count} games{f' with {listed(own)}' if own else ''}"
    return f"{games.get(name, name)} (the least favourable of {count} games)"


def _counted(rows: Sequence[Row]) -> str:
    """Return how many of several claims of one kind hold, and of which method, if all are of one."""
    what, several, none = CLAIMED[rows[0]["kind"]]
    method, *others = {row["of"] for row in rows}
    of = what if others or not method else f"{what} of {name_before_verb(method)}"
    holding = sum(row["verdict"] in HOLDING for row in rows)
    if holding == len(rows):
        return f"{'Both' if holding == 2 else f'All {holding}'} {of} {several}"
    rest = _failing(rows)
    if all(row["verdict"] == OUTSIDE for row in rows):
        return f"The {len(rows)} {of} are those of conditions that no run meets"
    if holding:
        return ", ".join([f"{holding} of {len(rows)} {of} {several}", *rest])
    return ", ".join([f"None of the {len(rows)} {of} {none}", *(rest if rest != [f"{len(rows)} not"] else [])])


def _failing(rows: Sequence[Row]) -> list[str]:
    """Return how many of several claims hold nearly, cannot be decided and do not hold, leaving out what none does."""
    words = {
        "nearly": "{} nearly",
        "undecided": "{} cannot be decided",
        "not": "{} not",
        "outside": f"{{}} {NO_RUN}",
    }
    counts = {word: sum(ANSWERS.get(row["verdict"]) == word for row in rows) for word in words}
    return [words[word].format(count) for word, count in counts.items() if count]


def _answers(rows: Sequence[Row]) -> str:
    """Return the verdict on one claim, or how many of several values keep what is said of them."""
    holding = sum(row["verdict"] in HOLDING for row in rows)
    if len(rows) == 1:
        return str(rows[0]["verdict"])
    return ", ".join([f"true for {holding or 'none'} of {len(rows)} values", *_failing(rows)])


def _ratio(row: Row) -> str:
    rival = f"that of {algorithm_name(row['rival'])}"
    return (
        f"The {_what(row)} of {name_before_verb(row['of'])} is {float(row['measured']):.3g} times {rival}; "
        f"published: {float(row['published']):.3g}"
    )


def _slope(row: Row) -> str:
    stated = bounded(f"{float(row['published']):z.2f}", row["bound"])
    who = name_before_verb(row["of"]) if row["of"] else "the part that is timed"
    answers = {
        **dict.fromkeys(HOLDING, "as stated"),
        **{NEAR: "nearly as stated", UNDECIDED: "which leaves the statement open"},
        **dict.fromkeys((CONTRADICTED, NOT), "against the statement"),
    }
    found = f"The slope of {who} is {float(row['measured']):z.2f}"
    if row["verdict"] not in answers:
        return f"{found}; stated, {NO_RUN}: {stated}"
    return f"{found}, {answers[row['verdict']]} ({stated})"


def _equality(row: Row) -> str:
    gap = abs(float(row["measured"]))
    both = f"{algorithm_name(row['of'])} and {algorithm_name(row['rival'])}"
    if gap == 0:
        return f"{both} have the same {_what(row)}"
    return f"The {_what(row)} of {both} differs by {100 * gap:.1f} %"


def _value(row: Row) -> str:
    # The quantity says of which settings it is, too.
    quantity = row["quantity"].replace(f" of {row['of']}", f" of {algorithm_name(row['of'])}", 1)
    stated = f"; published, {NO_RUN}" if row["verdict"] == OUTSIDE else ", published"
    return f"The {quantity} is {float(row['measured']):.4g}{stated}: {float(row['published']):.4g}"
