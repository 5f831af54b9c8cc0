"""Shares of a long play: several processes play its batches of replicas, and the first of them joins their curves.

No trajectory depends on which others are in its batch, so that the run table has the same bytes. The processes have the
folder of snapshots in common, in which a batch that was played to its end has its curves (see
`manybandits.harness.snapshots`). So a process that is killed costs the minutes since its last snapshot, and what it
leaves undone is played by the first one.
"""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NamedTuple, TypeVar

from manybandits.base.exceptions import InputError

Batch = TypeVar("Batch")


class Shares(NamedTuple):
    """The share of one of several processes: with three of them, that with the number 1 plays batches 1, 4, 7, ...

    shards: how many batches there are at least, however many processes play them, so that a play that was stopped goes
    on with more or fewer; command: that of the other processes, but for the option ``--share``, which tells them apart.
    """

    number: int
    processes: int
    shards: int
    command: Sequence[str]

    @contextmanager
    def played(self, batches: Sequence[Batch], has_ended: Callable[[Batch], object]) -> Iterator[Sequence[Batch]]:
        """Let the other processes play their shares meanwhile, and wait for them; yield the own share of batches."""
        count = min(self.processes, len(batches))
        others = [
            subprocess.Popen([*self.command, "--share", f"{index}/{count}"], stdin=subprocess.PIPE)
            for index in range(1, count)
            if self.number == 0 and not all(map(has_ended, batches[index::count]))
        ]
        try:
            yield batches[self.number :: count]
            for one in others:
                one.wait()
        finally:
            for one in others:
                one.terminate()
                one.wait()


def shares_of(share: str, threads: int, shards: int, command: Sequence[str]) -> Shares:
    """Return the share of this process; share: its option, such as ``1/4``, or "" in the first of `threads` processes.

    Another than the first one ends with the process that began it. Raises InputError if `share` is no share.
    """
    if not share:
        return Shares(0, threads, shards, command)
    index, _, count = share.partition("/")
    if not (index.isdecimal() and count.isdecimal() and 0 < int(index) < int(count)):
        raise InputError(f"--share is {share!r}, but the second of four processes is 1/4: leave it out to play all.")
    threading.Thread(target=_end_with_parent, daemon=True).start()
    return Shares(int(index), int(count), shards, command)


def _end_with_parent() -> None:
    """End this process when the one that began it has ended, which closes its side of this process's input."""
    with suppress(OSError):
        while os.read(0, 1):
            pass
    os._exit(1)
