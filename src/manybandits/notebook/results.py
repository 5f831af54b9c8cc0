"""The results of a run about one paper: its figures, tables and verdicts, read from the files of the pipeline."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from manybandits.base.artifacts import load_facts, load_provenance
from manybandits.base.exceptions import InputError
from manybandits.base.project import find_root
from manybandits.base.statistics import paired_difference, wilcoxon
from manybandits.claims.scores import scores
from manybandits.claims.sentences import label_words, stated
from manybandits.claims.verdict import MEANINGS, HeadlineVerdict, Verdict, Word
from manybandits.claims.verdict_files import HEADLINES, VERDICTS, headline_row, load_headlines, load_verdicts, row_of
from manybandits.claims.words import RULES
from manybandits.figures.canvas import new_figure
from manybandits.notebook import cell_output
from manybandits.notebook.cell_output import Shown
from manybandits.papers.files import Paper, folder_of, read_paper
from manybandits.results.display_names import algorithm_name
from manybandits.results.runs import Run, load_run
from manybandits.results.summaries import paired_final_regret

CLAIM = ("claim", "place", "says", "reading", "answer", "sentence", "published", "n", "flags", "why")
HEADLINE = (
    *("says", "place", "word", "text", "code", "set-ups", "controls", "smaller run"),
    *("sentence", "published", "n", "p", "flags", "why"),
)
HEADLINES_ARE = (
    "The headlines of the paper: what its authors would say in the abstract or the conclusion, in our words, and what "
    "this run says about it. The word combines four columns: the answer by the text, that of the authors' code, in how "
    "many set-ups it holds, and whether controls undo it. Where a run is smaller than the paper's, or on other data, "
    "its limits are named; they weaken good and bad news alike."
)
CLAIMS_ARE = (
    "Each claim of the paper, cell by cell: the evidence for the headlines, and the score of each table and figure."
)
WORDS_ARE = "When each answer on a claim, and each word of a headline, is given:"
DECISIONS_ARE = (
    "Where the text does not say how something is done, a rerun has to choose. These are the choices made here."
)
DIVERGENCES_ARE = "The authors' code, or another reading of the text, differs in the following points."


@dataclass(frozen=True)
class Results:
    """The results of a run about one paper. Every method shows something, or says why there is nothing to show.

    paper: its name in ``workflow/papers`` below `root`, or the path of its folder, such as ``./my_paper``; only the
    name is kept, and the path is `place`. folder: of the run's figures, tables and run tables, such as
    ``reports/paper-scale``.
    """

    paper: str
    folder: Path
    root: Path = field(default_factory=find_root)
    place: str = field(init=False)

    def __post_init__(self) -> None:
        """Tell the name of a paper from its place."""
        object.__setattr__(self, "place", self.paper)
        object.__setattr__(self, "paper", Path(self.paper).name)

    def scale(self) -> Shown:
        """Show what was played for every figure: data, rounds and runs."""
        rows = []
        for path in sorted(self.folder.glob(f"figures/{self.paper}_*.csv")):
            facts, drawn = load_provenance(path)["facts"], pd.read_csv(path)
            runs = sorted({int(drawn["n"].min()), int(drawn["n"].max())}) if "n" in drawn else []
            rows.append(
                {
                    "figure": path.stem.removeprefix(f"{self.paper}_"),
                    "data": _few(facts["data"]) + (" (stand-in)" if facts["stand_in"] else ""),
                    "rounds": f"{drawn['round'].max():,}" if "round" in drawn else "",
                    "runs": " to ".join(map(str, runs)),
                }
            )
        if not rows:
            return cell_output.sentence(f"{self.folder} holds no figure of this paper: {self._make('')} makes all.")
        return cell_output.table(pd.DataFrame(rows))

    def figure(self, key: str, only: Sequence[str] = ()) -> Shown:
        """Draw a figure again from the numbers that it was drawn from. only: titles of algorithms, all by default.

        Lines against rounds are drawn again; a figure of another kind is shown as it was made.
        """
        path = self.folder / f"figures/{self.paper}_{key}.csv"
        if not path.is_file():
            return self._missing(key)
        drawn, made = pd.read_csv(path), load_provenance(path)
        if only:
            drawn = drawn[drawn["algorithm"].isin(only)]
            if drawn.empty:
                raise InputError(f"{path} has none of {', '.join(only)}.")
        caption = made["facts"]["caption"]
        words = f"{made['settings']['title']}. {caption[:1].upper()}{caption[1:]} Data: {_few(made['facts']['data'])}."
        if {"panel", "round", "mean"} <= set(drawn) and "measure" not in drawn:
            drawn = drawn.assign(panel=drawn["panel"].replace(self._notes(key)))
            return cell_output.curves(
                drawn, made["settings"].get("measure", "regret"), words, made["facts"]["stand_in"]
            )
        return cell_output.image(
            path.with_suffix(".svg").read_text(encoding="utf-8"), f"{words} The table has its numbers.", words
        )

    def table(self, key: str, columns: Sequence[str] = ()) -> Shown:
        """Show the table of a figure. columns: which of them, all by default."""
        path = self.folder / f"tables/{self.paper}_{key}.csv"
        if not path.is_file():
            return self._missing(key)
        rows = pd.read_csv(path)
        note = load_provenance(path)["facts"]["note"] + self._stand_in(key)
        return cell_output.table(_named(rows[list(columns)] if columns else rows), note)

    def final(self, key: str) -> Shown:
        """Show the final regret of every algorithm, on every game, mean and standard deviation."""
        path = self.folder / f"tables/{self.paper}_{key}.csv"
        if not path.is_file():
            return self._missing(key)
        rows = pd.read_csv(path, keep_default_na=False)
        rows["shown"] = [_final(row) for row in rows.to_dict("records")]
        rows = _named(rows)
        wide = rows.pivot_table(index="algorithm", columns="data", values="shown", aggfunc="first", sort=False)
        wide = wide.T if len(wide.columns) > len(wide) else wide
        note = "Mean and standard deviation of the final regret over runs." + self._stand_in(key)
        return cell_output.table(wide.rename_axis(columns=None).reset_index(), note)

    def pairs(self, key: str, one: str, other: str) -> Shown:
        """Draw the difference of the final regrets of two algorithms, paired by seed. one, other: their titles."""
        notes = self._notes(key)
        found = {note: self._pair(environment, one, other) for environment, note in notes.items()}
        paired = {note: pair for note, pair in found.items() if pair is not None}
        if not paired:
            return cell_output.sentence(
                f"{self.folder} holds no run tables of both {one} and {other}: {self._make(key)} makes them."
            )
        figure, (axes,) = new_figure(1, size=(8.4, 1.6 + 0.7 * len(paired)))
        words = []
        for height, (note, (first, second)) in enumerate(paired.items()):
            gap, low, high = paired_difference(first, second)
            axes.plot(first - second, np.full(len(first), height), "o", color="#0072B2", alpha=0.5, markersize=5)
            axes.errorbar([gap], [height + 0.2], xerr=[[gap - low], [high - gap]], fmt="D", color="#CC3311")
            p = f", p = {wilcoxon(first, second):.2g}" if len(first) > 1 else ""
            words.append(f"{note}: {gap:+z.1f} [{low:+z.1f}, {high:+z.1f}]{p}, {len(first)} runs")
        axes.axvline(0, color="0.4", linewidth=1)
        axes.set_yticks(range(len(paired)), list(paired), fontsize=8)
        axes.set_ylim(len(paired) - 0.4, -0.6)
        first_name, second_name = algorithm_name(one), algorithm_name(other)
        axes.set_xlabel(f"final regret of {first_name} minus that of {second_name}, on the same rounds")
        told = "; ".join(words)
        return cell_output.drawing(figure, told, f"One dot per run, and the mean with its 95 % interval. {told}.")

    def judgement(self) -> Shown:
        """Show what the run says about the paper: its headlines, its claims, and when each answer is given."""
        return cell_output.together(
            HEADLINES_ARE, self.headlines(), CLAIMS_ARE, self.verdicts(), WORDS_ARE, self.verdict_words()
        )

    def choices(self) -> Shown:
        """Show what the paper leaves open: what was chosen, and what its authors or others may have chosen instead."""
        return cell_output.together(DECISIONS_ARE, self.decisions(), DIVERGENCES_ARE, self.divergences())

    def headlines(self) -> Shown:
        """Show what the paper says above all, each with its word, its four columns and the numbers that decide it."""
        path = self.folder / HEADLINES
        if not path.is_file():
            return cell_output.sentence(f"The headlines of this run were not judged: there is no {path}.")
        found = [one for one in load_headlines(path) if one.paper == self.paper]
        if not found:
            return cell_output.sentence(f"{path} has no headline of this paper.")
        deciding = {one.claim.id: one for one in reversed(load_verdicts(self.folder / VERDICTS))}  # the first: the text
        told = [_headline(one, deciding[one.decided_by]) for one in found]
        given = [one.word for one in found]
        counts = ", ".join(f"{given.count(word)} {word.value}" for word in Word if word in given)
        words = "Intervals are 95 % intervals; p is corrected by Holm's rule over these headlines."
        return cell_output.table(pd.DataFrame(told, columns=HEADLINE), f"{counts}. {words}")

    def verdicts(self, *keys: str) -> Shown:
        """Show the verdicts on the paper's claims. keys: experiments, all by default."""
        path = self.folder / VERDICTS
        if not path.is_file():
            return cell_output.sentence(f"The claims of this run were not judged: there is no {path}.")
        found = [one for one in load_verdicts(path) if one.claim.paper == self.paper]
        found = [one for one in found if not keys or one.claim.experiment in keys]
        if not found:
            return cell_output.sentence(f"{path} has no verdict on this.")
        totals = [f"{one.place}: {one.holding} of {one.cells} hold" for one in scores(found) if one.cells]
        told = [row_of(one) | _beside(one) for one in found]
        words = "Only claims by the paper's text are counted, without copies of others; other set-ups are beside them."
        return cell_output.table(pd.DataFrame(told, columns=CLAIM), f"{'; '.join(totals)}. {words}")

    def verdict_words(self) -> Shown:
        """Show when each answer on a claim, and each word of a headline, is given."""
        rows = [{"of": "claims", "said": answer.value, "when": when} for answer, when in MEANINGS.items()]
        rows += [{"of": "headlines", "said": word.value, "when": when} for word, (when, _) in RULES.items()]
        return cell_output.table(pd.DataFrame(rows))

    def decisions(self) -> Shown:
        """Show what the paper leaves open, and what was chosen."""
        given = self._content.decisions
        return cell_output.table(pd.DataFrame({"what": list(given), "decision": list(given.values())}))

    def divergences(self) -> Shown:
        """Show where the authors' code, or another reading, differs from the text."""
        given = self._content.divergences
        if not given:
            return cell_output.sentence("Nothing of this kind is recorded for this paper.")
        rows = [{"what": one.says, "claims": ", ".join(one.touches)} for one in given]
        return cell_output.table(pd.DataFrame(rows))

    @functools.cached_property
    def _content(self) -> Paper:
        return read_paper(folder_of(self.root, self.place))

    def _notes(self, key: str) -> dict[str, str]:
        """Return names of the games of a figure: name -> data, or the name itself where two games share their data."""
        path = self.folder / f"tables/{self.paper}_{key}.csv"
        if not path.is_file():
            return {}
        rows = pd.read_csv(path)
        if not {"environment", "data"} <= set(rows):
            return {}
        notes = dict(zip(rows["environment"], rows["data"], strict=True))
        return {name: note if list(notes.values()).count(note) == 1 else name for name, note in notes.items()}

    def _stand_in(self, key: str) -> str:
        """Return a sentence for a figure whose data replace those of the paper, else nothing."""
        path = self.folder / f"figures/{self.paper}_{key}.csv"
        stand_in = path.is_file() and load_provenance(path)["facts"]["stand_in"]
        return " Made from stand-in data: no claim of the paper is judged on them." if stand_in else ""

    def _pair(self, environment: str, one: str, other: str) -> tuple[np.ndarray, np.ndarray] | None:
        """Return the final regrets, (n,) each, of two algorithms on their common seeds, None where a run is missing."""
        first, second = (self._run(environment, title) for title in (one, other))
        if first is None or second is None or first.lost or second.lost:
            return None
        return paired_final_regret(first, second)

    def _run(self, environment: str, title: str) -> Run | None:
        """Return the run that figures call `title`, None where there is none."""
        for path in sorted((self.folder / "runs" / self.paper / environment).glob("[!.]*.parquet")):
            if load_facts(path)["settings"]["title"] == title:
                return load_run(path)
        return None

    def _make(self, key: str) -> str:
        return f"`snakemake --cores all {'_'.join(filter(None, (self.paper, key)))}`"

    def _missing(self, key: str) -> Shown:
        return cell_output.sentence(f"{self.folder} has no {self.paper}_{key}: {self._make(key)} makes it.")


def _named(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a table with algorithms and estimators by the names that people read."""
    named = {name: rows[name].map(algorithm_name) for name in ("algorithm", "estimator") if name in rows}
    return rows.assign(**named)


def _few(words: Sequence[str]) -> str:
    """Return some words in one line; of many words the first, and how many more there are."""
    most = 4
    return "; ".join(words if len(words) <= most else [*words[: most - 1], f"and {len(words) - most + 1} more"])


def _final(row: dict[Any, Any]) -> str:
    """Return a final regret as a table shows it."""
    if row.get("lost"):
        return f"{row['lost']} of {row['n']} failed"
    return f"{float(row['regret']):,.1f}\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}{float(row['std']):,.1f}"


def _headline(headline: HeadlineVerdict, decisive: Verdict) -> dict[str, str]:
    """Return a headline as a table shows it. decisive: the verdict on the claim that decides it."""
    row = headline_row(headline, decisive)
    named = {"set-ups": row["setups"], "smaller run": "; ".join(headline.limits)}
    why = ". ".join(filter(None, (headline.reason, _because(decisive))))
    return row | _beside(decisive) | named | {"why": why}


def _beside(verdict: Verdict) -> dict[str, str]:
    """Return what a table shows beside the sentence of a verdict."""
    stands = f"not counted: {verdict.claim.stands}" if verdict.claim.stands else ""
    limits = f"smaller run: {'; '.join(verdict.limits)}" if verdict.limits else ""
    why = ". ".join(filter(None, (stands, limits, verdict.reason, _because(verdict))))
    return {"published": stated(verdict), "flags": label_words(verdict.flags), "why": why}


def _because(verdict: Verdict) -> str:
    """Return why a claim does not hold, and on what that rests."""
    return f"{verdict.because} (rests on {verdict.rests_on})" if verdict.rests_on else verdict.because
