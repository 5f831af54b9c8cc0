import subprocess
import sys

import pytest

from manybandits.base import sources
from manybandits.compiling.kernels import replica_bytes
from manybandits.environments import synthetic
from manybandits.harness.arguments import NEURAL_HARNESS

CLUB = "manybandits.algorithms.linear.club"
MODULE = '''"""What this is."""

from typing import TYPE_CHECKING, NamedTuple

from made.below import half

if TYPE_CHECKING:
    from made.types import Number


class State(NamedTuple):
    """What is kept."""

    count: int


def twice(x: int) -> int:
    """Return 2 x."""
    y: int = 2 * x  # not x + x
    return y


if __name__ == "__main__":
    from made.script import run

    run(twice)
'''


def forget() -> None:
    """Clear what was read of sources."""
    for one in vars(sources).values():
        if hasattr(one, "cache_clear"):
            one.cache_clear()


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Return what writes modules of a package ``made`` and returns the digest of ``made.module``."""
    monkeypatch.setenv("MANYBANDITS_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(tmp_path)
    folder = tmp_path / "made"
    folder.mkdir()

    def write(**files: str) -> str:
        for name, text in files.items():
            (folder / f"{name}.py").write_text(text)
        forget()
        return sources.digest("made.module")

    write.folder = folder
    (folder / "__init__.py").touch()
    for name in ("below", "types", "script"):
        (folder / f"{name}.py").write_text("half = 1\n")
    yield write
    forget()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"""What this is."""', '"""What this was."""'),
        ('    """Return 2 x."""\n', ""),
        ("  # not x + x", ""),
        ("x: int) -> int:", "x: float) -> float:"),
        ("y: int =", "y ="),
        ("run(twice)", "run(half)"),
        ("made.script import run", "made.below import run"),
        ("made.types import Number", "made.script import Number"),
        ("\n\n\nif __name__", "\n\n\n__version__ = '2'\nif __name__"),
    ],
)
def test_what_changes_nothing_leaves_the_digest_as_it_is(made, old, new):
    before = made(module=MODULE)
    assert old in MODULE
    assert made(module=MODULE.replace(old, new, 1)) == before


@pytest.mark.parametrize(("old", "new"), [("2 * x", "3 * x"), ("count: int", "count: float"), ("twice(x", "thrice(x")])
def test_what_changes_something_changes_the_digest(made, old, new):
    before = made(module=MODULE)
    assert old in MODULE
    assert made(module=MODULE.replace(old, new, 1)) != before


def test_the_digest_covers_what_a_module_imports_and_nothing_else(made):
    before = made(module=MODULE)
    assert sources.modules_of("made.module") == {"made.module", "made.below"}
    assert made(types="half = 2\n", script="half = 2\n") == before
    assert made(below="half = 2\n") != before


def test_a_package_counts_where_more_than_modules_is_imported_from_it(made):
    made(module="from made import below\n")
    assert sources.modules_of("made.module") == {"made.module", "made.below"}
    made(module="from . import below, one\nfrom .types import half\n")
    assert sources.modules_of("made.module") == {"made.module", "made.below", "made", "made.types"}


def test_what_was_read_is_kept_and_a_damaged_cache_is_written_again(made, monkeypatch):
    before = made(module=MODULE)
    cache = sources._cache()
    with monkeypatch.context() as patch:
        patch.setattr(sources.ast, "parse", None)
        assert made() == before
    cache.write_text("{")
    assert made() == before
    assert len(cache.read_text()) > 100


def test_a_module_without_a_file_is_named():
    with pytest.raises(ModuleNotFoundError, match=r"no source file for module 'manybandits\.base\.nothing'"):
        sources.digest("manybandits.base.nothing")


def test_nothing_is_imported_to_find_a_file():
    code = (
        "import sys; from manybandits.base.sources import digest; digest('manybandits.numerics.networks.users');"
        "print('torch' in sys.modules, 'manybandits.numerics.networks' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False False\n"


def test_a_kernel_depends_on_its_algorithm_and_not_on_what_plays_it():
    kernel = sources.modules_of(CLUB, "manybandits.compiling.kernels")
    assert {CLUB, "manybandits.numerics.graphs", "manybandits.numerics.ridge"} <= kernel
    assert not {"manybandits.harness.play", "manybandits.algorithms.linear.locb"} & kernel


@pytest.mark.parametrize("name", ["linear.club", "neural.m_cnb"])
def test_a_play_runs_no_module_that_its_digest_does_not_cover(name, tmp_path):
    algorithm = f"manybandits.algorithms.{name}"
    game, out = tmp_path / "game.npz", tmp_path / "run.parquet"
    synthetic.main(["--users", "5", "--items", "20", "--out", str(game)])
    arguments = ["--environment", str(game), "--out", str(out), "--horizon", "20", "--seeds", "0", "--threads", "1"]
    code = (
        "import sys; from manybandits.harness.command_line import main; main(sys.argv[1], sys.argv[2:]);"
        "print(*(name for name, one in sys.modules.items() if name.startswith('manybandits.') and one.__doc__))"
    )
    printed = subprocess.check_output([sys.executable, "-c", code, name.split(".")[1], *arguments], text=True)
    run = {name for name in printed.splitlines()[-1].split() if "__init__" not in str(sources._find(name))}
    batched = [NEURAL_HARNESS] if name.startswith("neural") else []
    covered = sources.modules_of(algorithm, "manybandits.harness.play", synthetic.__name__, *batched)
    # What reads the command line, says that a kernel is compiled, and imports when something is used changes no result.
    read = ("harness.command_line", "harness.play_options", "base.typed", "compiling.progress", "base.lazy_import")
    idle = {f"manybandits.{name}" for name in read}
    assert run - covered == idle


def test_replica_bytes_leaves_out_what_replicas_share():
    import numpy as np

    from manybandits.numerics.sparse_blocks.block_log import new_log

    one, two = (replica_bytes(new_log(np.arange(2), np.zeros((items, 8), np.float32), 3, 50)) for items in (10, 10_000))
    assert one == two > 0


def test_replica_bytes_counts_nested_arrays():
    from manybandits.compiling.replicas import stack
    from manybandits.numerics.ridge import new_ridge

    one = new_ridge(1.0, 2, 4)
    assert replica_bytes(stack([one] * 3, 3)) == sum(field.nbytes for field in one)
