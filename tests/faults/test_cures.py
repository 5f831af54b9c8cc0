"""Every cure that a message on a user's own table names: what is refused goes on once the cure was followed."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest

from manybandits.base.exceptions import InputError
from manybandits.datasets.own import dialect, log, ratings, rows, tables, text, times
from manybandits.environments import own
from tests.faults.refusals import lacking, passed

SEARCHED: tuple[ModuleType, ...] = (dialect, log, ratings, rows, tables, text, times, own)
"""The modules of which every refusal needs a case below."""


class Case(NamedTuple):
    """What is refused, with the message, and what it becomes by its cure. An option of None is taken back."""

    read: str
    wrong: Any
    message: str
    mended: Any = None  # None: the same table
    given: dict[str, Any] = {}  # noqa: RUF012
    cure: dict[str, Any] = {}  # noqa: RUF012


def csv(header: str, *lines: str) -> str:
    return "\n".join([header, *lines]) + "\n"


def frame(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)


def packed(**members: str) -> bytes:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        for name, content in members.items():
            archive.writestr(name.replace("_", "/"), content)
    return buffer.getvalue()


def parquet(table: pd.DataFrame) -> bytes:
    table.to_parquet(buffer := io.BytesIO())
    return buffer.getvalue()


R = csv("user,item,rating", "a,x,5", "b,y,1", "c,x,4")
RW = csv("user,item,rating,when", "a,x,5,{}", "a,x,1,{}")
C = csv("x,colour,label", *(f"{k / 8},{'red' if k % 3 else 'blue'},{'uv'[k % 2]}" for k in range(12)))
L = csv("arm,reward,propensity,x", *(f"{'ab'[k % 2]},{k // 2 % 2},0.5,{k % 5}" for k in range(60)))
DRAWN = np.random.default_rng(0).integers(1, 6, (40, 40))
STARS = csv("user,item,rating", *(f"u{u},i{i},{DRAWN[u, i]}" for u in range(40) for i in range(40)))
RARE = csv("arm,reward,propensity", *["a,1,0.9"] * 90, *["b,1,0.1"] * 10)
ALIKE = csv("user,item,rating", *(f"u{u},i{i},4" for u in range(40) for i in range(40)))
DAYS = pd.Series(np.array(["2025-01-01", "2025-01-02"], "datetime64[s]"))
NUMBERED = {"user": 1, "item": 2, "rating": 4}

CASES = [
    # dialect
    Case("ratings", "\n\n", "is empty: its first line must name the columns", R),
    Case("ratings", '""\n1\n', "is empty: its first line must name the columns", R),
    Case("ratings", '[{"user": 1}]\n', "begins like JSON.*save the table as CSV", R),
    Case("ratings", R.replace(",", "::"), "use a comma, semicolon, tab or |", R.replace(",", "|")),
    Case("ratings", "My ratings\n" + R, "take out lines above the one that names them", R),
    Case(
        "ratings",
        "7,1,5\n8,2,1\n7,3,5\n",
        "put a line with the names of the columns above it",
        "user,item,rating\n7,1,5\n8,2,1\n",
    ),
    Case("ratings", R + 'd,"y, z,3\n', "double it where it is a part of a value", R + 'd,"""y, z",3\n'),
    Case("ratings", R.replace("item", "user"), r"has two columns 'user' \(1 and 2\): rename or remove one", R),
    # text
    Case("ratings", Path("folder"), "is a folder: give the path of a CSV or Parquet file in it", Path("folder/in.csv")),
    Case("ratings", Path("absent.csv"), "does not exist: give the path", Path("folder/in.csv")),
    Case("ratings", gzip.compress(R.encode())[:20], "cannot be unpacked .*: get it again", gzip.compress(R.encode())),
    Case("ratings", gzip.compress(b"x" * 200_000), "unpack it, and give a part of it", R),
    Case("ratings", packed(xl_book=R), "is a spreadsheet: save its sheet as CSV", R),
    Case("ratings", packed(a=R, b=R), "is an archive of 2 files: unpack it, and give one of them", packed(a=R)),
    Case(
        "ratings",
        b"\x00\x01" * 99,
        "is no text: save the table as CSV in UTF-8, or as Parquet",
        parquet(pd.read_csv(io.StringIO(R))),
    ),
    Case("ratings", b"\x89HDF\r\n\x1a\n\xff", "is no text: save the table as CSV in UTF-8", R),
    Case("ratings", R.replace("x", "\x01"), "is no text: save the table as CSV in UTF-8", R),
    Case("ratings", R.encode("utf-16")[:-1], "begins as UTF-16-LE, and is not: save it as UTF-8", R),
    Case("ratings", R.replace("x", "\xe9").encode("latin-1"), "line 2 holds the byte 0xe9", R.replace("x", "\xe9")),
    # tables
    Case("ratings", R.replace("user", "who"), "has no column 'user'.*user=COLUMN", None, {}, {"user": "who"}),
    Case(
        "ratings",
        R + ",y,3\n",
        "line 5, column 'user': has no value, or NaN; fill it in, or leave the row out",
        R + "d,y,3\n",
    ),
    Case(
        "ratings", R + "d,y,3 stars\n", "line 5, column 'rating': '3 stars' is.*like 4.5, with a point", R + "d,y,3\n"
    ),
    Case(
        "ratings",
        frame(user=[1, 2], item=[1, 2], rating=DAYS, n=[5, 1]),
        "name another column",
        None,
        {},
        {"rating": "n"},
    ),
    Case("ratings", R + "d,y,inf\n", "line 5, column 'rating': inf is infinite.*give a finite number", R),
    Case("log", L.replace("0.5,4", "0,4"), "line 6, column 'propensity': 0 is not above 0; give a positive", L),
    Case("log", L.replace("a,1,", "a,-1,"), "is below 0; give numbers from 0 to 1", L),
    Case("log", L.replace("a,1,", "a,2,"), "line 4, column 'reward': 2 is above 1; give numbers", L),
    Case(
        "ratings",
        frame(user=DAYS, item=[1, 2], rating=[5, 1]),
        "give whole numbers or words|give whole numbers, or words",
        frame(user=DAYS.astype(str), item=[1, 2], rating=[5, 1]),
    ),
    Case(
        "ratings",
        frame(user=[1.5, 2.0], item=[1, 2], rating=[5, 1]),
        "is not a whole number; give whole numbers, or words",
        frame(user=["n1.5", "n2"], item=[1, 2], rating=[5, 1]),
    ),
    Case(
        "ratings",
        frame(user=[1e17, 2.0], item=[1, 2], rating=[5, 1]),
        "is too large to be told .*; store it as text",
        frame(user=["1" + "0" * 17, "2"], item=[1, 2], rating=[5, 1]),
    ),
    Case(
        "ratings",
        R.replace("a,", "1.1,").replace("b,", "1.10,").replace("c,", "2,"),
        "words such as n4.5",
        R.replace("a,", "n1.1,").replace("b,", "n1.10,").replace("c,", "n2,"),
    ),
    Case(
        "ratings",
        frame(user=[[1], [2]], item=[1, 2], rating=[5, 1]),
        "of type list; make all of them text, or all numbers",
        frame(user=["1", "2"], item=[1, 2], rating=[5, 1]),
    ),
    Case("rows", C, "no column 'lable': did you mean 'label'", None, {"label": "lable"}, {"label": "label"}),
    Case("rows", C, "did you mean 'colour'", None, {"drop": ["color"]}, {"drop": ["colour"]}),
    Case(
        "ratings",
        R,
        "user and item name the same column 'user': give each a column of its own",
        None,
        {"item": "user"},
        {"item": "item"},
    ),
    Case(
        "ratings",
        parquet(frame(user=[1], item=[1], rating=[5]).iloc[:0]),
        "give a table with data",
        parquet(frame(user=[1], item=[1], rating=[5])),
    ),
    Case("ratings", csv("user,item,rating"), "has no rows below its header: give a table with data", R),
    Case(
        "ratings",
        frame(user=[1], item=[1], rating=[5]).set_axis(
            pd.MultiIndex.from_product([["a"], ["user", "item", "rating"]]), axis=1
        ),
        "give each column one name",
        frame(user=[1], item=[1], rating=[5]),
    ),
    Case(
        "ratings",
        frame(user=[], item=[], rating=[]),
        "the frame has no rows: give a table with data",
        frame(user=[1], item=[1], rating=[5]),
    ),
    Case(
        "ratings",
        pd.read_csv(io.StringIO("7,1,5\n8,2,1\n")),
        r"names of its columns are data \(7, 1, 5\).* pandas\.read_csv\(file, names=",
        pd.read_csv(io.StringIO("7,1,5\n8,2,1\n"), names=["user", "item", "rating"]),
    ),
    Case(
        "ratings", R.replace("a,x,5", "a,x, y,5"), "line 2 has 4 values.*quote values", R.replace("a,x,5", 'a,"x, y",5')
    ),
    Case("ratings", R + "(3 rows)\n", "take that line out", R),
    Case("ratings", csv("user,,rating", "a,x,5", "b,y,1"), "no name for column 2: name it in the header", R),
    Case(
        "ratings",
        parquet(frame(user=[1], item=[1], rating=[5]))[:-9],
        "cannot be read as Parquet .*: write it again",
        R,
    ),
    # ratings
    Case(
        "ratings", csv("user,item,rating", "a,x,80", "b,y,10"), "by liked_above=NUMBER", None, {}, {"liked_above": 50}
    ),
    Case("ratings", csv("user,item,rating", "a,x,1", "b,y,0"), "by liked_above=NUMBER", None, {}, {"liked_above": 0}),
    Case(
        "ratings",
        RW.format(1, 2),
        "line 2 and line 3: user a rates.*timestamp=COLUMN",
        None,
        {},
        {"timestamp": "when"},
    ),
    # times
    *(
        Case("ratings", RW.format(*wrong), message, RW.format(*mended), {"timestamp": "when"})
        for wrong, message, mended in (
            (
                ("1736035201", "1736035200000"),
                "is of another unit than others.*write all in one",
                ("1736035201", "1736035200"),
            ),
            (("31122024", "01012025"), "write dates like 2025-01-31", ("2024-12-31", "2025-01-01")),
            (("soon", "2025-01-01"), "write dates like 2025-01-31 12:00:00", ("2025-01-31 12:00:00", "2025-01-01")),
            (
                ("01/02/2025", "02/01/2025"),
                "may be read with the day or with the month first",
                ("2025-02-01", "2025-01-02"),
            ),
        )
    ),
    Case(
        "ratings",
        frame(user=[1, 1], item=[1, 1], rating=[5, 1], when=[dt.timedelta(1), dt.timedelta(2)]),
        "give numbers or dates",
        frame(user=[1, 1], item=[1, 1], rating=[5, 1], when=[1, 2]),
        {"timestamp": "when"},
    ),
    # rows
    Case(
        "rows",
        C.replace("label", "kind").replace("colour", "label"),
        "rename it, or leave it out by drop=label",
        None,
        {"label": "kind"},
        {"drop": ["label"]},
    ),
    Case(
        "rows",
        C.replace(",u", ",v"),
        r"column 'label' has one class only \(v\).*by label=COLUMN",
        None,
        {},
        {"label": "colour", "drop": ["label"]},
    ),
    Case("rows", C, "is not a whole number|too few rows of each", None, {"label": "x"}, {"label": "label"}),
    Case(
        "rows",
        csv("x,label", "1,7", "2,8", "3,9"),
        "has 3 classes in 3 rows, too few rows of each: name a column of classes",
        csv("x,k,label", "1,7,a", "2,8,b", "3,9,a", "4,6,b"),
    ),
    Case(
        "rows",
        frame(x=list(DAYS) * 2, y=[1, 2, 3, 5], label=list("abab")),
        "make it numbers or words, or leave it out by drop=x",
        None,
        {},
        {"drop": ["x"]},
    ),
    Case(
        "rows",
        csv("n,x,label", "p,1,a", "q,1,b", "r,2,a", "s,3,b"),
        "'n' has another word in every row.*leave it out by drop=n",
        None,
        {},
        {"drop": ["n"]},
    ),
    Case(
        "rows", csv("label", "a", "a", "b", "b"), "add columns of features", csv("x,label", "1,a", "2,a", "3,b", "1,b")
    ),
    Case(
        "rows",
        csv("x;label", "1,5;a", "2,5;b", "1,5;a", "2,5;b"),
        "write numbers like 4.5",
        csv("x;label", "1.5;a", "2.5;b", "1.5;a", "2.5;b"),
    ),
    Case(
        "rows",
        csv("x,label", *["2025-01-31,a", "2025-02-01,b"] * 2),
        "line 2, column 'x': '2025-01-31' is a date; write a number",
        csv("x,label", *["0,a", "1,b"] * 2),
    ),
    Case(
        "rows",
        csv("x,label", "1,a", "2,b", "few,a", "4,b"),
        "line 4, column 'x': 'few' is a word, but others are numbers.*make all of them numbers",
        csv("x,label", "1,a", "2,b", "3,a", "4,b"),
    ),
    # log
    Case(
        "log",
        L.replace("\nb", "\na"),
        r"column 'arm' has one arm only \(a\).*by arm=COLUMN",
        None,
        {"propensity": "uniform"},
        {"arm": "x", "drop": ["arm", "propensity"]},
    ),
    Case(
        "log",
        csv("arm,reward,w", *(f"{'ab'[k % 2]},1,w{k // 2}" for k in range(100))),
        "leave out rows, or columns by drop",
        None,
        {"propensity": "uniform"},
        {"drop": ["w"]},
    ),
    Case("log", RARE.replace("0.9", "0.009"), r"give the probability with which the arm shown was chosen", RARE),
    Case(
        "log",
        RARE,
        "arm a was shown in 90 of 100 events, so the log was not uniform .*by propensity=COLUMN",
        None,
        {"propensity": "uniform"},
        {"propensity": "propensity"},
    ),
    Case(
        "log",
        L.replace("propensity", "p"),
        "has no column 'propensity': .* by propensity=COLUMN, or write propensity=uniform",
        None,
        {},
        {"propensity": "p"},
    ),
    Case("log", L.replace(",4\n", ",2e9\n"), r"column 'x'.*beyond.*by drop=x", None, {}, {"drop": ["x"]}),
    Case(
        "log",
        L,
        "line 3, column 'arm': 'a' is listed twice.*give one row per arm",
        None,
        {"arm_features": "arm,size\na,1\na,2\nb,3\n"},
        {"arm_features": "arm,size\na,1\nb,3\n"},
    ),
    Case(
        "log",
        L,
        "has no row for arm b, which the log shows: add it",
        None,
        {"arm_features": "arm,size\na,1\n"},
        {"arm_features": "arm,size\na,1\nb,3\n"},
    ),
    # environments.own
    Case("game", STARS, "users is 1: give at least 2", None, {"users": 1}, {"users": 2}),
    Case("game", STARS, "has 40 users.*at most users=40", None, {"users": 50}, {"users": 40}),
    Case("game", ALIKE, "all ratings are 4: give a table with those of both kinds", STARS, {"users": 5}),
    Case(
        "game",
        STARS,
        "matter in meta-ban.*disliked_below=NUMBER",
        None,
        {"game": "meta-ban", "liked_above": 3},
        {"disliked_below": 3},
    ),
    Case(
        "game",
        STARS,
        "give at most disliked_below=2, or a larger liked_above",
        None,
        {"users": 5, "liked_above": 2, "disliked_below": 4},
        {"disliked_below": 2},
    ),
    Case(
        "game",
        STARS,
        r"--out .*g\.npy: .*write for example --out g\.npz",
        None,
        {"users": 5, "out": "g.npy"},
        {"out": "g.npz"},
    ),
]
READERS = {"ratings": ratings.tidy, "rows": rows.tidy, "log": log.tidy}


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    monkeypatch.setattr(log, "MOST_NUMBERS", 2000)
    monkeypatch.setattr(text, "MOST_UNPACKED", 100_000)


def source(folder: Path, content: Any, name: str = "my.csv") -> Any:
    """Return a table as a reader takes it: the path of a file, or a frame."""
    (folder / "folder").mkdir(exist_ok=True)
    (folder / "folder" / "in.csv").write_text(R)
    if isinstance(content, pd.DataFrame):
        return tables.from_frame(content, "my")
    if isinstance(content, Path):
        return folder / content
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder / name


def run(folder: Path, read: str, content: Any, given: dict[str, Any]) -> None:
    """Read a table, or make a game of one."""
    if read == "game":
        named = {"out": "g.npz", **given}
        own.ratings(source(folder, content), folder / named.pop("out"), **named)
        return
    if "arm_features" in given:
        given = {**given, "arm_features": source(folder, given["arm_features"], "arms.csv")}
    READERS[read](source(folder, content), **given)


@pytest.mark.parametrize("case", CASES, ids=[f"{k} {case.message[:40]}" for k, case in enumerate(CASES)])
def test_a_cure_works(case, tmp_path):
    with pytest.raises(InputError, match=case.message):
        run(tmp_path, case.read, case.wrong, case.given)
    run(tmp_path, case.read, case.wrong if case.mended is None else case.mended, {**case.given, **case.cure})


def test_every_refusal_has_a_case(tmp_path):
    reached = set()
    for case in CASES:
        with pytest.raises(InputError) as error:
            run(tmp_path, case.read, case.wrong, case.given)
        reached |= passed(error)
    assert not lacking(SEARCHED, reached)
