# One notebook per paper, executed on the results of this run (`snakemake --cores 8 notebooks`), and all pages.
rule notebook:
    input:
        notebook=local(lambda w: RUN.notebook_of(w.notebook)),
        paper=local(lambda w: RUN.files_of(w.notebook)),
        evidence=lambda w: RUN.evidence_of(RUN.plan.targets[w.notebook]),
        verdicts=RUN.verdicts,  # the file itself: with `rules.verdicts.output` a dry run takes a tenth longer
        headlines=RUN.headlines,
    output:
        page=f"{RUN.report}/notebooks/{{notebook}}.html",
        provenance=f"{RUN.report}/notebooks/{{notebook}}.html.json",
    log:
        f"{RUN.work}/logs/notebooks/{{notebook}}.log",
    resources:
        **RUN.resources.of_step("notebook"),
    params:
        results=lambda w, input: str(Path(input.verdicts).parent),
        runs=lambda w, input: RUN.beside_verdicts(input.verdicts, [RUN.work])[0],
        scale=RUN.changes_of,
        within=["--within", RUN.within] if RUN.within else [],
        sources=RUN.digest("manybandits.notebook"),
    shell:
        "python -m manybandits.notebook {input.notebook:q} --results {params.results:q} --runs {params.runs:q}"
        " {params.scale:q} {params.within:q} --out {output.page:q} 2> {log:q}"


rule notebooks:
    input:
        RUN.notebook_pages,


rule page:
    input:
        evidence=RUN.evidence_of(RUN.made.values()),
        cost=rules.cost.output if RUN.plays else [],
        ranks=rules.league.output if RUN.league_tables else [],
        papers=local(RUN.paper_files),
        league=local(RUN.league_file),
        findings=local(RUN.findings_file),
        verdicts=RUN.verdicts,
        headlines=RUN.headlines,
        notebooks=RUN.site_notebooks,
        readings=RUN.readings.site_inputs,
    output:
        site=RUN.site,
    log:
        f"{RUN.work}/logs/page.log",
    resources:
        **RUN.resources.of_step("page"),
    params:
        arguments=lambda w, input: RUN.site_arguments(str(input.verdicts)),
        folder=lambda w, output: str(Path(output.site[0]).parent),
        sources=RUN.site_sources,
    shell:
        "python -m manybandits.report {params.arguments:q} --out {params.folder:q} > {log:q} 2>&1"
