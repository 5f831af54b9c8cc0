"""Play several games with several algorithms, one after the other, into one file of run tables (.zip).

    python -m manybandits.harness.batch --out artifacts/readings/batches/instances-1/rmbandit.zip \\
        --batch '{"plays": [{"name": "ols_bandit", "spec": {...}}], "freeze": {"instances-arms-3": {...}}}'

Games that are made of data are frozen before (``--games``). Those that are generated are frozen here, and not kept.
Every run table has the bytes that `manybandits.harness.play` gives it alone; its seconds are not kept.
"""

from __future__ import annotations

import argparse
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from manybandits.base.artifacts import replacing
from manybandits.base.exceptions import InputError, run_script
from manybandits.base.typed import typed_json
from manybandits.compiling.progress import announce_compilation
from manybandits.environments.catalogue import load_module
from manybandits.harness.play import play
from manybandits.harness.play_options import all_cores, counted
from manybandits.harness.replicas import MEMORY
from manybandits.harness.spec import PlaySpec

LIMITED = True
"""A job of this script is given its limits, see `manybandits.base.steps`."""


class Generated(Struct, frozen=True, forbid_unknown_fields=True):
    """A game to generate: the module of its kind, and the arguments of that module's script."""

    module: str
    arguments: tuple[str, ...]


class NamedPlay(Struct, frozen=True, forbid_unknown_fields=True):
    """A play and the name of its run table; its specification names the game."""

    name: str
    spec: PlaySpec


class Plays(Struct, frozen=True, forbid_unknown_fields=True):
    """What is played in a batch. freeze: the games that are generated, by name."""

    plays: tuple[NamedPlay, ...]
    freeze: dict[str, Generated] = {}


def play_batch(
    batch: Plays,
    games: Mapping[str, Path],
    out: Path,
    *,
    threads: int = 1,
    memory: int = MEMORY,
    device: str = "cpu",
    shards: int = 1,
) -> list[str]:
    """Play as a batch says into `out`, in which a run table is ``runs/<paper>/<game>/<name>.parquet``.

    out: named after the paper. games: the frozen games, by name. Returns a summary of each play; raises InputError
    naming a game that is missing.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".plays-") as folder:
        frozen, tables, told = dict(games), [], []
        for one in batch.plays:
            game = one.spec.game
            if game not in frozen:
                frozen[game] = _freeze(batch, game, Path(folder))
            tables.append(Path(folder, "runs", out.stem, game, f"{one.name}.parquet"))
            said = play(
                frozen[game], one.spec, tables[-1], threads=threads, memory=memory, device=device, shards=shards
            )
            told.append(said.replace(f"written to {tables[-1]}", f"written to {out}"))
        with replacing(out) as temporary, zipfile.ZipFile(temporary, "w") as file:
            for table in tables:
                file.writestr(zipfile.ZipInfo(table.relative_to(folder).as_posix()), table.read_bytes())
    return told


def _freeze(batch: Plays, game: str, folder: Path) -> Path:
    """Generate a game and return the path of its file."""
    if game not in batch.freeze:
        raise InputError(f"--batch plays {game!r}, which is neither among --games nor generated: name its file.")
    made, path = batch.freeze[game], folder / f"{game}.npz"
    load_module(made.module).main([*made.arguments, "--out", str(path)])
    return path


def main(argv: list[str] | None = None) -> None:
    """Play a batch."""
    parser = argparse.ArgumentParser(description="Play several games with several algorithms.")
    parser.add_argument("--batch", required=True, help="what is played, as JSON")
    parser.add_argument("--games", type=Path, nargs="*", default=[], help="the games made of data, .npz files")
    parser.add_argument("--out", type=Path, required=True, help="the .zip file to write, named after the paper")
    parser.add_argument("--threads", type=counted, default=all_cores(), help="default: all cores")
    parser.add_argument("--memory", type=counted, default=MEMORY, help="maximum bytes of replicas played together")
    parser.add_argument("--shards", type=counted, default=1, help="into how many shards each play is split")
    parser.add_argument("--device", default="cpu", help="device of neural algorithms: cpu (default) or cuda")
    args = parser.parse_args(argv)
    batch, games = typed_json(Plays, args.batch, "--batch"), {path.stem: path for path in args.games}
    with announce_compilation(", ".join(sorted({one.spec.algorithm for one in batch.plays}))):
        how = {"threads": args.threads, "memory": args.memory, "device": args.device, "shards": args.shards}
        told = play_batch(batch, games, args.out, **how)
    print("\n".join(told))


if __name__ == "__main__":
    run_script(main)
