"""Docstrings in Markdown.

A section here says ``name : meaning``, because types are in the signature; in numpy's style, which parsers know, the
text behind the colon would be a type. Names in single backticks are links where the reference documents them.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from griffe import Extension, NameResolutionError, Object

HEAD = re.compile(r"^(Parameters|Attributes|Returns)\n-+\n", re.MULTILINE)
ENTRY = re.compile(r"(?:^|; )(\*{0,2}[a-z]\w*(?:, \w+)*) : ", re.MULTILINE)
ALIGNED = re.compile(r"^\S.*?\S {2,}\S", re.MULTILINE)
TABLE = re.compile(r"^=+  =+\n(?P<rows>.*?)\n=+  =+$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"(?<![`\w\[])`([\w.]+)`(?!`)")
PAGE = Path(__file__).parents[1] / "reference" / "python.md"
DOCUMENTED = set(re.findall(r"^::: (\S+)", PAGE.read_text(encoding="utf-8"), re.MULTILINE))
"""The names that the page of the Python interface documents, with whatever is inside them."""


class Plain(Extension):
    """Rewrites the docstrings of all documented objects before they are parsed."""

    def on_object(self, *, obj: Object, **_: object) -> None:
        """Rewrite a docstring."""
        if obj.docstring:
            linked = NAME.sub(lambda found: _link(found, obj), obj.docstring.value)
            obj.docstring.value = in_markdown(linked)


def in_markdown(text: str) -> str:
    """Return the text of a docstring with its sections as lists, its tables, and other aligned lines as code."""
    parts = HEAD.sub(r"**\1**\n\n", TABLE.sub(_table, text)).split("\n\n")
    parts = [ENTRY.sub(r"\n* `\1`: ", part).strip("\n") if ENTRY.match(part) else part for part in parts]
    return "\n\n".join(
        textwrap.indent(part, "    ") if ALIGNED.search(part) and part[0] not in "|*" else part for part in parts
    )


def _table(found: re.Match[str]) -> str:
    """Return a table of two columns in Markdown."""
    rows: list[str] = []
    for line in found["rows"].splitlines():
        name, _, meaning = line.partition("  ")
        if name.startswith("="):
            continue  # below a head
        if name:
            rows.append(f"| `{name}` | {meaning.strip()}")
        else:
            rows[-1] += f" {meaning.strip()}"
    return "\n".join(["| name | meaning |", "|---|---|", *(f"{row} |" for row in rows)])


def _link(found: re.Match[str], of: Object) -> str:
    """Return a name in backticks as a link if the page of the Python interface documents it."""
    try:
        path = found[1] if found[1].startswith("manybandits.") else of.resolve(found[1])
    except NameResolutionError:
        return found[0]
    if path not in DOCUMENTED and path.rpartition(".")[0] not in DOCUMENTED:
        return found[0]
    return f"[`{found[1].removeprefix('manybandits.interface.')}`][{path}]"
