"""Execute a notebook and write it as one HTML file that loads no other file.

A notebook is a script in cells (jupytext's percent format), so that a review shows what changed. It is executed whole
from the working directory, by papermill, with the folders of a run as parameters. The page has the same bytes whenever
what it shows is the same: neither times nor counts of executions nor random names are in it.

    python -m manybandits.notebook notebooks/m_cnb.py --results reports/smoke --out x.html
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2

from manybandits.base.artifacts import Provenance, save_text
from manybandits.base.exceptions import InputError

KERNEL = "python3"
HIDDEN = ("parameters",)
"""Tags of cells that a page leaves out: the default parameters, which were replaced."""


def execute(notebook: Path, parameters: Mapping[str, str], within: Path = Path()) -> Any:
    """Return a notebook executed in the folder `within`; raise InputError naming the error that stopped it."""
    import jupytext
    import papermill
    from jupyter_client.kernelspec import NoSuchKernel

    os.environ["TQDM_DISABLE"] = "1"  # which the kernel inherits: a page has no progress bars
    book = jupytext.read(notebook)
    for place, cell in enumerate(book.cells):
        cell.id = f"cell-{place}"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings of libraries, which no reader can fix
            return papermill.execute_notebook(
                book,
                None,
                parameters=dict(parameters),
                kernel_name=KERNEL,
                progress_bar=False,
                language="python",
                cwd=str(within),
            )
    except NoSuchKernel as error:
        raise InputError(
            f"there is no kernel {KERNEL!r} to execute {notebook}: install one by `pip install ipykernel`."
        ) from error
    except papermill.PapermillExecutionError as error:
        raise InputError(f"{notebook} stopped in a cell by {error.ename}: {error.evalue}") from error


def to_html(book: Any, paper: str = "") -> str:
    """Return the page of an executed notebook. Its title is the first heading. paper: whose page it links back to."""
    from nbconvert import HTMLExporter
    from pygments.formatters import HtmlFormatter

    book.cells = [cell for cell in book.cells if not set(HIDDEN) & set(cell.metadata.get("tags", ()))]
    for place, cell in enumerate(book.cells):
        cell.id = f"cell-{place}"
    headings = [cell.source.splitlines()[0] for cell in book.cells if cell.cell_type == "markdown"]
    title = next((heading.lstrip("# ") for heading in headings if heading.startswith("# ")), "Notebook")
    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True)
    body, _ = exporter.from_notebook_node(book)
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("manybandits.notebook", "."), autoescape=True, undefined=jinja2.StrictUndefined
    )
    styles = [("default", "light"), ("github-dark", "dark")]
    code = [(scheme, HtmlFormatter(style=style).get_style_defs(".highlight")) for style, scheme in styles]
    return environment.get_template("page.html.jinja").render(title=title, body=body, code=code, paper=paper)


def main(argv: list[str] | None = None) -> None:
    """Write the page of a notebook."""
    parser = argparse.ArgumentParser(prog="python -m manybandits.notebook", description="Execute a notebook into HTML.")
    parser.add_argument("notebook", type=Path, help="a script of notebooks/")
    parser.add_argument("--results", type=Path, required=True, help="folder of the run, such as reports/smoke")
    parser.add_argument("--scale", default="", help="what the run was made with, in words")
    parser.add_argument(
        "--within",
        type=Path,
        help="the folder from which it names that one, and where it is executed (default: this)",
    )
    parser.add_argument("--out", type=Path, required=True, help="the .html file to write")
    args = parser.parse_args(argv)
    if not args.results.is_dir():
        raise InputError(f"{args.results} is no folder: name the folder of a run, such as reports/smoke.")
    results = os.path.relpath(args.results, args.within) if args.within else str(args.results)
    parameters = {"results": results, "scale": args.scale}
    provenance = Provenance(parameters, (args.notebook,))
    save_text(args.out, to_html(execute(args.notebook, parameters, args.within or Path()), args.out.stem))
    provenance.save(args.out)
