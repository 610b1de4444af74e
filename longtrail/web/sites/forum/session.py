"""Session: who is signed in, the cookie that says so, and the tokens that every form carries."""

import base64
import hashlib
import hmac

MODERATOR = "WrenHalloway"
"""The account that the harness signs in: a moderator of every forum, not an administrator."""
COOKIE = "PHPSESSID"
FLASH = "flash"
SESSION = hashlib.sha256(b"commonroom session").hexdigest()[:26]
"""Fixed, so that pages are the same bytes in every run; worlds are told apart by the front, not by cookies."""


def token(intent: str, session: str = SESSION) -> str:
    """The token a form of this intent must bring back."""
    digest = hashlib.sha256(f"{session}:{intent}".encode()).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def valid(given: str, intent: str, session: str | None) -> bool:
    """Did the form come from a page of this session?"""
    return session == SESSION and hmac.compare_digest(given, token(intent))
