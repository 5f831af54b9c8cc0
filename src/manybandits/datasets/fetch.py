"""Get raw files: from the raw folder, a mirror, or their official address; checked before they are used.

A file is taken from the first place that has it. pooch downloads it to ``<name>.part``, and goes on there when it is
tried again. A file whose size or checksum is wrong is kept aside as ``<name>.bad`` and never used.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sys
import time
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from manybandits.base.artifacts import replacing
from manybandits.base.exceptions import InputError
from manybandits.datasets.base import MOST_DOWNLOADED, Dataset, File, in_gigabytes

PAUSES = (1.0, 2.0)  # seconds before the second try and the third
TIMEOUT = 30.0  # seconds without an answer
CHUNK = 1 << 16
REFUSALS = (401, 403, 404, 410)  # answers that another try does not change


class NotThereError(InputError):
    """An address refuses a file or does not have it."""


def chosen_mirror(named: str | None = None) -> str | None:
    """Return the mirror that is named, else that of ``MANYBANDITS_MIRROR``, if any.

    Raises InputError when it is neither an address nor a folder.
    """
    mirror = named or os.environ.get("MANYBANDITS_MIRROR") or None
    if mirror and not is_address(mirror) and not Path(mirror).is_dir():
        raise InputError(
            f"the mirror {mirror!r} is neither an http(s) address nor a folder: correct it or leave it out."
        )
    return mirror


def is_address(mirror: str) -> bool:
    """Return whether a mirror is an address, not a folder."""
    return mirror.startswith(("http://", "https://"))


def mirror_place(dataset: Dataset, file: File) -> str:
    """Return where a mirror holds a file, relative to its top."""
    return file.mirror or f"{dataset.name}/{file.name}"


def fetch(dataset: Dataset, raw: Path, mirror: str | None = None) -> dict[str, Path]:
    """Bring the raw files of a data set into ``raw / dataset.name``; return them by name.

    mirror: a folder or an address, tried first. Where the mirror holds a copy in another form
    (`Dataset.copies`), the copy is taken. Raises InputError when a file cannot be had or is not what it
    should be.
    """
    folder = raw / dataset.name
    for files in dataset.forms:
        if all((folder / file.name).is_file() for file in files):
            return {file.name: checked(folder / file.name, file) for file in files}
    if mirror := chosen_mirror(mirror):
        for files in dataset.forms:
            if all(_from_mirror(mirror, mirror_place(dataset, file), folder / file.name, file) for file in files):
                return {file.name: folder / file.name for file in files}
    if dataset.by_hand:
        raise InputError(f"{dataset.name} is not downloaded automatically: {dataset.by_hand.format(folder=folder)}")
    return {file.name: _official(dataset, file, folder / file.name) for file in dataset.files}


def checked(path: Path, file: File) -> Path:
    """Return `path` if its size and checksum are right; else move it aside and raise InputError with both values."""
    kind, _, expected = file.checksum.partition(":")
    if file.size and (size := path.stat().st_size) != file.size:
        wrong = f"has {size:,} bytes, but {file.size:,} were expected"
    elif expected and (found := checksum(path, kind)) != expected:
        wrong = f"has the {kind} {found}, but {expected} was expected"
    else:
        return path
    raise InputError(
        f"{path} {wrong}: it was moved to {set_aside(path).name} for inspection; run again to fetch it anew."
    )


def checksum(path: Path, kind: str) -> str:
    """Return the checksum of a file: sha256, md5, or git-blob, the id that Git gives to its content."""
    header = b"blob %d\0" % path.stat().st_size
    with path.open("rb") as content:
        return hashlib.file_digest(content, (lambda: hashlib.sha1(header)) if kind == "git-blob" else kind).hexdigest()


def set_aside(path: Path) -> Path:
    """Rename a file that is not what it should be to ``<name>.bad``, and return that path."""
    bad = path.with_name(path.name + ".bad")
    path.replace(bad)
    return bad


def download(url: str, path: Path, file: File) -> Path:
    """Download `url` to `path` with progress, going on where an earlier attempt stopped."""
    part = path.with_name(path.name + ".part")
    part.parent.mkdir(parents=True, exist_ok=True)
    for pause in (*PAUSES, None):
        try:
            _Download(url, part).run()
            break
        except NotThereError as error:
            raise NotThereError(f"{error}: place {path.name} in {path.parent} by hand.") from None
        except OSError as error:
            if pause is None:
                raise InputError(
                    f"{url} could not be downloaded ({_cause(error)}): run again to go on, name a mirror by "
                    f"MANYBANDITS_MIRROR, or place {path.name} in {path.parent} by hand."
                ) from error
            time.sleep(pause)
    part.replace(path)
    return checked(path, file)


def _cause(error: BaseException) -> BaseException:
    """Return the first of a chain of errors: requests wraps that of the operating system into three others."""
    while inner := error.__cause__ or error.__context__:
        error = inner
    return error


class _Download:
    """What is missing of a file, from the end of an earlier attempt on. pooch writes to it as to a file."""

    def __init__(self, url: str, part: Path) -> None:
        self.url, self.part = url, part
        self.have = part.stat().st_size if part.exists() else 0
        self.complete = False

    def run(self) -> None:
        """Download; raise OSError when the connection ends early, and NotThereError when there is no such file."""
        from pooch import HTTPDownloader  # here, because a download is seldom needed

        # Not encoded, because ranges count the bytes of the file.
        headers = {"Accept-Encoding": "identity", **({"Range": f"bytes={self.have}-"} if self.have else {})}
        download = HTTPDownloader(
            progressbar=sys.stderr.isatty(),
            chunk_size=CHUNK,
            timeout=TIMEOUT,
            headers=headers,
            hooks={"response": self.begin},
        )
        with contextlib.ExitStack() as self.opened:
            try:
                download(self.url, self, None)
            except OSError:
                if not self.complete:
                    raise

    def begin(self, answer: Any, **given: Any) -> None:
        """Look at an answer of requests before its content is read, and open the file."""
        if answer.status_code in REFUSALS:
            raise NotThereError(f"{self.url} answers {answer.status_code}")
        self.complete = answer.status_code == 416 and self.have > 0  # nothing is missing
        if answer.status_code not in (200, 206):
            return
        if answer.status_code == 200:
            self.have = 0  # the server begins anew
        elif not (sent := answer.headers.get("Content-Range", f"bytes {self.have}-")).startswith(f"bytes {self.have}-"):
            self.part.unlink()
            raise OSError(f"the server sent {sent} instead of what follows byte {self.have}")
        length = answer.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()):
            answer.headers.pop("Content-Length", None)  # which is no number, and pooch would read it as one
        answer.raw.headers.pop("Content-Encoding", None)  # some servers name that of the file, which is to stay packed
        self.content: IO[bytes] = self.opened.enter_context(self.part.open("ab" if self.have else "wb"))

    def write(self, chunk: bytes) -> None:
        """Add to the file; raise InputError if it is larger than any file of a data set."""
        self.content.write(chunk)
        self.have += len(chunk)
        if self.have > MOST_DOWNLOADED:
            raise InputError(
                f"{self.url} sends more than {in_gigabytes(MOST_DOWNLOADED)}, more than any file of a data set here: "
                "it is not what it should be; check the address."
            )

    def flush(self) -> None:
        """Do nothing: pooch asks for it after every chunk."""


def _from_mirror(mirror: str, place: str, path: Path, file: File) -> bool:
    """Copy a file from the mirror to `path`; return whether the mirror has it."""
    if is_address(mirror):
        try:
            download(f"{mirror.rstrip('/')}/{quote(place)}", path, file)
        except NotThereError:
            return False
        return True
    source = Path(mirror) / place
    if not source.is_file():
        return False
    with replacing(path) as temporary:
        shutil.copyfile(source, temporary)
    checked(path, file)
    return True


def _official(dataset: Dataset, file: File, path: Path) -> Path:
    """Return a file that is already in the raw folder, or download it from its official address."""
    if path.is_file():
        return checked(path, file)
    if not file.url:
        raise InputError(
            f"{dataset.name}: {file.name} has no official address: name a mirror that holds "
            f"{mirror_place(dataset, file)} by MANYBANDITS_MIRROR, or place it in {path.parent} by hand."
        )
    return download(file.url, path, file)
