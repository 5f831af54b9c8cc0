# One notebook a paper, executed on what this run found: `snakemake --cores 8 notebooks`.
def scale_of(paper):
    """Return the settings that replace those of a paper, in words, as arguments; none where none do."""
    given = overlay(config, config.get("per_paper", {}).get(paper, {})).get("settings", {})
    scale = ", ".join(f"{name} {value}" for name, value in given.items() if name != "grid")
    return ["--scale", scale] if scale else []


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
        scale=lambda w: scale_of(w.paper),
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
