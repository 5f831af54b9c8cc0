"""Line maps: what became of each line of an algorithm's source.

The map of an algorithm is the file ``line_maps/<name>.yaml`` beside this module. It lists the lines of the pseudo-code
and the statements of the method's section, in our words, each with its place in the code, the option that decides
about it, or the reason why it is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from manybandits.base.combinations import Value
from manybandits.base.configuration import read_yaml
from manybandits.base.exceptions import InputError
from manybandits.base.sources import digest_of_files
from manybandits.base.typed import typed

FOLDER = Path(__file__).parent / "line_maps"


class Line(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line or a range of lines of pseudo-code, or one statement of a text."""

    says: str
    line: int | str = ""  # 3, or "6-10"; "" if the source does not number it
    code: tuple[str, ...] = ()  # names in the algorithm's module, or "module:name" in another one of the package
    option: str = ""
    value: Value = ""  # the value of the option that is this line, "" if all are
    left_out: str = ""

    def numbers(self) -> range:
        """Return the line numbers that the entry stands for."""
        first, _, last = str(self.line).partition("-")
        return range(int(first), int(last or first) + 1) if first else range(0)


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A numbered algorithm or a section of the source."""

    place: str
    map: tuple[Line, ...]
    lines: int = 0  # how many lines the source numbers


class LineMap(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The line map of an algorithm. like: another algorithm, all of whose lines are lines of this one."""

    source: str
    like: str = ""
    parts: tuple[Part, ...] = ()


def has_line_map(name: str) -> bool:
    """Return whether an algorithm has a line map; all of this package have one."""
    return (FOLDER / f"{name}.yaml").is_file()


def read_line_map(name: str) -> LineMap:
    """Read the line map of an algorithm, without that of `like`; raise InputError naming the file and the fault."""
    path = FOLDER / f"{name}.yaml"
    if not has_line_map(name):
        raise InputError(f"the algorithm {name!r} has no line map: write {path.name} in {FOLDER}.")
    read = typed(LineMap, read_yaml(path), str(path))
    for part in read.parts:
        _check(part, f"{path}: {part.place}")
    return read


def line_maps_of(name: str) -> Iterator[tuple[str, LineMap]]:
    """Yield (algorithm, its line map) for an algorithm, preceded by those that it is like."""
    read = read_line_map(name)
    if read.like:
        yield from line_maps_of(read.like)
    yield name, read


def _check(part: Part, where: str) -> None:
    """Raise InputError if an entry says nothing of the code, or a numbered line has no entry or two."""
    for entry in part.map:
        if not (entry.code or entry.option or entry.left_out):
            raise InputError(f"{where}: {entry.says!r} has no code, option or left_out; add one.")
        try:
            entry.numbers()
        except ValueError:
            raise InputError(f"{where}: {entry.line!r} is no line; give a number or a range such as 6-10.") from None
    found = sorted(number for entry in part.map for number in entry.numbers())
    if found != list(range(1, part.lines + 1)):
        wanted = set(range(1, part.lines + 1))
        missing = sorted(wanted - set(found))
        rest = sorted({number for number in found if found.count(number) > 1 or number not in wanted})
        faults = [f"without an entry: {missing}"] * bool(missing) + [f"twice or not there: {rest}"] * bool(rest)
        raise InputError(f"{where} has {part.lines} numbered lines; {'; '.join(faults)}.")


def digest() -> str:
    """Return 16 hexadecimal digits over all line maps."""
    return digest_of_files(FOLDER.glob("*.yaml"))
