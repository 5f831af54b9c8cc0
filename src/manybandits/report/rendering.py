"""Rendering of pages: the environment of the templates with its filters, and JSON inside of scripts."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from manybandits import datasets
from manybandits.base.sources import digest_of_files
from manybandits.claims import sentences
from manybandits.results import numbers
from manybandits.results.display_names import TUNINGS, algorithm_name, column_name, flag_name, note_words

TEMPLATES = Path(__file__).with_name("templates")
ASSETS = Path(__file__).with_name("assets")
NUMBERS = ("number", "probability", "duration", "short_time", "games", "numeric")
SENTENCES = (
    "tell",
    "estimate",
    "interval",
    "quantity",
    "worst_of",
    "stated",
    "labels_of",
    "code_words",
    "setups_words",
)
"""The functions of `manybandits.results.numbers` and `manybandits.claims.sentences` that templates use as filters."""

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

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def environment() -> jinja2.Environment:
    """Return the environment of the templates: all text is escaped, and an unknown name is an error."""
    found = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {name: getattr(numbers, name) for name in NUMBERS}
    found.filters |= {name: getattr(sentences, name) for name in SENTENCES}
    found.filters |= {"words": lambda name: str(name).replace("_", " ")}
    found.filters |= {"algorithm_name": algorithm_name, "column_name": column_name}
    found.filters |= {"flag_name": flag_name, "note_words": note_words, "data_words": data_words}
    # pyrefly: ignore[bad-assignment]
    found.globals |= {"policy": Markup(POLICY), "remembered_theme": Markup(REMEMBERED_THEME), "tunings": TUNINGS}
    return found


def data_words(text: str) -> str:
    """Return a text, such as the limits of a run, with the titles of data sets for their names.

    >>> data_words("movielens-1m (paper: movielens-25m)")
    'MovieLens 1M (paper: MovieLens 25M)'
    """
    known = datasets.names()
    return _NAME.sub(lambda found: datasets.load(found[0]).DATASET.title if found[0] in known else found[0], text)


def script(content: Any) -> Markup:
    """Return JSON that is safe inside a script: it holds no letter that begins markup or ends a line."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    return Markup(text)


def digest() -> str:
    """Return 16 hexadecimal digits over templates and assets, which no module imports."""
    return digest_of_files(path for folder in (TEMPLATES, ASSETS) for path in folder.iterdir())
