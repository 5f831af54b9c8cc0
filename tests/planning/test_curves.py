"""The curve of a headline from a configuration: played, judged and said in words."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from manybandits.base.artifacts import save_text
from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.claims.readings import main as explain
from manybandits.claims.sentences import quantity
from manybandits.claims.verdicts import judge_figure
from manybandits.papers.files import PLACE, names, read_paper
from manybandits.planning.configuration import checked
from manybandits.planning.curves import judged_readings, main
from manybandits.planning.figures import figure_of
from manybandits.planning.readings import curve_of
from tests.planted.claims import GAME, LEAD, paper, plant

NOISE = np.linspace(-1, 1, 10)
OPEN = {
    "learners": {
        "asks": "Who learns?",
        "place": "line 15",
        "headlines": ["best"],
        "values": {
            "cluster": {"why": "the text"},
            "served": {"why": "the code", "options": {"m_cnb": {"learners": "served"}}},
        },
    },
    "draws": {
        "asks": "How often?",
        "place": "line 3",
        "headlines": ["best"],
        "values": {"arm": {"why": "the text"}, "round": {"why": "the code", "options": {"m_cnb": {"draws": "round"}}}},
    },
}


@pytest.fixture
def planted(root, tmp_path, monkeypatch) -> tuple[dict, list[str]]:
    """A paper with one headline and two open choices in a folder of its own; its configuration and its plays."""
    headlines = {"best": {"says": "It leads.", "place": "abstract", "claims": ["it"]}}
    folder = paper(tmp_path / PLACE, {"it": LEAD}, headlines=headlines)
    save_text(folder / "open.yaml", yaml.safe_dump({"open": OPEN}))
    config = overlay(read_yaml(root / "config.yaml"), {"papers": ["planted"], "league": False})
    (tmp_path / "Snakefile").touch()
    monkeypatch.chdir(tmp_path)
    made = curve_of(read_paper(folder), "best", checked(config, names(tmp_path)).for_paper("planted"))
    return config, [play.name for play in made.plays]


def test_readings_share_what_they_have_in_common(planted):
    _, plays = planted
    assert len([name for name in plays if "/m_cnb" in name]) == 4
    assert len([name for name in plays if "/club" in name]) == 1


@pytest.fixture
def played(planted, tmp_path) -> tuple[dict, list[Path]]:
    """The configuration, and the plays in which M-CNB leads only where the served user learns, in two files."""
    config, plays = planted
    tables = []
    for name in plays:
        title = {"m_cnb": "M-CNB", "club": "CLUB", "random": "Random"}[name.split("/")[2].split("-")[0]]
        words = name.split("/")[2].split("-")[1:]
        title += "".join(f", {words[k]} {words[k + 1]}" for k in range(0, len(words), 2))
        level = {"M-CNB": 300.0, "CLUB": 200.0, "Random": 400.0}[title.split(",")[0]]
        level = 100.0 if "served" in title else level
        made = plant(tmp_path / "x", title, level + NOISE, horizon=10_000, name=name.split("/")[1])
        target = tmp_path / "work" / "runs" / f"{name}.parquet"
        target.parent.mkdir(parents=True, exist_ok=True)
        for ending in ("", ".json"):
            made.with_name(made.name + ending).rename(target.with_name(target.name + ending))
        tables.append(target)
    files = [tmp_path / "batches" / str(number) / "planted.zip" for number in (1, 2)]
    for file, some in zip(files, (tables[:2], tables[2:]), strict=True):
        file.parent.mkdir(parents=True)
        with zipfile.ZipFile(file, "w") as batch:
            for table in some:
                batch.write(table, table.relative_to(tmp_path / "work"))
    return config, files


def test_the_choice_that_decides_is_found_from_run_tables_alone(played, tmp_path):
    config, files = played
    out = tmp_path / "out.csv"
    given = ["--config", json.dumps(config), "--headline", "planted.best", "--played", str(tmp_path / "none")]
    main([*given, "--batches", *map(str, files), "--out", str(out)])
    table = pd.read_csv(out)
    assert table["reading"].tolist()[0] == "as written"
    assert (table["answer"] == "holds").tolist() == (table["learners"] == "served").tolist()
    explain(["explain", "--headline", "planted.best", "--readings", str(out), "--out", str(tmp_path / "c.csv")])
    assert pd.read_csv(tmp_path / "c.csv")["choice"][0] == "learners"
    assert GAME["role"] == "facebook"


def test_the_verdict_of_the_default_reading_is_that_of_the_ordinary_run(played, planted, tmp_path, root):
    config, files = played
    for file in files:
        zipfile.ZipFile(file).extractall(tmp_path / "of batches")
    paper = read_paper(tmp_path / PLACE / "planted")
    own = checked(config, names(tmp_path)).for_paper("planted")
    figure = figure_of(paper, "fig2", own)
    tables = [tmp_path / "of batches" / path for path in figure.inputs]
    (ordinary,) = judge_figure(paper, "fig2", figure.scale, tables)
    table = judged_readings(paper, "best", own, tmp_path / "of batches", tmp_path)
    shown = {"answer": ordinary.answer.value, "effect": ordinary.measured, "low": ordinary.low, "high": ordinary.high}
    assert {name: table[name][0] for name in shown} == shown
    assert table["quantity"][0] == quantity(ordinary)


def test_a_headline_that_is_not_there_is_named(planted, tmp_path):
    config, _ = planted
    for text, words in (("planted", "write paper.headline"), ("planted.bset", "did you mean 'best'")):
        with pytest.raises(InputError, match=words):
            main(
                ["--config", json.dumps(config), "--headline", text, "--played", ".", "--out", str(tmp_path / "o.csv")]
            )
