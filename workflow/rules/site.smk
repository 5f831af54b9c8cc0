# One notebook per paper, executed on the results of this run (`snakemake --cores 8 notebooks`), and all pages.
rule notebook:
    input:
        notebook=RUN.notebook,
        paper=lambda w: RUN.files_of(w.notebook),
        evidence=lambda w: RUN.evidence_of(RUN.plan.targets[w.notebook]),
        verdicts=RUN.verdicts,  # the file itself: with `rules.verdicts.output` a dry run takes a tenth longer
        headlines=RUN.headlines,
    output:
        page=f"{RUN.report}/notebooks/{{notebook}}.html",
        provenance=f"{RUN.report}/notebooks/{{notebook}}.html.json",
    log:
        f"{RUN.work}/logs/notebooks/{{notebook}}.log",
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        results=lambda w, input: str(Path(input.verdicts).parent),
        runs=RUN.work,
        scale=RUN.changes_of,
        sources=RUN.digest("manybandits.notebook"),
    shell:
        "python -m manybandits.notebook {input.notebook:q} --results {params.results} --runs {params.runs}"
        " {params.scale:q} --out {output.page} 2> {log}"


rule notebooks:
    input:
        RUN.notebook_pages,


rule page:
    input:
        evidence=RUN.evidence_of(RUN.made.values()),
        cost=rules.cost.output if RUN.plays else [],
        ranks=rules.league.output if RUN.league_tables else [],
        papers=RUN.paper_files,
        league=RUN.league_file,
        verdicts=RUN.verdicts,
        headlines=RUN.headlines,
        notebooks=RUN.site_notebooks,
        readings=RUN.readings.site_inputs,
    output:
        site=RUN.site,
    log:
        f"{RUN.work}/logs/page.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        title=f"manybandits: {RUN.plan.name}",
        papers=RUN.papers,
        figures=RUN.figure_stems,
        tables=RUN.table_stems,
        omitted=RUN.omitted,
        readings=RUN.readings.site_arguments,
        folder=lambda w, output: str(Path(output.site[0]).parent),
        sources=RUN.site_sources,
    shell:
        "python -m manybandits.report --title {params.title:q} --papers {params.papers:q} --figures {params.figures}"
        " --tables {params.tables} --verdicts {input.verdicts} --headlines {input.headlines}"
        " --notebooks {input.notebooks} {params.readings}"
        " --arenas {input.league:q} --omitted {params.omitted:q} --out {params.folder} > {log} 2>&1"
