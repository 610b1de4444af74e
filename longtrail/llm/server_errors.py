"""Server errors: what a model's server sent instead of an answer, and which kind of trouble it is.

The kinds are data (`data/server_errors.yaml`), with a sample of each from every common server; the mock server plays
them. What a server quotes of the prompt never decides the kind: a page may speak of rate limits.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any, Literal

import httpx
from pydantic import BeforeValidator, Field

from longtrail.errors import TroubleKind
from longtrail.paths import DATA
from longtrail.records.record import Record
from longtrail.yaml_file import read

FailureKind = TroubleKind | Literal["refusal", "credentials", "usage"]
MAX_READ = 8_000
"""Characters of an error that are read."""
MAX_MESSAGE = 500
QUOTED_WORDS = 4
"""So many words in a row that also stand in the prompt are a quotation of it."""
_PROMPT_FIELDS = frozenset({"input", "ctx", "prompt", "messages", "request", "failed_generation", "flagged_input"})
"""Fields of an error's body in which servers repeat the request."""
_MESSAGE_FIELDS = frozenset({"message", "detail", "error", "msg"})
_WORD = re.compile(r"\w+")
Phrases = Annotated[tuple[re.Pattern[str], ...], BeforeValidator(lambda texts: [_compiled(text) for text in texts])]


def _compiled(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


class ErrorKind(Record):
    """One kind of error: how it is recognised, and what the call and its case become. data/server_errors.yaml explains
    the fields."""

    says: str
    becomes: FailureKind
    again: bool = False
    statuses: frozenset[int]
    always: frozenset[int] = frozenset()
    codes: frozenset[str] = frozenset()
    phrases: Phrases = ()
    unless: Annotated[re.Pattern[str] | None, BeforeValidator(_compiled)] = None


class ServerSamples(Record):
    """Samples of one server's errors."""

    model: str
    body: dict[str, Any]
    headers: dict[str, str] = {}
    answer: dict[str, Any] | None = None
    samples: dict[str, tuple[int, str | None, str]]
    """Kind -> status, code, message. A refusal is an answer with status 200."""


class ServerErrors(Record):
    """The whole file."""

    kinds: Annotated[dict[str, ErrorKind], Field(min_length=1)]
    answer: dict[str, Any]
    servers: dict[str, ServerSamples]

    def sample(self, name: str) -> tuple[int, dict[str, str], dict[str, Any]] | None:
        """Status, headers and body of `SERVER.KIND`; None if there is no such sample."""
        server_name, _, kind = name.partition(".")
        server = self.servers.get(server_name)
        if server is None or kind not in server.samples:
            return None
        status, code, message = server.samples[kind]
        values = {"$status": status, "$code": code, "$message": message}
        body = server.body if status != httpx.codes.OK else server.answer or self.answer
        return status, _filled(server.headers, values), _filled(body, values)


@cache
def server_errors() -> ServerErrors:
    """The kinds and samples of data/server_errors.yaml."""
    return read(ServerErrors, DATA / "server_errors.yaml")


def _filled(form: Any, values: Mapping[str, Any]) -> Any:
    if isinstance(form, dict):
        return {key: _filled(value, values) for key, value in form.items()}
    if isinstance(form, list):
        return [_filled(value, values) for value in form]
    return values.get(form, form) if isinstance(form, str) else form


@dataclass(frozen=True, slots=True)
class ServerError:
    """An error as a server sent it."""

    status: int
    message: str
    """The server's own words in one line, for people."""
    words: str
    """The same without what it quotes of the prompt."""
    values: frozenset[str] = frozenset()
    """All values of the body in lower case, without the fields that repeat the request."""
    address: str = ""
    """The address that was called, if known."""
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def quotes_prompt(self) -> bool:
        """Whether it quotes the prompt."""
        return self.words != self.message

    def kind(self, parameters: Iterable[str]) -> tuple[str, ErrorKind | None]:
        """Its kind with the kind's name; None if no kind fits. `parameters`: the names of those that were sent."""
        for name, kind in server_errors().kinds.items():
            fits = self._fits(kind) and not self._is_excepted(kind)
            if fits and (name != "bad_parameter" or self.parameter(parameters)):
                return name, kind
        return "", None

    def parameter(self, parameters: Iterable[str]) -> str:
        """The parameter that it speaks of; empty if it names none of these."""
        text = " ".join((self.words, *self.values))
        return next((name for name in parameters if re.search(rf"\b{re.escape(name)}\b", text)), "")

    def _fits(self, kind: ErrorKind) -> bool:
        if self.status not in kind.statuses:
            return False
        known = self.status in kind.always or bool(self.values & kind.codes)
        return known or any(phrase.search(self.words) for phrase in kind.phrases)

    def _is_excepted(self, kind: ErrorKind) -> bool:
        if kind.unless is None or self.status != httpx.codes.TOO_MANY_REQUESTS:
            return False
        return bool(kind.unless.search(self.words)) or any(
            name.lower().startswith("retry-after") for name in self.headers
        )


def read_error(error: BaseException, prompt: str) -> ServerError:
    """The server's error behind an exception of litellm. `prompt`: all text that was sent."""
    response = next((cause.response for cause in chain(error) if isinstance(cause, httpx.HTTPStatusError)), None)
    text = _body(response)
    if response is None or not text:
        own_status = getattr(error, "status_code", None)
        status = response.status_code if response is not None else own_status if isinstance(own_status, int) else 500
        message = _without_prefixes(str(error)) or str(getattr([*chain(error)][-1], "message", ""))
        values: frozenset[str] = frozenset()
    else:
        status = response.status_code
        message, values = _read_body(text)
    headers = dict(response.headers) if response is not None else getattr(error, "litellm_response_headers", None) or {}
    message = " ".join(message.split())[:MAX_READ]
    return ServerError(
        status=status,
        message=message,
        words=_without_quotations(message, prompt),
        values=values | {headers.get("x-amzn-errortype", "").casefold()},
        address=str(response.request.url) if response is not None else "",
        headers=headers,
    )


def chain(error: BaseException) -> Iterator[BaseException]:
    """An exception and its causes."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _body(response: httpx.Response | None) -> str:
    try:
        return response.text if response is not None else ""
    except httpx.StreamError:  # the answer was to be streamed, and is not read
        return ""


def _read_body(text: str) -> tuple[str, frozenset[str]]:
    """The message in an error's body, and all values in lower case."""
    try:
        fields = list(_fields(json.loads(text)))
    except (ValueError, RecursionError):
        return text, frozenset()
    messages = dict.fromkeys(value for name, value in fields if name in _MESSAGE_FIELDS)
    complete = messages and not any(name == "loc" for name, _ in fields)
    message = ": ".join(messages) if complete else " ".join(value for _, value in fields) or text
    return message, frozenset(value.casefold() for _, value in fields)


def _fields(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """All texts of a body with the names of their fields, also those of JSON in a text."""
    if isinstance(value, str):
        if value.lstrip().startswith("{"):
            try:
                yield from _fields(json.loads(value), name)
                return
            except ValueError:
                pass
        yield name, value
    elif isinstance(value, list):
        for each in value:
            yield from _fields(each, name)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key not in _PROMPT_FIELDS:
                yield from _fields(each, key)


def _without_prefixes(text: str) -> str:
    """A message of litellm without what it puts before the server's words."""
    return re.sub(r"^(litellm\.\w+: ?|\w+Error: ?|\w*Exception - ?)+", "", " ".join(text.split()))


def _without_quotations(message: str, prompt: str) -> str:
    """The message without the passages of at least QUOTED_WORDS words that also stand in the prompt."""
    sent = f" {' '.join(_WORD.findall(prompt.casefold()))} "
    text = re.sub(r"\\+[nrt]", " ", message)
    words = list(_WORD.finditer(text))
    quoted: set[int] = set()
    for start in range(len(words) - QUOTED_WORDS + 1):
        passage = " ".join(word[0].casefold() for word in words[start : start + QUOTED_WORDS])
        if f" {passage} " in sent:
            quoted.update(range(start, start + QUOTED_WORDS))
    left = list(text) if quoted else list(message)
    for word in (words[number] for number in quoted):
        left[word.start() : word.end()] = " " * len(word[0])
    return "".join(left)
