"""Python code as pages show it: comments, strings and keywords have a class each, which the style sheet colours."""

from __future__ import annotations

import io
import keyword
import tokenize

from markupsafe import Markup, escape

CLASSES = {tokenize.COMMENT: "comment", tokenize.STRING: "string"}


def coloured(text: str) -> Markup:
    """Return Python code as markup, line breaks included. text: code that compiles, or ""."""
    starts, total = [0], 0
    for line in text.splitlines(keepends=True):
        total += len(line)
        starts.append(total)
    parts, last = [], 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        kind = CLASSES.get(token.type, "keyword" if keyword.iskeyword(token.string) else "")
        if kind:
            first, end = (starts[row - 1] + column for row, column in (token.start, token.end))
            parts += [escape(text[last:first]), Markup('<span class="{}">{}</span>').format(kind, text[first:end])]
            last = end
    return Markup("").join([*parts, escape(text[last:])])
