"""The cache of plans: equal to a plan that is made, made again if an input changes, and cheap to read."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import manybandits
from manybandits.base.configuration import overlay, read_yaml
from manybandits.planning import plan_cache
from manybandits.planning.plan import make_plan
from manybandits.planning.plan_cache import PLACE, load_plan, state_of


@pytest.fixture
def folder(root, tmp_path):
    """A checkout without sources."""
    shutil.copy(root / "config.yaml", tmp_path)
    for place in ("workflow", "configs"):
        shutil.copytree(root / place, tmp_path / place)
    return tmp_path


def configuration(root: Path, name: str) -> dict[str, object]:
    return overlay(read_yaml(root / "config.yaml"), read_yaml(root / f"configs/{name}.yaml"))


@pytest.mark.parametrize("name", ["smoke", "embedded", "paper-scale"])
def test_what_is_kept_is_the_plan_that_is_made(folder, name, monkeypatch):
    config = configuration(folder, name)
    made = load_plan(config, folder)
    monkeypatch.setattr(plan_cache, "make_plan", None)
    read = load_plan(config, folder)
    assert read == made == make_plan(config, folder)
    assert read.plays.keys() == made.plays.keys()
    assert [play.arguments() for play in read.plays.values()] == [play.arguments() for play in made.plays.values()]


def test_a_damaged_plan_is_made_anew(folder):
    config = configuration(folder, "smoke")
    made = load_plan(config, folder)
    (path,) = (folder / PLACE).iterdir()
    whole = path.read_text()
    for damage in (whole[: len(whole) // 2], "[]", whole.replace('"figures":', '"pictures":')):
        path.write_text(damage)
        assert load_plan(config, folder) == made
        assert path.read_text() == whole


def test_a_plan_depends_on_the_configuration_the_workflow_and_all_sources(folder, monkeypatch):
    config = configuration(folder, "smoke")
    before = state_of(config, folder)
    assert state_of({**config, "threads": 2}, folder) != before
    for path in (
        "workflow/papers/rmbandit/claims.yaml",
        "workflow/papers/rmbandit/experiments.yaml",
        "workflow/league.yaml",
    ):
        text = (folder / path).read_text()
        (folder / path).write_text(text + "\n")
        assert state_of(config, folder) != before, path
        (folder / path).write_text(text)
    assert state_of(config, folder) == before
    sources = folder / "manybandits"
    shutil.copytree(Path(manybandits.__file__).parent, sources)
    monkeypatch.setattr(manybandits, "__file__", str(sources / "__init__.py"))
    assert state_of(config, folder) == before
    (sources / "algorithms/linear/another.py").touch()
    assert state_of(config, folder) != before


def test_keys_in_another_order_have_the_same_plan_and_options_in_another_order_have_not(root):
    config = configuration(root, "smoke")
    data = {key: dict(reversed(value.items())) if key == "use" else value for key, value in config["data"].items()}
    turned = dict(reversed({**config, "data": dict(reversed(data.items()))}.items()))
    assert turned == config
    assert state_of(turned, root) == state_of(config, root)
    grid = dict(reversed(config["settings"]["grid"].items()))
    assert state_of({**config, "settings": {**config["settings"], "grid": grid}}, root) != state_of(config, root)


def test_no_algorithm_is_imported_to_read_a_stored_plan(folder):
    load_plan(configuration(folder, "smoke"), folder)
    code = (
        "import sys; from pathlib import Path; from manybandits.base.configuration import overlay, read_yaml;"
        "from manybandits.planning.plan_cache import load_plan;"
        "plan = load_plan(overlay(read_yaml(Path('config.yaml')), read_yaml(Path('configs/smoke.yaml'))), Path());"
        "[play.digest for play in plan.plays.values()];"
        "print(*{name.split('.')[0] for name in sys.modules})"
    )
    imported = subprocess.check_output([sys.executable, "-c", code], cwd=folder, text=True).split()
    assert not {"numba", "pandas", "scipy", "sklearn", "torch"} & set(imported)
