"""Small pictures of figures for cards, inside the page itself, so that the front page stays light."""

from __future__ import annotations

import base64
import io
from pathlib import Path

from PIL import Image

from manybandits.base.exceptions import InputError

BOX = (640, 480)
"""The largest width and height, in pixels: those of a card on a screen with two pixels a point."""
QUALITY = 60
"""Of WebP, at which the lines and letters of a figure are clear."""


def thumbnail(path: Path) -> str:
    """Return the figure in an SVG, whole and small, as the address of an image that has its bytes in it.

    Raises InputError naming a file that is missing or is no picture.
    """
    import vl_convert

    try:
        drawn = vl_convert.svg_to_png(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RuntimeError) as error:
        why = str(error).partition("\n")[0]  # what follows is a trace of the converter
        raise InputError(f"{path} cannot be read as a picture ({why}): draw the figure again.") from None
    with Image.open(io.BytesIO(drawn)) as opened:
        small = opened.convert("RGB")
    small.thumbnail(BOX, Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, "WEBP", quality=QUALITY, method=6)
    return f"data:image/webp;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"
