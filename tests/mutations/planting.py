"""Faults of one character or word: another operator, constant or index."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

OPERATORS = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "/"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "/"),
    ast.Mod: ("%", "*"),
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
"""An operator of the syntax tree: how it is written, and what is written in its place."""


class Fault(NamedTuple):
    """`before` is written as `after`, in a file of `src`.

    line: from 1, where it was drawn; text: the line, without spaces around it; place: the bytes of `text` before it.
    """

    file: str
    line: int
    text: str
    place: int
    before: str
    after: str

    def plant(self, source: Path) -> bool:
        """Write the fault into the file, in a copy of the folder `src`; return whether its line is still there.

        The line may have moved: of those with the same text, the nearest is taken.
        """
        path = source / self.file
        if not path.exists():
            return False
        lines = path.read_text(encoding="utf-8").split("\n")
        same = [number for number, line in enumerate(lines) if line.strip() == self.text]
        if not same:
            return False
        number = min(same, key=lambda one: abs(one + 1 - self.line))
        text = self.text.encode()
        changed = text[: self.place] + self.after.encode() + text[self.place + len(self.before.encode()) :]
        lines[number] = lines[number].replace(self.text, changed.decode())
        path.write_text("\n".join(lines), encoding="utf-8")
        return True


def faults_of(source: Path, file: str) -> Iterator[Fault]:
    """Yield every fault that can be planted in a file of the folder `src`; types and docstrings have none."""
    text = (source / file).read_bytes()
    tree = ast.parse(text)
    lines = text.split(b"\n")
    types = {id(part) for node in ast.walk(tree) for kind in _types(node) for part in ast.walk(kind)}
    for node in ast.walk(tree):
        if id(node) in types:
            continue
        for line, column, before, after in _written(node, lines):
            whole = lines[line - 1]
            place = column - (len(whole) - len(whole.lstrip()))
            yield Fault(file, line, whole.strip().decode(), place, before, after)


def _types(node: ast.AST) -> Iterator[ast.AST]:
    for name in ("annotation", "returns"):
        if (kind := getattr(node, name, None)) is not None:
            yield kind


def _written(node: ast.AST, lines: list[bytes]) -> Iterator[tuple[int, int, str, str]]:
    if isinstance(node, ast.Constant) and type(node.value) in (bool, int, float):
        before = lines[node.lineno - 1][node.col_offset : node.end_col_offset].decode()
        after = str(not node.value) if isinstance(node.value, bool) else f"({before} + 1)"
        yield node.lineno, node.col_offset, before, after
    elif isinstance(node, ast.BinOp):
        yield from _operator(node.op, node.left, node.right, lines)
    elif isinstance(node, ast.Compare):
        for op, left, right in zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False):
            yield from _operator(op, left, right, lines)
    elif isinstance(node, ast.BoolOp):
        yield from _operator(node.op, node.values[0], node.values[1], lines)


def _operator(op: ast.AST, left: ast.expr, right: ast.expr, lines: list[bytes]) -> Iterator[tuple[int, int, str, str]]:
    """Yield an operator that stands on the line on which its left side ends, and nothing but brackets before it."""
    if type(op) not in OPERATORS or left.end_lineno is None or left.end_col_offset is None:
        return
    before, after = OPERATORS[type(op)]
    rest = lines[left.end_lineno - 1][left.end_col_offset :]
    skipped = len(rest) - len(rest.lstrip(b" )"))
    if rest[skipped:].startswith(before.encode()):
        yield left.end_lineno, left.end_col_offset + skipped, before, after
