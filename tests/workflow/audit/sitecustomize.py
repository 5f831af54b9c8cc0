"""Records which files below the working folder a Python process reads and writes: ``AUDIT/<process>.json``.

Python imports a module of this name when it starts, from any folder of PYTHONPATH. What libraries open without Python,
such as Parquet, is not seen; but the provenance of what was made from it opens it, too.
"""

import atexit
import json
import os
import sys
from pathlib import Path

FOUND = {"read": set(), "written": set()}


def note(event, arguments):
    """Note the file that is opened, or to which a finished file is renamed."""
    if event == "os.rename":
        FOUND["written"].add(os.fsdecode(arguments[1]))
    elif event == "open" and isinstance(arguments[0], (str, bytes)):
        FOUND["written" if arguments[2] & (os.O_WRONLY | os.O_RDWR) else "read"].add(os.fsdecode(arguments[0]))


def save(folder, log):
    """Write what was noted, as paths below the folder; names that begin with a point are temporary."""
    content = {"command": sys.argv}
    for kind, paths in FOUND.items():
        below = {(folder / path).relative_to(folder) for path in paths if (folder / path).is_relative_to(folder)}
        content[kind] = sorted(str(path) for path in below if not any(part.startswith(".") for part in path.parts))
    (log / f"{os.getpid()}.json").write_text(json.dumps(content))


if "AUDIT" in os.environ:
    sys.addaudithook(note)
    atexit.register(save, Path.cwd(), Path(os.environ["AUDIT"]))
