"""The sentences of verdicts: one template per kind of claim, for pages, tables, notebooks and the command line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from manybandits.claims.verdict import FLAGS, Answer, Flag, HeadlineVerdict, Verdict
from manybandits.papers.claim import Claim, Selection
from manybandits.results.display_names import algorithm_name
from manybandits.results.measures import MEASURES, words_of
from manybandits.results.numbers import ROUNDING, number

ENOUGH = 6
"""The fewest runs of which an interval says something."""
DIGITS = 2
"""The significant digits of half an interval that are shown: as many as it supports, and as a reader can keep."""
PLURAL = ("clusters", "users", "components", "updates")
"""How measures begin that are counted, so that they are, and not is, so many."""


STANDINGS = {
    Answer.HOLDS: "the method is ahead",
    Answer.FAILS: "does as well",
    Answer.UNCLEAR: "inconclusive",
    Answer.UNTESTABLE: "not run",
}
"""How a method stands to a control -> what is said of the control."""


class Told(NamedTuple):
    """A sentence around a number: what is before and after it, its interval, and what is published in its place."""

    before: str
    value: str
    interval: str
    after: str
    published: str

    def __str__(self) -> str:
        stated = f"; published: {self.published}" if self.published else ""
        return " ".join(filter(None, (self.before, self.value, self.interval, self.after))) + stated


def name_of(selection: Selection, known: Selection | None = None) -> str:
    """Return a selection in words: the display name and its settings, without those that are equal in `known`.

    >>> name_of(Selection(of="CLUB", where={"noise": 0.1})), name_of(Selection(of="M-CNB", relative="Random"))
    ('CLUB, noise 0.1', 'M-CNB relative to Random')
    """
    name = algorithm_name(selection.of) if selection.of else ""
    divided = f" relative to {algorithm_name(selection.relative)}" if selection.relative else ""
    common = {**known.options, **known.where, "after round": known.at or ""} if known else {}
    return ", ".join(filter(None, (name + divided, selection.words(common))))


def rival_name(claim: Claim, rival: Selection) -> str:
    """Return the other side of a comparison in words, without the settings that it has in common with the method."""
    return name_of(rival, claim.selection)


def tell(verdict: Verdict) -> Told:
    """Return what a verdict measured as a sentence; an empty one if nothing was.

    Leads are told as what they mean: with less regret a method is below its rival, with more reward above it.
    """
    if verdict.measured is None:
        return Told("", "", "", "", "")
    templates = {"order": _order, "ratio": _ratio, "slope": _slope, "equality": _equality, "value": _value}
    return templates[verdict.claim.kind](verdict)


def quantity(verdict: Verdict) -> str:
    """Return what a verdict is about, in words, as the label of its numbers."""
    claim, own = verdict.claim, name_of(verdict.claim.selection)
    words = verdict.measure or words_of(claim.selection.measure)
    rival = (
        rival_name(claim, verdict.rival)
        if verdict.rival
        else " or ".join(rival_name(claim, one) for one in claim.rivals)
    )
    worst = worst_of(verdict)
    if claim.kind == "order":
        return ", ".join(filter(None, (f"lead in {words} of {own} over {rival}, in % of the rival", worst)))
    if claim.kind == "ratio":
        return f"{words} of {own} over that of {rival}" + (f", the best of {verdict.comparisons}" if worst else "")
    if claim.kind == "equality":
        return ", ".join(filter(None, (f"difference in {words} of {own} and {rival}, in %", worst)))
    return f"slope of {words} in {claim.against}, {own}" if claim.kind == "slope" else f"{words} of {own}"


def worst_of(verdict: Verdict) -> str:
    """Return of how many comparisons a verdict is the worst one for the method, "" if there was only one."""
    return f"worst of {verdict.comparisons} comparisons" if verdict.comparisons > 1 else ""


def of(value: float | None, verdict: Verdict) -> str:
    """Return a number of a verdict with four digits, in per cent if it is a share of the rival's result."""
    if value is None:
        return ""
    return f"{number(f'{100 * value:.6g}')} %" if verdict.is_relative else number(value)


def bounded(text: str, bound: str) -> str:
    """Return a stated number with its bound in words. bound: at-most or at-least; empty for a number as such.

    >>> bounded("0.50", "at-most"), bounded("0.50", "")
    ('at most 0.50', '0.50')
    """
    return f"{bound.replace('-', ' ')} {text}" if bound else text


def stated(verdict: Verdict) -> str:
    """Return the published number of a verdict, with its bound if it is one."""
    return bounded(of(verdict.published, verdict), verdict.claim.bound) if verdict.published is not None else ""


def estimate(verdict: Verdict) -> str:
    """Return what a verdict measured, with the digits that its interval supports."""
    return _rounded(verdict.measured, verdict)


def interval(verdict: Verdict) -> str:
    """Return the interval of a verdict; "" of so few runs as decide nothing."""
    if not has_interval(verdict):
        return ""
    return f"[{_rounded(verdict.low, verdict)}, {_rounded(verdict.high, verdict)}]"


def has_interval(verdict: Verdict) -> bool:
    """Return whether a verdict has an interval that says something."""
    return None not in (verdict.low, verdict.high) and (not verdict.n or verdict.n >= ENOUGH)


def labels_of(flags: Iterable[Flag]) -> dict[str, dict[str, list[str]]]:
    """Return flags by kind, in the order of `FLAGS`, so that ten methods at the edge of their grids are one label.

    kind -> display name of a method -> its particulars; both may be empty.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for flag in sorted(flags, key=lambda one: list(FLAGS).index(one.kind)):
        concerned = found.setdefault(flag.kind, {})
        if flag.of or flag.detail:
            told = concerned.setdefault(algorithm_name(flag.of) if flag.of else "", [])
            told += [flag.detail] if flag.detail and flag.detail not in told else []
    return found


def label_words(flags: Iterable[Flag]) -> str:
    """Return flags as labels in one line: ``at chance: CLUB, LOCB; edge of the grid: CLUB``."""
    return "; ".join(
        f"{kind}: {', '.join(filter(None, whom))}" if any(whom) else kind for kind, whom in labels_of(flags).items()
    )


def code_words(headline: HeadlineVerdict) -> str:
    """Return the column Code of a headline in words."""
    if len(headline.versions) > 1:
        return "; ".join(f"{version}: {answer.value}" for version, answer in headline.versions.items())
    if headline.code is not None:
        return headline.code.value
    return "not run" if headline.has_code else "no code"


def setups_words(headline: HeadlineVerdict) -> str:
    """Return the column Set-ups of a headline in words."""
    if headline.setups and headline.setups.earlier:
        return "not run with these claims"
    if headline.setups and headline.setups.judged:
        return f"holds in {headline.setups.holds} of {headline.setups.judged}"
    if headline.setups and headline.setups.played:
        return f"none of {headline.setups.played} judged"
    return "one set-up" if headline.alone else "not run"


def controls_words(headline: HeadlineVerdict) -> str:
    """Return the column Controls of a headline in words."""
    if headline.headline.without_controls:
        return "none needed"
    controls = (*headline.controls, *headline.code_controls)
    return "; ".join(f"{one.control.replace('_', ' ')}: {STANDINGS[one.answer]}" for one in controls) or "not run"


def _order(verdict: Verdict) -> Told:
    measure = MEASURES.get(verdict.claim.selection.measure)
    return _apart(verdict, 1 if measure and measure.higher else -1)


def _equality(verdict: Verdict) -> Told:
    return _apart(verdict, 1)._replace(published="")


def _apart(verdict: Verdict, sign: int) -> Told:
    """Return by how much one side is above or below the other. sign: 1 if a positive number means above, else -1."""
    words, own = _words(verdict), name_of(verdict.claim.selection)
    rival = rival_name(verdict.claim, verdict.rival) if verdict.rival else ""
    measured = verdict.measured or 0.0
    value, span = estimate(verdict).removeprefix("-"), interval(verdict)
    if measured < 0 and span:
        span = f"[{_turned(verdict.high, verdict)}, {_turned(verdict.low, verdict)}]"
    before, after = _subject(words, own), f"{_side(sign * measured)} {_those(words)} of {rival}"
    if not measured:
        before, after = f"The {words} of {_closed(own)} differ{_s(words)} by", f"from {_those(words)} of {rival}"
    published = ""
    if verdict.published is not None:
        published = f"{of(abs(verdict.published), verdict)} {_side(sign * verdict.published)}"
    return Told(before, value, span, after, published)


def _ratio(verdict: Verdict) -> Told:
    rival = rival_name(verdict.claim, verdict.rival) if verdict.rival else ""
    after = f"times {_those(_words(verdict))} of {rival}"
    before = _subject(_words(verdict), name_of(verdict.claim.selection))
    return Told(before, estimate(verdict), interval(verdict), after, stated(verdict))


def _slope(verdict: Verdict) -> Told:
    words, own = _words(verdict), _closed(name_of(verdict.claim.selection))
    before = f"The {words} of {own} scale{_s(words)} with {verdict.claim.against} to the power"
    return Told(before, estimate(verdict), interval(verdict), "", stated(verdict))


def _value(verdict: Verdict) -> Told:
    before = _subject(_words(verdict), name_of(verdict.claim.selection))
    return Told(before, estimate(verdict), interval(verdict), "", stated(verdict))


def _rounded(value: float | None, verdict: Verdict) -> str:
    """Return a number of a verdict with the digits that its interval supports, as `of` writes it if there is none."""
    if value is None or verdict.low is None or verdict.high is None or not has_interval(verdict):
        return of(value, verdict)
    unit = 100 if verdict.is_relative else 1
    half = (verdict.high - verdict.low) / 2 * unit
    if half <= ROUNDING:
        return of(value, verdict)
    decimals = max(0, DIGITS - 1 - math.floor(math.log10(half)))
    text = f"{unit * value:z,.{decimals}f}"
    return f"{text}{' %' if verdict.is_relative else ''}"


def _turned(value: float | None, verdict: Verdict) -> str:
    """Return a number with its sign turned, so that what is below by -3 % is above by 3 %."""
    return _rounded(None if value is None else -value, verdict)


def _words(verdict: Verdict) -> str:
    """Return what was measured; who takes twice as long needs no unit."""
    if verdict.claim.selection.measure == "seconds" and verdict.claim.kind in ("order", "ratio", "slope"):
        return "time"
    return verdict.measure


def _subject(words: str, name: str) -> str:
    return f"The {words} of {_closed(name)} {'are' if _many(words) else 'is'}"


def _closed(name: str) -> str:
    """Return a name before a verb: options end with a comma, too."""
    return f"{name}," if ", " in name else name


def _side(sense: float) -> str:
    return "above" if sense > 0 else "below"


def _those(words: str) -> str:
    return "those" if _many(words) else "that"


def _s(words: str) -> str:
    return "" if _many(words) else "s"


def _many(words: str) -> bool:
    return words.split()[0] in PLURAL
