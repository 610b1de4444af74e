"""Session: the signed-in user, the session cookie, and the tokens of forms."""

import base64
import hashlib
import hmac

MODERATOR = "WrenHalloway"
"""The account that the harness signs in: a moderator of every forum, not an administrator."""
COOKIE = "PHPSESSID"
FLASH = "flash"
SESSION = hashlib.sha256(b"commonroom session").hexdigest()[:26]
"""Fixed, so that pages are identical in every run; the front distinguishes worlds without cookies."""


def token(intent: str, session: str = SESSION) -> str:
    """The token that a form of this intent must send."""
    digest = hashlib.sha256(f"{session}:{intent}".encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def valid(given: str, intent: str, session: str | None) -> bool:
    """Whether the form came from a page of this session."""
    return session == SESSION and hmac.compare_digest(given.encode(), token(intent).encode())
