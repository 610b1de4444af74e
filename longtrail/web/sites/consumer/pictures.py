"""Pictures: which colours and shapes a drawing gets. The drawings themselves are templates below `pictures/`."""

import colorsys
import hashlib
from dataclasses import dataclass

TONES = {
    "white": (40, 12, 94), "black": (220, 8, 18), "gray": (210, 6, 58), "grey": (210, 6, 58), "beige": (38, 36, 78),
    "brown": (26, 42, 38), "red": (4, 68, 50), "orange": (26, 86, 55), "yellow": (46, 90, 58), "green": (130, 34, 42),
    "teal": (180, 42, 38), "blue": (212, 62, 50), "navy": (222, 52, 26), "purple": (272, 42, 48), "pink": (342, 58, 72),
    "oak": (34, 48, 64), "birch": (38, 46, 80), "pine": (36, 58, 72), "bamboo": (42, 52, 66), "clear": (196, 30, 86),
    "gold": (42, 62, 52), "silver": (210, 8, 76), "anthracite": (210, 6, 28), "multicolor": (330, 60, 60),
}  # fmt: skip
"""Name -> hue, saturation, lightness."""


@dataclass(frozen=True, slots=True)
class Paint:
    """The parameters of a drawing: a main colour and its variants, a background, a contrast, numbers below 100."""

    main: str
    light: str
    dark: str
    ground: str
    deep: str
    contrast: str
    n: tuple[int, ...]
    name: str

    @property
    def called(self) -> str:
        """The name in small letters, for drawings that show what it says."""
        return self.name.lower()


def paint(seed: str, tone: str, name: str) -> Paint:
    """Colours and numbers determined by the seed, or by the tone if one is named."""
    digest = hashlib.sha256(seed.encode()).digest()
    hue, saturation, lightness = TONES.get(
        tone.lower().split("/")[0].strip(), (digest[0] * 360 // 256, 48 + digest[1] % 24, 46)
    )
    other = (hue + 150 + digest[2] % 60) % 360
    return Paint(
        main=_hex(hue, saturation, lightness),
        light=_hex(hue, saturation, min(96, lightness + 16)),
        dark=_hex(hue, saturation, max(6, lightness - 16)),
        ground=_hex((hue + 20) % 360, 14, 95 if lightness < 88 else 88),
        deep=_hex(hue, min(70, saturation + 10), 14),
        contrast=_hex(other, 62, 58),
        n=tuple(byte % 100 for byte in digest[3:23]),
        name=name,
    )


def _hex(hue: int, saturation: int, lightness: int) -> str:
    red, green, blue = colorsys.hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
    return f"#{round(red * 255):02x}{round(green * 255):02x}{round(blue * 255):02x}"
