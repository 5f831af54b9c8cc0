"""Command lines of nonsense: a sentence on standard error and exit status 2, and nothing is written."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from manybandits.cli import main
from tests.faults.sentences import examples

WORDS = st.one_of(
    st.sampled_from(["", "x", "../../evil", "./none.py", "x;id", "²", "٣", "-1", "0.5", "1e308", "nan", "inf"]),
    st.sampled_from(["9" * 200, "0-999999999", "9-0", "1,1", "a" * 200, "\u202e", "{}", "=", "a=", "=b", "users=²"]),
    st.text(max_size=6).filter(lambda text: not text.startswith("-") and "\0" not in text),
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
    (*PLAY, "--protocol", None),
    (*PLAY, "--tuning", None),
    (*PLAY, "--set", None),
    (*PLAY, "--spec", None),
    ("game", "ratings", None, "--out", "game.npz"),
    ("game", "ratings", "none.csv", "--out", None),
    ("reproduce", None, "--dry-run"),
]
"""Command lines with a place for a word; none of them is one that works."""


def status_of(argv: list[str]) -> int:
    """Return the exit status of a command line."""
    try:
        main(argv)
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.mark.slow
@settings(max_examples=examples(10_000, 200), deadline=None, suppress_health_check=list(HealthCheck))
@given(line=st.sampled_from(LINES), word=WORDS)
def test_a_command_line_of_nonsense_is_a_sentence(line, word, root, tmp_path_factory, capsys, monkeypatch):
    folder = tmp_path_factory.mktemp("line")
    monkeypatch.chdir(folder)
    argv = [word if part is None else part for part in line]
    if line[0] not in ("play", "check", "compare", "game", "new"):
        argv += ["--root", str(root)]
    status, told = status_of(argv), capsys.readouterr().err
    assert status in (0, 2)
    assert "Traceback" not in told
    assert ("error: " in told) == (status == 2)
    assert not [path for path in folder.rglob("*") if path.is_file()], argv
