"""One self-contained page with the figures and tables of a run."""

from __future__ import annotations

import argparse
import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from manybandits.core.artifacts import load_provenance, save_text
from manybandits.core.errors import InputError, run_script


def section(figure: Path | None, table: Path | None) -> dict[str, Any]:
    """Return what the page shows of a figure and of a table, given as stems; either may be missing."""
    content: dict[str, Any] = {"stand_in": False, "note": ""}
    if figure is not None:
        made = load_provenance(_with(figure, ".csv"))
        content |= {
            "key": figure.name,
            "title": made["settings"]["title"],
            "alt": f"{made['settings']['title']}; the table below has the numbers.",
            "image": base64.b64encode(_with(figure, ".png").read_bytes()).decode(),
            **{key: made["facts"][key] for key in ("caption", "data", "stand_in")},
        }
    if table is not None:
        made = load_provenance(_with(table, ".csv"))
        rows = pd.read_csv(_with(table, ".csv"), keep_default_na=False)
        content = {"key": table.name, "title": made["settings"]["title"], **content, "note": made["facts"]["note"]}
        content["columns"] = [
            {"name": str(name).replace("_", " "), "kind": "number" if _numbers(rows[name]) else ""} for name in rows
        ]
        content["rows"] = [[_shown(cell) for cell in row] for row in rows.itertuples(index=False)]
    return content


def render(title: str, figures: Sequence[Path], tables: Sequence[Path], omitted: Sequence[str] = ()) -> str:
    """Return the page. A figure and a table of one name share a section; omitted: what is not testable, and why."""
    table_of = {table.name: table for table in tables}
    sections = [section(figure, table_of.pop(figure.name, None)) for figure in figures]
    sections += [section(None, table) for table in table_of.values()]
    if not sections:
        raise InputError("there is neither a figure nor a table to show: name at least one.")
    first = (*figures, *tables)[0]
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("manybandits.report", "."), autoescape=True, undefined=jinja2.StrictUndefined
    )
    template = environment.get_template("page.html.jinja")
    made_with = load_provenance(_with(first, ".csv"))["made_on"]["packages"]
    empty = {"image": "", "rows": [], "columns": [], "caption": "", "data": [], "alt": ""}
    filled = [empty | part for part in sections]
    return template.render(title=title, sections=filled, omitted=omitted, made_with=made_with)


def _with(stem: Path, ending: str) -> Path:
    return stem.with_name(stem.name + ending)


def _numbers(column: pd.Series) -> bool:
    return bool(pd.to_numeric(column, errors="coerce").notna().any())


def _shown(cell: object) -> str:
    return f"{cell:,.2f}" if isinstance(cell, float) else str(cell)


def main(argv: list[str] | None = None) -> None:
    """Write the page of some figures and tables."""
    parser = argparse.ArgumentParser(prog="python -m manybandits.report", description="Write the page of a run.")
    parser.add_argument("--title", required=True)
    parser.add_argument("--figures", type=Path, nargs="*", default=[], help="stems of figures")
    parser.add_argument("--tables", type=Path, nargs="*", default=[], help="stems of tables")
    parser.add_argument("--omitted", nargs="*", default=[], help="sentences on what is not testable here")
    parser.add_argument("--out", type=Path, required=True, help="the .html file to write")
    given = parser.parse_args(argv)
    save_text(given.out, render(given.title, given.figures, given.tables, given.omitted))
    print(given.out.resolve())


if __name__ == "__main__":
    run_script(main)
