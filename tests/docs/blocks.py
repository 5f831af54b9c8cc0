"""Runs the code blocks of a page as its reader would: from top to bottom, in an empty folder.

The language of a block says what becomes of it:

sh        commands, which run one after another
python    code; the blocks of a page share their names
pycon     an interactive session, with its results
output    what the block before it printed; ``...`` stands for anything
text      a drawing, of which nothing is run

A block of any language with ``title="my_game.py"`` is a file, which is written. ``<!-- not run: REASON -->`` above a
block leaves it out, and ``<!-- needs: NAME -->`` unless that package is installed, or the files of that data set are
here or in the mirror. Its commands are parsed
nevertheless, so that a command or option that is gone is found. A picture of a page is compared with the one of the
same name that its blocks made; below ``<!-- may differ: REASON -->`` it need only be made.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import os
import re
import subprocess
import sys
import tomllib
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

import yaml
from sybil import Document, Example, Region
from sybil.parsers.markdown.lexers import RawFencedCodeBlockLexer

from manybandits import cli, datasets
from manybandits.datasets.command_line import listed
from tests.docs.commands import check_command, without_variables, words_of

LEXER = RawFencedCodeBlockLexer(re.compile(r'(?P<language>[a-z]+)(?: title="(?P<title>[^"\n]+)")?[ ]*\n'))
EVERY = RawFencedCodeBlockLexer(re.compile(r"[^\n]*\n"))
REASON = re.compile(r"<!-- (not run|needs): ((?:(?!-->).)+?) -->\s*\Z", re.DOTALL)
PICTURE = re.compile(r"(<!-- may differ: .+? -->\s*)?!\[[^\]]*\]\((images/[^)]+)\)")
PARSERS = {".py": ast.parse, ".toml": tomllib.loads, ".yaml": yaml.safe_load}
"""What a file must be, by the end of its name."""


@dataclass(frozen=True)
class Block:
    """A code block; reason: why it is not run, "" if it is."""

    language: str
    title: str | None
    source: str
    reason: str


class Page:
    """A page with its blocks, which `run` runs in the current folder."""

    def __init__(self, path: Path) -> None:
        """Read a page; raise ValueError if a block is written in a way that nothing would run."""
        self.document = Document.parse(str(path), self._regions)
        self.blocks = [region.parsed for _, region in self.document.regions]
        self.printed: str | None = ""  # by the last block that ran; None if it was left out
        if len(self.blocks) != len(list(EVERY(self.document))):
            raise ValueError(f'{path} has a block without a language, or with something else than title="NAME"')

    @property
    def pictures(self) -> dict[str, bool]:
        """The paths of the page's pictures, and whether each must be equal to what the blocks made."""
        return {path: not differs for differs, path in PICTURE.findall(self.document.text)}

    def run(self) -> None:
        """Run all blocks; raise SybilFailure, with the line, or what a block raises."""
        for example in self.document:
            example.evaluate()

    def _regions(self, document: Document) -> Iterator[Region]:
        for region in LEXER(document):
            above = REASON.search(document.text[: region.start])
            found = region.lexemes
            reason = _reason(above[1], above[2]) if above else ""
            region.parsed = Block(found["language"], found["title"], str(found["source"]), reason)
            region.evaluator = self._evaluate
            yield region

    def _evaluate(self, example: Example) -> str | None:
        """Do what a block says; return what is wrong with it, if anything."""
        block: Block = example.parsed
        if block.title:
            path = Path(block.title)
            PARSERS[path.suffix](block.source)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.source, encoding="utf-8")
        elif block.language == "output":
            return None if self.printed is None else differing(block.source, self.printed)
        elif block.language == "sh":
            done = [(check_command if block.reason else run_command)(line) for line in commands_of(block.source)]
            self.printed = None if block.reason else "".join(done)
        elif block.language == "python" and block.reason:
            ast.parse(block.source)
            self.printed = None
        elif block.language == "python":
            self.printed = run_python(block.source, f"{example.path}, line {example.line}", example.namespace)
        elif block.language == "pycon":
            return run_session(block.source, example.path, example.line, example.namespace)
        elif block.language != "text":
            return f"nothing runs a block of {block.language!r}: give it a title if it is a file."
        return None


def _reason(word: str, why: str) -> str:
    """Return why a block is not run: the reason that is given, or a package or a data set that is lacking."""
    if word == "not run":
        return why
    if why in datasets.names():
        (files,) = (one["files"] for one in listed() if one["name"] == why)
        return "" if files in ("here", "in the mirror") else f"{why} is {files}"
    return "" if find_spec(why) else f"{why} is not installed"


def commands_of(source: str) -> list[str]:
    """Return the commands of a block: its lines, joined where one ends with a backslash, without comments."""
    lines = source.replace("\\\n", " ").splitlines()
    return [line for line in lines if words_of(line)]


def run_command(line: str) -> str:
    """Run a command and return what it printed; ``manybandits`` runs in this process, which is faster."""
    (program, *arguments), variables = without_variables(words_of(line))
    if program == "manybandits":
        printed = io.StringIO()
        with patch.dict(os.environ, variables), contextlib.redirect_stdout(printed), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cli.main(arguments)
        return printed.getvalue()
    program = sys.executable if program == "python" else program
    command, names = [program, *arguments], os.environ | variables
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=names).stdout


def run_python(source: str, where: str, names: dict[str, object]) -> str:
    """Run code and return what it printed. A warning that an object is slow is not shown on pages."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        exec(compile(source, where, "exec"), names)
    return printed.getvalue()


def run_session(source: str, path: str, line: int, names: dict[str, object]) -> str | None:
    """Run an interactive session, and return what differs from the results that it shows."""
    told = io.StringIO()
    session = doctest.DocTestParser().get_doctest(source, names, Path(path).name, path, line)
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=told.write, clear_globs=False)
    names.update(session.globs)
    return told.getvalue() or None


def differing(expected: str, printed: str) -> str | None:
    """Return how printed text differs from the expected one, None if it does not."""
    want, got = (
        "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n" for text in (expected, printed)
    )
    if doctest.OutputChecker().check_output(want, got, doctest.ELLIPSIS):
        return None
    return f"expected\n{want}\nprinted\n{got}"
