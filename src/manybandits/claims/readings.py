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
from dataclasses import dataclass
from math import ceil
from pathlib import Path

import numpy as np
import pandas as pd
from msgspec.structs import replace as changed

from manybandits.base.artifacts import Provenance, load_provenance
from manybandits.base.exceptions import run_script
from manybandits.base.table_files import Row, save_csv
from manybandits.claims.evidence import Evidence
from manybandits.claims.explained import decisive, explained
from manybandits.claims.headlines import combine
from manybandits.claims.judge import judge
from manybandits.claims.power import NORMAL
from manybandits.claims.sentences import quantity
from manybandits.claims.verdict import Answer, HeadlineVerdict, SetUps, Verdict
from manybandits.papers.claim import Claim, Headline
from manybandits.papers.openings import OpenChoice, Reading, name_of
from manybandits.results.display_names import algorithm_name
from manybandits.results.readings_table import FIXED, SUMMARY, files_of, questions_of, read_choices, read_readings

NOT_RUN = "not part of this run"
"""The reason of verdicts on experiments that a configuration leaves out."""

Unit = tuple[str, str, bool]
"""What effects of one axis have in common: kind of claim, measure, whether relative to a method."""


@dataclass(frozen=True)
class Judged:
    """A reading with the claims that select its runs, and the evidence for them: experiment -> evidence."""

    answers: Reading
    claims: Sequence[Claim]
    evidence: Mapping[str, Evidence]

    def verdicts(self, wanted: Sequence[str]) -> list[Verdict]:
        """Return the verdicts on the wanted claims, by id, in their order."""
        found = []
        for claim in (claim for claim in self.claims if claim.id in wanted):
            evidence = self.evidence.get(claim.experiment)
            unjudged = Verdict(claim=claim, answer=Answer.UNTESTABLE, reason=NOT_RUN)
            found.append(judge(claim, evidence) if evidence else unjudged)
        return found


def judge_readings(headline: Headline, openings: Mapping[str, OpenChoice], given: Sequence[Judged]) -> pd.DataFrame:
    """Return the verdicts on a headline under its readings, in the order given, the default first.

    openings: the choices that touch it. The effect of a reading is that of the claim that decides among those of one
    unit, the same for all effects of a curve: the one whose claims alone give the answer in most readings.
    """
    everything = [claim.id for claim in given[0].claims]
    wanted = [one.claim.id for one in given[0].verdicts(everything) if _is_played(one)] or everything
    headline = _scaled(headline, len(wanted), len(everything))
    apart = (f"{len(wanted)} of {len(everything)} claims are played",) if len(wanted) < len(everything) else ()
    judged = [one.verdicts(wanted) for one in given]
    combined = [combine("", headline, verdicts) for verdicts in judged]
    unit = _telling_unit(headline, judged, combined)
    table: list[dict[str, object]] = []
    for one, verdicts, found in zip(given, judged, combined, strict=True):
        chosen = {**{key: opening.default for key, opening in openings.items()}, **dict(one.answers)}
        table.append(
            {
                "reading": name_of(one.answers),
                "answer": found.answer.value,
                **_effect(headline, [verdict for verdict in verdicts if _unit(verdict.claim) == unit]),
                "limits": "; ".join((*found.limits, *apart, *_unjudged(verdicts))),
                "chance": ", ".join(_at_chance(verdicts)),
                **chosen,
            }
        )
    return pd.DataFrame(table, columns=[*FIXED, *openings])


def errors_of(table: pd.DataFrame) -> np.ndarray:
    """Return the standard errors of the effects of readings, (n,), as their 95 % intervals tell; NaN without one."""
    return (table["high"] - table["low"]).to_numpy(float) / (2 * NORMAL)


def setups_in(table: pd.DataFrame, explained: pd.DataFrame) -> SetUps:
    """Return in how many readings a headline holds, and what decides it, unless nearly all have one answer.

    table: as `judge_readings` returns it; explained: as `manybandits.claims.explained.explained` does.
    """
    answers = [Answer(answer) for answer in table["answer"]]
    setups = SetUps(
        played=len(answers),
        judged=sum(answer.is_judged for answer in answers),
        holds=answers.count(Answer.HOLDS),
        fails=answers.count(Answer.FAILS),
    )
    undecided = setups.judged and setups.nearly_all is None
    return changed(setups, choices=tuple(decisive(explained))) if undecided else setups


def read_setups(report: Path, headline: str) -> tuple[pd.DataFrame, SetUps]:
    """Return the table of the readings of a headline, paper.key, that a report has, and what `setups_in` says of it."""
    readings, choices = files_of(report, headline)
    table = read_readings(readings)
    return table, setups_in(table, read_choices(choices))


def summary(headline: str, table: pd.DataFrame, explained: pd.DataFrame) -> Row:
    """Return the row of a headline in ``readings.csv``; see `setups_in`."""
    setups = setups_in(table, explained)
    word = "depends on" if setups.choices else "no single choice"
    if not setups.judged:
        word = "not judged"
    elif setups.nearly_all is not None:
        word = "same in nearly all"
    counts = {name: str(number) for name, number in setups.counts.items()}
    row = {"headline": headline, "answer": str(table["answer"].iloc[0]), **counts}
    return {**row, "word": word, "choices": "; ".join(setups.choices)}


def setups_of(report: Path, headline: str, answer: Answer, asked: str) -> SetUps | None:
    """Return the set-ups of a headline, paper.key, for its verdict; None if the table of its readings is not there.

    report: the one with the readings. answer: of the headline by the text, against which the nearest set-up with the
    other answer is sought; asked: the digest of what it asks now (`wording`).
    """
    path, _ = files_of(report, headline)
    if not path.exists():
        return None
    table, setups = read_setups(report, headline)
    if load_provenance(path)["settings"].get("asked") != asked:
        return SetUps(played=setups.played, judged=0, holds=0, fails=0, earlier=True)
    questions = questions_of(table)
    other = {Answer.HOLDS: Answer.FAILS, Answer.FAILS: Answer.HOLDS}.get(answer)
    found = table[table["answer"] == (other.value if other else "")]
    if found.empty:
        return setups
    changes = (found[questions] != table[questions].iloc[0]).sum(axis=1)  # from the default, which is first
    return changed(setups, nearest=str(found["reading"].iloc[int(changes.argmin())]))


def _is_played(verdict: Verdict) -> bool:
    """Return whether a claim was measured; what no run can meet is outside its conditions without that."""
    return verdict.measured is not None or verdict.answer.is_judged


def _unjudged(verdicts: Sequence[Verdict]) -> list[str]:
    """Return why some claims could not be judged under a reading, each reason once."""
    return list(dict.fromkeys(f"not judged: {one.reason}" for one in verdicts if one.answer is Answer.UNTESTABLE))


def _scaled(headline: Headline, played: int, claims: int) -> Headline:
    """Return a headline that asks of the claims that are played the share that it asks of all claims."""
    if isinstance(headline.holds_in, str):
        return headline
    return changed(headline, holds_in=max(1, ceil(headline.holds_in * played / claims)))


def _unit(claim: Claim) -> Unit:
    """Return the unit of the effect of a claim."""
    return claim.kind, claim.selection.measure, bool(claim.selection.relative)


def _telling_unit(headline: Headline, judged: Sequence[Sequence[Verdict]], combined: Sequence[HeadlineVerdict]) -> Unit:
    """Return the unit whose claims alone give the answer in most readings; of several that of what decides the default.

    judged: the verdicts of each reading; combined: what they say together.
    """
    units = {one.claim.id: _unit(one.claim) for one in judged[0]}
    first = units[combined[0].decided_by]

    def agreeing(unit: Unit) -> int:
        alone = [_combined(headline, [one for one in verdicts if units[one.claim.id] == unit]) for verdicts in judged]
        return sum(one.answer is all_.answer for one, all_ in zip(alone, combined, strict=True))

    return max(dict.fromkeys([first, *units.values()]), key=agreeing)


def _at_chance(verdicts: Sequence[Verdict]) -> list[str]:
    """Return the algorithms, without their options, that the flags of some verdicts call no better than Random."""
    titles = [algorithm_name(flag.of) for one in verdicts for flag in one.flags if flag.kind == "at chance"]
    return list(dict.fromkeys(title.split(", ")[0] for title in titles))


def _effect(headline: Headline, verdicts: Sequence[Verdict]) -> dict[str, object]:
    """Return the columns of a reading's effect: that of the claim that decides among those of one unit."""
    decided_by = _combined(headline, verdicts).decided_by
    shown = next(one for one in verdicts if one.claim.id == decided_by)
    against = 0.0 if shown.claim.kind in ("order", "equality") else shown.published
    if shown.answer is Answer.UNTESTABLE:
        against = None
    numbers = {"effect": shown.measured, "against": against, "low": shown.low, "high": shown.high}
    return {
        **{name: np.nan if value is None else value for name, value in numbers.items()},
        "quantity": quantity(shown),
    }


def _combined(headline: Headline, verdicts: Sequence[Verdict]) -> HeadlineVerdict:
    """Return the verdict that some claims of a headline alone would give."""
    needed = headline.holds_in if isinstance(headline.holds_in, str) else min(headline.holds_in, len(verdicts))
    return combine("", changed(headline, holds_in=needed), verdicts)


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
    args = parser.parse_args(argv)
    if args.command == "gather":
        provenance = Provenance({}, tuple(args.choices))
        rows = [load_provenance(path)["facts"]["summary"] for path in args.choices]
        save_csv(args.out, pd.DataFrame(rows, columns=SUMMARY))
        provenance.save(args.out)
        return
    provenance = Provenance({"headline": args.headline}, (args.readings,))
    table = read_readings(args.readings)
    known = table[table["effect"].notna()]
    found = explained(known["effect"].to_numpy(), known[questions_of(known)], errors_of(known))
    save_csv(args.out, found)
    provenance.save(args.out, {"summary": summary(args.headline, table, found)})


if __name__ == "__main__":
    run_script(main)
