"""Claims as they are read from a paper file."""

from __future__ import annotations

from pathlib import Path

import pytest

from manybandits.base.exceptions import InputError
from manybandits.papers.files import read_paper
from tests.planted.claims import LEAD, paper


def claims_of(folder: Path, claims: dict) -> list:
    return list(read_paper(paper(folder, claims)).claims)


def test_cells_overlay_what_they_share_and_readings_follow_their_claim(tmp_path):
    cells = [{"of": "A", "published": 1}, {"of": "B", "published": 2, "where": {"user": "class"}}]
    whole = {"kind": "value", "where": {"data": "facebook"}, "cells": cells, "also": [{"reading": "late", "at": 10}]}
    found = claims_of(tmp_path, {"table": whole})
    assert [(one.id, one.reading) for one in found] == [
        ("planted.table.1", "paper"),
        ("planted.table.1", "late"),
        ("planted.table.2", "paper"),
        ("planted.table.2", "late"),
    ]
    assert found[2].selection.where == {"data": "facebook", "user": "class"}
    assert (found[1].selection.at, found[1].published) == (10, 1)


def test_a_rival_overlays_the_selection_of_its_claim(tmp_path):
    than = ["CLUB", {"where": {"nu": 1}, "at": 5}]
    (one,) = claims_of(tmp_path, {"it": {**LEAD, "where": {"data": "facebook"}, "than": than}})
    assert [rival.of for rival in one.rivals] == ["CLUB", "M-CNB"]
    assert one.rivals[1].where == {"data": "facebook", "nu": 1}
    assert one.rivals[1].at == 5


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ({"kind": "value", "of": "A"}, "value needs the key 'published'; add it"),
        ({"kind": "value", "of": "A", "published": 1, "than": ["B"]}, "value has no key 'than'; leave it out"),
        ({**LEAD, "experiment": "fig3"}, "unknown experiment .*: did you mean 'fig2'"),
        ({**LEAD, "kind": "orders"}, "did you mean 'order'"),
        ({**LEAD, "thn": 1}, "unknown key 'thn'"),
    ],
)
def test_a_claim_that_is_none_stops_with_one_sentence(tmp_path, claim, words):
    with pytest.raises(InputError, match=words):
        claims_of(tmp_path, {"it": claim})
