"""Tests in depth: their groups name tests and files that exist, and are stale once one of these files is another."""

from __future__ import annotations

import pytest

from tests import release

YAML = """
wheel: {tests: [a], keep: ["a/test_b.py::test_c[[]club*"], protects: [a/*.py], instead: b}
images: {tests: ["b/test_d.py::test_*_e"], protects: [b], instead: c}
"""


@pytest.fixture
def planted(tmp_path, monkeypatch):
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "GROUPS", tmp_path / "release.yaml")
    monkeypatch.setattr(release, "PASSED", tmp_path / "release.json")
    release._patterns.cache_clear()
    (tmp_path / "release.yaml").write_text(YAML.replace("[[]", "["))
    (tmp_path / "a").mkdir()
    (tmp_path / "a/one.py").write_text("")
    (tmp_path / "b").write_text("")
    yield tmp_path
    release._patterns.cache_clear()


def test_every_group_names_tests_and_files_that_exist(root):
    for group in release.groups().values():
        assert release.protected(group)
        assert group.instead
        for pattern in (*group.tests, *group.keep):
            file, _, name = pattern.partition("::")
            path = root / "tests" / file
            assert path.exists(), pattern
            function = name.partition("[")[0].rstrip("*")
            assert not function or f"def {function}" in path.read_text(encoding="utf-8"), pattern


def test_every_slow_test_exists(root):
    for line in (root / "tests/slow.txt").read_text().split():
        file, _, name = line.partition("::")
        assert f"def {name}(" in (root / "tests" / file).read_text(encoding="utf-8"), line


@pytest.mark.parametrize(
    ("test", "group"),
    [
        ("a/test_b.py::test_c[locb-1]", "wheel"),
        ("a/test_b.py::test_c[club-1]", None),
        ("ab/test_b.py::test_c", None),
        ("b/test_d.py::test_long_e[1]", "images"),
        ("b/test_d.py::test_long_ee", None),
    ],
)
def test_a_test_belongs_to_the_group_that_names_it_unless_it_is_kept(test, group, planted):
    assert release.group_of(test) == group


def test_a_group_is_stale_once_a_file_that_it_protects_is_another(planted):
    assert release.stale() == ["wheel", "images"]
    release.keep("wheel")
    assert release.stale() == ["images"]
    (planted / "a/two.py").write_text("")
    assert release.stale() == ["wheel", "images"]


def test_a_pattern_that_names_no_file_is_named(planted):
    (planted / "b").unlink()
    with pytest.raises(ValueError, match=r"release\.yaml: b names no file: correct it"):
        release.stale()


def test_groups_that_pass_are_kept_and_one_that_fails_is_not(planted, capfd):
    marked = "import pytest\n\n\n@pytest.mark.release(group={group!r})\ndef test_it_e():\n    assert {value}\n"
    for folder, group, value in (("a", "wheel", False), ("d", "images", True)):
        (planted / "tests" / folder).mkdir(parents=True)
        (planted / "tests" / folder / f"test_{folder}.py").write_text(marked.format(group=group, value=value))
    assert release.run(["wheel", "images"]) == 1
    assert list(release.passed()) == ["images"]
    assert "in depth: 1 of 2 groups passed" in capfd.readouterr().out
