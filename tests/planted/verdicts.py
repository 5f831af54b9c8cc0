"""Verdicts on claims and headlines as the judge would write them, built from what a test is about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from manybandits.claims.verdict import Answer, HeadlineVerdict, Verdict, Word
from manybandits.claims.verdict_files import HEADLINES, VERDICTS, save_records
from manybandits.papers.claim import Claim, Headline, Selection
from manybandits.results.measures import words_of

COMPARED = ("order", "ratio", "equality")
"""The kinds of claims that have rivals."""
OF_CLAIMS = {*Claim.__struct_fields__} - {*Verdict.__struct_fields__}


def claim(**changes: Any) -> Claim:
    """Return a claim, by default that M-CNB has less regret than CLUB.

    changes: its fields, and in the place of `selection` and `rivals` fields of a selection, with `than`, one title or
    several.
    """
    changes = {"id": "m_cnb.best", "kind": "order", "place": "Figure 2", "experiment": "fig2", **changes}
    fields = {name: changes.pop(name) for name in Selection.__struct_fields__ if name in changes}
    than = changes.pop("than", "CLUB")
    if "selection" not in changes:
        changes["selection"] = Selection(**{"of": "M-CNB", **fields})
    if "rivals" not in changes and changes["kind"] in COMPARED:
        alike = {name: value for name, value in fields.items() if name != "of"}
        titles = (than,) if isinstance(than, str) else than
        changes["rivals"] = tuple(Selection(of=title, **alike) for title in titles)
    changes.setdefault("paper", changes["id"].partition(".")[0])
    changes.setdefault("says", "M-CNB has less regret than CLUB.")
    return Claim(**changes)


def verdict(**changes: Any) -> Verdict:
    """Return a verdict, by default that M-CNB has 20 % less regret than CLUB in ten runs.

    changes: its fields, or in the place of `claim` what `claim` takes. What both have, such as `published`, is the
    verdict's; `measure` is the claim's, and the verdict has it in words.
    """
    if "claim" not in changes:
        ours = {*OF_CLAIMS, *Selection.__struct_fields__, "than"}
        told = {name: changes.pop(name) for name in list(changes) if name in ours}
        changes["claim"] = claim(**told)
    about = changes["claim"]
    given = {
        **{"answer": Answer.HOLDS, "target": f"{about.paper}_{about.experiment}", "game": "yelp", "n": 10},
        **{"measured": 0.2, "low": 0.15, "high": 0.25, "comparisons": len(about.rivals), "data": ("Yelp",)},
        **{"measure": words_of(about.selection.measure), "rival": about.rivals[0] if about.rivals else None},
    }
    return Verdict(**{**given, **changes})


def headline(**changes: Any) -> HeadlineVerdict:
    """Return the verdict on a headline, by default one that holds by the text. changes: its fields, and `says`."""
    says = changes.pop("says", "M-CNB is better than clusterings of linear bandits.")
    name = changes.get("id", "m_cnb.best")
    given = {
        **{"id": name, "paper": name.partition(".")[0], "claims": (name,), "decided_by": name},
        **{"answer": Answer.HOLDS, "word": Word.HOLDS},
        "headline": Headline(says=says, place="Figure 2", claims=(name.partition(".")[2],)),
    }
    return HeadlineVerdict(**{**given, **changes})


def save(folder: Path, verdicts: Sequence[Verdict], headlines: Sequence[HeadlineVerdict] = ()) -> Path:
    """Write both files of a run's report; return that of the claims."""
    save_records(folder / HEADLINES, headlines)
    save_records(folder / VERDICTS, verdicts)
    return folder / VERDICTS
