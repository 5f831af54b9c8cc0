"""Controls and set-ups that name what is not there stop before any job, with the file, the key and the nearest name."""

import re
import shutil

import pytest

from manybandits.base.exceptions import InputError
from manybandits.planning.configuration import load_configuration
from manybandits.planning.plan import make_plan

CONTROL = """controls:
  everybody:
    kind: mechanism
    says: Everybody is in every cluster.
    of: ["M-CNB, gamma 1000"]
    headlines: [recommendation]
"""


@pytest.fixture
def paper(root, tmp_path):
    """Return the folder of a paper of one's own, a copy of M-CNB's with one control."""
    folder = tmp_path / "my_paper"
    shutil.copytree(root / "workflow/papers/m_cnb", folder)
    text = (folder / "claims.yaml").read_text(encoding="utf-8")
    text = re.sub(r"(target|table|headline|setups): m_cnb", r"\1: my_paper", text)
    text = re.sub(r"\ncontrols:\n(?:[ #].*\n|\n)+", f"\n{CONTROL}\n", text)
    (folder / "claims.yaml").write_text(text, encoding="utf-8")
    return folder


def plan_with(root, paper, file, before, after):
    text = (paper / file).read_text(encoding="utf-8")
    assert before in text
    (paper / file).write_text(text.replace(before, after, 1), encoding="utf-8")
    config = load_configuration(root, [root / "configs/smoke.yaml"])
    return make_plan({**config, "papers": [str(paper)], "experiments": "all", "per_paper": {}, "league": False}, root)


def test_a_control_that_is_not_played_yet_is_a_known_algorithm_with_options_that_it_has(root, paper):
    plan = plan_with(root, paper, "claims.yaml", "gamma 1000", "gamma 2000")
    assert plan.controls["my_paper"]["everybody"].of == ("M-CNB, gamma 2000",)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (
            "headlines: [recommendation]\n",
            "headlines: [recomendation]\n",
            "'recomendation': did you mean 'recommendation'",
        ),
        ("M-CNB, gamma 1000", "M-CNBB, gamma 1000", "'M-CNBB': did you mean 'M-CNB'"),
        ("M-CNB, gamma 1000", "M-CNB, gama 1000", "'gama': did you mean 'gamma'"),
        ('["M-CNB, gamma 1000"]', '{M-CNV: "M-CNB, gamma 1000"}', "'M-CNV': did you mean 'M-CNB'"),
        ("kind: mechanism", "kind: mechanisms", "'mechanisms'; did you mean 'mechanism'"),
        ("kind: mechanism", "kinde: mechanism", "'kinde' in 'controls.everybody'; did you mean 'kind'"),
    ],
)
def test_a_control_that_names_what_is_not_there_stops_before_any_job(root, paper, before, after, words):
    if before.startswith("headlines"):  # of the control, and not of what is above it
        before, after = f'gamma 1000"]\n    {before}', f'gamma 1000"]\n    {after}'
    with pytest.raises(InputError, match=re.escape(words)) as error:
        plan_with(root, paper, "claims.yaml", before, after)
    assert "claims.yaml" in str(error.value)
    assert "everybody" in str(error.value)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("options: {m_cnb: {learning:", "options: {m_cbn: {learning:", "'m_cbn': did you mean 'm_cnb'"),
        ("options: {m_cnb: {learning:", "options: {m_cnb: {learming:", "'learming': did you mean 'learning'"),
        ("with: {context: both}", "with: {contexts: both}", "'contexts': did you mean 'context'"),
    ],
)
def test_a_set_up_that_changes_what_is_not_there_stops_before_any_job(root, paper, before, after, words):
    with pytest.raises(InputError, match=re.escape(words)) as error:
        plan_with(root, paper, "open.yaml", before, after)
    assert "open.yaml" in str(error.value)
