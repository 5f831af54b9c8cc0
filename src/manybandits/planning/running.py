"""The lock of a folder: only one run at a time makes files in it.

Snakemake deletes the outputs of a job before it runs it, so two runs in one folder delete each other's work. Its own
lock survives a killed run and then stops the next one. Here the operating system holds the lock, and frees it whenever
the process ends. A file beside the lock says who holds it.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import platform
import time
from collections.abc import Iterator
from pathlib import Path

from filelock import FileLock, Timeout

from manybandits.base.artifacts import load_json, save_json
from manybandits.base.exceptions import InputError

PLACE = Path("artifacts")
"""The folder with the lock of the working folder."""
LOCK, HOLDER = "running.lock", "running.json"


def hold(name: str, folder: Path = PLACE) -> None:
    """Hold the lock in a folder until this process ends, and raise what `held` raises."""
    until_the_end = contextlib.ExitStack()
    until_the_end.enter_context(held(name, folder))
    atexit.register(until_the_end.close)


@contextlib.contextmanager
def held(name: str, folder: Path = PLACE) -> Iterator[None]:
    """Hold the lock in a folder; `name` says what for.

    Raises InputError naming the holder if the lock is held already, or if one on another machine did not free it: that
    machine may still be at work, since not all shared disks pass on locks.
    """
    folder = folder.absolute()  # the process may change its working folder before it frees the lock
    folder.mkdir(parents=True, exist_ok=True)
    lock, holder = FileLock(folder / LOCK, timeout=0), folder / HOLDER
    with contextlib.suppress(NotImplementedError):  # on a disk without locks, the holder must do
        try:
            lock.acquire()
        except Timeout:
            raise InputError(
                f"{_told(holder)} in this folder: wait until it has ended, or stop it; both would delete each other's "
                "files."
            ) from None
    if _read(holder).get("machine", platform.node()) != platform.node():
        lock.release()
        raise InputError(
            f"{_told(holder)} in this folder and did not say that it ended: wait until it has. If that machine was "
            "switched off, free the folder by `manybandits repair --unlock`."
        )
    process = os.getpid()
    save_json(holder, {"name": name, "process": process, "machine": platform.node(), "since": time.strftime("%F %T")})
    try:
        yield
    finally:
        _free(lock, holder, process)


def unlock(folder: Path = PLACE) -> None:
    """Forget the holder of a lock. One that still runs on this machine keeps it."""
    (folder / HOLDER).unlink(missing_ok=True)


def _free(lock: FileLock, holder: Path, process: int) -> None:
    """Free a lock; a forked copy of the process that holds it frees nothing."""
    if os.getpid() == process:
        holder.unlink(missing_ok=True)
        lock.release()


def _read(holder: Path) -> dict[str, object]:
    """Return who holds a lock; nothing if that is not known."""
    try:
        return load_json(holder)
    except InputError:
        return {}


def _told(holder: Path) -> str:
    """Say who holds a lock."""
    who = {"name": "another run", "process": "?", "machine": "?", "since": "?", **_read(holder)}
    return "{name} (process {process} on {machine}, since {since}) is at work".format(**who)
