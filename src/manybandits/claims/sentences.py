"""The sentences of verdicts: one template per kind of claim, for pages, tables, notebooks and the command line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from manybandits.claims.verdict import AND, FLAGS, Answer, Flag, HeadlineVerdict, SetUps, Verdict
from manybandits.papers.claim import Claim, Selection, Value
from manybandits.results.display_names import algorithm_name, listed
from manybandits.results.measures import MEASURES, words_of
from manybandits.results.numbers import ROUNDING, number

ENOUGH = 6
"""The fewest runs of which an interval says something."""
DIGITS = 2
"""The significant digits of half an interval that are shown: as many as it supports, and as a reader can keep."""
PLURAL = ("clusters", "users", "components", "updates", "seconds")
"""How measures begin that are counted, so that they are, and not is, so many."""
NUMBER = "{number}"
APART = "The {words} of {own} {are} {number} {side} {those} of {rival}"
SENTENCES = {
    "value": "The {words} of {own} {are} {number}",
    "order": APART,
    "ratio": "The {words} of {own} {are} {number} times {those} of {rival}",
    "slope": "The {words} of {own} scale{s} with {against} to the power {number}",
    "equality": APART,
}
"""Kind of a claim -> its sentence."""
LEVEL = "The {words} of {own} differ{s} by {number} from {those} of {rival}"
"""The sentence of two sides that have the same result."""
QUANTITIES = {
    "value": "{words} of {own}",
    "order": "lead in {words} of {own} over {rival}, in % of the rival{worst}",
    "ratio": "{words} of {own} over that of {rival}{best}",
    "slope": "slope of {words} in {against}, {own}",
    "equality": "difference in {words} of {own} and {rival}, in %{worst}",
}
"""Kind of a claim -> what it is about."""
STANDINGS = {
    Answer.HOLDS: "worse",
    Answer.FAILS: "as good",
    Answer.UNCLEAR: "inconclusive",
    Answer.UNTESTABLE: "not run",
}
"""How a method stands to a control -> what is said of the control; "as good" is level with the method, or ahead."""


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
    claim, own, words = verdict.claim, _own_name(verdict), _words(verdict)
    measure, many = MEASURES.get(claim.selection.measure), words.split()[0] in PLURAL
    sign = 1 if claim.kind == "equality" or (measure and measure.higher) else -1  # of less regret, a lead is below

    def side(lead: float) -> str:
        return "above" if sign * lead > 0 else "below"

    value, span, published = estimate(verdict), interval(verdict), stated(verdict)
    if verdict.is_relative:  # with its side in words, a number has no sign
        value, span, published = value.removeprefix("-"), interval(verdict, turned=verdict.measured < 0), ""
        if claim.kind == "order" and verdict.published is not None:
            published = f"{of(abs(verdict.published), verdict)} {side(verdict.published)}"
    template = LEVEL if verdict.is_relative and not verdict.measured else SENTENCES[claim.kind]
    before, after = (
        part.strip().format(
            words=words,
            own=f"{own}," if ", " in own else own,  # options end with a comma before a verb, too
            rival=rival_name(claim, verdict.rival) if verdict.rival else "",
            against=claim.against,
            side=side(verdict.measured),
            are="are" if many else "is",
            those="those" if many else "that",
            s="" if many else "s",
        )
        for part in template.split(NUMBER)
    )
    return Told(before, value, span, after, published)


def quantity(verdict: Verdict) -> str:
    """Return what a verdict is about, in words, as the label of its numbers."""
    claim, worst = verdict.claim, worst_of(verdict)
    rivals = [verdict.rival] if verdict.rival else claim.rivals
    return QUANTITIES[claim.kind].format(
        words=verdict.measure or words_of(claim.selection.measure),
        own=_own_name(verdict),
        rival=" or ".join(rival_name(claim, one) for one in rivals),
        against=claim.against,
        worst=f", {worst}" if worst else "",
        best=f", the best of {verdict.comparisons}" if worst else "",
    )


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


def interval(verdict: Verdict, turned: bool = False) -> str:
    """Return the interval of a verdict; "" of so few runs as decide nothing. turned: with the other sign."""
    low, high = verdict.low, verdict.high
    if low is None or high is None or not has_interval(verdict):
        return ""
    ends = (-high, -low) if turned else (low, high)
    return f"[{', '.join(_rounded(end, verdict) for end in ends)}]"


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
        return "out of date"
    if headline.setups and headline.setups.judged:
        return f"holds in {headline.setups.holds} of {headline.setups.judged}"
    if headline.setups and headline.setups.played:
        return f"{headline.setups.played} run, none could be judged"
    return "one set-up only" if headline.alone else "not run"


def setups_sentence(
    setups: SetUps, shares: Mapping[str, float] | None = None, asked: Mapping[str, str] | None = None
) -> str:
    """Return in how many set-ups a headline holds, and what decides, as a sentence without its full stop.

    shares: choice -> the share of the variation of the effect over set-ups that it explains, where known. asked:
    question -> its words, which take the place of its name.

    >>> setups = SetUps(played=64, judged=64, holds=20, fails=30, choices=("gradients", "start"))
    >>> setups_sentence(setups, {"gradients": 0.41, "start": 0.22})
    'holds in 20 of 64 set-ups and fails in 30; the variation is best explained by gradients (41 %) and start (22 %)'
    """
    if not setups.judged:
        return "could not be judged in any set-up"
    counts = f"holds in {setups.holds} of {setups.judged} set-ups and fails in {setups.fails}"
    if setups.nearly_all is not None:
        return counts
    if not setups.choices:
        return f"{counts}; no single choice explains it"
    known, words = shares or {}, asked or {}
    choices = [
        ("the interaction of " if AND in name else "")
        + AND.join(words.get(key, key) for key in name.split(AND))
        + (f" ({100 * known[name]:.0f} %)" if name in known else "")
        for name in setups.choices
    ]
    # Choices may also explain how large an effect is that always fails, or whether it can be told at all.
    what = "the variation is" if setups.holds and setups.fails else "the size of its effect is"
    return f"{counts}; {what} best explained by {listed(choices)}"


def controls_words(headline: HeadlineVerdict) -> str:
    """Return the column Controls of a headline in words."""
    if headline.headline.without_controls:
        return "none needed"
    controls = (*headline.controls, *headline.code_controls)
    return "; ".join(f"{one.control.replace('_', ' ')}: {STANDINGS[one.answer]}" for one in controls) or "not run"


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


def _own_name(verdict: Verdict) -> str:
    """Return the method in words, without the settings of its game that the note on its data says, in plain words."""
    selection, rival = verdict.claim.selection, verdict.rival or verdict.claim.selection
    played = verdict.data and selection.measure != "seconds"  # a part of a round is no setting of its game
    said: dict[str, Value] = {
        name: value
        for name, value in selection.where.items()
        if played and isinstance(value, str) and rival.where.get(name) == value
    }
    return name_of(selection, Selection(of="", where=said))


def _words(verdict: Verdict) -> str:
    """Return what was measured; who takes twice as long needs no unit."""
    if verdict.claim.selection.measure == "seconds" and verdict.claim.kind in ("order", "ratio", "slope"):
        return "time"
    return verdict.measure
