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
    """Return the figure in a PNG, whole and small, as the address of an image that has its bytes in it.

    Raises InputError naming a file that is missing or is no picture.
    """
    try:
        with Image.open(path) as opened:
            small = opened.convert("RGB")
    except (OSError, SyntaxError) as error:  # a PNG with damaged parts is a SyntaxError to Pillow
        raise InputError(f"{path} cannot be read as a picture ({error}): draw the figure again.") from None
    small.thumbnail(BOX, Image.Resampling.LANCZOS)
    buffer = io.BytesIO()
    small.save(buffer, "WEBP", quality=QUALITY, method=6)
    return f"data:image/webp;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"
