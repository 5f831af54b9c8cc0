"""The answer of a run in one sentence: how many headlines are given each word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from manybandits.claims.verdict import HeadlineVerdict, Word
from manybandits.figures.outcomes import listed

PHRASES = {
    Word.CONFIRMED: ("is confirmed", "are confirmed"),
    Word.HOLDS: ("holds", "hold"),
    Word.RELEASED: ("holds only as released", "hold only as released"),
    Word.NOT_MECHANISM: ("holds but not by its mechanism", "hold but not by their mechanism"),
    Word.RELEASED_NOT_MECHANISM: (
        "holds only as released and not by its mechanism",
        "hold only as released and not by their mechanism",
    ),
    Word.DEPENDS: ("depends on the set-up", "depend on the set-up"),
    Word.NEAR: ("is a near miss", "are near misses"),
    Word.AS_WRITTEN: ("fails as written", "fail as written"),
    Word.REFUTED: ("is refuted", "are refuted"),
    Word.INCONCLUSIVE: ("is inconclusive", "are inconclusive"),
    Word.NOT_JUDGED: ("is not judged", "are not judged"),
    Word.CANNOT_DIFFER: ("cannot differ", "cannot differ"),
}
"""How a word is said of one headline and of several, from what holds to what says nothing."""
GROUPS: Mapping[tuple[str, str], Mapping[Word, tuple[str, str]]] = {
    ("holds", "hold"): {
        Word.CONFIRMED: ("confirmed", "confirmed"),
        Word.HOLDS: ("not fully checked", "not fully checked"),
    },
    ("has mixed evidence", "have mixed evidence"): {
        Word.RELEASED: ("only as released", "only as released"),
        Word.NOT_MECHANISM: ("not by its mechanism", "not by their mechanism"),
        Word.RELEASED_NOT_MECHANISM: (
            "only as released and not by its mechanism",
            "only as released and not by their mechanism",
        ),
        Word.DEPENDS: ("depending on the set-up", "depending on the set-up"),
    },
    ("does not hold", "do not hold"): {
        Word.NEAR: ("near miss", "near misses"),
        Word.AS_WRITTEN: ("as written", "as written"),
        Word.REFUTED: ("refuted", "refuted"),
    },
    ("is open", "are open"): {
        Word.INCONCLUSIVE: ("inconclusive", "inconclusive"),
        Word.NOT_JUDGED: ("not judged", "not judged"),
        Word.CANNOT_DIFFER: ("identical in every run", "identical in every run"),
    },
}
"""The words in four groups, and how each is said within its group, of one headline and of several."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def count_words(headlines: Iterable[HeadlineVerdict]) -> dict[Word, int]:
    """Return how many headlines have each word, in the order of `PHRASES`, without the words that none has."""
    given = [one.word for one in headlines]
    return {word: given.count(word) for word in PHRASES if word in given}


def in_words(headlines: Iterable[HeadlineVerdict]) -> str:
    """Return how many headlines have each word, as the end of a sentence; "" without headlines."""
    return listed([f"{n} {PHRASES[word][n > 1]}" for word, n in count_words(headlines).items()])


def sentence(matrix: Mapping[str, Sequence[HeadlineVerdict]]) -> str:
    """Return the answer of a run in one sentence; "" without headlines. matrix: paper -> its headlines.

    Words are told by group: a reader who stops after the first numbers knows how many hold.
    """
    headlines = [one for found in matrix.values() for one in found]
    if not headlines:
        return ""
    counts = count_words(headlines)
    parts = []
    for verbs, words in GROUPS.items():
        given = {word: counts[word] for word in words if word in counts}
        total = sum(given.values())
        if len(given) == 1:
            parts += [f"{n} {PHRASES[word][n > 1]}" for word, n in given.items()]
        elif given:
            inner = ", ".join(f"{n} {words[word][n > 1]}" for word, n in given.items())
            parts.append(f"{total} {verbs[total > 1]} ({inner})")
    papers = sum(bool(found) for found in matrix.values())
    number = NUMBERS[papers] if papers < len(NUMBERS) else str(papers)
    many = f"{len(headlines)} headline{'s' if len(headlines) > 1 else ''}"
    return f"Of {many} of {number} paper{'s' if papers > 1 else ''}, {listed(parts)}."


def short(headline: HeadlineVerdict) -> str:
    """Return what a headline says in a few words."""
    return headline.headline.short or headline.key.replace("_", " ")
