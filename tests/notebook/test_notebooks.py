"""The notebooks: each runs on what a run left, its page loads nothing and repeats itself; what is missing is said."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pandas as pd
import pytest

from manybandits.base.artifacts import Provenance
from manybandits.base.exceptions import InputError
from manybandits.base.table_files import with_ending
from manybandits.claims.verdict import Answer, Flag, Word
from manybandits.figures.kind import save_drawn
from manybandits.notebook import Results
from manybandits.planning.differences import difference
from tests.planted.runs import plant_line, restamp
from tests.planted.verdicts import headline, save, verdict

PAPERS = ("lnucb_ta", "m_cnb", "meta_ban", "rmbandit", "sclb_pmlb")
LOADED = re.compile(
    r"""(?:src|srcset|poster|data)\s*=\s*["'](?!data:|\#)|<link\b|<script\b|<iframe\b|@import|url\((?!["']?data:)""",
    re.I,
)
"""What makes a browser ask for something that is not in the page."""


@pytest.fixture(scope="session", autouse=True)
def kernel() -> None:
    """Skip where notebooks cannot be executed."""
    for package in ("papermill", "jupytext", "nbconvert", "ipykernel"):
        pytest.importorskip(package, reason=f"{package} is not installed: pip install 'manybandits[notebooks]'")
    from jupyter_client.kernelspec import KernelSpecManager

    if "python3" not in KernelSpecManager().find_kernel_specs():
        pytest.skip("there is no kernel python3: pip install ipykernel")


def planted(folder: Path, paper: str) -> Path:
    """Write the verdicts of three claims and a headline, and return their folder."""
    claims = [
        verdict(id=f"{paper}.one", says="A & B <i>beat</i> C", measure="regret", limits=("2 of 3 rounds",)),
        verdict(
            id=f"{paper}.two",
            answer=Answer.FAILS,
            measured=-0.1,
            low=-0.2,
            high=-0.05,
            reason="C is ahead",
            because="It knows more",
            flags=(Flag("at chance", "C"),),
        ),
        verdict(id=f"{paper}.three", copy_of="one", limits=("2 of 3 rounds",)),
    ]
    decided = {"claims": (f"{paper}.two",), "decided_by": f"{paper}.two", "p": 0.25, "answer": Answer.UNCLEAR}
    save(folder, claims, [headline(id=f"{paper}.best", says="C is best of all", word=Word.INCONCLUSIVE, **decided)])
    return folder


def plant_figures(root: Path, results: Path, paper: str) -> int:
    """Draw a figure for each committed table of a paper, of lines that end at its regrets; return how many."""
    tables = shutil.copytree(root / "reports/paper-scale/tables", results / "tables")
    paths = sorted(tables.glob(f"{paper}_*.csv"))
    (results / "figures").mkdir()
    for path in paths:
        drawn, stem = pd.read_csv(path), results / "figures" / path.stem
        if "regret_per_round" in drawn:
            ends = drawn.rename(columns={"environment": "panel"}).assign(mean=drawn["regret"], round=100)
            drawn = pd.concat([ends.assign(mean=0.0, low=0.0, high=0.0, round=1), ends])
            drawn = drawn[["panel", "algorithm", "round", "mean", "low", "high", "n"]]
        facts = {"caption": "it is drawn.", "data": ["ratings"], "stand_in": False}
        save_drawn(stem, drawn, Provenance({"title": path.stem}, (path,)), facts)
        with_ending(stem, ".svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    return len(paths)


def test_headlines_and_claims_have_their_flags_limits_and_scores(root, tmp_path):
    found = Results("m_cnb", planted(tmp_path, "m_cnb"), root)
    headlines = found.headlines().html
    for words in (
        "C is best of all",
        "inconclusive",
        "0.25",
        "at chance: C",
        "It knows more",
        "1 inconclusive. Intervals",
    ):
        assert words in headlines
    claims = found.verdicts().html
    for words in ("Figure 2: 1 of 2 hold.", "not counted: copy of one", "smaller run: 2 of 3 rounds"):
        assert words in claims
    assert "no headline of this paper" in Results("rmbandit", tmp_path, root).headlines().html
    judged, words = found.judgement().html, found.verdict_words().html
    assert judged.index(headlines) < judged.index(claims) < judged.index(words)
    chosen = found.choices().html
    assert chosen.index(found.decisions().html) < chosen.index(found.divergences().html)
    assert "the measured result agrees with the claim" in words
    assert "every control that applies was run, and none does as" in words


@pytest.mark.parametrize("paper", PAPERS)
def test_every_notebook_runs_on_what_a_run_left(root, tmp_path, monkeypatch, paper):
    from manybandits.notebook.render import main

    monkeypatch.chdir(root)
    results = tmp_path / "results"
    figures = plant_figures(root, results, paper)
    planted(results, paper)
    arguments = ["--results", str(results), "--scale", "a <small> run"]
    main([f"notebooks/{paper}.py", *arguments, "--out", str(tmp_path / "page.html")])
    page = (tmp_path / "page.html").read_text()
    assert [match.group() for match in LOADED.finditer(page)] == []
    assert "1 inconclusive. Intervals" in page
    assert "Figure 2: 1 of 2 hold." in page
    assert page.index("C is best of all") < page.index("A &amp; B")
    assert "A &amp; B &lt;i&gt;beat&lt;/i&gt; C" in page
    assert "a &lt;small&gt; run" in page
    assert page.count('src="data:image/svg+xml,') >= min(4, figures)
    assert page.count("<img") == page.count(' alt="')
    assert page.count("<h1") == 1
    assert str(root) not in page
    assert "Traceback (most" not in page


def test_a_page_has_the_same_bytes_again_from_another_folder(root, tmp_path, monkeypatch):
    from manybandits.notebook.render import main

    notebook, here, out = str(root / "notebooks/sclb_pmlb.py"), tmp_path / "here", tmp_path / "out"
    (here / "results").mkdir(parents=True)
    monkeypatch.chdir(here)
    one, two = out / "one/sclb_pmlb.html", out / "two/sclb_pmlb.html"
    main([notebook, "--results", "results", "--out", str(one)])
    monkeypatch.chdir(root)
    places = ["--results", str(here / "results"), "--within", str(here)]
    main([notebook, *places, "--out", str(two)])
    page = one.read_bytes()
    assert page == two.read_bytes()
    assert b'<a href="../papers/sclb_pmlb.html">' in page
    assert difference(one.with_suffix(".html.json"), two.with_suffix(".html.json")) == ""
    assert b"were not judged" in page
    assert b"holds no figure of this paper" in page


def test_a_notebook_that_stops_leaves_no_page_and_says_where(tmp_path):
    from manybandits.notebook.render import main

    broken = tmp_path / "broken.py"
    broken.write_text("# %% tags=['parameters']\nresults = scale = ''\n\n# %%\nraise ValueError('what it is')\n")
    (tmp_path / "out").mkdir()
    arguments = ["--results", str(tmp_path), "--out", str(tmp_path / "out/page.html")]
    with pytest.raises(InputError, match=r"broken\.py stopped in a cell by ValueError: what it is"):
        main([str(broken), *arguments])
    assert list((tmp_path / "out").iterdir()) == []
    with pytest.raises(InputError, match=r"none\.py does not exist"):
        main([str(tmp_path / "none.py"), *arguments])
    with pytest.raises(InputError, match="is no folder"):
        main([str(broken), "--results", str(tmp_path / "none"), *arguments[2:]])


def test_pairs_are_those_of_the_run_tables(tmp_path):
    folder = tmp_path / "runs/mine/game"
    folder.mkdir(parents=True)
    for name, slope in (("club", 0.5), ("locb", 0.8)):
        plant_line(folder, name, slope, seeds=6)
    (folder / ".club-1a2b3c4d.parquet").touch()  # left by a job that was killed
    (tmp_path / "tables").mkdir()
    row = {"environment": "game", "data": "real ratings", "algorithm": "CLUB"}
    pd.DataFrame([row]).to_csv(tmp_path / "tables/mine_fig1.csv", index=False)
    found = Results("mine", tmp_path)
    both = found.pairs("fig1", "CLUB", "LOCB").html
    (gap,) = re.findall(r"real ratings: ([+-][\d.]+) \[.*?\], p = 0\.031, 6 runs", both.replace("&#x27;", "'"))[:1]
    assert float(gap) == pytest.approx(-300, rel=0.1)
    assert "holds no run tables of both CLUB and M-CNB" in found.pairs("fig1", "CLUB", "M-CNB").html


def test_a_figure_is_drawn_again_from_its_numbers_or_shown_as_it_was_drawn(root, tmp_path):
    plant_figures(root, tmp_path, "sclb_pmlb")
    found = Results("sclb_pmlb", tmp_path, root)
    shown = found.figure("fig2", only=["PMLB"])
    drawn = pd.read_csv(tmp_path / "figures/sclb_pmlb_fig2.csv")
    last = drawn[(drawn["algorithm"] == "PMLB")].groupby("panel", sort=False)["mean"].last()
    for value in last:
        assert f"ends at {value:.4g}" in shown.html
    assert "CMLB" not in shown.html.split("<figcaption>")[0]
    assert "theorem1" in found.scale().html
    other = tmp_path / "figures/sclb_pmlb_theorem1.csv"
    other.write_text(other.read_text().replace("round", "agents"))
    restamp(other)
    assert "%3Csvg xmlns=%22http://www.w3.org/2000/svg%22/%3E" in found.figure("theorem1").html
    with pytest.raises(InputError, match="has none of PMBL"):
        found.figure("fig2", only=["PMBL"])
    assert "makes it" in found.figure("fig9").html
