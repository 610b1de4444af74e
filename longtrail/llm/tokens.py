"""Tokens: the length of a text for a model, counted offline with the vocabularies in litellm's package."""

import hashlib
import importlib.util
import math
import os
import re
import threading
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

DEFAULT = "cl100k_base"
"""The vocabulary for context lengths: the same for all models, so that all get the same history."""
_O200K = re.compile(r"^(gpt-4o|gpt-4\.1|gpt-4\.5|gpt-5|gpt-oss|chatgpt-4o|o[1-9])")
_BLOBS = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"
_LOCK = threading.Lock()


def tokenizer_name(model: str | None = None) -> str:
    """The vocabulary that `count` uses: the model's own if known and available, otherwise cl100k_base."""
    bare = (model or "").rsplit("/", 1)[-1].lower()
    return "o200k_base" if _O200K.match(bare) and _bundled("o200k_base") else DEFAULT


def count(text: str, model: str | None = None) -> int:
    """Length of a text in tokens; special tokens count as plain text."""
    return len(_encoding(tokenizer_name(model)).encode_ordinary(text))


def at_most(tokens: int, model: str) -> int:
    """An upper limit for a text's tokens, if `count` says `tokens`: with another vocabulary than the model's own, half
    as many again. That is an assumption: other vocabularies are not published, or not in litellm's package."""
    return tokens if tokenizer_name(model) != DEFAULT else math.ceil(1.5 * tokens)


@cache
def _encoding(name: str) -> "tiktoken.Encoding":
    """A vocabulary from litellm's package (tiktoken reads its folder from the environment while loading)."""
    import tiktoken
    from tiktoken_ext.openai_public import ENCODING_CONSTRUCTORS

    folder = _bundled(name)
    with _LOCK:
        before = os.environ.get("TIKTOKEN_CACHE_DIR")
        if folder:
            os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)
        try:
            given = ENCODING_CONSTRUCTORS[name]()
        finally:
            if folder and before is None:
                del os.environ["TIKTOKEN_CACHE_DIR"]
            elif folder and before is not None:
                os.environ["TIKTOKEN_CACHE_DIR"] = before
    encoding = tiktoken.Encoding(**given)
    given["mergeable_ranks"].clear()  # counting needs only the copy in the encoding; this one takes 14 MB
    return encoding


@cache
def _bundled(name: str) -> Path | None:
    """The folder in litellm's package with this vocabulary, found without importing litellm."""
    spec = importlib.util.find_spec("litellm")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
    file = hashlib.sha1(_BLOBS.format(name).encode(), usedforsecurity=False).hexdigest()
    return folder if (folder / file).is_file() else None
