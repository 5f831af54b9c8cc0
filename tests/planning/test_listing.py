"""What a configuration is said to make, without a plan, is what its plan makes."""

from __future__ import annotations

import pytest

from manybandits.planning.configuration import load_configuration
from manybandits.planning.listing import list_targets
from manybandits.planning.plan import make_plan


@pytest.mark.parametrize(
    "changes", ["", "families: [linear]\n", "families: [released]\n", "experiments: [rmbandit_fig1]\n"]
)
def test_the_targets_and_what_is_left_out_are_those_of_the_plan(root, tmp_path, changes):
    overlay = tmp_path / "overlay.yaml"
    overlay.write_text(f"league: false\n{changes}")
    plan = make_plan(load_configuration(root, [overlay]), root)
    made, left_out = {}, {}
    for one in list_targets(root, [overlay]):
        (left_out if one.left_out else made)[one.name] = one
    assert set(made) == set(plan.targets)
    for name, one in made.items():
        planned = plan.targets[name]
        assert one.title == (planned[0].title if planned[0].name == name else one.title)
        assert planned[0].name == name or f": {len(planned)} figures" in one.title
    assert {one.name: (one.title, one.reason) for one in plan.omissions} == {
        name: (one.title, one.left_out) for name, one in left_out.items()
    }
