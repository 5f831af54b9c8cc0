"""What is seen in comparisons of one method with others, game by game, as one sentence: the title of a figure.

An `Outcome` says whether a method is ahead of all its rivals on a game, level with the closest one, or behind one. It
comes from the verdict on a claim (`manybandits.figures.message`) or from the runs that are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from manybandits.figures.palette import KNOWING, algorithm_of, standing
from manybandits.results.display_names import RANDOM, algorithm_name, listed, name_before_verb, note_words
from manybandits.results.measures import mean_final_regret
from manybandits.results.runs import Run
from manybandits.results.summaries import LEVEL as SIGNIFICANT
from manybandits.results.summaries import by_final_regret, significance_marks

AHEAD, LEVEL, BEHIND, UNKNOWN = "ahead", "level", "behind", "unknown"
FROM_WORST = (BEHIND, UNKNOWN, LEVEL, AHEAD)
STANDS = {AHEAD: "ahead of", LEVEL: "level with", BEHIND: "behind", UNKNOWN: "not clearly better or worse than"}
"""How a method stands to a rival, in words."""
PARTS = re.compile(r"[,;] (?![^(]*\))")
"""What separates the parts of a note on data: a comma or a semicolon outside of parentheses."""
SETTING = re.compile(r" [=~] ")
"""What a game has in its name that is called by its settings, such as N = 50."""
CIRCUMSTANCES = {
    "its own order": "in the log's original order",
    "orders drawn": "in shuffled order",
    "user arm": "where each arm belongs to one user",
    "user class": "where the user is the class",
    "one artist is known to pay": "where one artist is known to pay",
    "learning from every event": "if it learns from every event",
    "by a walk": "where a walk finds the first nodes",
    "arms shifted by one entry each": "where arms are shifted by one entry each",
    "drawn uniformly": "where the first nodes are drawn uniformly",
}
"""What sets games of one log apart -> how a sentence says so."""
LONGEST = 180
"""The letters of a title that names all games; a longer one names none."""
MANY = 4
"""As many methods, or variants of one, are counted and not named."""


@dataclass(frozen=True)
class Outcome:
    """How a method stands on a game. own, rival: titles; game: in words; kind: `AHEAD`, `LEVEL`, `BEHIND`, ...

    compared: with how many rivals; that of the closest, or of one that is ahead, is named.
    """

    own: str
    rival: str
    game: str
    kind: str
    compared: int = 1


def short_names(panels: Sequence[Sequence[Run]]) -> dict[str, str]:
    """Return what games are called in a title: game -> its data, or what sets it apart from the others.

    The only game of a figure is called by its data, and has no name if it was generated.
    """
    notes = {runs[0].environment["name"]: str(runs[0].environment["data_note"]) for runs in panels}
    if len(panels) == 1 and not panels[0][0].environment.get("dataset"):
        return dict.fromkeys(notes, "")
    return names_apart(notes)


def names_apart(notes: Mapping[str, str]) -> dict[str, str]:
    """Return what games are called beside each other: game -> its data, or what sets it apart. notes: game -> of it."""
    parts = {name: PARTS.split(note) for name, note in notes.items()}
    short = {name: own[0].split(" (")[0] for name, own in parts.items()}
    if len(set(short.values())) == len(short):
        return short
    common = set.intersection(*map(set, parts.values()))
    # The plainest of the games may have nothing that sets it apart: it is called by its last part.
    apart = {name: ", ".join(one for one in own if one not in common) or own[-1] for name, own in parts.items()}
    return apart if len(set(apart.values())) == len(apart) else dict(notes)


def outcomes_of(panels: Sequence[Sequence[Run]]) -> list[Outcome]:
    """Return how the papers' own method, or else the best algorithm, stands on every game, by its final regret.

    Two that do not differ significantly are level: paired tests on common seeds, see `significance_marks`. Where there
    are too few runs for a test, nothing is known.
    """
    names, found = short_names(panels), []
    for runs in panels:
        rivals = [run for run in runs if run.title not in (RANDOM, *KNOWING) and not run.lost]
        if len(rivals) < 2:
            continue
        ordered = by_final_regret(rivals)
        own = min(rivals, key=lambda run: standing(run.title))
        own = own if standing(own.title) <= 1 else ordered[0]
        others = [run for run in ordered if run is own or standing(run.title) != 1]
        ordered = others if len(others) > 1 else ordered  # a method is not compared with its own variants
        best = ordered[0]
        marks = dict(zip([run.path for run in ordered[1:]], significance_marks(ordered), strict=True))
        tested = 0.5 ** (len(best.seeds) - 1) * (len(ordered) - 1) <= SIGNIFICANT
        closest = ordered[1] if own is best else best
        compared = closest if own is best else own
        level = marks[compared.path] == "="
        kind = LEVEL if level else AHEAD if own is best else BEHIND
        same = mean_final_regret(own) == mean_final_regret(closest)
        kind = LEVEL if same else kind if tested else UNKNOWN
        found.append(Outcome(own.title, closest.title, names[runs[0].environment["name"]], kind, len(ordered) - 1))
    return found


def sentence(outcomes: Sequence[Outcome], more: str = "regret", higher: bool = False) -> str:
    """Return outcomes as one sentence, empty if there are none. more: what is compared; higher: whether more is better.

    >>> sentence([Outcome("M-CNB", "CLUB", "Yelp", AHEAD), Outcome("M-CNB", "LOCB", "MovieLens 1M", LEVEL)])
    'M-CNB has less regret than CLUB on Yelp and is level with LOCB on MovieLens 1M'
    """
    by_own: dict[str, list[Outcome]] = {}
    for one in merged(outcomes):
        by_own.setdefault(one.own, []).append(one)
    if not by_own:
        return ""
    told = [_of_one(own, alike, more, higher) for own, alike in by_own.items()]
    whole = "; ".join(told)
    if len(told) == 1 or len(whole) <= LONGEST:
        return whole
    if len(told) >= MANY:
        return _of_many(by_own)
    return "; ".join(_overall(own, each) for own, each in by_own.items())


def merged(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Return one outcome per method and game: where rivals are compared one by one, the least favourable counts."""
    alike: dict[tuple[str, str], list[Outcome]] = {}
    for one in outcomes:
        alike.setdefault((one.own, one.game), []).append(one)
    worst = [min(group, key=lambda one: FROM_WORST.index(one.kind)) for group in alike.values()]
    counts = [max(len({one.rival for one in group}), *(one.compared for one in group)) for group in alike.values()]
    return [replace(one, compared=count) for one, count in zip(worst, counts, strict=True)]


def _of_one(own: str, outcomes: Sequence[Outcome], more: str, higher: bool) -> str:
    phrases: dict[str, list[str]] = {}
    for one in outcomes:
        phrases.setdefault(_phrase(one, more, higher), []).append(one.game)
    parts = [placed(phrase, games) for phrase, games in phrases.items()]
    # Not "is level with A on X and is level with B on Y", but "is level with A on X and with B on Y".
    shorter = [parts[0], *map(_without_repetition, parts, parts[1:])]
    whole = f"{name_before_verb(own)} {listed(shorter)}"
    return whole if len(whole) <= LONGEST or len(outcomes) == 1 else _overall(own, outcomes)


def _without_repetition(before: str, part: str) -> str:
    """Return a part of a list without the words with which it begins as the part before does, up to its preposition."""
    start = re.match(r"is (level )?|has (?:(?:more|less) .*?(?= than ) )?", part)
    verbs = [start.group(0), f"{part.split()[0]} "] if start else []
    return next((part.removeprefix(verb) for verb in verbs if before.startswith(verb)), part)


def _phrase(one: Outcome, more: str, higher: bool) -> str:
    rival, ahead = rival_name(one), one.kind == AHEAD
    if rival.startswith("its variant with ") and (
        one.kind == LEVEL or (one.compared == 1 and one.kind in (AHEAD, BEHIND))
    ):
        # Not "has less regret than its variant with nu = 1.1": a title compares no method with itself.
        how = "does as well" if one.kind == LEVEL else f"has {'less' if higher == ahead else 'more'} {more}"
        return f"{how} {rival.removeprefix('its variant ')}"
    if one.kind not in (AHEAD, BEHIND):
        return f"is {STANDS[one.kind]} {rival}"
    if ahead:
        rival = {1: rival, 2: "both rivals"}.get(one.compared, f"all {one.compared} rivals")
    return f"has {'more' if higher == ahead else 'less'} {more} than {rival}"


def rival_name(one: Outcome) -> str:
    """Return the rival of an outcome in words: a variant of the method is called by its options.

    >>> [rival_name(Outcome("M-CNB", rival, "Yelp", AHEAD)) for rival in ("CLUB", "M-CNB, nu 1.1")]
    ['CLUB', 'its variant with nu = 1.1']
    """
    own, rival = algorithm_name(one.own), algorithm_name(one.rival)
    options = rival.removeprefix(f"{own}, ")
    return rival if options == rival else f"its variant {'with ' if ' = ' in options else ''}{options}"


def _overall(own: str, outcomes: Sequence[Outcome]) -> str:
    """Return outcomes without the names of games."""
    words = {kind: f"{word} {'all rivals' if kind == AHEAD else 'the best rival'}" for kind, word in STANDS.items()}
    counts = {kind: sum(one.kind == kind for one in outcomes) for kind in words}
    if len(outcomes) == 1:
        (one,) = outcomes
        told = words[one.kind] if one.compared > 1 else f"{STANDS[one.kind]} {algorithm_name(one.rival)}"
        return f"{name_before_verb(own)} is {told}"
    if len(outcomes) in counts.values():
        every = "both games" if len(outcomes) == 2 else f"all {len(outcomes)} games"
        return f"{name_before_verb(own)} is {words[outcomes[0].kind]} on {every}"
    first, *others = [kind for kind, count in counts.items() if count]
    most = "most" if 2 * counts[first] > len(outcomes) else "some"
    parts = [f"{words[first]} on {most} games", *(f"{words[kind]} on some" for kind in others[:-1])]
    return f"{name_before_verb(own)} is {listed([*parts, f'{words[others[-1]]} on others'])}"


def _of_many(by_own: Mapping[str, Sequence[Outcome]]) -> str:
    """Return how many of many methods are ahead, level and behind, each on its least favourable game."""
    names = {algorithm_name(algorithm_of(own)) for own in by_own}
    worst = [min(each, key=lambda one: FROM_WORST.index(one.kind)) for each in by_own.values()]
    rivals = {algorithm_name(one.rival) if one.compared == 1 else "the best rival" for one in worst}
    rival = rivals.pop() if len(rivals) == 1 else "the best rival"
    counts = {word: sum(one.kind == kind for one in worst) for kind, word in STANDS.items()}
    told = [(count, word) for word, count in counts.items() if count]
    what = f"variants of {names.pop()}" if len(names) == 1 else "methods"
    if len(told) == 1:
        return f"All {len(worst)} {what} are {told[0][1]} {rival}"
    first, *others = [f"{count} {'is' if count == 1 else 'are'} {word}" for count, word in told]
    return f"Of {len(worst)} {what}, {listed([f'{first} {rival}', *(f'{other} it' for other in others)])}"


def placed(words: str, games: Sequence[str]) -> str:
    """Return words with where they are true: "on" data, "at" the settings of made games, or "with" a reading.

    Where games have no names, words are returned as they are.

    >>> placed("SCLB is level with CLUB", ["N = 50", "N = 100"])
    'SCLB is level with CLUB at N = 50 and N = 100'
    """
    if not any(games):
        return words
    heads, _, tails = zip(*(game.rpartition(", ") for game in games), strict=True)
    if all(heads) and len(set(tails)) == 1:  # what all games have in common is said once
        common = CIRCUMSTANCES.get(tails[0], "")
        return f"{placed(words, heads)}{f' {common}' if common else f', {note_words(tails[0])}'}"
    comma = "," if ", " in words else ""
    if all(game.startswith("with ") for game in games):
        return f"{words}{comma} {listed(games)}"
    if any(game in CIRCUMSTANCES for game in games):
        return f"{words}{comma} {listed([CIRCUMSTANCES.get(game, f'on {game}') for game in games])}"
    called = [note_words(game) for game in games]
    named = "; ".join(called) if any(", " in game for game in called) else listed(called)
    return f"{words}{comma} {'at' if all(SETTING.search(game) for game in games) else 'on'} {named}"
