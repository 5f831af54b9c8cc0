"""Docstrings on pages: rendered, escaped, and without raw marks."""

from __future__ import annotations

import inspect
import re

import pytest

from manybandits.algorithms import catalogue
from manybandits.report.docstrings import render


def test_paragraphs_lists_formulas_names_and_titles_are_rendered():
    text = (
        "One `name` and\na ``value`` of *a book*.\n\n    a_t = x'y < `most`\n      more\n\n* first\n  goes on\n* second"
    )
    found = str(render(text))
    assert "<p>One <code>name</code> and a <code>value</code> of <em>a book</em>.</p>" in found
    assert ">a_t = x&#39;y &lt; most\n  more</pre>" in found
    assert "<ul><li>first goes on</li><li>second</li></ul>" in found


def test_a_star_of_mathematics_is_no_title():
    assert "<em>" not in render("the model has |theta*| <= 1, and |theta*| R is p* = 1 times n * m * k")


def test_markup_in_a_docstring_is_text():
    assert "<script" not in render("<script>\n\n    <script>\n\n* `<script>` and *<script>*")


@pytest.mark.parametrize("name", catalogue.names())
def test_no_docstring_of_an_algorithm_leaves_raw_backticks_or_title_marks(name):
    found = str(render(inspect.getdoc(catalogue.load(name)) or ""))
    assert "`" not in found
    assert not re.search(r"(?<!\w)\*\w[^*<]*\w\*(?!\w)", re.sub(r"<pre.*?</pre>", "", found, flags=re.DOTALL))
