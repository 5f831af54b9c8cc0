"""The command ``manybandits list``: algorithms, data sets, games, papers, experiments and claims."""

from __future__ import annotations

import argparse
import ast
from collections.abc import Callable
from pathlib import Path

import msgspec

from manybandits.algorithms import catalogue
from manybandits.base.printing import print_json, print_table, remark
from manybandits.base.sources import file_of
from manybandits.cli.commands import KINDS
from manybandits.datasets.command_line import listed
from manybandits.papers import files
from manybandits.papers.claim import PAPER

Rows = list[dict[str, object]]
COLUMNS = {
    "algorithms": ("name", "title", "family", "reference"),
    "datasets": ("name", "family", "kind", "completeness", "title"),
    "games": ("name", "what"),
    "papers": ("name", "short", "title", "experiments", "claims"),
    "experiments": ("name", "title", "left_out"),
    "claims": ("claim", "kind", "place", "says"),
}


def run(args: argparse.Namespace) -> None:
    """Print one kind, or all kinds."""
    found = {kind: rows_of(kind, args.root, args.config) for kind in _kinds(args)}
    if args.json:
        print_json(found)
        return
    for place, (kind, rows) in enumerate(found.items()):
        if not args.kind:
            print(f"{chr(10) if place else ''}{kind}: {len(rows)}")
        if rows:
            print_table(rows, COLUMNS[kind])


def _kinds(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the kinds to list: the given one, or all that the given root has."""
    if args.kind:
        return (args.kind,)
    if (args.root / "workflow/papers").is_dir():
        return KINDS
    remark(f"{args.root} has no paper files: papers, experiments and claims are not listed.")
    return KINDS[: KINDS.index("papers")]


def rows_of(kind: str, root: Path, overlays: list[Path]) -> Rows:
    """Return the rows of a kind. root: the folder of the Snakefile; overlays: of its config.yaml."""
    found: dict[str, Callable[[], Rows]] = {
        "algorithms": algorithms,
        "datasets": listed,
        "games": games,
        "papers": lambda: paper_files(root),
        "experiments": lambda: experiments(root, overlays),
        "claims": lambda: claims(root),
    }
    return found[kind]()


def algorithms() -> Rows:
    """Return one row per algorithm. Titles and references are read from the sources, without importing them."""
    rows: Rows = []
    for name in catalogue.names():
        module = catalogue.module_of(name)
        rows.append({"name": name, "family": catalogue.family_of(name), **declared(module, ("TITLE", "REFERENCE"))})
    return rows


def declared(module: str, names: tuple[str, ...]) -> dict[str, str]:
    """Return the values of the constants `names` in the source of a module: lower-case name -> value."""
    found = {}
    for node in _parsed(module).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in names:
            found[node.targets[0].id.lower()] = ast.literal_eval(node.value)
    return found


def _parsed(module: str) -> ast.Module:
    """Return the syntax tree of a module, which is not imported."""
    return ast.parse(file_of(module).read_text(encoding="utf-8"))


def games() -> Rows:
    """Return one row per game, with the first line of its module's docstring, which is read from its source."""
    from manybandits.environments.catalogue import module_of, names, script_of

    modules = {name: module_of(script_of(name)) for name in names()}
    said = {name: (ast.get_docstring(_parsed(module)) or "").partition("\n")[0] for name, module in modules.items()}
    return [{"name": name, "module": module, "what": said[name]} for name, module in modules.items()]


def paper_files(root: Path) -> Rows:
    """Return one row per paper."""
    rows: Rows = []
    for name, paper in files.read_papers(root).items():
        counts = {"experiments": len(paper.experiments), "claims": sum(one.reading == PAPER for one in paper.claims)}
        rows.append({"name": name, "short": paper.short, "title": paper.title, **counts})
    return rows


def experiments(root: Path, overlays: list[Path]) -> Rows:
    """Return one row per target of Snakemake, and per experiment that is left out, with the reason."""
    from manybandits.planning.listing import list_targets

    return [one._asdict() for one in list_targets(root, overlays)]


def claims(root: Path, only: str | None = None) -> Rows:
    """Return one row per claim, with the names of its other readings. only: the paper that is wanted."""
    rows: Rows = []
    for paper in files.read_papers(root, only).values():
        for claim in paper.claims:
            if claim.reading == PAPER:
                others = [one.reading for one in paper.claims if one.id == claim.id and one.reading != PAPER]
                facts = msgspec.to_builtins(claim)
                rows.append({"claim": facts.pop("id"), **facts, "other_readings": others})
    return rows
