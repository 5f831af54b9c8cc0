"""What a figure shows, as its title: by rule from the verdicts on the claims about it.

The claims that are counted and speak of the place of the figure come first: those of Figure 2 title Figure 2. One claim
is told with its numbers, several by how many hold. Where no claim was judged, as on stand-in data, comparisons of the
runs that a figure draws title it, or what it is about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from manybandits.base.protocols import PAPER
from manybandits.claims.rules import NO_DIFFERENCE, SLOPE_TOLERANCE
from manybandits.claims.sentences import bounded, has_interval, of, stated, tell, worst_of
from manybandits.claims.verdict import Answer, Verdict
from manybandits.claims.verdict_files import load_verdicts
from manybandits.figures.outcomes import AHEAD, BEHIND, LEVEL, UNKNOWN, Outcome, sentence
from manybandits.papers.claim import Where
from manybandits.results.display_names import algorithm_name, name_before_verb
from manybandits.results.measures import MEASURES

KINDS = {
    "order": "comparisons",
    "ratio": "ratios",
    "slope": "rates",
    "equality": "equalities",
    "value": "published numbers",
}
"""Kind of claim, the most telling first -> what is counted."""
OTHERS = {
    Answer.NEAR: "nearly",
    Answer.UNCLEAR: "inconclusive",
    Answer.FAILS: "not",
    Answer.SAME: "cannot differ",
    Answer.OUTSIDE: "with assumptions not met",
}
"""What is said of how many claims besides those that hold."""
UNMET = "(assumptions not met)"
"""What is said of a theorem whose conditions no run meets."""
RATES = {
    Answer.HOLDS: ", as stated ({})",
    Answer.NEAR: ", nearly as stated ({})",
    Answer.FAILS: ", not as stated ({})",
    Answer.UNCLEAR: "; stated: {} (inconclusive)",
    Answer.OUTSIDE: f"; theory: {{}} {UNMET}",
}
"""How a rate that was measured stands to the stated one."""
DIGITS = 3
"""The significant digits of a number in a title."""
STANDS = {Answer.HOLDS: AHEAD, Answer.FAILS: BEHIND, Answer.SAME: LEVEL}


def load_measured(path: Path | None) -> list[Verdict]:
    """Read the verdicts on a figure for which something was measured; none if there is no file."""
    return [one for one in load_verdicts(path) if one.measured is not None] if path else []


def told_by(verdicts: Sequence[Verdict], place: str) -> list[Verdict]:
    """Return the verdicts that title a figure: all are on one claim, in all its cells. place: of the figure."""
    own = [one for one in verdicts if not one.claim.stands]
    counted = [one for one in own if one.claim.reading == PAPER or one.claim.code]
    candidates, named = counted or own, place.partition(", ")[2] or place
    here = [
        one for one in candidates if one.claim.place and (one.claim.place in place or named in one.claim.place)
    ] or candidates
    if not here:
        return []
    # "SCLB has less regret than SCLB" tells less than a rate: a method against itself, in other games, comes last.
    first = min(here, key=lambda one: (_orders_itself(one), [*KINDS].index(one.claim.kind))).claim
    alike = [one for one in here if one.claim.key == first.key]
    # Of a claim that no reading of this figure counts, all readings are told: none of them speaks for the others.
    return [one for one in alike if one.claim.reading == first.reading] if counted else alike


def message(verdicts: Sequence[Verdict], place: str, games: Mapping[str, str]) -> str:
    """Return what the verdicts on a figure say, as a sentence; empty if none does.

    verdicts: as `load_measured` returns them; place: of the figure, such as ``M-CNB, Figure 2``; games: game -> its
    short name.
    """
    told = told_by(verdicts, place)
    if not told:
        return ""
    claim = told[0].claim
    if all(one.answer is Answer.SAME for one in told):
        return f"{claim.says.rstrip('.')}: identical in every run"
    if any(map(_orders_itself, told)):
        return f"{claim.says.rstrip('.')}: {_in_games(told)}"
    if claim.kind == "equality" and all(one.rival and one.rival.of == one.claim.selection.of for one in told):
        return f"{claim.says.rstrip('.')}: {_of_values(told)}"
    # One panel may be claimed about at several rounds or grid points: none of them is what is seen in all of it.
    panels = {(one.claim.selection.at, str(one.claim.selection.options), one.game.partition(", ")[2]) for one in told}
    if claim.kind == "order" and len(panels) == 1:
        return _order(told, games)
    return _single(told[0]) if len(told) == 1 else _counted(told)


def _orders_itself(verdict: Verdict) -> bool:
    """Return whether a claim orders the results of one method in several games."""
    claim, rival = verdict.claim, verdict.rival
    return claim.kind == "order" and rival is not None and rival.of == claim.selection.of


def _in_games(verdicts: Sequence[Verdict]) -> str:
    """Return in how many games a claim holds."""
    total, holding = len(verdicts), sum(_stands(one) == AHEAD for one in verdicts)
    unmet = f" {UNMET}" if any(one.answer is Answer.OUTSIDE for one in verdicts) else ""
    if total == 1:
        return f"{'holds' if holding else 'does not hold'}{unmet}" if unmet else verdicts[0].answer.value
    none, every = ("neither game", "both games") if total == 2 else (f"none of {total} games", f"all {total} games")
    return f"holds in {({0: none, total: every}).get(holding, f'{holding} of {total} games')}{unmet}"


def _of_values(verdicts: Sequence[Verdict]) -> str:
    """Return for how many values of an option a claim holds that they are all alike."""
    total, holding = len(verdicts), sum(one.answer is Answer.HOLDS for one in verdicts)
    if total == 1:
        return verdicts[0].answer.value
    if all(one.answer is Answer.NEAR for one in verdicts):
        return "both vary slightly" if total == 2 else f"all {total} vary slightly"
    return ", ".join([f"holds for {holding} of {total} values", *_others(verdicts)])


def _order(verdicts: Sequence[Verdict], games: Mapping[str, str]) -> str:
    """Return comparisons of methods on several games as a sentence. games: game -> its short name."""
    own = verdicts[0].claim.selection
    shared = dict(set.intersection(*(set(one.claim.selection.where.items()) for one in verdicts)))
    outcomes = [_outcome(one, games, shared) for one in verdicts]
    readings = [one.claim.reading for one in verdicts]
    if len(set(readings)) > 1 and len({one.own for one in outcomes}) == 1:
        outcomes = [replace(one, game=f"with {name}") for one, name in zip(outcomes, readings, strict=True)]
    what = f"{verdicts[0].measure} relative to {algorithm_name(own.relative)}" if own.relative else verdicts[0].measure
    return sentence(outcomes, what, own.measure in MEASURES and MEASURES[own.measure].higher)


def _outcome(verdict: Verdict, games: Mapping[str, str], shared: Where) -> Outcome:
    """Return a verdict on an order as an outcome. games: game -> its short name; shared: settings of all games."""
    own, rivals, kind = verdict.claim.selection, len(verdict.claim.rivals), _stands(verdict)
    name = verdict.game.partition(", ")[0]  # what follows is the setting that decides
    game, (count, left) = games.get(name, name), divmod(verdict.comparisons, rivals)
    if own.relative:
        game = ""  # the results of two games, each relative to its own Random
    elif count > 1 and not left and kind == AHEAD:
        apart = own.words({**own.options, **shared, "after round": own.at or ""})
        game = f"{'both' if count == 2 else f'all {count}'} games{f' with {apart}' if apart else ''}"
    elif count > 1 and not left:
        game = f"{game} ({worst_of(verdict)})"
    return Outcome(own.of, verdict.rival.of if verdict.rival else "", game, kind, rivals)


def _stands(verdict: Verdict) -> str:
    """Return how a method stands to its rival. Where no worse is enough, or nothing was judged, the interval tells."""
    strictly = verdict.claim.strictly or verdict.answer is not Answer.HOLDS
    if verdict.answer is not Answer.OUTSIDE and (strictly or not has_interval(verdict)):
        return STANDS.get(verdict.answer, LEVEL if verdict.reason == NO_DIFFERENCE else UNKNOWN)
    if verdict.low is None or verdict.high is None:
        return UNKNOWN
    return AHEAD if verdict.low > 0 else BEHIND if verdict.high < 0 else LEVEL


def _counted(verdicts: Sequence[Verdict]) -> str:
    """Return how many of several claims of one kind hold, and of which method, if all are of one."""
    kind, methods = verdicts[0].claim.kind, {one.claim.selection.of for one in verdicts}
    (method,) = methods if len(methods) == 1 else ("",)
    what = f"{KINDS[kind]} of {name_before_verb(method)}" if method else KINDS[kind]
    several, none = ("are met", "is met") if kind == "value" else ("hold as stated", "holds as stated")
    answers = [one.answer for one in verdicts]
    total, holding = len(answers), answers.count(Answer.HOLDS)
    if set(answers) == {Answer.OUTSIDE}:
        return f"The {total} {what} are not judged {UNMET}"
    if holding == total:
        return f"{'Both' if total == 2 else f'All {total}'} {what} {several}"
    if holding:
        return ", ".join([f"{holding} of {total} {what} {several}", *_others(verdicts)])
    rest = [] if set(answers) == {Answer.FAILS} else _others(verdicts)
    return ", ".join([f"None of the {total} {what} {none}", *rest])


def _others(verdicts: Sequence[Verdict]) -> list[str]:
    """Return how many of several claims hold nearly, are inconclusive and do not hold, without what none does."""
    counts = {words: sum(one.answer is answer for one in verdicts) for answer, words in OTHERS.items()}
    return [f"{count} {words}" for words, count in counts.items() if count]


def _single(verdict: Verdict) -> str:
    """Return what was measured for one claim, with what is stated."""
    if verdict.claim.kind == "slope":
        return _slope(verdict)
    told, measured = tell(verdict), float(f"{verdict.measured or 0.0:.{DIGITS}g}")
    value = of(abs(measured) if verdict.claim.kind == "equality" else measured, verdict)
    found = " ".join(filter(None, (told.before, value, told.after)))
    if verdict.answer is Answer.OUTSIDE:
        return f"{found}; theory: {stated(verdict)} {UNMET}"
    return f"{found}; published: {told.published}" if told.published else found


def _slope(verdict: Verdict) -> str:
    """Return how a result grows with a setting, and what is stated about that."""
    claim, power = verdict.claim, verdict.measured or 0.0
    how = f"{'grows' if power > 0 else 'falls'} as {claim.against}^{power:.2f}"
    if abs(power) <= SLOPE_TOLERANCE:
        how = f"hardly changes with {claim.against} (slope {power:z.2f})"
    whose = f" of {name_before_verb(claim.selection.of)}" if claim.selection.of else ""
    number = bounded(f"{round(verdict.published or 0.0, 2):g}", claim.bound)
    return f"{verdict.measure[:1].upper()}{verdict.measure[1:]}{whose} {how}{RATES[verdict.answer].format(number)}"
