"""The curve of a headline from a configuration: played, judged and said in words."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
import yaml

from manybandits.base.artifacts import load_provenance, save_text
from manybandits.base.configuration import overlay, read_yaml
from manybandits.base.exceptions import InputError
from manybandits.papers.files import PLACE, names, read_paper
from manybandits.planning.configuration import checked
from manybandits.planning.curves import curve_of, main
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
    monkeypatch.chdir(tmp_path)
    made = curve_of(read_paper(folder), "best", checked(config, names(tmp_path)).for_paper("planted"))
    return config, [play.name for play in made.plays]


def test_readings_share_what_they_have_in_common(planted):
    _, plays = planted
    assert len([name for name in plays if "/m_cnb" in name]) == 4
    assert len([name for name in plays if "/club" in name]) == 1


def test_the_choice_that_decides_is_said_in_words_from_run_tables_alone(planted, tmp_path):
    config, plays = planted
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
    out = tmp_path / "out.csv"
    given = ["--config", json.dumps(config), "--headline", "planted.best", "--work", str(tmp_path / "work")]
    main([*given, "--out", str(out)])
    table = pd.read_csv(out)
    assert table["reading"].tolist()[0] == "as written"
    assert (table["verdict"] == "reproduced").tolist() == (table["learners"] == "served").tolist()
    assert load_provenance(out)["facts"]["words"] == "holds in 2 of 4 readings, fails in 2; what decides is learners"
    assert pd.read_csv(tmp_path / "out.choices.csv")["choice"][0] == "learners"
    assert GAME["role"] == "facebook"


def test_a_headline_that_is_not_there_is_named(planted, tmp_path):
    config, _ = planted
    for text, words in (("planted", "write paper.headline"), ("planted.bset", "did you mean 'best'")):
        with pytest.raises(InputError, match=words):
            main(["--config", json.dumps(config), "--headline", text, "--work", ".", "--out", str(tmp_path / "o.csv")])
