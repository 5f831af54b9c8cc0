# One notebook a paper, executed on what this run found: `snakemake --cores 8 notebooks`. Then the pages of the run.
rule notebook:
    input:
        notebook="notebooks/{notebook}.py",
        paper="workflow/papers/{notebook}.yaml",
        evidence=lambda w: RUN.evidence_of(RUN.plan.targets[w.notebook]),
        verdicts=rules.verdicts.output.verdicts,
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
        scale=lambda w: RUN.scale_of(w.notebook),
        sources=RUN.digest("manybandits.notebook"),
    shell:
        "python -m manybandits.notebook {input.notebook} --results {params.results} --runs {params.runs}"
        " {params.scale:q} --out {output.page} 2> {log}"


rule notebooks:
    input:
        RUN.notebook_pages,


rule page:
    input:
        evidence=RUN.site_evidence,
        papers=RUN.papers,
        league=RUN.league_file,
        verdicts=rules.verdicts.output.verdicts,
        notebooks=RUN.site_notebooks,
    output:
        page=RUN.page,
    log:
        f"{RUN.work}/logs/page.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        title=f"manybandits: {RUN.plan.name}",
        figures=RUN.figure_stems,
        tables=RUN.table_stems,
        omitted=RUN.omitted,
        folder=lambda w, output: str(Path(output.page).parent),
        sources=RUN.site_sources,
    shell:
        "python -m manybandits.report --title {params.title:q} --papers {input.papers} --figures {params.figures}"
        " --tables {params.tables} --verdicts {input.verdicts} --notebooks {input.notebooks}"
        " --arenas {input.league} --omitted {params.omitted:q} --out {params.folder} > {log} 2>&1"
