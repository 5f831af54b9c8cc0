"""What a configuration is said to make, without a plan, is what its plan makes."""

from __future__ import annotations

import shutil

import pytest

from manybandits.base.exceptions import InputError
from manybandits.planning.configuration import load_configuration
from manybandits.planning.listing import check_target, list_targets
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


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("lnucb_ta_table7", "lnucb_ta_table7 is left out of this configuration: data.use.article is none."),
        ("m_cnb_fig2", "the run smoke has no target 'm_cnb_fig2': make it with the run paper, which is config"),
        ("rmbandit_fig0", "unknown target of this configuration 'rmbandit_fig0': did you mean 'rmbandit_fig1'?"),
    ],
)
def test_a_target_that_a_run_lacks_is_named_with_the_run_that_has_it_the_reason_or_the_nearest(root, target, words):
    left_out, known = {"lnucb_ta_table7": "data.use.article is none"}, ["all", "rmbandit_fig1"]
    check_target("rmbandit_fig1", "smoke", left_out, known, root)
    with pytest.raises(InputError) as caught:
        check_target(target, "smoke", left_out, known, root)
    assert str(caught.value).startswith(words)


def test_a_configuration_that_cannot_be_read_hides_no_other_one_with_the_target(root, tmp_path):
    for name in ("workflow", "configs"):
        shutil.copytree(root / name, tmp_path / name)
    shutil.copy(root / "config.yaml", tmp_path)
    (tmp_path / "configs/broken.yaml").write_text("name: broken\nfamilies: [liner]\n")
    (tmp_path / "configs/alone.yaml").write_text("name: alone\nexperiments: [m_cnb_fig2]\n")
    config = (tmp_path / "config.yaml").read_text()
    (tmp_path / "config.yaml").write_text(config.replace("experiments: all", "experiments: [rmbandit_fig1]"))
    with pytest.raises(InputError, match=r"make it with the run alone, which is configs/alone\.yaml\."):
        check_target("m_cnb_fig2", "smoke", {}, ["all"], tmp_path)
