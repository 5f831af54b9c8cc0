# From run tables to figures and tables. One process makes a figure and its table. Verdicts are made by another rule, so
# that an edit of a figure does not judge claims again; they title the figure, so that an edit of a claim draws it again.
rule figure:
    input:
        runs=RUN.runs_of,
        costs=RUN.costs_of,
        verdicts=RUN.verdicts_on,
        probes=RUN.probes_of,
    output:
        picture=report(
            f"{RUN.report}/figures/{{figure}}.svg",
            caption="../report/figure.rst",
            category=RUN.paper_of,
            labels=RUN.labels("figure"),
        ),
        numbers=multiext(f"{RUN.report}/figures/{{figure}}", ".csv", ".csv.json"),
        table=report(
            f"{RUN.report}/tables/{{figure}}.csv",
            caption="../report/table.rst",
            category=RUN.paper_of,
            labels=RUN.labels("table (.csv)"),
        ),
        markdown=f"{RUN.report}/tables/{{figure}}.md",
        latex=f"{RUN.report}/tables/{{figure}}.tex",
        provenance=f"{RUN.report}/tables/{{figure}}.csv.json",
    log:
        f"{RUN.work}/logs/figures/{{figure}}.log",
    resources:
        **RUN.resources.of_step("figure"),
    params:
        title=lambda w: RUN.figures[w.figure].title,
        drawing=RUN.drawing_of,
        arguments=lambda w: RUN.figures[w.figure].arguments,
        verdicts=lambda w, input: ["--verdicts", *input.verdicts] if input.verdicts else [],
        tabulation=RUN.tabulation_of,
        beside=RUN.beside_table,
        figure=lambda w, output: output.picture.removesuffix(".svg"),
        table=lambda w, output: output.table.removesuffix(".csv"),
        sources=lambda w: RUN.digest(RUN.drawing_of(w), RUN.tabulation_of(w)),
    shell:
        "python -m manybandits.base.steps"
        " {params.drawing:q} --title {params.title:q} {params.arguments:q} {params.verdicts:q}"
        " --runs {input.runs:q} --out {params.figure:q} +"
        " {params.tabulation:q} --title {params.title:q} {params.beside:q} --runs {input.runs:q} --out {params.table:q}"
        " 2> {log:q}"


# The figure of a measurement, from its table.
rule drawing:
    input:
        table=f"{RUN.report}/tables/{{drawn}}.csv",
        provenance=f"{RUN.report}/tables/{{drawn}}.csv.json",
    output:
        picture=f"{RUN.report}/figures/{{drawn}}.svg",
        numbers=multiext(f"{RUN.report}/figures/{{drawn}}", ".csv", ".csv.json"),
    log:
        f"{RUN.work}/logs/figures/{{drawn}}.log",
    resources:
        **RUN.resources.of_step("figure"),
    params:
        title=lambda w: RUN.drawn[w.drawn].title,
        drawing=lambda w: f"manybandits.figures.{RUN.drawn[w.drawn].kind}",
        arguments=lambda w: RUN.drawn[w.drawn].arguments,
        figure=lambda w, output: output.picture.removesuffix(".svg"),
        sources=lambda w: RUN.digest(f"manybandits.figures.{RUN.drawn[w.drawn].kind}"),
    shell:
        "python -m {params.drawing:q} --title {params.title:q} {params.arguments:q} --table {input.table:q}"
        " --out {params.figure:q} 2> {log:q}"


# Seconds and memory of all plays.
rule cost:
    input:
        runs=RUN.run_tables,
        costs=RUN.beside(RUN.run_tables),
    output:
        table=f"{RUN.report}/tables/cost.csv",
        markdown=f"{RUN.report}/tables/cost.md",
        provenance=f"{RUN.report}/tables/cost.csv.json",
    log:
        f"{RUN.work}/logs/tables/cost.log",
    resources:
        **RUN.resources.of_step("cost"),
    params:
        stem=lambda w, output: output.table.removesuffix(".csv"),
        sources=RUN.digest("manybandits.tables.cost"),
    shell:
        "python -m manybandits.tables.cost --runs {input.runs:q} --out {params.stem:q} 2> {log:q}"


# The league: every algorithm on every game that it can play.
rule league:
    input:
        runs=RUN.league_tables,
    output:
        picture=f"{RUN.report}/figures/league.svg",
        numbers=multiext(f"{RUN.report}/figures/league", ".csv", ".csv.json"),
        table=f"{RUN.report}/tables/league.csv",
        markdown=f"{RUN.report}/tables/league.md",
        latex=f"{RUN.report}/tables/league.tex",
        provenance=f"{RUN.report}/tables/league.csv.json",
    log:
        f"{RUN.work}/logs/league.log",
    resources:
        **RUN.resources.of_step("league"),
    params:
        title="Algorithms ranked over games",
        figure=lambda w, output: output.picture.removesuffix(".svg"),
        table=lambda w, output: output.table.removesuffix(".csv"),
        sources=RUN.digest("manybandits.figures.league"),
    shell:
        "python -m manybandits.base.steps"
        " manybandits.tables.league --title {params.title:q} --runs {input.runs:q} --out {params.table:q} +"
        " manybandits.figures.league --title {params.title:q} --runs {input.runs:q} --out {params.figure:q} 2> {log:q}"
