"""Hostile texts in the fields that people read: they stay text, in tables, on pages and in notebooks."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import Latex, Markdown
from manybandits.datasets.own import declare
from manybandits.report.rendering import POLICY, environment, script
from tests.faults.sentences import told

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "a | b\n| c",
    "[click](javascript:alert(1))",
    "`code`",
    r"\input{/etc/passwd}",
    "100 % & $x^2_1$ ~ {}",
)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_title_begins_no_markup_in_markdown(text):
    page = Markdown.page(text, "note", [("", Markdown.table(["a"], "l", [[Markdown.text(text)]]))])
    lines = page.splitlines()
    assert lines[0].startswith("# ")
    assert lines[1] == ""
    assert "<" not in page
    assert not re.search(r"(?<!\\)[\[`]", page)
    assert not re.search(r"(?<!\\)\|", lines[-1].strip("| "))


@pytest.mark.parametrize("text", HOSTILE)
def test_a_title_is_no_command_in_latex(text):
    page = Latex.page(text, "note", ["a"], "l", [[[Latex.text(text)]]])
    assert page.splitlines()[0] == "% " + " ".join(text.splitlines())
    cell = page.splitlines()[5].removesuffix(r" \\")
    bare = re.sub(r"\\text(backslash|asciitilde|asciicircum)\{\}|\\[&%$#_{}]", "", cell)
    assert not set(bare) & set("\\&%$#_{}~^")


@given(text=st.text())
def test_any_text_is_one_line_of_a_table(text):
    for form in (Markdown, Latex):
        assert len(form.text(text).splitlines()) <= 1


@pytest.mark.parametrize("turning", ["\u202e", "\u202d", "\u2066", "\u200f"])
@pytest.mark.parametrize("written", ["title: ab{}cd", "a: [x, 'y{}']", "{}: 1", 'a: "{}"'])
def test_text_that_turns_the_direction_of_reading_is_refused(turning, written, tmp_path):
    (tmp_path / "own.yaml").write_text(written.format(turning), encoding="utf-8")
    assert f"U+{ord(turning):04X}, which turns" in told(read_yaml, tmp_path / "own.yaml")


def test_an_escape_that_turns_the_direction_of_reading_is_refused(tmp_path):
    (tmp_path / "own.yaml").write_text('title: "ab\\u202ecd"', encoding="utf-8")
    with pytest.raises(InputError, match="turns the direction"):
        read_yaml(tmp_path / "own.yaml")


def test_the_name_of_a_file_of_ones_own_is_shown_as_it_is_written(tmp_path):
    path = tmp_path / "data\u202ecsv.exe.csv"
    path.write_text("a")
    assert declare("rows", path).title == r"own data data\u202ecsv.exe.csv (licence unknown)"


@pytest.mark.parametrize("text", HOSTILE)
def test_pages_escape_all_text_and_data_of_scripts(text):
    shown = environment().from_string('<p>{{ text }}</p><p title="{{ text }}"></p>').render(text=text)
    assert shown.count("<") == 4
    assert not set(str(script({text: text}))) & set("<>&")


def test_pages_may_load_files_of_the_site_alone():
    rules = dict(rule.split(" ", 1) for rule in POLICY.split("; "))
    assert rules["default-src"] == "'none'"
    assert "http" not in POLICY
    assert "'unsafe-inline'" not in rules["script-src"]
