"""Served bodies: the contents of the sites' answers. Kept only for agents that drive the browser themselves, to compare
with what their pages show."""

from dataclasses import dataclass, field

from longtrail.records.trajectory import Request

TEXTS = ("text/", "application/json", "application/javascript", "application/xhtml", "application/xml", "image/svg")
"""Content types that are kept; pictures and fonts have no text."""
MOST = 64_000_000
"""Maximum bytes kept per episode. Content beyond that is not evidence."""


@dataclass(slots=True)
class ServedBody:
    """One answer's content. It grows until the answer is complete."""

    request: Request
    kind: str
    """The content type, without parameters."""
    data: bytearray = field(default_factory=bytearray)

    @property
    def is_page(self) -> bool:
        """Whether it is HTML."""
        return self.kind in ("text/html", "application/xhtml+xml")


class ServedBodies:
    """The bodies of one world's answers, by the index of their request in the log. Written by the front's thread."""

    def __init__(self) -> None:
        self._by_place: dict[int, ServedBody] = {}
        self._size = 0

    def open(self, place: int, request: Request, headers: list[tuple[bytes, bytes]]) -> ServedBody:
        """Start storing an answer."""
        given = {name.lower(): value.decode("latin-1") for name, value in headers}
        kind = given.get(b"content-type", "").partition(";")[0].strip().lower()
        self._by_place[place] = ServedBody(request, kind)
        return self._by_place[place]

    def add(self, body: ServedBody, piece: bytes) -> None:
        """Add a piece of an answer."""
        if body.kind.startswith(TEXTS) and self._size + len(piece) <= MOST:
            self._size += len(piece)
            body.data += piece

    def at(self, place: int) -> ServedBody | None:
        """The answer to the request at this index of the log."""
        return self._by_place.get(place)
