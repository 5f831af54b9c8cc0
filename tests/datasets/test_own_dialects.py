"""One reader for what a user hands in: whatever its encoding, packing and dialect, its values are those it means."""

from __future__ import annotations

import bz2
import datetime as dt
import decimal
import gzip
import io
import lzma
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from manybandits.base.exceptions import InputError
from manybandits.datasets.own import log, ratings, rows
from manybandits.datasets.own.tables import from_frame, read_table
from manybandits.datasets.own.times import times

HEADER = ("user", "item", "rating")
VALUES = [("anna", "0042", "4.5"), ("bo", "42", "3"), ("carl", "B00X", "1")]


def written(
    separator: str = ",", end: str = "\n", quote: bool = False, pad: str = "", before: str = "", last: str = ""
) -> str:
    """Return the table of `VALUES` in a dialect."""

    def line(values) -> str:
        return separator.join(
            f'{pad}"{value}"' if quote and pad in ("", " ") else f"{pad}{value}{pad}" for value in values
        )

    return before.replace("{}", separator) + end.join([line(HEADER), *map(line, VALUES)]) + end + last


def zipped(content: bytes) -> bytes:
    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        archive.writestr("ratings.csv", content)
    return buffer.getvalue()


ENCODED = {
    "utf-8": str.encode,
    "utf-8 with a mark": lambda text: text.encode("utf-8-sig"),
    "utf-16": lambda text: text.encode("utf-16"),
    "utf-16-be without a mark": lambda text: text.encode("utf-16-be"),
    "utf-32": lambda text: text.encode("utf-32"),
}
PACKED = {"plain": bytes, "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zip": zipped}
DIALECTS = st.fixed_dictionaries(
    {
        "separator": st.sampled_from(",;\t|"),
        "end": st.sampled_from(["\n", "\r\n", "\r", "\n\n"]),
        "quote": st.booleans(),
        "pad": st.sampled_from(["", " ", "  ", "\u00a0", "\u200b"]),
        "before": st.sampled_from(["", "\n", "# a comment, and\n# one more\n", " \n\n", "% one\n", ",,\n", "sep={}\n"]),
        "last": st.sampled_from(["", "\n", "\n  \n", "\n;;;\n", "\x1a"]),
    }
)


@settings(max_examples=150, deadline=None)
@given(dialect=DIALECTS, encoding=st.sampled_from(list(ENCODED)), packing=st.sampled_from(list(PACKED)))
def test_a_table_reads_alike_in_every_dialect(tmp_path_factory, dialect, encoding, packing):
    path = tmp_path_factory.mktemp("dialect") / "any.csv"
    path.write_bytes(PACKED[packing](ENCODED[encoding](written(**dialect))))
    table = read_table(path)
    assert table.labels("user", "user").tolist() == ["anna", "bo", "carl"]
    assert table.labels("item", "item").tolist() == ["0042", "42", "B00X"]
    assert table.numbers("rating", "rating").tolist() == [4.5, 3.0, 1.0]


USERS, ITEMS, STARS = ["anna", "0042", "42", "anna"], [7, 12, 7, 12], [4.5, 3.0, 1.0, 5.0]
WHEN = [dt.datetime(2025, 1, day, 12, tzinfo=dt.UTC) for day in (3, 1, 2, 4)]
TEXTS = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]
WHOLE = [pa.int8(), pa.uint64(), pa.int64(), pa.float32(), pa.decimal128(9, 0), pa.dictionary(pa.int32(), pa.int64())]
FRACTIONS = [pa.float16(), pa.float32(), pa.float64(), pa.decimal128(9, 3), pa.decimal256(40, 2), pa.string()]
TIMES = [pa.timestamp(unit, zone) for unit in ("s", "ms", "us", "ns") for zone in (None, "UTC", "Asia/Kolkata")]
FORMS = {
    "Parquet": lambda table: parquet_of(table),
    "Parquet of pandas": lambda table: parquet_of(table.to_pandas()),
    "a frame": lambda table: from_frame(table.to_pandas(), "f"),
    "a frame of Arrow": lambda table: from_frame(table.to_pandas(types_mapper=pd.ArrowDtype), "f"),
    "a frame of nullable types": lambda table: from_frame(table.to_pandas().convert_dtypes(), "f"),
    "a frame of objects": lambda table: from_frame(table.to_pandas().astype(object), "f"),
    "a frame with an index": lambda table: from_frame(table.to_pandas().set_index(["user", "item"]), "f"),
    "a frame with any index": lambda table: from_frame(table.to_pandas().set_axis([7, 7, 2, -1]), "f"),
}


def parquet_of(table: pa.Table | pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    if isinstance(table, pd.DataFrame):
        table.to_parquet(buffer)
    else:
        parquet.write_table(table, buffer)
    return buffer.getvalue()


@settings(max_examples=150, deadline=None)
@given(
    form=st.sampled_from(list(FORMS)),
    types=st.tuples(*map(st.sampled_from, (TEXTS, WHOLE, FRACTIONS, TIMES))),
    chunks=st.booleans(),
)
def test_a_table_reads_alike_as_parquet_and_as_a_frame(tmp_path_factory, form, types, chunks):
    assume(form != "a frame of Arrow" or types[0] != pa.string_view())  # which pandas cannot hold
    names = ("user", "item", "rating", "when")
    columns = [cast_to(values, kind) for values, kind in zip((USERS, ITEMS, STARS, WHEN), types, strict=True)]
    table = pa.table(dict(zip(names, columns, strict=True)))
    source = FORMS[form](pa.concat_tables([table[:1], table[1:]], promote_options="none") if chunks else table)
    if isinstance(source, bytes):
        (path := tmp_path_factory.mktemp("forms") / "my.parquet").write_bytes(source)
        source = read_table(path)
    assert source.labels("user", "user").tolist() == USERS
    assert source.labels("item", "item").tolist() == ITEMS
    assert source.numbers("rating", "rating").tolist() == STARS
    assert np.argsort(times(source, "when")).tolist() == [1, 2, 0, 3]


def cast_to(values: list, kind: pa.DataType) -> pa.Array:
    """Return values as an Arrow array of a type; dates without a zone are those in UTC."""
    if pa.types.is_decimal(kind):
        return pa.array([decimal.Decimal(str(value)) for value in values]).cast(kind)
    if pa.types.is_string(kind) and not isinstance(values[0], str):
        return pa.array([str(value) for value in values])
    if pa.types.is_dictionary(kind):
        return pa.array(values, kind.value_type).dictionary_encode()
    return pa.array(values).cast(kind)


@pytest.mark.parametrize("value", [[1, 2], {"a": 1}, b"a", [("a", 1)]])
@pytest.mark.parametrize("form", ["Parquet", "a frame", "a frame of Arrow"])
def test_a_nested_column_is_refused(tmp_path, value, form):
    kind = pa.map_(pa.string(), pa.int64()) if value == [("a", 1)] else None
    table = pa.table({"x": pa.array([value] * 4, kind), "label": list("abab")})
    source = FORMS[form](table)
    if isinstance(source, bytes):
        (tmp_path / "my.parquet").write_bytes(source)
        source = tmp_path / "my.parquet"
    with pytest.raises(
        InputError, match=r"column 'x'.*(make all of them text, or all numbers|make it numbers or words)"
    ):
        rows.tidy(source)


@pytest.mark.parametrize("values", [[1, None, 3, 4], [True, None, False, True], [1.5, float("nan"), 2.0, 3.0]])
@pytest.mark.parametrize("form", sorted(set(FORMS) - {"a frame with an index"}))
def test_a_missing_value_is_told_in_every_form(tmp_path, values, form):
    source = FORMS[form](pa.table({"x": values, "label": list("abab")}))
    if isinstance(source, bytes):
        (tmp_path / "my.parquet").write_bytes(source)
        source = tmp_path / "my.parquet"
    with pytest.raises(InputError, match="row 2, column 'x': has no value, or NaN; fill it in, or leave the row out"):
        rows.tidy(source)


def made(folder, text: str, name: str = "my.csv"):
    (path := folder / name).write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("user,item,rating\n\n\na,x,bad\n", "line 4, column 'rating': 'bad' is not a number"),
        ("# one\nuser,item,rating\na,x,1\n\nb,y,bad\n", "line 5, column 'rating'"),
        ('user,item,rating\n"a\nb",x,1\nc,y,bad\n', "line 4, column 'rating'"),
        ("1\t111\t3\n1\t117\t5\n", r"the first line is data \(1.*111.*3\): put a line with the names"),
        ("39, State-gov, 77516\n50, Private, 83311\n", "the first line is data"),
        ("user::item::rating\n1::2::3\n", "line 1: nothing separates the columns"),
        ('user,item,rating\na,"x, y,1\nb,y,2\n', "line 2: a quotation mark is opened and not closed"),
        ("anna,x,2025-01-01\nbo,y,2025-01-02\n", "the first line is data"),
        ("39,?,13\n50,7,13\n38,9,9\n", "the first line is data"),
        (",3.5,1\n4.9,3.0,2\n", "the first line is data"),
        ("p,x,s\ne,y,s\np,x,t\n", "the first line is data"),
        ("My ratings of 2024\nuser,item,rating\na,x,5\n", "line 1: nothing separates .* take out lines above"),
        ("My ratings,,\nuser,item,rating\na,x,5\n", "no name for column 2: name it in the header, or take out lines"),
        ("user,item,rating\na,x,5\n(1 row)\n", "line 3 has 1 values, .* take that line out, or give it as many"),
        ('[{"user": 1}]\n', "line 1 begins like JSON, HTML or another format: save the table as CSV"),
        ("| user | item | rating |\n|---|---|---|\n| a | x | 5 |\n", "begins like JSON, HTML or another format"),
        ("user,item,rating\nuser,item,rating\na,x,5\n", "line 2, column 'rating': 'rating' is not a number"),
    ],
)
def test_a_message_names_the_line_of_the_file(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        ratings.tidy(made(tmp_path, text))


@pytest.mark.parametrize("names", ["0,1,2", "1990,2005,2010", "5,6,7", "x,1e9,z"])
def test_a_header_of_numbers_may_be_one(tmp_path, names):
    text = f"{names},label\n" + "0.5,1.5,2.5,a\n1.5,0.5,3.5,b\n" * 3
    assert list(rows.tidy(made(tmp_path, text))[0]["rows.parquet"]) == [*names.split(","), "label"]


def test_a_header_may_be_marked_as_a_comment_and_have_an_empty_last_column(tmp_path):
    table = read_table(made(tmp_path, "#user,item,rating,\na,x,5,\nb,y,4,\n"))
    assert list(table.frame) == ["user", "item", "rating"]
    assert len(table.frame) == 2


@pytest.mark.parametrize(
    "content",
    [
        b"SQLite format 3\x00" + bytes(100),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100),
        b"7z\xbc\xaf\x27\x1c" + bytes(40),
        "user,item\n1,2\n".encode("utf-32-le"),
        gzip.compress(gzip.compress(b"user,item\n1,2\n")),
    ],
    ids=["sqlite", "ole", "7z", "utf-32", "gzip twice"],  # what gzip writes has the time
)
def test_what_is_no_text_is_told(tmp_path, content):
    (path := tmp_path / "my.csv").write_bytes(content)
    with pytest.raises(InputError, match="is no text: save the table as CSV in UTF-8, or as Parquet"):
        read_table(path)


def test_an_archive_of_a_mac_holds_one_file(tmp_path):
    with zipfile.ZipFile(tmp_path / "my.zip", "w") as archive:
        archive.writestr("my.csv", "user,item\na,b\n")
        archive.writestr("__MACOSX/._my.csv", b"\x00\x05")
    assert len(read_table(tmp_path / "my.zip").frame) == 1


def test_a_frame_without_names_of_columns_has_numbers():
    assert list(from_frame(pd.DataFrame(np.ones((3, 2))), "mine").frame) == ["0", "1"]


@pytest.mark.parametrize(
    ("titles", "read"),
    [
        (['7" single', '"Heroes"', '12" mix'], ['7" single', "Heroes", '12" mix']),
        (['"Weird Al" Yankovic', 'a "quote', "plain"], ['"Weird Al" Yankovic', 'a "quote', "plain"]),
    ],
)
def test_a_quotation_mark_may_be_a_part_of_a_value(tmp_path, titles, read):
    text = "user\titem\trating\n" + "".join(f"u{k}\t{title}\t{k + 1}\n" for k, title in enumerate(titles))
    table = read_table(made(tmp_path, text, "my.tsv"))
    assert len(table.frame) == 3
    assert [one.strip('"') for one in table.labels("item", "item")] == [one.strip('"') for one in read]


def test_a_quoted_value_may_have_lines(tmp_path):
    table = read_table(made(tmp_path, 'user,item,rating\na,"x\nand, y",1\nb,z,2\n'))
    assert table.labels("item", "item").tolist() == ["x\nand, y", "z"]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (["0042", "42", "7"], ["0042", "42", "7"]),
        (["42", "7", "42"], [42, 7, 42]),
        (["42.0", "7.0", "42"], [42, 7, 42]),
        (["-1", "7", "42"], [-1, 7, 42]),
        (["0005077901", "B00000041X", "1"], ["0005077901", "B00000041X", "1"]),
        (["9007199254740993", "9007199254740992", "1"], ["9007199254740993", "9007199254740992", "1"]),
        ([" x ", "x", "y"], ["x", "x", "y"]),
        (["\u00a0x\u3000", "\u200bx", "\ufeffx"], ["x", "x", "x"]),
        (["caf\u00e9", "cafe\u0301", "y"], ["caf\u00e9", "caf\u00e9", "y"]),
        (["+7", "7", "7"], ["+7", "7", "7"]),
    ],
)
def test_an_id_is_what_is_written(tmp_path, written, read):
    text = "id\tnext\n" + "".join(f"{one}\t1\n" for one in written)
    assert read_table(made(tmp_path, text)).labels("id", "item").tolist() == read


@pytest.mark.parametrize(
    "values",
    [
        ["1,5", "2,5"],
        ["1.234.567", "2.345.678"],
        ["12 %", "7 %"],
        ["$1,200", "$900"],
        ["1\u00a0234", "2\u202f345"],
        ["1,5", "n/a"],
        ["12.5 kg", "13 kg"],
        ["EUR 12,5", "EUR 7"],
        ["1_000", "2_000"],
        ["0x1F", "0xA0"],
        ["\u0661\u0662", "\u0663"],
        ["\u22123.5", "\u22124"],
    ],
)
def test_a_number_in_another_notation_is_no_word(tmp_path, values):
    text = "x;label\n" + "".join(f"{value};{k}\n" for k, value in enumerate(values)) * 3
    with pytest.raises(
        InputError, match=r"line 2, column 'x': .* is not a number; write numbers like 4\.5, with a point"
    ):
        rows.tidy(made(tmp_path, text))


def test_what_is_odd_about_columns_is_remarked(tmp_path):
    text = "id,one,words,label\n" + "".join(f"{k},7,w{k // 2},{'ab'[k % 2]}\n" for k in range(210))
    said = rows.tidy(made(tmp_path, text)).remarks
    assert [one.split(":")[0] for one in said] == [
        "Column 'id' numbers the rows, so it tells nothing",
        "Column 'one' has one value only, so it tells nothing",
        "Column 'words' has 105 words, which become as many columns of 0 and 1",
    ]


def test_a_scale_below_four_stars_is_remarked(tmp_path):
    text = "user,item,rating\na,x,3\na,y,1\nb,x,2\n"
    (said,) = ratings.tidy(made(tmp_path, text)).remarks
    assert said.startswith("The largest rating is 3, and it is taken for one of 5 stars")
    assert not ratings.tidy(made(tmp_path, text), liked_above=1).remarks
    assert not ratings.tidy(made(tmp_path, text.replace("x,3", "x,5"))).remarks


def test_a_code_is_a_word_and_hashes_are_words(tmp_path):
    codes = ["01234", "98765", "01234", "98765"]
    hashes = ["68fd1e64", "05db9164", "87654321", "68fd1e64"]
    text = "zip,hash,x,label\n" + "".join(
        f"{a},{b},1.5,{k % 2}\n" for k, (a, b) in enumerate(zip(codes, hashes, strict=True))
    )
    found = rows.tidy(made(tmp_path, text))[0]["rows.parquet"]
    assert found["zip"].tolist() == codes
    assert found["hash"].tolist() == hashes
    assert found["x"].tolist() == [1.5] * 4


@pytest.mark.parametrize(
    ("early", "late"),
    [
        ("05/01/2025", "31/01/2025"),  # day first, as the second one says
        ("01/31/2025", "02/01/2025"),
        ("05.01.2025 23:59", "13.01.2025 00:00"),
        ("2025-01-05T10:00:00+02:00", "2025-01-05T09:00:00Z"),
        ("2025/1/5", "2025/10/1"),
        ("5 January 2025", "3 February 2025"),
        ("12/13/2024 11:59 PM", "12/14/2024 12:01 AM"),
        ("2262-01-01", "3000-01-01"),
        ("9998-12-31", "9999-12-31"),
        ("1736035200", "1738281600"),
        ("20241231", "20250101"),
        ("Tue 31 Dec 2024 23:20:00 +0000", "Wed 01 Jan 2025 00:30:00 +0100"),
    ],
)
def test_the_later_of_two_times_counts(tmp_path, early, late):
    for first, second in ((early, late), (late, early)):
        stars = (1, 5) if first == early else (5, 1)
        text = f"user,item,rating,when\na,x,{stars[0]},{first}\na,x,{stars[1]},{second}\n"
        found = ratings.tidy(made(tmp_path, text), timestamp="when")[0]["ratings.parquet"]
        assert found["rating"].tolist() == [5.0]


@pytest.mark.parametrize(
    ("dates", "message"),
    [
        (
            ["05/01/2025", "06/02/2025"],
            "line 2, column 'when': '05/01/2025' may be read with the day or with the month",
        ),
        (["31/01/2025", "01/31/2025"], "is neither a number nor a date of the same form as the others"),
        (["05/01/25", "31/01/25"], "line 2, column 'when': '05/01/25' is neither"),
        (["2025-01-05", "soon"], "line 3, column 'when': 'soon' is neither"),
        (["2025-02-30", "2025-03-01"], "line 2, column 'when': '2025-02-30' is neither"),
        (["31122024", "01012025"], "line 2, column 'when': 31122024 is a date whose year is last"),
        (["12312024", "01012025"], "line 2, column 'when': 12312024 is a date whose year is last"),
        (["311224", "010125"], "is a date whose year is last, or of two digits"),
        (["2025-01-05 10:00 PST", "2025-01-05 12:00 UTC"], "line 2, column 'when': '2025-01-05 10:00 PST' is neither"),
        (["1736035201", "1736035200000"], "line 3, column 'when': 1736035200000 is of another unit than others"),
    ],
)
def test_a_date_that_may_be_two_is_refused(tmp_path, dates, message):
    text = "user,item,rating,when\n" + "".join(f"a,x{k},1,{date}\n" for k, date in enumerate(dates))
    with pytest.raises(InputError, match=message):
        ratings.tidy(made(tmp_path, text.replace(",1,", ",5,")), timestamp="when")


def test_dates_that_are_the_same_in_both_orders_are_read(tmp_path):
    text = "user,item,rating,when\na,x,1,01/01/2025\na,x,5,02/02/2025\n"
    assert ratings.tidy(made(tmp_path, text), timestamp="when")[0]["ratings.parquet"]["rating"].tolist() == [5.0]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns", "date"])
def test_times_of_parquet_and_frames_are_read_in_every_unit(tmp_path, unit):
    days = ["2020-01-01", "2200-01-01"] if unit == "ns" else ["2020-01-01", "3000-01-01"]
    when = pd.Series(
        np.array(days, "datetime64[D]").astype(object) if unit == "date" else np.array(days, f"datetime64[{unit}]")
    )
    frame = pd.DataFrame({"user": ["a", "a"], "item": ["x", "x"], "rating": [1, 5], "when": when})
    frame.to_parquet(tmp_path / "far.parquet")
    for source in (tmp_path / "far.parquet", from_frame(frame, "mine")):
        assert ratings.tidy(source, timestamp="when")[0]["ratings.parquet"]["rating"].tolist() == [5.0]


def test_a_frame_of_any_index_and_dtype_reads_like_its_file(tmp_path):
    frame = pd.DataFrame({"user": [3, 1, 3], "item": ["b", "a", "a"], "rating": [4.0, 2.0, 5.0]})
    frame.to_csv(tmp_path / "my.csv", index=False)
    expected = ratings.tidy(tmp_path / "my.csv")[0]["ratings.parquet"]
    forms = [
        frame,
        frame.set_index("user"),
        frame.set_index(["user", "item"]),
        frame.astype({"user": "category", "item": "string", "rating": "Float32"}),
        frame.assign(rating=pd.arrays.SparseArray(frame["rating"])),
        frame.set_axis([7, 7, 9]),
        frame.convert_dtypes(dtype_backend="pyarrow"),
    ]
    for form in forms:
        pd.testing.assert_frame_equal(ratings.tidy(from_frame(form, "f"))[0]["ratings.parquet"], expected)


LOG = "arm,reward,p\n" + "".join(f"{'abc'[k % 3]},{k % 2},{{}}\n" for k in range(600))


def test_propensities_that_cannot_be_right_are_refused_or_counted(tmp_path):
    right = log.tidy(made(tmp_path, LOG.replace("{}", "0.33")), propensity="p")
    assert right.counts == {"events": 600, "arms": 3}
    assert not right.remarks
    with pytest.raises(
        InputError, match=r"of arm a cannot be right: 1 / p sums to 6,061 over its events, and should to"
    ):
        log.tidy(made(tmp_path, LOG.replace("{}", "0.033")), propensity="p")
    for chance, total in {"1": 200, "0.5": 400}.items():
        (remark,) = log.tidy(made(tmp_path, LOG.replace("{}", chance)), propensity="p").remarks
        assert remark.startswith(f"1 / propensity sums to {total} over the events of arm a")


@pytest.mark.parametrize("seed", range(20))
def test_propensities_that_are_right_pass_though_some_are_small(tmp_path, seed):
    rng = np.random.default_rng(seed)
    chance = rng.dirichlet([0.3, 0.3, 0.3], size=2000).clip(0.002)
    chance /= chance.sum(axis=1, keepdims=True)
    arm = np.array([rng.choice(3, p=one) for one in chance])
    lines = [f"{'abc'[a]},1,{float(chance[k, a])!r}" for k, a in enumerate(arm)]
    assert not log.tidy(made(tmp_path, "arm,reward,p\n" + "\n".join(lines) + "\n"), propensity="p").remarks


def test_arms_may_have_a_word_each(tmp_path):
    arms = made(tmp_path, "arm,genre,price\na,x,1\nb,y,2\n", "arms.csv")
    path = made(tmp_path, "arm,reward\n" + "a,1\nb,0\n" * 3)
    contexts = log.tidy(path, propensity="uniform", arm_features=arms)[0]["log.npz"]["contexts"]
    assert contexts[0].tolist() == [[1.0, 1.0, 0.0], [2.0, 0.0, 1.0]]  # price, and whether the genre is x or y
