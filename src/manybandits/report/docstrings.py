"""Docstrings as pages show them: paragraphs, lists, formulas as they are set, names as code and titles in italics."""

from __future__ import annotations

import re
import textwrap

from markupsafe import Markup, escape

NAME = re.compile(r"``(.+?)``|`(.+?)`")
TITLE = re.compile(r"(?<![^\s(])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])")
INDENT = "    "
BULLET = "* "


def render(text: str) -> Markup:
    """Return a docstring as markup. Blank lines set its blocks apart: formulas are indented, lists have stars."""
    return Markup("\n").join(_block(block) for block in text.strip("\n").split("\n\n") if block.strip())


def _block(block: str) -> Markup:
    """Return one block of a docstring."""
    if block.startswith(INDENT):
        formula = Markup('<pre class="wide" tabindex="0" role="region" aria-label="Formula">{}</pre>')
        return formula.format(NAME.sub(lambda found: found[1] or found[2], textwrap.dedent(block)))
    if block.startswith(BULLET):
        items = re.split(r"^\* ", block, flags=re.MULTILINE)[1:]
        return Markup("<ul>{}</ul>").format(Markup("").join(Markup("<li>{}</li>").format(_line(one)) for one in items))
    return Markup("<p>{}</p>").format(_line(block))


def _line(text: str) -> Markup:
    """Return the text of a paragraph, whose names are code and whose titles are in italics."""
    parts, last, text = [], 0, " ".join(text.split())
    for found in NAME.finditer(text):
        parts += [_emphasised(text[last : found.start()]), Markup("<code>{}</code>").format(found[1] or found[2])]
        last = found.end()
    return Markup("").join([*parts, _emphasised(text[last:])])


def _emphasised(text: str) -> Markup:
    return Markup(TITLE.sub(r"<em>\1</em>", str(escape(text))))
