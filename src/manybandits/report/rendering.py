"""Rendering of pages: the environment of the templates, its filters, and how numbers are written."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from manybandits.base.sources import digest_of_files
from manybandits.results.display_names import algorithm_name, column_name

TEMPLATES = Path(__file__).with_name("templates")
ASSETS = Path(__file__).with_name("assets")

REMEMBERED_THEME = (
    'try { document.documentElement.dataset.theme = localStorage.getItem("theme") || ""; } '
    "catch (e) { /* remembered nowhere */ }"
)
"""The only script that is written into pages: it runs before anything is shown."""
POLICY = "; ".join(
    (
        "default-src 'none'",
        # Vega makes functions of the expressions in its specifications, which are ours.
        f"script-src 'self' 'unsafe-eval' 'sha256-{b64encode(sha256(REMEMBERED_THEME.encode()).digest()).decode()}'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
"""What a page may load: files of the site alone. Text that a browser takes for a script does not run."""


def environment() -> jinja2.Environment:
    """Return the environment of the templates: all text is escaped, and an unknown name is an error."""
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"number": number, "numeric": numeric, "words": lambda name: str(name).replace("_", " ")}
    found.globals |= {"policy": Markup(POLICY), "remembered_theme": Markup(REMEMBERED_THEME)}
    found.filters |= {"algorithm_name": algorithm_name, "column_name": column_name}
    return found


def number(text: object) -> str:
    """Return a number with four significant digits, or all digits before the point; any other text as it is.

    >>> number("4839.612"), number("0.0123456"), number("12"), number("2e-05"), number("not tuned")
    ('4,840', '0.01235', '12', '2e-05', 'not tuned')
    """
    try:
        value = float(str(text))
    except ValueError:
        return str(text)
    if value != value or value in (float("inf"), float("-inf")):
        return ""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def numeric(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> set[str]:
    """Return the columns that hold only numbers and empty cells, and at least one number."""

    def are_numbers(texts: list[str]) -> bool:
        try:
            return bool([float(text) for text in texts])
        except ValueError:
            return False

    return {name for name in columns if are_numbers([str(row[name]) for row in rows if str(row[name])])}


def script(content: Any) -> Markup:
    """Return JSON that is safe inside a script: it holds no letter that begins markup or ends a line."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def digest() -> str:
    """Return 16 hexadecimal digits over templates and assets, which no module imports."""
    return digest_of_files(path for folder in (TEMPLATES, ASSETS) for path in folder.iterdir())
