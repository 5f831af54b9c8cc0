"""A hook of MkDocs: adds the reference pages, which are made from the code, and notebooks, which are made of pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import catalogues
import commands
import jupytext
import keys
import performance
import scale
from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files


def on_config(config: MkDocsConfig) -> None:
    """Leave out the page that servers show for a wrong address: it works on a server only."""
    config.theme.static_templates.discard("404.html")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages."""
    root = Path(config.config_file_path).parent
    made = {
        "commands": commands.page,
        "algorithms": catalogues.algorithms,
        "datasets": catalogues.data_sets,
        "games": catalogues.games,
        "configuration": lambda: keys.configuration(root),
        "paper-files": keys.paper_files,
        "open-questions": lambda: catalogues.open_questions(root),
        "performance": lambda: performance.page(root),
        "scale": scale.page,
    }
    for name, page in made.items():
        files.append(File.generated(config, f"reference/{name}.md", content=page()))
    for path in sorted((root / "docs/teach").glob("*.md")):
        if (notebook := jupytext.read(path)).metadata.get("kernelspec"):
            written = jupytext.writes(notebook, fmt="ipynb")
            files.append(File.generated(config, f"teach/{path.stem}.ipynb", content=written))
    return files
