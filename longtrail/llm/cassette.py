"""Cassettes: a run's model calls stored as JSON (`--record DIR`) and replayed without a model (`--replay DIR`).

    DIR/MODEL/KEY.json      one exchange: the request, line by line, and the answer
    DIR/MODEL/beginnings/   long beginnings that many prompts share (the history), each stored once

The key is computed from the request (model, messages, limit, form), the case's repeat, and how often the same request
was made before in this phase of the episode. Pictures are left out, because fonts differ between machines. A stored
exchange is used instead of a new call, so a recorded run measures exactly what its cassette contains.
"""

import difflib
import hashlib
import json
import os
import threading
from collections import Counter
from pathlib import Path
from typing import Any, Literal

from longtrail.errors import DataError, HarnessTrouble
from longtrail.llm.client import Message, ModelClient, Reply
from longtrail.llm.secrets import redact
from longtrail.records.record import Record

FORM = 1
SHARED_FROM = 8_000
"""Minimum characters of a stable beginning that gets its own file."""
DIFF_LINES = 24
"""Maximum lines of a difference in an error message."""


class Cassette(Record):
    """A folder of exchanges, being recorded or replayed."""

    folder: Path
    mode: Literal["record", "replay"]

    def around(self, model: ModelClient, repeat: int) -> "CassetteClient":
        """A client for the model in one phase of one episode."""
        return CassetteClient(self, model, repeat)


class CassetteClient:
    """A model client that reads its answers from the cassette or records them there."""

    def __init__(self, cassette: Cassette, model: ModelClient, repeat: int) -> None:
        self._cassette, self._model, self._repeat = cassette, model, repeat
        self.name, self.vision = model.name, model.vision
        self._folder = cassette.folder / _safe(model.name)
        self._asked: Counter[str] = Counter()

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 1024, json: bool = False) -> Reply:
        """The recorded answer. If there is none: the model's answer while recording, otherwise
        HarnessTrouble(cassette_miss)."""
        request = _request(self.name, messages, max_tokens, json, self._repeat)
        again = self._asked[_digest(request)]
        self._asked[_digest(request)] += 1
        request["again"] = again
        path = self._folder / f"{_digest(request)[:20]}.json"
        if path.is_file():
            return Reply.model_validate(_load(path)["reply"])
        if self._cassette.mode == "replay":
            raise HarnessTrouble("cassette_miss", self._miss(path, request))
        reply = self._model.complete(messages, max_tokens=max_tokens, json=json)
        self._write(path, {"form": FORM, **request, "reply": reply.model_dump(mode="json")}, messages)
        return reply

    def _write(self, path: Path, exchange: dict[str, Any], messages: tuple[Message, ...]) -> None:
        """Write an exchange; long stable beginnings get their own files."""
        for recorded, message in zip(exchange["messages"], messages, strict=True):
            pictures = [f"sha256:{hashlib.sha256(image).hexdigest()[:16]}" for image in message.images]
            recorded |= {"pictures": pictures} if pictures else {}
            if message.stable < SHARED_FROM:
                continue
            beginning, text = message.text[: message.stable], message.text[message.stable :]
            name = hashlib.sha256(beginning.encode()).hexdigest()[:20]
            _save(self._folder / "beginnings" / f"{name}.json", {"lines": beginning.split("\n")})
            recorded["beginning"], recorded["lines"] = name, text.split("\n")
        _save(path, exchange)

    def _miss(self, path: Path, request: dict[str, Any]) -> str:
        """The error for a missing exchange: what was requested, and how it differs from the most similar exchange."""
        wanted, nearest, shared = _lines(request, self._folder), None, -1
        for other in sorted(self._folder.glob("*.json")):
            exchange = _load(other)
            lines = _lines(exchange, self._folder)
            same = next((n for n, (a, b) in enumerate(zip(wanted, lines, strict=False)) if a != b), len(wanted))
            if same > shared:
                nearest, shared = (other, lines), same
        if nearest is None:
            return f"{self._folder} has no exchange with model {self.name!r}: record it first (--record)"
        file, lines = nearest
        before = max(0, shared - 2)
        diff = difflib.unified_diff(lines[before:], wanted[before:], file.name, "asked now", lineterm="", n=2)
        listing = "\n".join(line[:200] for _, line in zip(range(DIFF_LINES), diff, strict=False))
        return f"{path} is not there; the nearest exchange, {file.name}, differs from line {shared + 1} on:\n{listing}"


def _request(model: str, messages: tuple[Message, ...], max_tokens: int, form: bool, repeat: int) -> dict[str, Any]:
    recorded = [{"role": message.role, "lines": message.text.split("\n")} for message in messages]
    return {"model": model, "repeat": repeat, "max_tokens": max_tokens, "json": form, "messages": recorded}


def _digest(request: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()


def _lines(exchange: dict[str, Any], folder: Path) -> list[str]:
    """A request as lines of text, for comparing."""
    head = [f"{key}: {exchange[key]}" for key in ("max_tokens", "json", "repeat", "again")]
    for message in exchange["messages"]:
        beginning = (
            _load(folder / "beginnings" / f"{message['beginning']}.json")["lines"] if "beginning" in message else []
        )
        joined = [*beginning[:-1], (beginning[-1] if beginning else "") + message["lines"][0], *message["lines"][1:]]
        head += [f"{message['role']}:", *joined]
    return head


def _load(path: Path) -> dict[str, Any]:
    try:
        exchange = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(path, "", f"is not an exchange of a cassette: {error}") from error
    if exchange.get("form", FORM) != FORM:
        raise DataError(path, "form", f"{exchange['form']} is not {FORM}, which this version reads")
    return dict(exchange)


def _save(path: Path, value: dict[str, Any]) -> None:
    """Write a complete file without secrets; if two episodes write the same file, the first one's stays."""
    if path.exists():
        return
    draft = path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(redact(json.dumps(value, indent=1, ensure_ascii=False)) + "\n", encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        raise HarnessTrouble("storage", f"{path} can't be written: {error.strerror}") from error


def _safe(name: str) -> str:
    """A model's name as a folder name."""
    plain = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name.lower())
    return f"{plain[:60]}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
