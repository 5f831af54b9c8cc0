"""The files of a site, as a job that writes it declares them: known before anything is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from manybandits.report.rendering import ASSETS

PAGES = {
    "index.html": "Overview",
    "readings.html": "Set-ups",
    "claims.html": "Claims",
    "league.html": "League",
    "algorithms/index.html": "Algorithms",
    "rules.html": "Rules",
    "provenance.html": "Provenance",
}
PICTURES = {"light": "matrix.svg", "dark": "matrix-dark.svg"}
"""The matrix of headlines as a picture, by scheme."""
BLOCK = "front.md"
"""What README.md says of the run."""
MADE_BY = "site.json"
"""The commit that made the pages, which name it."""
CHARTED = ("regret", "clusters", "sweep", "option_sweep", "estimation_errors", "runtime", "grid", "dots")
"""The kinds of figures that have an interactive form, see `manybandits.report.charts`."""


def addresses(
    papers: Iterable[str], algorithms: Iterable[str], figures: Mapping[str, str], readings: Iterable[str] = ()
) -> list[str]:
    """Return the addresses of all files that `manybandits.report.site` writes, the front page first.

    figures: the kind of each, by its name; readings: the headlines of which readings are shown, as paper_headline.
    """
    charts = [name for name, kind in figures.items() if kind in CHARTED]
    charts += [f"readings_{name}" for name in readings]
    return [
        *PAGES,
        *(*PICTURES.values(), BLOCK, MADE_BY),
        *(f"papers/{name}.{ending}" for name in papers for ending in ("html", "pdf")),
        *(f"algorithms/{name}.html" for name in sorted(set(algorithms))),
        *(f"charts/{name}.js" for name in charts),
        *(f"assets/{name}" for name in sorted(asset.name for asset in ASSETS.iterdir())),
        *("assets/index.js", *(["assets/vega.js"] if charts else [])),
    ]
