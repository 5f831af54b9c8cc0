"""Judge the claims about one figure, and gather the verdicts of a run.

    python -m manybandits.claims judge --paper workflow/papers/m_cnb --experiment fig2 \\
        --scale '{"kind": "plays", "games": {"m-cnb-paper-facebook-ego": {"horizon": 10000, "seeds": 10}}}' \\
        --tables artifacts/paper/runs/m_cnb/*/*.parquet --out reports/paper/verdicts/m_cnb_fig2.jsonl
    python -m manybandits.claims gather --papers workflow/papers/* --verdicts reports/paper/verdicts/*.jsonl \\
        --tables reports/paper/tables --readings-of reports/readings --out reports/paper

A figure is judged on its own tables alone, so that other tables do not change its verdicts. A claim without a verdict,
because its experiment was left out, is not testable here.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from manybandits.base.artifacts import Provenance
from manybandits.base.configuration import read_reasons
from manybandits.base.exceptions import pick
from manybandits.base.typed import typed_json
from manybandits.claims.controls import attribute, unplayed
from manybandits.claims.evidence import Evidence
from manybandits.claims.headlines import attribution_of, combine, early_of, judge_headlines, under
from manybandits.claims.judge import judge, judge_again
from manybandits.claims.plays import Plays
from manybandits.claims.readings import NOT_RUN, setups_of
from manybandits.claims.reasons import sentence
from manybandits.claims.regressions import Regressions
from manybandits.claims.rows import Rows
from manybandits.claims.rules import OTHERS
from manybandits.claims.verdict import EARLY, Answer, Attribution, HeadlineVerdict, Verdict, count
from manybandits.claims.verdict_files import (
    HEADLINES,
    VERDICTS,
    export_headlines,
    export_verdicts,
    load_verdicts,
    save_records,
)
from manybandits.claims.words import columns_of, word_of
from manybandits.papers.claim import PAPER, Claim, Headline, judged_text
from manybandits.papers.files import CLAIMS, Paper, read_paper
from manybandits.papers.openings import touching
from manybandits.papers.scale import Scale
from manybandits.results.error_table import load_errors
from manybandits.results.readings_table import headlines_in
from manybandits.results.runs import load_run

UNSUPPORTED = (Answer.NEAR, Answer.UNCLEAR, Answer.FAILS)
"""The answers for which a reason is shown."""
LOOSE = ("not discriminating", "control not played")
"""The flags of a bound whose controls do not show that it is hard to keep."""
FAVOURABLE = (
    Answer.OUTSIDE,
    Answer.UNTESTABLE,
    Answer.SAME,
    Answer.FAILS,
    Answer.UNCLEAR,
    Answer.NEAR,
    Answer.HOLDS,
)
"""All answers, the most favourable to a paper last."""
CODE = "code"
"""The name of the link of a paper to its authors' code, if they released one."""


def load_evidence(scale: Scale, tables: Sequence[Path]) -> Evidence:
    """Read the tables of one experiment as the evidence for its claims. scale: as the paper states it."""
    if scale.kind == "rows":
        return Rows(tables[0], scale)
    if scale.kind == "errors":
        return Regressions(load_errors(tables), scale)
    return Plays([load_run(path) for path in tables], scale)


def claims_about(paper: Paper, experiment: str) -> list[Claim]:
    """Return the claims about an experiment of a paper; raise InputError if the paper has no such experiment."""
    pick(experiment, paper.experiments, f"experiment ({paper.folder})")
    return [claim for claim in paper.claims if claim.experiment == experiment]


def judge_figure(paper: Paper, experiment: str, scale: Scale, tables: Sequence[Path]) -> list[Verdict]:
    """Return the verdicts about one experiment, one per claim and reading, in their order.

    Claims that test a headline are judged under other rules, too, and their methods are compared with its controls.
    scale: of the experiment, as the paper states it.
    """
    evidence = load_evidence(scale, tables)
    tested = members(paper)
    found = []
    for claim in claims_about(paper, experiment):
        verdict = judge(claim, evidence, f"{paper.name}_{experiment}")
        keys = {key for key, ids in tested.items() if claim.id in ids and (claim.reading == PAPER or claim.code)}
        if keys:
            known = paper.controls.items()
            controls = {name: one for name, one in known if keys & set(one.headlines) and one.code == claim.code}
            verdict = replace(judge_again(verdict, evidence), controls=attribute(claim, controls, evidence))
        found.append(verdict)
    return found


def members(paper: Paper) -> dict[str, list[str]]:
    """Return the ids of the claims that test each headline of a paper."""
    where = f"{paper.folder}/{CLAIMS}, headlines"
    return {key: one.members(paper.claims, where) for key, one in paper.headlines.items()}


def gather(
    papers: Sequence[Paper],
    files: Sequence[Path],
    omitted: Mapping[str, str],
    tables: Path,
    readings_of: Path | None = None,
) -> list[Verdict]:
    """Return all verdicts of a run, in the order of the papers, each claim followed by its other readings.

    Why a claim does not hold is added here from the paper files: it changes no verdict, so that an edit of it does not
    judge a figure again. omitted: name of an experiment that was left out, paper_experiment -> the reason; tables: the
    folder of the run's tables, from which reasons read their numbers; readings_of: the report with the set-ups of
    headlines, if some were played, from which they read counts.
    """
    judged: dict[str, dict[str, Verdict]] = {}
    for one in (one for file in files for one in load_verdicts(file)):
        judged.setdefault(one.claim.id, {})[one.claim.reading] = one
    gathered = []
    for paper in papers:
        because = {(claim.id, claim.reading): claim.because for claim in paper.claims}
        reasons: dict[str, tuple[str, str]] = {"": ("", "")}  # many claims share one, and each reads tables
        for claim in (claim for claim in paper.claims if claim.reading == PAPER):
            found = judged.get(claim.id, {})
            if PAPER not in found:
                reason = claim.untestable or omitted.get(f"{claim.paper}_{claim.experiment}") or NOT_RUN
                answer = Answer.OUTSIDE if claim.outside else Answer.UNTESTABLE
                found = {PAPER: Verdict(claim=claim, answer=answer, reason=claim.outside or reason), **found}
            for reading in sorted(found, key=lambda name: name != PAPER):  # that of the text first
                key = because.get((claim.id, reading), "") if found[reading].answer in UNSUPPORTED else ""
                if key not in reasons:
                    where = f"{paper.folder}/{CLAIMS}, reason {key}"
                    said = sentence(paper.reasons[key], tables, where, readings_of)
                    reasons[key] = said, paper.reasons[key].target
                gathered.append(replace(found[reading], because=reasons[key][0], rests_on=reasons[key][1]))
    return gathered


def gather_headlines(
    papers: Sequence[Paper], verdicts: Sequence[Verdict], readings_of: Path | None = None
) -> list[HeadlineVerdict]:
    """Return the verdicts on the headlines of papers.

    verdicts: those on all claims; readings_of: the report with the set-ups of headlines, if some were played.
    """
    known = {(one.claim.id, one.claim.reading): one for one in verdicts}
    played = headlines_in(readings_of)
    found = []
    for paper in papers:
        tested = members(paper)
        given = {key: (one, [known[name, PAPER] for name in tested[key]]) for key, one in paper.headlines.items()}
        by_text = judge_headlines(paper.name, given)
        whole = {}
        for key, (headline, own) in given.items():
            name, setups = f"{paper.name}.{key}", None
            if readings_of and name in played:
                setups = setups_of(readings_of, name, by_text[key].answer, paper.wording(key))
            public = [claim for claim in paper.claims if claim.id in tested[key] and claim.code]
            pairs = pairs_of(headline, public, known)
            version = max(pairs, key=lambda name: FAVOURABLE.index(pairs[name][0]), default="")
            whole[key] = replace(
                by_text[key],
                has_code=CODE in paper.links,
                code=pairs[version][0] if version else None,
                versions={name: answer for name, (answer, _) in pairs.items()},
                alone=not touching(paper.openings, key),
                setups=setups,
                controls=_controls(paper, key, headline, own),
                code_controls=_controls(paper, key, headline, pairs[version][1], version) if version else (),
                loose=any(flag.kind in LOOSE for one in own if one.counts for flag in one.flags),
                early=early_of(headline, own, len(EARLY)),
            )
        words = {key: word_of(columns_of(one)) for key, one in whole.items()}
        for name, rules in OTHERS.items():
            others = {key: (one, [under(verdict, name) for verdict in own]) for key, (one, own) in given.items()}
            for key, other in judge_headlines(paper.name, others, rules).items():
                word = word_of(columns_of(replace(whole[key], answer=other.answer)))
                if word is not words[key]:
                    whole[key].under[name] = word
        found += [replace(one, word=words[key]) for key, one in whole.items()]
    return found


def pairs_of(
    headline: Headline, claims: Sequence[Claim], known: Mapping[tuple[str, str], Verdict]
) -> dict[str, tuple[Answer, list[Verdict]]]:
    """Return the answer on a headline as each version of the authors' code gives it, and the verdicts it rests on.

    claims: those of the headline by public pairs, as the paper files list them: a version of which one was not played
    is left out, and one of which one could not be judged, as on data that stand in for the code's, is not testable.
    known: the verdicts, by id and reading.
    """
    by_version: dict[str, list[Verdict | None]] = {}
    for claim in claims:
        by_version.setdefault(claim.code, []).append(known.get((claim.id, claim.reading)))
    whole = {name: [one for one in own if one] for name, own in by_version.items() if None not in own}
    untestable = {name for name, own in whole.items() if any(one.answer is Answer.UNTESTABLE for one in own)}
    return {
        name: (Answer.UNTESTABLE if name in untestable else combine("", headline, own).answer, own)
        for name, own in whole.items()
    }


def _controls(
    paper: Paper, key: str, headline: Headline, verdicts: Sequence[Verdict], version: str = ""
) -> tuple[Attribution, ...]:
    """Return how the method of a headline stands to each of its controls, by the verdicts on its claims.

    version: that of the authors' code, "" for the text.
    """
    found = []
    for name, control in paper.controls.items():
        if key not in control.headlines or control.code != version:
            continue
        own = [one for verdict in verdicts for one in verdict.controls if one.control == name]
        found.append(attribution_of(headline, own) if own else unplayed(name, control))
    return tuple(found)


def claims_digest(papers: Sequence[Paper]) -> str:
    """Return a digest of all claims of papers, with headlines, controls and reasons; the provenance has it."""
    return _digest(repr([[paper.claims, paper.headlines, paper.controls, paper.reasons] for paper in papers]))


def _digest(text: str) -> str:
    """Return 16 hexadecimal digits over a text: with them, verdicts on claims that were edited since are recognised."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def main(argv: list[str] | None = None) -> None:
    """Judge the claims about a figure, or gather verdicts."""
    parser = argparse.ArgumentParser(prog="python -m manybandits.claims", description="Judge claims on runs.")
    commands = parser.add_subparsers(dest="command", required=True)
    judging = commands.add_parser("judge", help="judge the claims about one figure")
    judging.add_argument("--paper", type=Path, required=True, help="the folder of the paper")
    judging.add_argument("--experiment", required=True, help="a key of its experiments")
    judging.add_argument("--scale", required=True, help="its scale in the paper, as JSON (see the plan)")
    judging.add_argument(
        "--tables", type=Path, nargs="+", required=True, help="the tables of results of the experiment"
    )
    judging.add_argument("--out", type=Path, required=True, help="the .jsonl file to write")
    gathering = commands.add_parser("gather", help="gather all verdicts of a run")
    gathering.add_argument("--papers", type=Path, nargs="+", required=True, help="folders of papers")
    gathering.add_argument("--verdicts", type=Path, nargs="*", default=[], help="verdicts about figures")
    gathering.add_argument("--tables", type=Path, required=True, help="the folder of the run's tables")
    gathering.add_argument("--omitted", nargs="*", default=[], metavar="NAME=REASON", help="experiments left out")
    gathering.add_argument("--readings-of", type=Path, help="the folder of the report with the set-ups of headlines")
    gathering.add_argument("--out", type=Path, required=True, help="the folder to write to")
    args = parser.parse_args(argv)
    if args.command == "judge":
        paper = read_paper(args.paper)
        text = judged_text(claims_about(paper, args.experiment), paper.headlines, paper.controls)
        settings = {"experiment": args.experiment, "claims": _digest(text)}
        provenance = Provenance(settings, tuple(args.tables))
        scale = typed_json(Scale, args.scale, "--scale")
        judged = judge_figure(paper, args.experiment, scale, args.tables)
        save_records(args.out, judged)
        provenance.save(args.out, {"answers": _counts(judged)})
        return
    papers = [read_paper(path) for path in args.papers]
    settings = {"papers": [path.name for path in args.papers], "claims": claims_digest(papers)}
    provenance = Provenance(settings, tuple(args.verdicts))
    verdicts = gather(papers, args.verdicts, read_reasons(args.omitted), args.tables, args.readings_of)
    headlines = gather_headlines(papers, verdicts, args.readings_of)
    save_records(args.out / HEADLINES, headlines)
    export_headlines(args.out / "headlines.csv", headlines, verdicts)
    export_verdicts(args.out / "verdicts.csv", verdicts)
    save_records(args.out / VERDICTS, verdicts)
    for file in (HEADLINES, "headlines.csv", "verdicts.csv", VERDICTS):
        provenance.save(args.out / file, {"answers": _counts(verdicts)})


def _counts(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """Return how often each answer is given, of the verdicts that count."""
    return {answer.value: n for answer, n in count(one.answer for one in verdicts if one.counts).items()}
