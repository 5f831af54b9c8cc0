"""What every algorithm is, in three sentences for a reader who knows LinUCB.

They are in ``descriptions.yaml`` beside this module, and not in the files of algorithms, which are the code of plays:
a better sentence plays nothing again.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from manybandits.base.configuration import read_yaml
from manybandits.base.sources import digest_of_files
from manybandits.base.typed import typed

FILE = Path(__file__).with_name("descriptions.yaml")
Sentences = Annotated[tuple[str, ...], Meta(min_length=3, max_length=3, description="a list of three sentences")]


def sentences_of(name: str) -> tuple[str, ...]:
    """Return the three sentences about an algorithm of this package; none about any other."""
    return descriptions().get(name, ())


@functools.cache
def descriptions() -> dict[str, tuple[str, ...]]:
    """Return the sentences about all algorithms of this package, by name; raise InputError where one has not three."""
    return typed(dict[str, Sentences], read_yaml(FILE), str(FILE))


def digest() -> str:
    """Return 16 hexadecimal digits over the sentences, which no module imports."""
    return digest_of_files([FILE])
