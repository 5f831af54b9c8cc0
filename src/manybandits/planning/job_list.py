"""All jobs of a run, as one list of records: the only place that says what a job runs, reads and writes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from manybandits import datasets
from manybandits.algorithms.description import digest as description_digest
from manybandits.algorithms.plain import digest as twin_digest
from manybandits.base.plugins import is_path
from manybandits.base.sources import digest, docstring_digest
from manybandits.environments.catalogue import module_of
from manybandits.measurements import module_of as measurement_module
from manybandits.papers.claim import judged_text
from manybandits.planning.batches import MODULE as BATCH
from manybandits.planning.configuration import rerun_command
from manybandits.planning.figures import Figure
from manybandits.planning.jobs import Environment
from manybandits.planning.record import Job, Rule, option
from manybandits.report.rendering import digest as rendering_digest
from manybandits.results.readings_table import SUMMARIES, TABLES

if TYPE_CHECKING:
    from manybandits.planning.workflow import Workflow

COST, LEAGUE, RANKS, PROBE = "cost", "league", "league_ranks", "probe"
"""The table of all costs, the league with the figure of its ranks, and which tables of public pairs show the regret."""
COPYING, VERDICTS = "manybandits.base.copying", "manybandits.claims.verdicts"
COMPARISON, READINGS = "manybandits.estimators.comparison", "manybandits.claims.readings"
SCRIPT, PLUGIN = "manybandits.harness.command_line", "manybandits.environments.plugin"


class JobList:
    """The jobs of a run, one method for each part of it."""

    def __init__(self, run: Workflow) -> None:
        self.run, self.logs = run, f"{run.work}/logs"
        self.games = f"{run.data}/environments/{{name}}.npz"
        figures, tables = f"{run.report}/figures/{{name}}", f"{run.report}/tables/{{name}}"
        self.stems = figures, tables
        self.drawn = f"{figures}.svg", f"{figures}.csv"
        self.written = f"{tables}.csv", f"{tables}.md", f"{tables}.tex"

    def all(self) -> Iterator[Job]:
        """Yield all jobs, in the order in which data flow through them; the pages of the site come last."""
        run = self.run
        parts = [self.committed()] if run.from_tables else [self.data(), self.games_and_plays()]
        for part in (*parts, self.figures(), self.gathered(), self.verdicts(), self.readings(), self.site()):
            yield from part

    def rule(self, name: str, *outputs: str, out: Iterable[str] = (), step: str = "") -> Rule:
        return Rule(name, self.logs, outputs, *out, step=step)

    def data(self) -> Iterator[Job]:
        """Yield the jobs that read raw data: a rule for each kind, which has its own files.

        Raw files are no outputs: Snakemake deletes outputs before it runs a job again, but a raw file may have been
        placed by hand or may have taken hours to download. Its checksum is verified whenever it is read.
        """
        folder, rules = self.run.data, dict[str, Rule]()
        for name in sorted({name for game in self.run.environments.values() for name in game.datasets}):
            data = datasets.load(name).DATASET
            kind = f"tidy_{data.kind}" + ("_with_features" if data.features else "")
            tidy = [f"{folder}/tidy/{{name}}/{file}" for file in data.tidy_files]
            rule = rules.setdefault(kind, self.rule(kind, *tidy, out=[f"{folder}/tidy"], step="tidy"))
            # Raw data are on no bucket: their path begins as that of no stored file.
            step = "manybandits.datasets.__main__", "tidy", name, "--raw", f"./{folder}/raw"
            yield rule(datasets.short_name(name), step, code=datasets.digest_of(name))

    def frozen(self, environments: Iterable[Environment]) -> list[str]:
        return [path for one in environments for path in named(one.name, [self.games])]

    def games_and_plays(self) -> Iterator[Job]:
        """Yield games, plays, batches of plays for readings, regressions, and measurements."""
        run, device = self.run, ("--device", self.run.config["device"])
        rule = self.rule("environment", self.games)
        for game in run.environments.values():
            used = [datasets.load(name).DATASET for name in game.datasets]
            script = (PLUGIN, game.module) if is_path(game.module) else (game.module,)
            tidy = option("tidy", [f"{run.data}/tidy/{one.name}" for one in used])
            needed = [f"{run.data}/tidy/{one.name}/{file}" for one in used for file in one.tidy_files]
            code = digest(module_of(game.module))
            yield rule(game.name, (*script, *game.arguments, *tidy), inputs=needed, code=code)
        rule = self.rule("play", f"{run.report}/runs/{{name}}.parquet")
        for play in run.plays.values():
            needed, own = self.frozen([play.environment]), device if play.batched else ()
            step = SCRIPT, play.spec.algorithm, *play.arguments(), *own, "--environment", *needed
            yield rule(play.name, step, inputs=needed, code=play.digest, of=play)
        rule = self.rule("batch", f"{run.work}/batches/{{name}}.zip")
        for batch in run.batches.values():
            needed, own = self.frozen(batch.frozen), device if batch.neural else ()
            step = BATCH, *batch.arguments(), *own, *option("games", needed)
            yield rule(batch.name, step, inputs=needed, code=batch.digest, of=batch)
        rule = self.rule("regression", f"{run.report}/regressions/{{name}}.parquet")
        for one in run.regressions.values():
            yield rule(one.name, (COMPARISON, *one.arguments()), of=one)
        rule = self.rule("measurement", *self.written[:2], out=self.stems[1:])
        for timed in run.measurements.values():
            needed = self.frozen(timed.environments)
            step = timed.module, "--title", timed.title, *option("games", needed)
            yield rule(timed.name, step, inputs=needed, of=timed)

    def committed(self) -> Iterator[Job]:
        """Yield copies of what is derived of no run table: measured seconds, and verdicts under other choices.

        What is played for readings is not committed; their verdicts are, and all else is made of these.
        """
        run = self.run
        rule = self.rule("committed_measurement", *self.written[:2], out=[f"{run.report}/tables"], step="committed")
        for name, timed in run.measurements.items():
            kept = [f"{run.kept}/tables/{name}{ending}" for ending in (".csv", ".md")]
            yield rule(name, (COPYING, *kept), inputs=[*kept, *provenance_of(kept[:1])], of=timed)
        place = f"{run.report}/{TABLES}"
        rule = self.rule("committed_readings", f"{place}/{{name}}.csv", out=[place], step="committed")
        for name, curve in run.curves.items():
            kept = [f"{run.kept}/{TABLES}/{name}.csv"]
            yield rule(name, (COPYING, *kept), inputs=[*kept, *provenance_of(kept)], of=curve)

    def figures(self) -> Iterator[Job]:
        """Yield figures with their tables, and figures of measurements.

        One process makes a figure and its table. Verdicts are made by other jobs, so that an edit of a figure judges
        nothing again; they title it, so that an edit of a claim draws it again.
        """
        run, rule = self.run, self.rule("figure", *self.drawn, *self.written, out=self.stems)
        for name, one in run.figures.items():
            tables, title = run.tables_of(one), ("--title", one.title)
            judged = name in run.judged and not judged_by_table(one)
            verdicts = [f"{run.report}/verdicts/{name}.jsonl"] if judged else []
            drawing = f"manybandits.figures.{one.kind}", *title, *one.arguments, *option("verdicts", verdicts)
            probes, pairs = self.probes_of(one), option("verdicts", verdicts) if one.table == "pairs" else []
            table = f"manybandits.tables.{one.table}", *title, *pairs, *option("probes", probes)
            steps = [(*step, "--runs", *tables) for step in (drawing, table)]
            costs = provenance_of(tables) if one.kind == "runtime" else []
            yield rule(name, *steps, inputs=[*tables, *costs, *verdicts, *probes], of=one)
        rule = self.rule("drawing", *self.drawn, out=self.stems[:1], step="figure")
        for name, timed in run.drawn.items():
            made = f"{run.report}/tables/{name}.csv"
            step = f"manybandits.figures.{timed.kind}", "--title", timed.title, *timed.arguments
            yield rule(name, (*step, "--table", made), inputs=[made, f"{made}.json"], of=timed)

    def probes_of(self, figure: Figure) -> list[str]:
        """Return the table of the probe of a figure's paper, if there is one and the figure is of public pairs."""
        sought = (figure.paper, measurement_module(PROBE))
        found = [one.name for one in self.run.measurements.values() if (one.paper, one.module) == sought]
        return [f"{self.run.report}/tables/{name}.csv" for name in found] if figure.table == "pairs" else []

    def gathered(self) -> Iterator[Job]:
        """Yield the table of what all plays cost, and the league."""
        run = self.run
        if run.plays:
            stem, *written = named(COST, [self.stems[1], *self.written[:2]])
            rule = self.rule(COST, *written, out=[stem])
            needed = [*run.run_tables, *provenance_of(run.run_tables)]
            yield rule("", ("manybandits.tables.cost", "--runs", *run.run_tables), inputs=needed)
        if run.league_tables:
            given = "--title", "Algorithms ranked over games", "--runs", *run.league_tables
            steps = [(f"manybandits.{kind}.league", *given) for kind in ("tables", "figures")]
            stems = named(LEAGUE, self.stems)
            outputs = [*named(LEAGUE, self.drawn), *named(RANKS, self.drawn), *named(LEAGUE, self.written)]
            yield self.rule(LEAGUE, *outputs, out=stems[::-1])("", *steps, inputs=run.league_tables)

    def verdicts(self) -> Iterator[Job]:
        """Yield the verdicts: each figure is judged alone, then all are gathered.

        Only claims are read from the files of a paper. They are part of the identity, so that an edit of one judges
        its figure again and no other, and an edit of `because` judges nothing again.
        """
        run, rule = self.run, self.rule("judge", f"{self.run.report}/verdicts/{{name}}.jsonl")
        for name, one in run.judged.items():
            tables = [f"{run.report}/tables/{name}.csv"]
            if isinstance(one, Figure) and not judged_by_table(one):
                tables = run.tables_of(one)
            claims = run.plan.claims[name]
            selected = [one for claim in claims for one in claim.selections]
            timed = any(one.measure == "seconds" for one in selected)
            given = "--paper", run.folder_of(one.paper), "--experiment", one.experiment, "--scale", one.scale.to_json()
            yield rule(
                name,
                (VERDICTS, "judge", *given, "--tables", *tables),
                inputs=[*tables, *provenance_of(table for table in tables if timed or table.endswith(".csv"))],
                files=run.files_of(one.paper),
                more=judged_text(claims, run.plan.headlines[one.paper], run.plan.controls[one.paper]),
                of=one,
            )
        judged = [f"{run.report}/verdicts/{name}.jsonl" for name in run.judged]
        read, reasons = run.readings_read(), [one for paper in run.plan.reasons.values() for one in paper.values()]
        targets = dict.fromkeys(target for reason in reasons for target in reason.tables if target in run.made)
        papers = "--papers", *run.papers, *option("verdicts", judged), "--tables", f"{run.report}/tables"
        told = [*option("readings-of", [run.readings_place] if read else []), *option("omitted", self.omitted)]
        yield self.rule("verdicts", run.verdicts, run.headlines, *run.exports, out=[run.report])(
            "",
            (VERDICTS, "gather", *papers, *told),
            inputs=[*judged, *(f"{run.report}/tables/{target}.csv" for target in targets), *read],
            files=run.paper_files,
            more=repr([run.plan.claims, run.plan.headlines, run.plan.controls, run.plan.reasons]),
        )

    @property
    def omitted(self) -> list[str]:
        """The experiments that are left out and the reasons, as arguments."""
        return [f"{one.name}={one.reason}" for one in self.run.plan.omissions]

    def readings(self) -> Iterator[Job]:
        """Yield the readings of headlines: judged on their batches, explained by their choices, drawn and gathered."""
        run, place = self.run, f"{self.run.report}/{TABLES}"
        batch_of = {play.name: name for name, batch in run.batches.items() for play in batch.plays}
        stem = f"{run.report}/figures/readings_{{name}}"
        judging = self.rule("readings", f"{place}/{{name}}.csv")
        explaining = self.rule("choices", f"{place}/{{name}}.choices.csv")
        drawing = self.rule("curve", f"{stem}.svg", f"{stem}.csv", out=[stem])
        for name, curve in run.curves.items():
            table, headline = f"{place}/{name}.csv", ("--headline", f"{curve.paper}.{curve.headline}")
            if not run.from_tables:
                needed = dict.fromkeys(batch_of[play.name] for play in curve.plays)
                batches = [f"{run.work}/batches/{one}.zip" for one in needed]
                config = json.dumps(run.config, default=str, sort_keys=True)
                step = "manybandits.planning.curves", "--config", config, *headline, *option("batches", batches)
                errors = [f"{run.report}/{one.file}" for one in curve.regressions]
                given = (*step, "--played", run.report)
                yield judging(name, given, inputs=[*batches, *errors], more=curve.judged, of=curve)
            yield explaining(name, (READINGS, "explain", *headline, "--readings", table), inputs=[table], of=curve)
            drawn = "manybandits.figures.curve", "--title", curve.title, "--readings", table
            yield drawing(name, drawn, inputs=[table], of=curve)
        if run.curves:
            explained = [f"{place}/{name}.choices.csv" for name in run.curves]
            rule = self.rule("summaries", f"{run.report}/{SUMMARIES}")
            yield rule("", (READINGS, "gather", "--choices", *explained), inputs=explained)

    def site(self) -> Iterator[Job]:
        """Yield the notebooks, executed on the results of the run, and all pages of the site."""
        run, page = self.run, f"{self.run.report}/notebooks/{{name}}.html"
        rule = self.rule("notebook", page, f"{page}.json")
        for paper in run.notebooks:
            notebook, changes = run.notebook_of(paper), run.plan.changes[paper]
            told = option("scale", [changes] if changes else []) + option("within", [run.within] if run.within else [])
            yield rule(
                paper,
                ("manybandits.notebook.render", notebook, "--results", run.report, *told),
                inputs=[*run.evidence_of(run.plan.targets[paper]), run.verdicts, run.headlines],
                files=[notebook, *run.files_of(paper)],
                of=paper,
            )
        cost, league = [COST] if run.plays else [], [LEAGUE] if run.league_tables else []
        figures = [*run.figures, *run.drawn, *league, *([RANKS] if league else [])]
        shown = {
            "papers": run.papers,
            "figures": [stem for name in figures for stem in named(name, self.stems[:1])],
            "tables": [stem for name in (*run.made, *cost, *league) for stem in named(name, self.stems[1:])],
            "verdicts": [run.verdicts],
            "headlines": [run.headlines],
            "notebooks": run.site_notebooks,
            "findings": run.findings_file,
            "arenas": run.league_file,
            "omitted": self.omitted,
            "changes": [f"{paper}={words}" for paper, words in run.plan.changes.items() if words],
            "command": list(filter(None, [rerun_command(run.plan.name, run.root)])),
        }
        options = [word for name, values in shown.items() for word in option(name, values)]
        place = run.readings_place
        options += ["--readings-of", place, "--readings", *run.readings_shown] if place else []
        modules = sorted({play.module for play in run.plays.values()})
        gathered = [output for job in self.gathered() for output in job.outputs]
        notebooks, readings = run.site_notebooks, run.readings_read(pages=True)
        yield self.rule("page", *run.site, out=[run.report])(
            "",
            ("manybandits.report.site", "--title", f"manybandits: {run.plan.name}", *options),
            inputs=[*run.evidence_of(run.made.values()), *gathered, run.verdicts, run.headlines, *notebooks, *readings],
            files=[*run.paper_files, *run.league_file, *run.findings_file],
            # Pages show docstrings, descriptions and twins.
            more=rendering_digest() + docstring_digest(*modules) + description_digest() + twin_digest(),
        )


def named(name: str, paths: Iterable[str]) -> list[str]:
    """Return paths with ``{name}`` for one name."""
    return [path.replace("{name}", name) for path in paths]


def provenance_of(tables: Iterable[str]) -> list[str]:
    """Return the provenance of tables, which alone says how long they took, or what a table of text rests on."""
    return [f"{table}.json" for table in tables]


def judged_by_table(figure: Figure) -> bool:
    """Return whether claims are judged on the table that is made with a figure, and not on run tables."""
    return not (figure.plays or any(table.sweeps for table in figure.regressions))
