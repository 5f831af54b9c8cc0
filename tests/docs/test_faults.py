"""Every fault of the first rules that `docs/VERDICTS.md` names has a test, and the test says which fault it is."""

from __future__ import annotations

import re

TEST = re.compile(r'^def (test_\w+)\([^\n]*\n    """VERDICTS (7\.\d+):', re.MULTILINE)
ROW = re.compile(r"^\| (7\.\d+) \|.*\| (`test_.*`) \|$", re.MULTILINE)


def test_every_fault_of_the_first_rules_names_tests_that_name_it(root):
    rows = ROW.findall((root / "docs/VERDICTS.md").read_text(encoding="utf-8"))
    said = {(fault, test) for fault, tests in rows for test in re.findall(r"`(test_\w+)`", tests)}
    sources = [path.read_text(encoding="utf-8") for path in sorted((root / "tests").rglob("test_*.py"))]
    found = {(fault, test) for source in sources for test, fault in TEST.findall(source)}
    assert said == found
    assert {fault for fault, _ in said} == {f"7.{number}" for number in range(12)}
