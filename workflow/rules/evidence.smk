# Run tables to figures, tables and the site.
from manybandits.papers.claim import without_reasons
from manybandits.planning.league import FILE as LEAGUE_FILE
from manybandits.report.addresses import addresses
from manybandits.report.rendering import digest as site_digest

PAPER_FILES = ["workflow/papers/{paper}/experiments.yaml", "workflow/papers/{paper}/claims.yaml"]
FIGURES = {figure.name: figure for figure in PLAN.figures}


def runs_of(wildcards):
    return [f"{WORK}/{table}" for table in FIGURES[wildcards.figure].made_from]


MEASUREMENTS = {measurement.name: measurement for measurement in PLAN.measurements}


def evidence_of(targets):
    """Return the files that stand for figures and measurements: figures in their formats, tables, and run tables.

    Without the run tables, figures that came with the code would pass for made.
    """
    figures = [target for target in targets if target.name in FIGURES]
    measured = [
        f"{REPORT}/tables/{target.name}.{ending}"
        for target in targets
        if target.name in MEASUREMENTS
        for ending in ("csv", "csv.json", "md")
    ]
    names = [figure.name for figure in figures]
    runs = {f"{WORK}/{table}": None for figure in figures for table in figure.made_from}
    return [*runs, *measured] + [
        f"{REPORT}/{name}.{ending}"
        for figure in names
        for name, endings in (
            (f"figures/{figure}", ("png", "svg", "csv", "csv.json")),
            (f"tables/{figure}", ("csv", "csv.json", "md", "tex")),
        )
        for ending in endings
    ]


def beside(tables):
    """Return the provenance of some tables, which alone says how long they took, or what a table of text rests on."""
    return [f"{table}.json" for table in tables]


def drawing_of(figure):
    return f"manybandits.figures.{figure.kind}"


def tabulation_of(figure):
    return f"manybandits.tables.{figure.table}"


def in_report(path, caption, things, what):
    """Mark what a rule makes for `snakemake --report`, which sorts it by paper and shows images in place."""
    return report(
        path,
        caption=f"../report/{caption}.rst",
        category=lambda wildcards: things[wildcards[0]].paper,
        labels=lambda wildcards: {"what": what, "title": things[wildcards[0]].title},
    )


# A figure and its table are made in one process; what is judged is not, so that no edit of a drawing judges again.
rule figure:
    input:
        runs=runs_of,
        costs=lambda w: beside(runs_of(w)) if FIGURES[w.figure].kind == "runtime" else [],
    output:
        in_report(f"{REPORT}/figures/{{figure}}.png", "figure", FIGURES, "figure"),
        multiext(f"{REPORT}/figures/{{figure}}", ".svg", ".csv", ".csv.json"),
        in_report(f"{REPORT}/tables/{{figure}}.csv", "table", FIGURES, "table (.csv)"),
        multiext(f"{REPORT}/tables/{{figure}}", ".md", ".tex", ".csv.json"),
    params:
        title=lambda w: FIGURES[w.figure].title,
        drawing=lambda w: drawing_of(FIGURES[w.figure]),
        arguments=lambda w: FIGURES[w.figure].arguments,
        tabulation=lambda w: tabulation_of(FIGURES[w.figure]),
        folder=REPORT,
        sources=lambda w: digest(drawing_of(FIGURES[w.figure]), tabulation_of(FIGURES[w.figure])),
    log:
        f"{WORK}/logs/figures/{{figure}}.log",
    shell:
        "python -m manybandits.base.steps"
        " {params.drawing} --title {params.title:q} {params.arguments:q}"
        " --runs {input.runs} --out {params.folder}/figures/{wildcards.figure}"
        " + {params.tabulation} --title {params.title:q}"
        " --runs {input.runs} --out {params.folder}/tables/{wildcards.figure} 2> {log}"


rule measurement:
    input:
        ancient(lambda w: MEASUREMENTS[w.measurement].script),  # hours are not measured again for an edited comment
    output:
        in_report(f"{REPORT}/tables/{{measurement}}.csv", "measurement", MEASUREMENTS, "table (.csv)"),
        multiext(f"{REPORT}/tables/{{measurement}}", ".md", ".csv.json"),
    params:
        title=lambda w: MEASUREMENTS[w.measurement].title,
        module=lambda w: MEASUREMENTS[w.measurement].module,
        sources=lambda w: digest(MEASUREMENTS[w.measurement].module),
        stem=f"{REPORT}/tables/{{measurement}}",
    threads: workflow.cores  # nothing runs beside it
    log:
        f"{WORK}/logs/tables/{{measurement}}.log",
    shell:
        "python -m {params.module} --title {params.title:q} --out {params.stem} > {log} 2>&1"


JUDGED = PLAN.judged


def judged_on(wildcards):
    """Return the tables that a verdict rests on: run tables, tables of errors, or a table of its own."""
    one = JUDGED[wildcards.judged]
    if one.name in MEASUREMENTS or not (one.plays or any(table.sweeps for table in one.regressions)):
        return [f"{REPORT}/tables/{one.name}.csv"]
    return [f"{WORK}/{table}" for table in one.made_from]


def judged_beside(wildcards):
    """Return the provenance that is read for a verdict: of run tables whose seconds are judged, and of tables of text."""
    selections = [s for claim in claims_about(JUDGED[wildcards.judged]) for s in (claim.selection, *claim.rivals)]
    timed = any(selection.measure == "seconds" for selection in selections)
    return beside(table for table in judged_on(wildcards) if timed or table.endswith(".csv"))


def claims_about(one):
    return PLAN.claims[f"{one.paper}_{one.experiment}"]


rule judge:
    input:
        tables=judged_on,
        beside=judged_beside,
        # Of a paper file, its claims and its scale count, which are among the parameters.
        paper=ancient(lambda w: expand(PAPER_FILES, paper=JUDGED[w.judged].paper)),
    output:
        multiext(f"{REPORT}/verdicts/{{judged}}.csv", "", ".json"),
    params:
        paper=lambda w: f"workflow/papers/{JUDGED[w.judged].paper}",
        experiment=lambda w: JUDGED[w.judged].experiment,
        protocol=lambda w: JUDGED[w.judged].protocol,
        # An edit of a claim judges its figure again and nothing else; one of the reason it did not come out, nothing.
        claims=lambda w: without_reasons(claims_about(JUDGED[w.judged])),
        scale=lambda w: JUDGED[w.judged].scale.to_json(),
        sources=digest("manybandits.claims.script"),
    log:
        f"{WORK}/logs/verdicts/{{judged}}.log",
    shell:
        "python -m manybandits.claims judge --paper {params.paper} --experiment {params.experiment}"
        " --protocol {params.protocol} --scale {params.scale:q} --tables {input.tables} --out {output[0]} 2> {log}"


rule verdicts:
    input:
        verdicts=[f"{REPORT}/verdicts/{name}.csv" for name in JUDGED],
        papers=ancient(expand(PAPER_FILES, paper=PLAN.papers)),
    output:
        multiext(f"{REPORT}/verdicts.csv", "", ".json"),
    params:
        papers=[f"workflow/papers/{paper}" for paper in PLAN.papers],
        omitted=[f"{one.name}={one.reason}" for one in PLAN.omissions],
        claims=repr(PLAN.claims),
        sources=digest("manybandits.claims.script"),
    log:
        f"{WORK}/logs/verdicts.log",
    shell:
        "python -m manybandits.claims gather --papers {params.papers} --verdicts {input.verdicts}"
        " --omitted {params.omitted:q} --out {output[0]} 2> {log}"


rule cost:
    input:
        runs=lambda w: [f"{WORK}/runs/{name}.parquet" for name in PLAYS],
        costs=lambda w: beside(f"{WORK}/runs/{name}.parquet" for name in PLAYS),
    output:
        multiext(f"{REPORT}/tables/cost", ".csv", ".csv.json", ".md"),
    params:
        stem=f"{REPORT}/tables/cost",
        sources=digest("manybandits.tables.cost"),
    log:
        f"{WORK}/logs/tables/cost.log",
    shell:
        "python -m manybandits.tables.cost --runs {input.runs} --out {params.stem} 2> {log}"


LEAGUE = [play.name for arena in PLAN.arenas for play in arena.plays]


rule league:
    input:
        [f"{WORK}/runs/{name}.parquet" for name in LEAGUE],
    output:
        multiext(f"{REPORT}/figures/league", ".png", ".svg", ".csv", ".csv.json"),
        multiext(f"{REPORT}/tables/league", ".csv", ".csv.json", ".md", ".tex"),
    params:
        title="Algorithms ranked over games",
        figure=f"{REPORT}/figures/league",
        table=f"{REPORT}/tables/league",
        sources=digest("manybandits.figures.league"),
    log:
        f"{WORK}/logs/league.log",
    shell:
        "python -m manybandits.base.steps"
        " manybandits.tables.league --title {params.title:q} --runs {input} --out {params.table}"
        " + manybandits.figures.league --title {params.title:q} --runs {input} --out {params.figure} 2> {log}"


SITE = addresses(
    PLAN.papers,
    {play.spec.algorithm for play in PLAYS.values()},
    {name: figure.kind for name, figure in FIGURES.items()},
)


rule page:
    input:
        evidence_of([*PLAN.figures, *PLAN.measurements]),
        rules.cost.output if PLAYS else [],
        rules.league.output if LEAGUE else [],
        papers=expand(PAPER_FILES, paper=PLAN.papers),
        league=[LEAGUE_FILE] if LEAGUE else [],
        verdicts=f"{REPORT}/verdicts.csv",
        notebooks=[f"{REPORT}/notebooks/{paper}.html" for paper in NOTEBOOKS] if config["notebooks"] else [],
    output:
        [f"{REPORT}/{address}" for address in SITE],
    params:
        title=f"manybandits: {PLAN.name}",
        papers=[f"workflow/papers/{paper}" for paper in PLAN.papers],
        figures=[f"{REPORT}/figures/{name}" for name in (*FIGURES, *(["league"] if LEAGUE else []))],
        tables=[
            f"{REPORT}/tables/{name}"
            for name in (
                *FIGURES,
                *MEASUREMENTS,
                *(["cost"] if PLAYS else []),
                *(["league"] if LEAGUE else []),
            )
        ],
        omitted=[f"{one.name}={one.reason}" for one in PLAN.omissions],
        folder=REPORT,
        # The pages of algorithms show the docstrings of their files.
        sources=digest("manybandits.report.site")
        + site_digest()
        + docstring_digest(*sorted({play.module for play in PLAYS.values()})),
    log:
        f"{WORK}/logs/page.log",
    shell:
        "python -m manybandits.report --title {params.title:q} --papers {params.papers} --figures {params.figures}"
        " --tables {params.tables} --verdicts {input.verdicts} --notebooks {input.notebooks}"
        " --arenas {input.league} --omitted {params.omitted:q} --out {params.folder} > {log} 2>&1"


# One target a figure and one a paper: `snakemake --cores 8 meta_ban_fig1`.
for target, figures in PLAN.targets.items():

    rule:
        name:
            target
        input:
            evidence_of(figures),
