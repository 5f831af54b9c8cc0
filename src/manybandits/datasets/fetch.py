"""Get raw files: from the raw folder, a mirror, or their official address; checked before they are used.

A file is taken from the first place that has it. A download goes to ``<name>.part``, is resumed where it
stopped and tried three times; a file whose checksum is wrong is kept aside as ``<name>.bad`` and never used.

pooch is not used: `pooch.retrieve` neither resumes nor tries again, and deletes a file whose checksum is wrong, so
everything here would remain and only the comparison of two checksums would go.
"""

from __future__ import annotations

import hashlib
import http.client
import os
import shutil
import time
import urllib.error
import urllib.request
from pathlib import Path
from urllib.parse import quote

from tqdm import tqdm

from manybandits.base.artifacts import replacing
from manybandits.base.exceptions import InputError
from manybandits.datasets.base import MOST_DOWNLOADED, Dataset, File, in_gigabytes

TRIES = 3
PAUSE = 1.0  # seconds before the second try; doubled each time
TIMEOUT = 30.0  # seconds without an answer
CHUNK = 1 << 20
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
    """Return `path` if its checksum is right; else move it aside and raise InputError with both hashes."""
    if file.checksum:
        kind, _, expected = file.checksum.partition(":")
        found = checksum(path, kind)
        if found != expected:
            raise InputError(
                f"{path} has the {kind} {found}, but {expected} was expected: "
                f"it was moved to {set_aside(path).name} for inspection; run again to fetch it anew."
            )
    return path


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
    for attempt in range(TRIES):
        try:
            _append(url, part)
            break
        except (OSError, http.client.HTTPException) as error:
            if isinstance(error, urllib.error.HTTPError) and error.code in REFUSALS:
                raise NotThereError(
                    f"{url} answers {error.code}: place {path.name} in {path.parent} by hand."
                ) from error
            if attempt == TRIES - 1:
                raise InputError(
                    f"{url} could not be downloaded ({error}): run again to go on, name a mirror with --mirror or "
                    f"MANYBANDITS_MIRROR, or place {path.name} in {path.parent} by hand."
                ) from error
            time.sleep(PAUSE * 2**attempt)
    part.replace(path)
    return checked(path, file)


def _append(url: str, part: Path) -> None:
    """Add to `part` what is missing of `url`; raise OSError when the connection ends early."""
    have = part.stat().st_size if part.exists() else 0
    request = urllib.request.Request(url, headers={"Range": f"bytes={have}-"} if have else {})
    try:
        answer = urllib.request.urlopen(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code == 416 and have:  # nothing is missing
            return
        raise
    with answer:
        resumed = answer.status == 206
        if resumed and not answer.headers.get("Content-Range", f"bytes {have}-").startswith(f"bytes {have}-"):
            part.unlink()
            raise OSError(f"the server sent {answer.headers['Content-Range']} instead of what follows byte {have}")
        have = have if resumed else 0
        length = answer.headers.get("Content-Length", "")
        total = have + int(length) if length.isascii() and length.isdigit() else None
        _check_size(url, total or 0)
        with (
            part.open("ab" if resumed else "wb") as file,
            tqdm(total=total, initial=have, unit="B", unit_scale=True, desc=part.stem, disable=None) as bar,
        ):
            while chunk := answer.read(CHUNK):
                file.write(chunk)
                bar.update(len(chunk))
                have += len(chunk)
                _check_size(url, have)
    if total is not None and have < total:
        raise OSError(f"the connection ended after {have} of {total} bytes")


def _check_size(url: str, size: int) -> None:
    """Raise InputError if a download is larger than any file of a data set."""
    if size > MOST_DOWNLOADED:
        raise InputError(
            f"{url} sends more than {in_gigabytes(MOST_DOWNLOADED)}, more than any file of a data set here: it is not "
            "what it should be; check the address."
        )


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
            f"{mirror_place(dataset, file)} with --mirror or MANYBANDITS_MIRROR, or place it in {path.parent} by hand."
        )
    return download(file.url, path, file)
