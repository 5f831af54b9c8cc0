"""The front page: every reading of a headline, cards, what was run, and what README.md takes from it."""

from __future__ import annotations

import re
import shutil
import subprocess
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from manybandits import __version__
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import read_rows
from manybandits.claims.verdict import Answer, SetUps
from manybandits.report import checkout
from manybandits.report import site as module
from manybandits.report.front import is_demonstration, turning_choices
from manybandits.report.thumbnails import thumbnail
from manybandits.results.numbers import duration
from tests.planted.site import COMMAND, LINK, READINGS, arguments, headlines
from tests.report.markup import escaped, words_of


def front(site) -> str:
    return (site / "index.html").read_text(encoding="utf-8")


def row_of(site, headline: str) -> dict[str, str]:
    """Return the cells of a headline in the matrix: name of the column -> its text."""
    (row,) = re.findall(rf'<tr id="headline-{re.escape(headline)}"[^>]*>(.*?)</tr>', front(site), re.DOTALL)
    return {name: words_of(cell) for name, cell in re.findall(r'<td data-label="([^"]+)">(.*?)</td>', row, re.DOTALL)}


def test_the_columns_of_a_headline_are_those_of_its_verdict(site):
    given = {one.id: one for one in headlines(site.parent / "readings")}
    for name, one in given.items():
        cells = row_of(site, name)
        assert list(cells) == ["Verdict", "Text", "Code", "Set-ups", "Controls", "Smaller run"]
        assert (cells["Verdict"], cells["Text"]) == (one.word.value, one.answer.value)
        assert cells["Smaller run"] == ("yes" if one.limits else "no" if one.answer.is_judged else "")
        assert cells["Code"] == (one.code.value if one.code else "not run" if one.has_code else "no code")
    for name in READINGS:
        setups = given[name].setups
        assert row_of(site, name)["Set-ups"] == f"{setups.holds} of {setups.judged}"
    assert row_of(site, "first.headline3")["Set-ups"] == "not run"
    assert row_of(site, "first.headline4")["Set-ups"] == "one set-up only"
    assert row_of(site, "first.headline4")["Controls"] == "none needed"
    assert row_of(site, "first.headline1")["Controls"].startswith("mechanism off: as good rivals alike: ")


@pytest.mark.parametrize(
    ("papers", "expected"),
    [([[True, True], [False]], True), ([[True, False], []], False), ([[False], [False]], False)],
)
def test_a_run_with_a_paper_on_stand_in_data_only_is_a_demonstration(site, papers, expected):
    figures = [[SimpleNamespace(stand_in=one) for one in paper] for paper in papers]
    assert is_demonstration(SimpleNamespace(papers=[SimpleNamespace(figures=own) for own in figures])) is expected
    assert "This run is a demonstration" not in front(site)


def test_limits_are_beside_the_mark_of_a_smaller_run(site):
    limited = [one for one in headlines() if one.limits]
    assert limited
    assert front(site).count(f'<span title="{escaped(limited[0].limits[0])}">yes</span>') == len(limited)


def test_a_card_has_a_story_or_counts_and_a_figure_and_what_decides(site):
    cards = re.findall(r'<li class="card"><h3><a href="papers/(\w+)\.html">(.*?)</li>', front(site), re.DOTALL)
    assert [name for name, _ in cards] == ["first", "second"]
    first, second = (markup for _, markup in cards)
    assert "CLUB pays" in words_of(first)
    assert 'src="data:image/webp;base64,' in first
    assert re.search(r"Open choices that change a verdict: What of learners, .*\? \(headline1\)", words_of(first))
    assert "Of its headlines, 1 holds." in words_of(second)
    assert "<img" not in second
    assert all(f'<a href="{LINK}" rel="noopener"' in markup for markup in (first, second))


def test_what_was_run_has_time_hardware_version_settings_and_the_command(site):
    text = words_of(front(site))
    costs = read_rows(site / "tables/cost.csv")
    hours = sum(float(row["seconds"]) * int(row["threads"]) for row in costs) / 3600
    assert f"{duration(hours)} of one core, for {len(costs)} plays" in text
    commit = checkout.commit_of(checkout.root_of_checkout()).partition(",")[0]
    assert f"manybandits {__version__}, commit {commit}" in text
    assert "2,000 rounds, tuning seeds 100" in text
    for address in ("index.html", "provenance.html"):
        assert f"<code>{COMMAND}</code>" in (site / address).read_text(encoding="utf-8")
    page = (site / "papers/first.html").read_text(encoding="utf-8")
    assert "<code>snakemake first_fig3 --cores 8 --configfile configs/planted.yaml</code>" in page


def test_without_command_and_checkout_neither_is_shown(planted, monkeypatch):
    monkeypatch.setattr(module, "root_of_checkout", lambda: None)
    given = arguments(planted)
    place = given.index("--command")
    module.main(given[:place] + given[place + 2 :])
    for address in ("index.html", "provenance.html", "papers/first.html"):
        text = (planted / "report" / address).read_text(encoding="utf-8")
        assert "snakemake" not in text
        assert "Reproduce" not in text
        assert "commit" not in words_of(text)


def test_the_block_of_the_readme_has_the_picture_the_answer_and_the_findings(site):
    block = (site / "front.md").read_text(encoding="utf-8")
    answer = re.search(r'<p class="lead answer">(.*?)</p>', front(site))[1]
    assert block.count(answer) == 2  # as the picture's words, too
    for name in ("matrix.svg", "matrix-dark.svg"):
        assert f'"reports/{site.name}/{name}"' in block
        assert answer in (site / name).read_text(encoding="utf-8")
    assert "Methods that cluster users rank first ([evidence](reports/report/tables/league.md))" in block


@pytest.mark.parametrize(
    ("nearest", "turning"),
    [("", []), ("as written", []), ("learners = served", ["learners"]), ("learners = served; step = adam", [])],
)
def test_a_choice_that_turns_a_headline_alone_is_named_on_the_card(nearest, turning):
    setups = SetUps(played=10, judged=10, holds=0, fails=10, nearest=nearest)
    failing = next(one for one in headlines() if one.answer is Answer.FAILS)
    assert turning_choices(replace(failing, setups=setups)) == turning
    assert turning_choices(replace(failing, setups=replace(setups, earlier=True))) == []


def test_the_answer_counts_the_words_of_all_headlines(site):
    answer = re.search(r'<p class="lead answer">(.*?)</p>', front(site))[1]
    assert answer.startswith(
        f"Of {len(headlines())} headlines of two papers, 3 hold (1 confirmed, 2 not fully checked), "
    )
    assert answer.endswith(" 3 are open (1 inconclusive, 1 not judged, 1 identical in every run).")


@pytest.fixture
def repository(tmp_path):
    """A checkout with one commit, in which the package is tracked."""
    package = tmp_path / "src/package"
    package.mkdir(parents=True)
    for path in (package / "__init__.py", tmp_path / "src/one.py", tmp_path / "reports.csv"):
        path.write_text("")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "first"]):
        subprocess.run([*git, *command], check=True)
    return tmp_path


def test_the_commit_says_whether_what_makes_results_was_edited(repository):
    root = checkout.root_of_checkout(repository / "src/package")
    assert root == repository
    commit = checkout.commit_of(root)
    assert re.fullmatch("[0-9a-f]{40}", commit)
    (repository / "reports.csv").write_text("results of a run")
    assert checkout.commit_of(root) == commit
    (repository / "src/one.py").write_text("edited = True")
    assert checkout.commit_of(root) == f"{commit}, with edits that were not committed"


def test_a_package_that_no_checkout_tracks_has_no_commit_and_no_links_to_sources(repository, tmp_path):
    installed = repository / ".venv/package"
    installed.mkdir(parents=True)
    (installed / "__init__.py").write_text("")
    assert checkout.root_of_checkout(installed) is None
    assert checkout.commit_of(None) == ""
    assert checkout.source_link(repository / "reports", "src/one.py", None) == ""
    assert checkout.source_link(repository / "reports", "src/one.py", repository) == "../src/one.py"
    assert checkout.source_link(repository / "reports", "src/two.py", repository) == ""
    assert checkout.source_link(tmp_path.parent, "src/one.py", repository) == ""


@pytest.mark.parametrize("which", ["site", "all_papers"])
def test_the_front_page_weighs_less_than_half_a_megabyte_with_all_that_it_loads(which, request):
    folder = request.getfixturevalue(which)
    text = (folder / "index.html").read_text(encoding="utf-8")
    places = set(re.findall(r'(?:src|<link[^>]* href)="([^"]+)"', text))
    loaded = {place for place in places if not place.startswith("data:")}
    assert "assets/site.css" in loaded
    assert ('src="data:image/webp' in text) == (which == "site")  # the other one has no figures
    assert len(text) + sum((folder / place).stat().st_size for place in loaded) < 500_000


@pytest.mark.parametrize("damage", [lambda path: path.unlink(), lambda path: path.write_text("<svg")])
def test_a_picture_that_cannot_be_read_is_named_with_the_cure(tmp_path, site, damage):
    path = tmp_path / "figure.svg"
    shutil.copy(site / "figures/first_fig1.svg", path)
    assert thumbnail(path) == thumbnail(path)
    damage(path)
    with pytest.raises(InputError, match=r"figure\.svg cannot be read as a picture .*: draw the figure again"):
        thumbnail(path)
