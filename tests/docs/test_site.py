"""The built documentation: complete, without a fault, and without a request to any other host."""

from __future__ import annotations

import html
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest

import manybandits as mb
from manybandits import cli, datasets
from manybandits.algorithms import catalogue, compiled_policy, contract, plain
from manybandits.algorithms.description import descriptions
from manybandits.cli.parser import Parser
from manybandits.environments.catalogue import GAMES
from manybandits.interface import adapters, games
from manybandits.papers.claims_file import ClaimEntry
from manybandits.papers.experiment import Experiment
from manybandits.planning.configuration import Configuration
from tests.browser.driver import NEEDED, PHONE, WIDE, visiting
from tests.conftest import ROOT

for package in ("mkdocs", "material", "mkdocstrings"):
    pytest.importorskip(package, reason=f"{package}, of the extra `docs`, is not installed: nothing is built")

LOADED = {"script": ["src"], "link": ["href"], "iframe": ["src"], "img": ["src", "srcset"], "source": ["src", "srcset"]}
"""Elements whose attributes a browser loads, or may load."""
UNUSED = {"https://unpkg.com/mermaid", "https://unpkg.com/resize-observer-polyfill"}
"""What scripts of the theme load for diagrams, of which there are none, and for browsers of the years before 2020."""
OF_THE_THEME = {"aria-dialog-name", "landmark-unique"}
"""What axe finds in the theme's own search and navigation."""


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Path:
    """The folder of the documentation, built as `make docs` builds it."""
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


class Elements(HTMLParser):
    """The elements of a page, as pairs of a tag and its attributes."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def pages(folder: Path) -> list[Path]:
    """Return all pages."""
    return sorted(folder.rglob("*.html"))


def ids(path: Path) -> set[str]:
    """Return the anchors of a page."""
    return {str(attributes["id"]) for _, attributes in Elements(path).found if "id" in attributes}


def is_elsewhere(address: str) -> bool:
    """Return whether an address is on another host."""
    return bool(re.match(r"\s*(https?:)?//", address))


def test_no_page_loads_anything_from_another_host(built):
    asked = {
        (path.name, tag, value)
        for path in pages(built)
        for tag, attributes in Elements(path).found
        for name in LOADED.get(tag, ())
        for value in str(attributes.get(name) or "").split(",")
        if is_elsewhere(value)
    }
    assert asked == set()


def test_no_style_and_no_script_loads_anything_from_another_host(built):
    styles = "".join(path.read_text(encoding="utf-8") for path in built.rglob("*.css"))
    assert [one for one in re.findall(r"url\(\s*[\"']?([^)\"']+)", styles) if is_elsewhere(one)] == []
    assert "@import" not in styles
    scripts = "".join(path.read_text(encoding="utf-8") for path in (built / "assets").rglob("*.js"))
    assert set(re.findall(r"https?://unpkg\.com/[\w.-]+", scripts)) <= UNUSED
    assert not any("mermaid" in path.read_text(encoding="utf-8") for path in pages(built))


def test_every_name_of_the_python_interface_is_documented(built):
    stub = (ROOT / "src/manybandits/__init__.pyi").read_text(encoding="utf-8")
    names = re.findall(r"import \w+ as (\w+)", stub)
    assert {"play", "games", "InputError"} <= set(names) <= set(dir(mb))
    public = [getattr(mb, name) for name in names]
    public += [getattr(games, name) for name in ("load", "openml", "from_ratings", "from_rows", "from_log", "Game")]
    public += [getattr(adapters, name) for name in ("river", "mabwiser", "contextualbandits")]
    places = {one.__name__ if inspect.ismodule(one) else f"{one.__module__}.{one.__qualname__}" for one in public}
    assert places - ids(built / "reference/python.html") == set()


def test_the_contract_is_documented(built):
    documented = ids(built / "reference/contract.html")
    functions = [name for name, _ in inspect.getmembers(compiled_policy, inspect.isfunction)]
    assert {f"{compiled_policy.__name__}.{name}" for name in functions} <= documented
    assert {f"{contract.__name__}.{one}" for one in ("Option", "Problem", "FirstObservations")} <= documented


def commands_of(parser: Parser) -> Iterator[Parser]:
    for one in parser.commands().values():
        yield one
        yield from commands_of(one)


def test_every_command_and_every_option_is_documented(built):
    page = (built / "reference/commands.html").read_text(encoding="utf-8")
    parsers = list(commands_of(cli.build_parser()))
    assert len(parsers) > 10
    for parser in parsers:
        assert parser.prog.removeprefix("manybandits ").replace(" ", "-") in ids(built / "reference/commands.html")
        flags = [flag for action in parser._actions for flag in action.option_strings]
        assert [flag for flag in flags if flag not in page] == []


def test_every_algorithm_data_set_and_game_is_listed(built):
    assert set(catalogue.names()) <= ids(built / "reference/algorithms.html")
    assert set(GAMES) <= ids(built / "reference/games.html")
    page = (built / "reference/datasets.html").read_text(encoding="utf-8")
    assert [name for name in datasets.names() if f"<code>{name}</code>" not in page] == []


@pytest.mark.parametrize(
    ("kind", "page"), [(Configuration, "configuration"), (Experiment, "paper-files"), (ClaimEntry, "paper-files")]
)
def test_every_key_is_documented(built, kind, page):
    text = (built / f"reference/{page}.html").read_text(encoding="utf-8")
    keys = [field.encode_name for field in msgspec.structs.fields(kind)]
    assert [key for key in keys if f"<code>{key}</code>" not in text] == []


def test_docstrings_have_their_parameters_tables_links_and_formulas(built):
    page = (built / "reference/python.html").read_text(encoding="utf-8")
    assert re.search(
        r"<li>\s*(<p>)?<code>tuning_seeds, tuning, tuning_rounds</code>: how the reported grid point", page
    )
    assert re.search(r"<td><code>agreement</code></td>\s*<td>adjusted Rand index", page)
    assert re.search(r'see <a [^>]*href="#manybandits.interface.plays.Policy"><code>Policy</code></a>', page)
    games = (built / "reference/games.html").read_text(encoding="utf-8")
    assert re.search(r"<code>[^<]*user = class +the policy sees the user", re.sub("</?span[^>]*>", "", games))


def test_code_is_shown_with_its_colours(built):
    page = (built / "tutorial.html").read_text(encoding="utf-8")
    assert "language-sh" in page
    assert '<span class="k">def</span>' in page


class TestInABrowser:
    """Pages that are opened from their files."""

    pytestmark = NEEDED

    @pytest.fixture
    def visit(self, browser, built):
        with visiting(browser, built) as go:
            yield go

    @pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
    def test_no_page_has_an_error_or_is_wider_than_its_window(self, visit, built, viewport):
        page = visit("index.html", viewport=viewport)
        for path in pages(built):
            page.goto(path.as_uri())
            assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], path.name

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("address", ["index.html", "tutorial.html", "how-to/claim.html", "reference/python.html"])
    def test_pages_are_accessible(self, visit, address, scheme):
        axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
        page = visit(address, color_scheme=scheme)
        found = axe.Axe().run(page, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found if one["id"] not in OF_THE_THEME] == []

    def test_a_word_is_found_without_a_server(self, visit):
        page = visit("index.html")
        page.keyboard.press("f")
        page.keyboard.type("propensity")
        page.locator(".md-search-result__item").first.wait_for()
        assert "Make a game from your own data" in page.locator(".md-search-result__list").inner_text()


def test_the_page_of_algorithms_begins_with_links_to_all_and_folds_what_is_long(built):
    text = (built / "reference/algorithms.html").read_text(encoding="utf-8")
    index = text.split("<table>")[1].split("</table>")[0]
    assert set(re.findall(r'href="#(\w+)"', index)) == set(catalogue.names())
    twins = [name for name in catalogue.names() if plain.source(name)]
    assert text.count("<details>") == len(catalogue.names()) + len(twins)
    shown = " ".join(re.sub(r"<[^>]+>", " ", re.sub(r"<details>.*?</details>", "", text, flags=re.DOTALL)).split())
    for sentences in descriptions().values():
        for sentence in sentences:
            assert html.escape(sentence, quote=False) in shown or sentence in shown
