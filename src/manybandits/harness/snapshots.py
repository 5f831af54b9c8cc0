"""Snapshots of a play, with which it goes on after it was stopped.

A play of millions of rounds takes hours. Every few minutes, what its batches of replicas have come to is stored in a
folder beside the run table, and the same play, started again, goes on from there with the same bytes. The folder is
deleted once the run table is written.

What a batch needs to go on is found in its parts (a policy, its totals, its statistics) by `flatten`: all arrays,
tensors and numbers in them, in whatever tuples, lists, dicts and objects of this package they are. What never changes
is marked by its class, with a property ``constant``.
"""

from __future__ import annotations

import contextlib
import shutil
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from manybandits.base.artifacts import load_arrays, load_facts, load_json, save_arrays, save_json
from manybandits.base.exceptions import InputError
from manybandits.base.sources import digest_of_texts

EVERY = 300.0
"""Seconds between two snapshots: a play that takes less has none."""
ENDING = ".partial"
"""What is added to the name of a run table for the folder with its snapshots."""
DONE, CURVES = "rounds", "curves"
"""The facts of a snapshot: the rounds that a batch played before it was stopped, or the names of its curves, in order,
if it ended."""


class Snapshots:
    """The snapshots of a play in a folder.

    identity: text that determines all bytes of the play; share: which of several processes with this folder this is.
    """

    def __init__(self, folder: Path, identity: str, every: float = EVERY, share: str = "") -> None:
        self.folder, self.identity, self.every = folder, identity, every
        self.lock = threading.Lock()
        self.waiting: dict[str, tuple[dict[str, np.ndarray], dict[str, Any]]] = {}  # batches that ended since the last
        self.last = time.monotonic()
        self.times = folder / f"{self.digest_of(f'seconds{share}')}.json"
        self.seconds: dict[str, float] = {}  # of each stage
        with contextlib.suppress(InputError):
            self.seconds = load_json(self.times)
        self.stage, self.began = "", self.last

    def begin(self, stage: str) -> float:
        """Begin a stage of the play; return the seconds that it took before the play was stopped."""
        self._measure()
        self.stage = stage
        return self.seconds.setdefault(stage, 0.0)

    def of_batch(self, batch: str) -> Snapshot:
        """Return the snapshot of a batch. batch: text that tells it from all other batches of the play."""
        return Snapshot(self, self.digest_of(batch))

    def digest_of(self, text: str) -> str:
        """Return 16 hexadecimal digits over the play and a text."""
        return digest_of_texts(self.identity, text)

    @property
    def due(self) -> bool:
        """Whether it is time for a snapshot."""
        return time.monotonic() >= self.last + self.every

    def save(self) -> None:
        """Store what waits to be stored, and the seconds of every stage."""
        for digest, (arrays, facts) in self.waiting.items():
            save_arrays(self.folder / f"{digest}.npz", arrays, {"batch": digest, **facts})
        self.waiting.clear()
        self._measure()
        save_json(self.times, self.seconds)
        self.last = time.monotonic()

    def remove(self) -> None:
        """Delete the folder."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _measure(self) -> None:
        """Add the time since the last call to the seconds of the running stage."""
        now = time.monotonic()
        if self.stage:
            self.seconds[self.stage] += now - self.began
        self.began = now


class Snapshot:
    """The snapshot of a batch of replicas. digest: 16 hexadecimal digits of what is played."""

    def __init__(self, all_of_play: Snapshots, digest: str) -> None:
        self.play, self.digest = all_of_play, digest
        self.path = all_of_play.folder / f"{digest}.npz"

    def curves(self) -> dict[str, np.ndarray] | None:
        """Return the curves of the batch if it was played to its end, else None."""
        arrays, facts = self._read()
        return {name: arrays[name] for name in facts[CURVES]} if CURVES in facts else None

    def end(self, curves: Mapping[str, np.ndarray]) -> None:
        """Keep the curves of a batch that was played to its end."""
        with self.play.lock:
            self.play.waiting[self.digest] = dict(curves), {CURVES: list(curves)}
            if self.play.due:
                self.play.save()

    def restore(self, parts: Any) -> int:
        """Set the parts of a batch to what they were when it was stopped; return the rounds that were played, or 0."""
        arrays, facts = self._read()
        if DONE not in facts:
            return 0
        for part in parts:
            getattr(part, "tensors", None)  # an optimiser is made when it is first asked for
        set_leaves(parts, arrays, facts["kinds"])
        return int(facts[DONE])

    def maybe_save(self, parts: Any, done: int) -> None:
        """Store the parts of a batch after `done` rounds, if a snapshot is due."""
        if not self.play.due:
            return
        found = {leaf.name: leaf.value for leaf in flatten(parts) if leaf.value is not None}
        kinds = {name: type(value).__name__ for name, value in found.items()}
        arrays = {name: _array(value) for name, value in found.items()}
        with self.play.lock:
            self.play.waiting[self.digest] = arrays, {DONE: done, "kinds": kinds}
            self.play.save()

    def _read(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Return the arrays and facts of the stored snapshot; nothing if there is none, or a damaged one."""
        with contextlib.suppress(InputError):
            return load_arrays(self.path), load_facts(self.path)
        return {}, {}


class Leaf(NamedTuple):
    """An array, tensor or number in a part of a batch. change: sets another one in its place; None if nothing can."""

    name: str
    value: Any
    change: Callable[[Any], None] | None


def flatten(part: Any, name: str = "", change: Callable[[Any], None] | None = None) -> Iterator[Leaf]:
    """Yield all arrays, tensors and numbers in a part, and what is None, each under the name of its place."""
    if getattr(part, "constant", False):
        return
    if _is_array(part) or part is None or isinstance(part, bool | int | float):
        yield Leaf(name, part, change)
        return
    places: list[tuple[str, Any, Callable[[Any], None] | None]] = []
    if isinstance(part, tuple):
        places = [(str(i), one, None) for i, one in enumerate(part)]
    elif isinstance(part, list):
        places = [(str(i), one, partial(part.__setitem__, i)) for i, one in enumerate(part)]
    elif isinstance(part, dict):
        places = [(str(key), one, partial(part.__setitem__, key)) for key, one in part.items()]
    elif type(part).__module__.startswith("manybandits.") and hasattr(part, "__dict__"):
        places = [(key, one, partial(setattr, part, key)) for key, one in vars(part).items()]
    for key, one, set_one in places:
        yield from flatten(one, f"{name}.{key}", set_one)


def set_leaves(part: Any, arrays: Mapping[str, np.ndarray], kinds: Mapping[str, str]) -> None:
    """Set all arrays, tensors and numbers in a part. arrays, kinds: by name; kinds: ndarray, Tensor, int, ...

    Arrays keep their memory where the shape is the same, so that those that share it go on sharing it.
    """
    for leaf in list(flatten(part)):
        if leaf.name not in arrays:
            continue
        array, kind = arrays[leaf.name], kinds[leaf.name]
        if _is_array(leaf.value) and _array(leaf.value).shape == array.shape:
            _array(leaf.value)[...] = array
        elif leaf.change is not None:
            leaf.change(_as(kind, array))


def _as(kind: str, array: np.ndarray) -> Any:
    """Return an array as what it was when it was stored."""
    if kind == "Tensor":
        import torch  # here, because plays of compiled algorithms do without it

        return torch.from_numpy(array)
    return array if kind == "ndarray" else array.item()


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or type(value).__name__ == "Tensor"


def _array(value: Any) -> np.ndarray:
    """Return a number, an array or a tensor as an array, which shares the memory of the latter two."""
    array: np.ndarray = value.detach().numpy() if type(value).__name__ == "Tensor" else np.asarray(value)
    return array
