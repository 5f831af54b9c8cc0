"""What a verdict measured, as a sentence: the regret of one method is so much above that of another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from manybandits.report import numbers
from manybandits.results.measures import MEASURES, words_of

PLURAL = ("clusters", "users", "components", "updates")
"""How measures begin that are counted, so that they are, and not is, so many."""
TIMES = (words_of("seconds"), "seconds")
"""What verdicts call the time of a play and of a measurement; who takes twice as long needs no unit."""


@dataclass(frozen=True)
class Found:
    """A sentence around a number: what is before and after it, its interval, and what is published in its place."""

    before: str
    value: str
    interval: str
    after: str
    published: str


def found(row: Mapping[str, str]) -> Found:
    """Return what a verdict measured as a sentence. row: of the table of verdicts, with a measured number.

    Leads are told as what they mean: with less regret a method is below its rival, with more reward above it.

    >>> row = dict.fromkeys(("low", "high", "published", "bound", "n", "comparisons", "against"), "")
    >>> row |= {"of": "M-CNB", "rival": "CLUB", "measure": "regret", "measured": "-1.5", "published": "0.077"}
    >>> one = found({**row, "kind": "order", "quantity": "lead in regret of M-CNB, nu 1 over CLUB, relative"})
    >>> one.before, one.value, one.after, one.published
    ('The regret of M-CNB, nu 1, is', '150 %', 'above that of CLUB', '7.7 % below')
    """
    sentence = {"order": _order, "ratio": _ratio, "slope": _slope, "equality": _equality, "value": _value}
    words, time = words_of(row["measure"]), next((name for name in TIMES if f"{name} " in row["quantity"]), "")
    if time and row["measure"] == "seconds":
        row, words = {**row, "quantity": row["quantity"].replace(time, "time", 1)}, "time"
    return sentence[row["kind"]](row, words) or Found(
        f"{numbers.quantity(row)}:", numbers.estimate(row), numbers.interval(row), "", numbers.stated(row)
    )


def _order(row: Mapping[str, str], words: str) -> Found | None:
    own, rival = _sides(row, f"lead in {words} of ", " over ", ", relative")
    measure = MEASURES.get(row["measure"])
    return _apart(row, words, own, rival, 1 if measure and measure.higher else -1) if own else None


def _equality(row: Mapping[str, str], words: str) -> Found | None:
    own, rival = _sides(row, "relative difference of ", " and ", f" in {words}")
    return _apart({**row, "published": ""}, words, own, rival, 1) if own else None


def _ratio(row: Mapping[str, str], words: str) -> Found | None:
    own, rival = _sides(row, f"{words} of ", " over that of ", "")
    if not own:
        return None
    after = f"times {_those(words)} of {rival}"
    return Found(_subject(words, own), numbers.estimate(row), numbers.interval(row), after, numbers.stated(row))


def _slope(row: Mapping[str, str], words: str) -> Found | None:
    beginning = f"slope of {words} in {row['against']}, "
    if not row["quantity"].startswith(beginning):
        return None
    name = numbers.legible(row["quantity"].removeprefix(beginning))
    before = f"The {words} of {_closed(name)} scale{_s(words)} with {row['against']} to the power"
    return Found(before, numbers.estimate(row), numbers.interval(row), "", numbers.stated(row))


def _value(row: Mapping[str, str], words: str) -> Found | None:
    if not row["quantity"].startswith(f"{words} of "):
        return None
    name = numbers.legible(row["quantity"].removeprefix(f"{words} of "))
    return Found(_subject(words, name), numbers.estimate(row), numbers.interval(row), "", numbers.stated(row))


def _apart(row: Mapping[str, str], words: str, own: str, rival: str, sign: int) -> Found:
    """Return by how much one side is above or below the other. sign: 1 if a positive number means above, else -1."""
    measured = float(row["measured"])
    told = row if measured >= 0 else _turned(row)
    value, interval = numbers.estimate(told), numbers.interval(told)
    before, after = _subject(words, own), f"{_side(sign if measured >= 0 else -sign)} {_those(words)} of {rival}"
    if not measured:
        before, after = f"The {words} of {_closed(own)} differ{_s(words)} by", f"from {_those(words)} of {rival}"
    return Found(before, value, interval, after, _published(row, sign))


def _published(row: Mapping[str, str], sign: int) -> str:
    """Return a published lead as what it means, "" if none is."""
    if not row["published"]:
        return ""
    lead = float(row["published"])
    return f"{numbers.of(str(abs(lead)), row)} {_side(sign if lead >= 0 else -sign)}"


def _turned(row: Mapping[str, str]) -> dict[str, str]:
    """Return a verdict with the sign of its numbers turned, so that what is below by -3 % is above by 3 %."""

    def turn(text: str) -> str:
        return str(-float(text)) if text else ""

    return {**row, "measured": turn(row["measured"]), "low": turn(row["high"]), "high": turn(row["low"])}


def _sides(row: Mapping[str, str], beginning: str, between: str, end: str) -> tuple[str, str]:
    """Return what is compared with what, of a quantity that names both; empty texts if it is none."""
    text = row["quantity"]
    # The name of a method may hold the word between both, and a part of a measurement has no title.
    title = row["rival"] if f"{between}{row['rival']}" in text else ""
    own, middle, rest = text.removeprefix(beginning).removesuffix(end).partition(between + title)
    if not (text.startswith(beginning) and text.endswith(end) and middle):
        return "", ""
    return numbers.legible(own), numbers.legible(title + rest)


def _subject(words: str, name: str) -> str:
    return f"The {words} of {_closed(name)} {'are' if _many(words) else 'is'}"


def _closed(name: str) -> str:
    """Return a name before a verb: options end with a comma, too."""
    return f"{name}," if ", " in name else name


def _side(sense: int) -> str:
    return "above" if sense > 0 else "below"


def _those(words: str) -> str:
    return "those" if _many(words) else "that"


def _s(words: str) -> str:
    return "" if _many(words) else "s"


def _many(words: str) -> bool:
    return words.split()[0] in PLURAL
