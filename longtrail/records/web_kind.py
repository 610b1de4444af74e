"""Which web an episode was played on. A separate module, because the command line needs it before any record."""

from typing import Literal

WebKind = Literal["embedded", "live"]
