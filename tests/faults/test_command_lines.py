"""Command lines of nonsense: a sentence on standard error and exit status 2, and nothing is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from manybandits.cli import main
from manybandits.papers import files
from tests.faults.sentences import examples

WORDS = st.one_of(
    st.sampled_from(["", "x", "../../evil", "./none.py", "x;id", "²", "٣", "-1", "0.5", "1e308", "nan", "inf"]),
    st.sampled_from(["9" * 200, "0-999999999", "9-0", "1,1", "a" * 200, "\u202e", "{}", "=", "a=", "=b", "users=²"]),
    st.text(max_size=6).filter(lambda text: not re.match(r"-|[^\0]*\0|[\d\s]+\Z", text, re.ASCII)),
)
PLAY = ("play", "random", "--game", "synthetic", "--out", "run.parquet")
LINES = [
    ("show", None),
    ("list", None),
    ("check", None),
    ("check", "random", "--game", None),
    ("claims", "--paper", None),
    ("claims", "--kind", None),
    ("claims", "--verdict", None),
    ("claims", "--verdicts", None),
    ("readings", None),
    ("readings", "--run", None),
    ("compare", None),
    ("site", "--run", None),
    ("league", "--add", None),
    ("new", "algorithm", "none/../x.txt", None),
    ("play", None, "--game", "synthetic", "--out", "run.parquet"),
    ("play", "random", "--environment", None, "--out", "run.parquet"),
    (*PLAY, "--set-game", None),
    (*PLAY, "--seeds", None),
    (*PLAY, "--horizon", None),
    (*PLAY, "--tuning", None),
    (*PLAY, "--set", None),
    (*PLAY, "--spec", None),
    ("game", "ratings", None, "--out", "game.npz"),
    ("game", "ratings", "none.csv", "--out", None),
    ("reproduce", None, "--dry-run"),
    ("reproduce", "meta_ban_fig1", "--dry-run", "--set", None),
    ("reproduce", "meta_ban_fig1", "--dry-run", "--cores", None),
    ("readings", "m_cnb", "--set", None),
    ("repair", "--dry-run", None),
    ("completion", None),
]
"""Command lines with a place for a word; none of them is one that works."""
WITHOUT_ROOT = ("play", "check", "compare", "game", "new", "repair", "completion")


@pytest.fixture(scope="session")
def papers_read_once(root) -> Iterator[None]:
    """Let the papers of the checkout, which no command line changes, be read once: it takes most of the time."""
    read, known = files.read_paper, {}

    def read_once(folder: Path):
        if not folder.is_relative_to(root):
            return read(folder)
        if folder not in known:
            known[folder] = read(folder)
        return known[folder]

    with mock.patch.object(files, "read_paper", read_once):
        yield


def status_of(argv: list[str]) -> int:
    """Return the exit status of a command line."""
    try:
        main(argv)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.mark.usefixtures("papers_read_once")
@settings(max_examples=examples(10_000, 200), deadline=None, suppress_health_check=list(HealthCheck))
@given(line=st.sampled_from(LINES), word=WORDS)
def test_a_command_line_of_nonsense_is_a_sentence(
    line, word, root, papers_read_once, tmp_path_factory, capsys, monkeypatch
):
    folder = tmp_path_factory.mktemp("line")
    monkeypatch.chdir(folder)
    argv = [word if part is None else part for part in line]
    if line[0] not in WITHOUT_ROOT:
        argv += ["--root", str(root)]
    status, told = status_of(argv), capsys.readouterr().err
    assert status in (0, 2)
    assert "Traceback" not in told
    assert ("error: " in told) == (status == 2)
    assert not [path for path in folder.rglob("*") if path.is_file()], argv
