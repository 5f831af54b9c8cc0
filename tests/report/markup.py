"""The markup of pages, as tests of a site read it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path


class Page(HTMLParser):
    """The elements of a page: tags with their attributes, the ids, and the text outside scripts."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.text: list[str] = []
        self._script = False
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, {name: value or "" for name, value in attributes}))
        self._script = tag in ("script", "style")

    def handle_endtag(self, tag):
        self._script = False

    def handle_data(self, data):
        if not self._script:
            self.text.append(data)

    @property
    def ids(self) -> list[str]:
        return [attributes["id"] for _, attributes in self.tags if "id" in attributes]

    @property
    def links(self) -> list[str]:
        return [attributes[name] for _, attributes in self.tags for name in ("href", "src") if attributes.get(name)]


def words_of(markup: str) -> str:
    """Return the text of a piece of markup, with spaces as one."""
    return " ".join(re.sub(r"<[^>]+>", " ", markup).split())


def escaped(text: str) -> str:
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&#34;").replace("'", "&#39;")
    )
