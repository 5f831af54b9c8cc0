"""Lazy import: a package runs when it is used, and a plan uses no networks."""

from __future__ import annotations

import subprocess
import sys

PLAN = """
import sys
from pathlib import Path
from manybandits.planning.configuration import load_configuration
from manybandits.planning.plan import make_plan
root = Path({root!r})
make_plan(load_configuration(root, [root / "configs/smoke.yaml"]), root)
import torch
print([name in sys.modules for name in ("torch._C", "sklearn")], torch.ones(2).sum().item(), "torch._C" in sys.modules)
"""
PACKAGE = """
from manybandits.base.lazy_import import import_lazily
import_lazily("package_of_this_test")
print("package_of_this_test" in sys.modules)
import package_of_this_test as package
print("imported")
print(package.value, package.value)
from package_of_this_test import inner
print(inner.deep, package is not None)
import_lazily("no_such_package")
try:
    import no_such_package
except ModuleNotFoundError as error:
    print(error.name)
"""


def printed(code: str, path: str = "") -> list[str]:
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {path!r})\n{code}"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def test_a_plan_with_neural_plays_imports_no_torch_and_what_uses_it_then_does(root):
    assert printed(PLAN.format(root=str(root))) == ["[False, False] 2.0 True"]


def test_a_package_runs_when_its_first_attribute_is_used_and_one_that_is_missing_is_missing_as_ever(tmp_path):
    folder = tmp_path / "package_of_this_test"
    folder.mkdir()
    (folder / "__init__.py").write_text("print('run')\nvalue = 1\n")
    (folder / "inner.py").write_text("deep = 2\n")
    assert printed(PACKAGE, str(tmp_path)) == ["False", "imported", "run", "1 1", "2 True", "no_such_package"]
