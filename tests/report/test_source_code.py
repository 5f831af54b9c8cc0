"""Code on pages is the code, with its comments, strings and keywords marked."""

import html
import re

import pytest

from manybandits.algorithms import plain
from manybandits.report.source_code import coloured


@pytest.mark.parametrize("name", [name.removeprefix(plain.PREFIX) for name in plain.names()])
def test_code_without_its_markup_is_the_code(name):
    text = plain.source(name)
    assert html.unescape(re.sub(r"</?span[^>]*>", "", coloured(text))) == text


def test_comments_strings_and_keywords_are_marked_and_nothing_is_markup():
    assert coloured('if a < "<b>":  # é < 1\n    f(\n        "x"\n    )\n') == (
        '<span class="keyword">if</span> a &lt; <span class="string">&#34;&lt;b&gt;&#34;</span>:'
        '  <span class="comment"># é &lt; 1</span>\n    f(\n        <span class="string">&#34;x&#34;</span>\n    )\n'
    )
    assert coloured("") == ""
