"""Plug-ins: modules of files, their names and digests, and what is refused."""

from __future__ import annotations

import os

import pytest

from manybandits.base import plugins
from manybandits.base.exceptions import InputError
from manybandits.base.sources import digest


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder: empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(path, text="VALUE = 1\n"):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def load(reference):
    return plugins.load(reference, {}, "thing")


def test_files_of_one_name_in_two_folders_are_two_modules_with_helpers_of_their_own(here):
    for folder, value in (("a", 1), ("b", 2)):
        put(here / folder / "mine.py", "from .helper import VALUE\n")
        put(here / folder / "helper.py", f"VALUE = {value}\n")
    a, b = load("a/mine.py"), load("b/mine.py")
    assert (a.VALUE, b.VALUE) == (1, 2)
    assert a.__name__ != b.__name__
    assert digest(a.__name__) != digest(b.__name__)


def test_the_name_and_the_digest_depend_on_no_path(here):
    put(here / "a" / "mine.py")
    put(here / "b" / "mine.py")
    assert load("a/mine.py").__name__ == load("b/mine.py").__name__


def test_an_edit_is_another_module_at_once_and_a_comment_is_not(here):
    path = put(here / "mine.py", "from . import helper\nVALUE = helper.VALUE\n")
    put(here / "helper.py", "VALUE = 1\n")
    first = load("mine.py")
    path.write_text("from . import helper  # beside it\nVALUE = helper.VALUE\n")
    assert load("mine.py") is first
    put(here / "helper.py", "VALUE = 2\n")  # in the same second, and as long
    assert load("mine.py").VALUE == 2
    assert first.VALUE == 1


def test_a_digest_follows_what_a_plug_in_imports_of_this_package(here):
    put(here / "mine.py", "from manybandits.numerics.ridge import observe\n")
    put(here / "other.py", "observe = None\n")
    from manybandits.base.sources import modules_of

    assert "manybandits.numerics.ridge" in modules_of(load("mine.py").__name__)
    assert "manybandits.numerics.ridge" not in modules_of(load("other.py").__name__)


def test_a_reference_is_the_path_from_the_current_folder(here):
    path = put(here / "ideas" / "mine.py")
    assert plugins.reference_to("ideas/../ideas/mine.py", "thing") == "./ideas/mine.py"
    assert plugins.reference_to(path, "thing") == "./ideas/mine.py"
    assert plugins.reference_to("mine.py", "thing", here / "ideas") == "./ideas/mine.py"
    os.chdir(here / "ideas")
    put(here / "above.py")
    assert plugins.reference_to("../above.py", "thing") == "../above.py"


def test_a_short_name_is_the_stem_unless_that_is_taken():
    assert plugins.short_name("./ideas/mine.py", ["club"]) == "mine"
    assert plugins.short_name("./a/club.py", ["club"]).startswith("club-")
    assert plugins.short_name("./a/club.py", ["club"]) != plugins.short_name("./b/club.py", ["club"])


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("mine.py", "def x(:\n", "mine.py, line 1 is no valid Python"),
        ("mine.py", "\n1 / 0\n", r"mine.py cannot be imported \(line 2 of mine.py\): ZeroDivisionError"),
        ("mine.py", "import helper\n", r"write `from .helper import ...`, with the dot"),
        ("mine.py", "import not_there_at_all\n", "imports 'not_there_at_all', which is not installed"),
        ("my-idea.py", "", "rename the file"),
        ("class.py", "", "rename the file"),
    ],
)
def test_a_file_that_is_no_module_is_refused_in_one_sentence(here, name, text, words):
    put(here / name, text)
    put(here / "helper.py")
    with pytest.raises(InputError, match=words) as refusal:
        load(name)
    assert "\n" not in str(refusal.value)


def test_a_missing_file_is_named_with_the_places_that_were_searched(here):
    with pytest.raises(InputError, match=r"thing ./mine.py: there is no such file \(.*mine.py\)"):
        load("./mine.py")
