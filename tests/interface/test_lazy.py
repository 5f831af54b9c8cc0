"""``import manybandits`` is cheap, and its stub names what it offers."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

import manybandits as mb
from manybandits.base.sources import digest


def test_importing_the_package_imports_nothing_numerical():
    code = "import sys; before = set(sys.modules); import manybandits; print(sorted(set(sys.modules) - before))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "['manybandits']"


def test_the_stub_and_the_package_name_the_same(root):
    tree = ast.parse((root / "src/manybandits/__init__.pyi").read_text())
    stub = {alias.name for one in tree.body if isinstance(one, ast.ImportFrom) for alias in one.names}
    public = {name for name in dir(mb) if not name.startswith("_") and name not in sys.modules}
    assert stub <= public
    for name in stub:
        assert getattr(mb, name) is not None
    assert {*mb._places(), "adapters", "data", "games", "InputError"} == stub


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'plya'"):
        mb.plya  # noqa: B018


def test_the_interface_changes_no_digest_of_what_plays(root, tmp_path):
    """The digest of a module that imports the package is that with the version alone in __init__.py."""
    package = tmp_path / "pretend"
    package.mkdir()
    source = (root / "src/manybandits/__init__.py").read_text().replace('"manybandits"', '"pretend"')
    kept = source.split("# Types are in the stub")[0]
    digests = []
    for text in (source, kept):
        (package / "__init__.py").write_text(text)
        code = "from manybandits.base.sources import digest; print(digest('pretend'))"
        told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
        digests.append(told.stdout)
    assert digests[0] == digests[1]
    assert digest("manybandits")
