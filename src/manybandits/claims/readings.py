"""Verdicts on a headline under each of its readings: the rows of `manybandits.results.readings_table`.

    python -m manybandits.claims.readings explain --headline m_cnb.recommendation \\
        --readings reports/readings/readings/m_cnb_recommendation.csv --out <the same>.choices.csv
    python -m manybandits.claims.readings gather --choices reports/readings/readings/*.choices.csv \\
        --out reports/readings/readings.csv

A headline is judged on the claims whose games are played under the default reading. All readings are judged by the
rules of `manybandits.claims.headlines`, without Holm's correction: readings are described, not tested (VERDICTS,
section 3), so that adding one changes no other.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path

import numpy as np
import pandas as pd
from msgspec.structs import replace as changed

from manybandits.base.artifacts import Provenance, load_provenance
from manybandits.base.exceptions import run_script
from manybandits.base.table_files import save_csv
from manybandits.claims.evidence import Evidence
from manybandits.claims.explained import decisive, explained
from manybandits.claims.finding import ANSWERS, Answer
from manybandits.claims.headlines import UNJUDGED, Combined, combine
from manybandits.claims.judge import Judgement, judge
from manybandits.claims.verdicts import row_of
from manybandits.papers.claim import Claim, Headline
from manybandits.papers.openings import Opening, Reading, name_of
from manybandits.results.flag_labels import flag_labels
from manybandits.results.readings_table import (
    ALL,
    DEPENDS,
    FIXED,
    MOSTLY,
    NEVER,
    SUMMARY,
    questions_of,
    read_readings,
)
from manybandits.results.verdict_table import NOT_RUN, OUTSIDE, UNTESTABLE, Row

WHATEVER = 0.9
"""The share of readings from which on a verdict holds whatever the reading."""

NORMAL = 1.96
"""Half the width of a 95 % interval, in standard errors, of a normal law."""

Unit = tuple[str, str, bool]
"""What effects of one axis have in common: kind of claim, measure, whether relative to a method."""


@dataclass(frozen=True)
class Judged:
    """A reading with the claims that select its runs, and the evidence for them: experiment -> evidence."""

    answers: Reading
    claims: Sequence[Claim]
    evidence: Mapping[str, Evidence]

    def rows(self, wanted: Sequence[str]) -> list[tuple[Claim, Row]]:
        """Return the verdicts on the wanted claims, by id, in their order."""
        found = []
        for claim in (claim for claim in self.claims if claim.id in wanted):
            evidence = self.evidence.get(claim.experiment)
            judged = judge(claim, evidence) if evidence else Judgement(UNTESTABLE, reason=NOT_RUN)
            found.append((claim, row_of(claim, "", judged)))
        return found


def judge_readings(headline: Headline, openings: Mapping[str, Opening], given: Sequence[Judged]) -> pd.DataFrame:
    """Return the verdicts on a headline under its readings, in the order given, the default first.

    openings: the choices that touch it. The effect of a reading is that of the claim that decides among those of one
    unit, the same for all effects of a curve: the one whose claims alone give the answer in most readings.
    """
    everything = [claim.id for claim in given[0].claims]
    default = given[0].rows(everything)
    wanted = [claim.id for claim, row in default if _is_played(row)] or everything
    headline = _scaled(headline, len(wanted), len(everything))
    apart = (f"{len(wanted)} of {len(everything)} claims are played",) if len(wanted) < len(everything) else ()
    judged = [one.rows(wanted) for one in given]
    combined = [combine(headline, [row for _, row in rows]) for rows in judged]
    unit = _telling_unit(headline, judged, combined)
    combined = [
        replace(found, limits=(*found.limits, *apart, *_unjudged([row for _, row in rows])))
        for found, rows in zip(combined, judged, strict=True)
    ]
    table: list[dict[str, object]] = []
    for one, rows, found in zip(given, judged, combined, strict=True):
        chosen = {**{key: opening.default for key, opening in openings.items()}, **dict(one.answers)}
        table.append(
            {
                "reading": name_of(one.answers),
                "verdict": found.verdict,
                **_effect(headline, [(claim, row) for claim, row in rows if _unit(claim) == unit]),
                "limits": "; ".join(found.limits),
                "chance": ", ".join(_at_chance([row for _, row in rows])),
                **chosen,
            }
        )
    return pd.DataFrame(table, columns=[*FIXED, *openings])


def errors_of(table: pd.DataFrame) -> np.ndarray:
    """Return the standard errors of the effects of readings, (n,), as their 95 % intervals tell; NaN without one."""
    low, high = (table[name].to_numpy(float) for name in ("low", "high"))
    return (high - low) / (2 * NORMAL)


def summary(table: pd.DataFrame, explained: pd.DataFrame) -> dict[str, str]:
    """Return in how many readings a headline holds, and what decides it: the columns `SUMMARY` but the first.

    table: as `judge_readings` returns it; explained: as `manybandits.claims.explained.explained` does.
    """
    judged = table[~table["verdict"].isin(UNJUDGED)]
    answers = [ANSWERS[verdict] for verdict in judged["verdict"]]
    holds, fails = answers.count(Answer.HOLDS), answers.count(Answer.OPPOSITE)
    choices: list[str] = []
    if not answers:
        word = NEVER
    elif max(holds, fails) >= WHATEVER * len(answers):
        word = ALL
    else:
        choices = decisive(explained)
        word = DEPENDS if choices else MOSTLY
    return {
        **{"verdict": str(table["verdict"].iloc[0]), "readings": str(len(table)), "judged": str(len(answers))},
        **{"holds": str(holds), "fails": str(fails), "word": word, "choices": "; ".join(choices)},
    }


def _is_played(row: Row) -> bool:
    """Return whether a claim was measured; what no run can meet is outside its conditions without that."""
    return row["verdict"] != UNTESTABLE and (row["verdict"] != OUTSIDE or row["measured"] != "")


def _unjudged(rows: Sequence[Row]) -> list[str]:
    """Return why some claims could not be judged under a reading, each reason once."""
    return list(dict.fromkeys(f"not judged: {row['reason']}" for row in rows if row["verdict"] == UNTESTABLE))


def _scaled(headline: Headline, played: int, claims: int) -> Headline:
    """Return a headline that asks of the claims that are played the share that it asks of all claims."""
    if isinstance(headline.holds_in, str):
        return headline
    return changed(headline, holds_in=max(1, ceil(headline.holds_in * played / claims)))


def _unit(claim: Claim) -> Unit:
    """Return the unit of the effect of a claim."""
    return claim.kind, claim.selection.measure, bool(claim.selection.relative)


def _telling_unit(
    headline: Headline, judged: Sequence[Sequence[tuple[Claim, Row]]], combined: Sequence[Combined]
) -> Unit:
    """Return the unit whose claims alone give the answer in most readings; of several that of what decides the default.

    judged: the claims of each reading with their verdicts; combined: what they say together.
    """
    units = {claim.id: _unit(claim) for claim, _ in judged[0]}
    first = units[combined[0].decisive["claim"]]

    def agreeing(unit: Unit) -> int:
        alone = [_combined(headline, [row for claim, row in rows if units[claim.id] == unit]) for rows in judged]
        return sum(
            ANSWERS.get(one.verdict) == ANSWERS.get(all_.verdict) for one, all_ in zip(alone, combined, strict=True)
        )

    return max(dict.fromkeys([first, *units.values()]), key=agreeing)


def _at_chance(rows: Sequence[Row]) -> list[str]:
    """Return the algorithms, without their options, that the flags of some verdicts call no better than Random."""
    labels = flag_labels("; ".join(row["flags"] for row in rows if row["flags"]))
    titles = (title for label in labels if label.kind == "at chance" for title in label.whom)
    return list(dict.fromkeys(title.split(", ")[0] for title in titles))


def _effect(headline: Headline, judged: Sequence[tuple[Claim, Row]]) -> dict[str, str | float]:
    """Return the columns of a reading's effect: that of the claim that decides among those of one unit."""
    shown = _combined(headline, [row for _, row in judged]).decisive
    claim = next(claim for claim, row in judged if row["claim"] == shown["claim"])
    against: str | float = 0.0 if claim.kind in ("order", "equality") else shown["published"]
    if shown["verdict"] == UNTESTABLE:
        against = np.nan
    return {
        "effect": shown["measured"],
        "against": against,
        **{name: shown[name] for name in ("low", "high", "quantity")},
    }


def _combined(headline: Headline, rows: Sequence[Row]) -> Combined:
    """Return the verdict that some claims of a headline alone would give."""
    needed = headline.holds_in if isinstance(headline.holds_in, str) else min(headline.holds_in, len(rows))
    return combine(changed(headline, holds_in=needed), rows)


def main(argv: list[str] | None = None) -> None:
    """Say what each choice explains of a table of readings, or gather the summaries of such tables."""
    parser = argparse.ArgumentParser(description="What decides a headline over its readings.")
    commands = parser.add_subparsers(dest="command", required=True)
    explaining = commands.add_parser("explain", help="what each choice explains of one headline")
    explaining.add_argument("--headline", required=True, help="paper.headline")
    explaining.add_argument("--readings", type=Path, required=True, help="its table of readings")
    gathering = commands.add_parser("gather", help="one row a headline")
    gathering.add_argument("--choices", type=Path, nargs="+", required=True, help="what explain wrote")
    for command in (explaining, gathering):
        command.add_argument("--out", type=Path, required=True, help="the .csv file to write")
    given = parser.parse_args(argv)
    if given.command == "gather":
        provenance = Provenance({}, tuple(given.choices))
        rows = [load_provenance(path)["facts"]["summary"] for path in given.choices]
        save_csv(given.out, pd.DataFrame(rows, columns=SUMMARY))
        provenance.save(given.out)
        return
    provenance = Provenance({"headline": given.headline}, (given.readings,))
    table = read_readings(given.readings)
    known = table[table["effect"].notna()]
    found = explained(known["effect"].to_numpy(), known[questions_of(known)], errors_of(known))
    save_csv(given.out, found)
    provenance.save(given.out, {"summary": {"headline": given.headline, **summary(table, found)}})


if __name__ == "__main__":
    run_script(main)
