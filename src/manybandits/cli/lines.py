"""Printing of line maps, for ``manybandits show NAME --lines``."""

from __future__ import annotations

import sys
from typing import Any

from manybandits.base.printing import print_wrapped


def print_lines(parts: list[dict[str, Any]]) -> None:
    """Print line maps: the number and the words of a line, and below them where it is."""
    for part in parts:
        sys.stdout.write(f"\n{part['place']} ({part['source']})\n")
        for line in part["lines"]:
            print_wrapped(f"{line.get('line', ''):>5}  ", line["says"])
            where = list(line["code"])
            if "option" in line:
                value = f" = {line['value']}" if "value" in line else ""
                where.append(f"option {line['option']}{value}")
            if "left_out" in line:
                where.append(f"left out: {line['left_out']}")
            print_wrapped(" " * 9, "; ".join(where))
