"""The text of a user's file: what is in it is told by its first bytes, not by its name."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from manybandits.base.exceptions import InputError
from manybandits.datasets.base import MOST_UNPACKED, in_gigabytes

PARQUET = b"PAR1"
PACKED: dict[bytes, Callable[[IO[bytes]], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
}
"""First bytes of a packed file -> what unpacks it."""
ZIP, ZSTD = b"PK\x03\x04", b"\x28\xb5\x2f\xfd"
DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, NotImplementedError, RuntimeError)
MARKS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF32_LE: "utf-32-le",  # before the mark of UTF-16, with which it begins
    codecs.BOM_UTF32_BE: "utf-32-be",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
"""First bytes of a text -> its encoding."""
PROBED = 4096
"""The bytes in which zeros tell an encoding without a mark."""
NO_TEXT = "is no text: save the table as CSV in UTF-8, or as Parquet."
BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f]")
NOT_TEXT = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff]")
"""Characters that no table in text has."""
EMPTY_ROW = re.compile(r"\n[ \t,;|]+(?=\n|$)")
"""A line without a value, such as spreadsheets write below a table."""
SPACED_QUOTE = re.compile(r'(^|[\n,;|\t]) +"')


def content_of(path: Path) -> bytes:
    """Return the bytes of a file, unpacked; raise InputError if there is no such file, or what cannot be read."""
    if path.is_dir():
        raise InputError(f"{path} is a folder: give the path of a CSV or Parquet file in it.")
    if not path.is_file():
        raise InputError(f"{path} does not exist: give the path of a CSV or Parquet file.")
    with path.open("rb") as file:
        first = file.read(8)
        file.seek(0)
        try:
            for mark, unpack in PACKED.items():
                if first.startswith(mark):
                    return _limited(unpack(file), path)
            if first.startswith(ZIP):
                return _zipped(file, path)
            if first.startswith(ZSTD):
                import pyarrow  # here, because it takes a while to import

                return _limited(pyarrow.CompressedInputStream(file, "zstd"), path)
            return file.read()
        except DAMAGED as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise InputError(f"{path} is packed, and cannot be unpacked ({reason}): get it again.") from error


def _limited(file: Any, path: Path) -> bytes:
    content: bytes = file.read(MOST_UNPACKED + 1)
    if len(content) > MOST_UNPACKED:
        raise InputError(
            f"{path} unpacks to more than {in_gigabytes(MOST_UNPACKED)}: unpack it, and give a part of it."
        )
    return content


def _zipped(file: IO[bytes], path: Path) -> bytes:
    with zipfile.ZipFile(file) as archive:
        members = [one for one in archive.infolist() if not one.is_dir() and not one.filename.startswith("__MACOSX/")]
        if any(member.filename.startswith(("xl/", "content.xml")) for member in members):
            raise InputError(f"{path} is a spreadsheet: save its sheet as CSV, and give that file.")
        if len(members) != 1:
            raise InputError(f"{path} is an archive of {len(members)} files: unpack it, and give one of them.")
        with archive.open(members[0]) as member:
            return _limited(member, path)


def text_of(content: bytes, path: Path) -> str:
    """Return the text of a file with lines that end in a line feed; raise InputError if it is in another encoding."""
    encoding, start, guessed = "utf-8", 0, False
    for mark, name in MARKS.items():
        if content.startswith(mark):
            encoding, start = name, len(mark)
            break
    else:
        probed = content[:PROBED]
        zeros = probed[1::2].count(0), probed[::2].count(0)
        if max(zeros) > len(probed) // 4:
            encoding, guessed = "utf-16-le" if zeros[0] > zeros[1] else "utf-16-be", True
    try:
        text = content[start:].decode(encoding)
    except UnicodeDecodeError as error:
        if guessed or (encoding == "utf-8" and BINARY.search(content[:PROBED])):
            raise InputError(f"{path} {NO_TEXT}") from error
        if encoding != "utf-8":
            raise InputError(f"{path} begins as {encoding.upper()}, and is not: save it as UTF-8.") from error
        line = content.count(b"\n", 0, start + error.start) + 1
        raise InputError(
            f"{path} is not UTF-8: line {line} holds the byte 0x{content[start + error.start]:02x}. Save it as UTF-8, "
            "or name its encoding, such as WINDOWS-1252, in place of X in `iconv -f X -t UTF-8`."
        ) from error
    text = text.rstrip("\x1a")  # with which old programs end a file
    if NOT_TEXT.search(text) or (guessed and any(unicodedata.category(one) == "Cn" for one in set(text[:PROBED]))):
        raise InputError(f"{path} {NO_TEXT}")
    return _plain(text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text)


def _plain(text: str) -> str:
    """Return a text with as many lines, without what stands in none of its values: empty rows, spaces before quotes."""
    text = EMPTY_ROW.sub("\n", text)
    return SPACED_QUOTE.sub(r'\1"', text) if SPACED_QUOTE.search(text) else text
