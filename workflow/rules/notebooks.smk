# One notebook a paper, executed on what this run found: `snakemake --cores 8 notebooks`.
rule notebook:
    input:
        notebook="notebooks/{paper}.py",
        paper=multiext("workflow/papers/{paper}/", "experiments.yaml", "claims.yaml"),
        evidence=lambda w: evidence_of(PLAN.targets[w.paper]),
        verdicts=f"{REPORT}/verdicts.csv",
    output:
        f"{REPORT}/notebooks/{{paper}}.html",
        f"{REPORT}/notebooks/{{paper}}.html.json",
    params:
        results=REPORT,
        runs=WORK,
        scale=lambda w: ["--scale", PLAN.changes[w.paper]] if PLAN.changes[w.paper] else [],
        sources=digest("manybandits.notebook"),
    wildcard_constraints:
        paper="|".join(NOTEBOOKS) or "none",
    log:
        f"{WORK}/logs/notebooks/{{paper}}.log",
    shell:
        "python -m manybandits.notebook {input.notebook} --results {params.results} --runs {params.runs}"
        " {params.scale:q} --out {output[0]} 2> {log}"


rule notebooks:
    input:
        expand(rules.notebook.output[0], paper=NOTEBOOKS),
