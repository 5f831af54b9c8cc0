"""What a figure shows, as its title: by rule from the verdicts on the claims about it.

The claims that are counted and speak of the place of the figure come first: those of Figure 2 title Figure 2. One claim
is told with its numbers, several by whether most of them hold. Where no claim was judged, as on stand-in data,
comparisons of the runs that a figure draws title it, or what it is about.
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
"""Kind of claim, the most telling first -> what several of it are."""
STATING = ("order", "ratio", "equality")
"""The kinds of claims that state something, where others state a number or a rate."""
SHORT = 110
"""The letters of a statement that is told in a title."""
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
    return _single(told[0]) if len(told) == 1 else _several(told)


def _orders_itself(verdict: Verdict) -> bool:
    """Return whether a claim orders the results of one method in several games."""
    claim, rival = verdict.claim, verdict.rival
    return claim.kind == "order" and rival is not None and rival.of == claim.selection.of


def _in_games(verdicts: Sequence[Verdict]) -> str:
    """Return in which games a claim holds."""
    total, holding = len(verdicts), sum(_stands(one) == AHEAD for one in verdicts)
    unmet = f" {UNMET}" if any(one.answer is Answer.OUTSIDE for one in verdicts) else ""
    if total == 1:
        return f"{'holds' if holding else 'does not hold'}{unmet}" if unmet else verdicts[0].answer.value
    return f"holds in {_cases(holding, total, 'game')}{unmet}"


def _of_values(verdicts: Sequence[Verdict]) -> str:
    """Return for which values of an option a claim holds that they are all alike."""
    total, holding = len(verdicts), sum(one.answer is Answer.HOLDS for one in verdicts)
    if total == 1:
        return verdicts[0].answer.value
    if all(one.answer is Answer.NEAR for one in verdicts):
        return f"{'both' if total == 2 else 'all'} vary slightly"
    return f"holds for {_cases(holding, total, 'value')}"


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


def _several(verdicts: Sequence[Verdict]) -> str:
    """Return in how far several claims of one kind hold, without counts: as the statement that all of them make, if it
    is short, or of which method they are, if all are of one."""
    answers, kind = [one.answer for one in verdicts], verdicts[0].claim.kind
    statements, methods = {one.claim.says.rstrip(".") for one in verdicts}, {one.claim.selection.of for one in verdicts}
    what = KINDS[kind] + (f" of {name_before_verb(*methods)}" if len(methods) == 1 else "")
    if kind in STATING and len(statements) == 1 and len(statement := statements.pop()) <= SHORT:
        return f"{statement}: {_told(answers)}"
    if set(answers) == {Answer.OUTSIDE}:
        return f"The {what} are not judged {UNMET}"
    verb = "met" if kind == "value" else "as stated"
    for held, told in (((Answer.HOLDS,), verb), ((Answer.HOLDS, Answer.NEAR), f"nearly {verb}")):
        if part := _part(sum(one in held for one in answers), len(answers)):
            return f"{part} {what} are {told}"
    return f"The {what} are not {verb}"


def _told(answers: Sequence[Answer]) -> str:
    """Return in how many cases a statement holds, in words."""
    holding, others = answers.count(Answer.HOLDS), set(answers) - {Answer.HOLDS}
    if not holding and others in ({Answer.OUTSIDE}, {Answer.UNCLEAR}):
        return "inconclusive" if Answer.UNCLEAR in others else f"not judged {UNMET}"
    told = f"holds in {_cases(holding, len(answers), 'case')}"
    return f"{told}, else inconclusive" if holding and others == {Answer.UNCLEAR} else told


def _cases(holding: int, total: int, what: str) -> str:
    """Return how many of several cases, in words: ``most games``."""
    if not holding:
        return f"{'neither' if total == 2 else 'no'} {what}"
    return f"{'one of two' if (holding, total) == (1, 2) else _part(holding, total).lower()} {what}s"


def _part(holding: int, total: int) -> str:
    """Return how many of several hold, in a word; "" if none does.

    >>> [_part(holding, 4) for holding in range(5)], _part(2, 2)
    (['', 'Some', 'Some', 'Most', 'All'], 'Both')
    """
    if not holding:
        return ""
    if holding == total:
        return "Both" if total == 2 else "All"
    return "Most" if 2 * holding > total else "Some"


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
