"""The scripted judge: a second opinion by one simple rule, for trying `--judge` without a key.

A claim is `traced` if all of its numbers and names (capitalised words inside a sentence) are in the prompt's pages,
otherwise `synthetic`; a claim without either is `unverifiable`. It is not a language model and not meant to be good.
"""

import json
import re
from collections.abc import Sequence
from typing import Any

MODEL = "scripted-judge"
_CLAIM = re.compile(r"^(\d+)\. (\{.*\})$", re.MULTILINE)
_CLAIMS = "\nThe claims, as JSON."
_TELLING = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b|\b\d[\d.,]*\d\b|\b\d\b")


def answer(messages: Sequence[dict[str, Any]]) -> str:
    """The verdicts on all claims of a chat's last message, as the prompt asks for them."""
    pages, _, claims_text = str(messages[-1]["content"]).rpartition(_CLAIMS)
    verdicts = []
    for number, fields in _CLAIM.findall(claims_text):
        claim = json.loads(fields)
        values = _TELLING.findall(" ".join([claim.get("text", ""), claim.get("quote", "")]))
        missing = [word for word in values if word not in pages]
        kind = "synthetic" if missing else "traced" if values else "unverifiable"
        reason = f"not on the pages: {missing[0]}" if missing else "nothing of it is missing from the pages"
        verdicts.append({"claim": int(number), "kind": kind, "reason": reason})
    return json.dumps({"verdicts": verdicts})
