"""Stories and findings as files: every sentence names an existing target, and no number is typed."""

from __future__ import annotations

import pytest
import yaml

from manybandits.base.exceptions import InputError
from manybandits.papers.files import read_paper, read_papers
from manybandits.papers.story import FINDINGS, check_targets, read_findings, targets_of
from tests.planted.papers import save_paper
from tests.planted.site import CLAIM, PAPER, PLAYED

EXPERIMENT = {**PLAYED, "place": "Figure 1", "title": "regret"}


def paper_with(folder, story):
    content = {**PAPER, "experiments": {"fig1": EXPERIMENT}, "claims": {"claim0": CLAIM}, "story": story}
    return save_paper(folder / "mine", content)


def test_a_story_may_rest_on_the_papers_experiments_and_on_the_league(tmp_path):
    targets = ("mine_fig1", "league")
    read = read_paper(paper_with(tmp_path, [{"says": "It is so.", "target": target} for target in targets]))
    assert tuple(one.target for one in read.story) == targets


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ({"says": "It is so.", "target": "mine_fgi1"}, r"unknown target .*sentence of the story 1\) .*'mine_fig1'"),
        ({"says": "It is so."}, "needs either `target`"),
        ({"says": "It is so.", "conjecture": True}, "is a conjecture; a sentence of a story or a finding rests on"),
        ({"says": "It is 12 % better.", "target": "mine_fig1"}, "has the typed number 12; read it from a table"),
        (
            {
                "says": "It is {n}.",
                "target": "mine_fig1",
                "numbers": {"n": {"table": "mine_fig2", "row": {"algorithm": "CLUB"}, "column": "regret"}},
            },
            r"unknown target .*'mine_fig2'",
        ),
        ({"says": "It is so.", "traget": "mine_fig1"}, "unknown key 'traget' in .*; did you mean 'target'"),
    ],
)
def test_a_sentence_without_an_existing_target_or_with_a_typed_number_is_named(tmp_path, sentence, words):
    with pytest.raises(InputError, match=words) as raised:
        read_paper(paper_with(tmp_path, [sentence]))
    assert "\n" not in str(raised.value)


def test_there_are_at_most_five_findings_each_with_a_title(tmp_path):
    finding = {"title": "So", "says": "It is so.", "target": "league"}
    path = tmp_path / "findings.yaml"
    path.write_text(yaml.safe_dump({"findings": [finding] * 5}))
    assert len(read_findings(path)) == 5
    for wrong in ([finding] * 6, [{**finding, "title": 3}], [{"says": "It is so.", "target": "league"}]):
        path.write_text(yaml.safe_dump({"findings": wrong}))
        with pytest.raises(InputError, match=r"findings\.yaml"):
            read_findings(path)


def test_the_stories_and_findings_of_the_project_rest_on_existing_targets(root):
    papers = read_papers(root).values()
    targets = [target for paper in papers for target in targets_of(paper.name, paper.experiments)]
    check_targets(read_findings(root / FINDINGS), targets, str(FINDINGS))
    assert all(paper.links for paper in papers)


def test_a_link_that_is_no_https_address_is_refused(tmp_path):
    content = {**PAPER, "links": {"code": "javascript:alert(1)"}, "experiments": {"fig1": EXPERIMENT}, "claims": {}}
    with pytest.raises(InputError, match="https://"):
        read_paper(save_paper(tmp_path / "mine", content))
