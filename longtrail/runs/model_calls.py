"""Model calls: every prompt and answer of each step in full, one file per attempt.

calls/CASE.aATTEMPT.jsonl has one line per call. Repeated texts (rules, a long history) are stored once, as blocks:

    {"block": DIGEST, "text": ...}    before the first call that contains it
    {"call": {...}}                   a ModelCall; its messages name blocks

Scoring doesn't use these files: a run without them is complete.
"""

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from longtrail.errors import HarnessTrouble
from longtrail.llm.client import Message, ModelClient, Reply
from longtrail.llm.secrets import redact
from longtrail.records.record import Record
from longtrail.records.trajectory import Case, Step, Usage
from longtrail.runs.attempts import file_stem

FEWEST = 400
"""Minimum number of characters of a block."""


class CallMessage(Record):
    """One message of a call."""

    role: str
    block: str = ""
    """Digest of the block that it begins with; empty if there is none."""
    text: str = ""
    images: int = 0


class ModelCall(Record):
    """One call and its answer."""

    place: int
    """Number of the step that it was made for, in the episode, from 1."""
    messages: tuple[CallMessage, ...]
    reply: str
    finish_reason: str = "stop"
    model: str = ""
    usage: Usage = Usage()
    seconds: float = 0.0


class RecordedModel:
    """A model client that records its calls."""

    def __init__(self, inner: ModelClient, path: Path, steps: Sequence[Step]) -> None:
        """`steps`: the steps taken so far; a call belongs to the next one."""
        self._inner, self._path, self._steps = inner, path, steps
        self._blocks: set[str] = set()
        self.name, self.vision = inner.name, inner.vision

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 1024, json: bool = False) -> Reply:
        """Like the client's method. Also raises HarnessTrouble(storage) if the call can't be written."""
        reply = self._inner.complete(messages, max_tokens=max_tokens, json=json)
        self._record(messages, reply)
        return reply

    def _record(self, messages: tuple[Message, ...], reply: Reply) -> None:
        lines: list[dict[str, object]] = []
        call = ModelCall(
            place=len(self._steps) + 1,
            messages=tuple(self._message(message, lines) for message in messages),
            reply=reply.text,
            finish_reason=reply.finish_reason,
            model=reply.model,
            usage=reply.usage,
            seconds=round(reply.seconds, 3),
        )
        lines.append({"call": call.model_dump(mode="json")})
        try:
            self._path.parent.mkdir(exist_ok=True)
            with self._path.open("a", encoding="utf-8") as file:
                file.writelines(f"{redact(json.dumps(line, ensure_ascii=False))}\n" for line in lines)
        except OSError as error:
            raise HarnessTrouble("storage", f"{self._path} can't be written: {error.strerror}") from error

    def _message(self, message: Message, lines: list[dict[str, object]]) -> CallMessage:
        again = len(message.text) if message.role == "system" else message.stable
        again = again if again >= FEWEST else 0
        head, tail = message.text[:again], message.text[again:]
        block = hashlib.sha256(head.encode("utf-8", "surrogatepass")).hexdigest()[:16] if head else ""
        if block and block not in self._blocks:
            self._blocks.add(block)
            lines.append({"block": block, "text": head})
        return CallMessage(role=message.role, block=block, text=tail, images=len(message.images))


def record_calls(run: Path, model: ModelClient, case: Case, attempt: int, steps: Sequence[Step]) -> ModelClient:
    """A client that writes the calls of an attempt into a run's folder."""
    return RecordedModel(model, calls_file(run, case.id, attempt), steps)


def calls_file(run: Path, case: str, attempt: int) -> Path:
    """The path of an attempt's calls in a run's folder."""
    return run / "calls" / f"{file_stem(case)}.a{attempt}.jsonl"


@dataclass(frozen=True, slots=True)
class ModelCalls:
    """An attempt's recorded calls."""

    by_place: Mapping[int, tuple[ModelCall, ...]]
    """Number of a step in the episode -> its calls."""
    blocks: Mapping[str, str]
    """Digest -> text that several calls begin with."""


def read_calls(run: Path, case: str, attempt: int) -> ModelCalls:
    """The calls of an attempt; none if they were not recorded. Incomplete lines are left out."""
    by_step: dict[int, list[ModelCall]] = defaultdict(list)
    blocks: dict[str, str] = {}
    try:
        lines = calls_file(run, case, attempt).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    for line in lines:
        try:
            entry = json.loads(line)
            if "block" in entry:
                blocks[str(entry["block"])] = str(entry["text"])
            else:
                call = ModelCall.model_validate(entry["call"])
                by_step[call.place].append(call)
        except (ValueError, KeyError, TypeError):
            continue
    return ModelCalls({place: tuple(calls) for place, calls in by_step.items()}, blocks)
