"""Lets every file whose path holds one of the words in FULL_DISK fail to be written, as if its disk were full.

Python imports a module of this name when it starts, from any folder of PYTHONPATH.
"""

import errno
import os
import sys
from pathlib import Path

WORDS = [word for word in os.environ.get("FULL_DISK", "").split(",") if word]


def refuse(event, arguments):
    """Raise the error of a full disk where one of these files is opened to be written."""
    if event == "open" and isinstance(arguments[0], (str, bytes)) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        path = str(Path.cwd() / os.fsdecode(arguments[0]))
        if any(word in path for word in WORDS):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)


if WORDS:
    sys.addaudithook(refuse)
