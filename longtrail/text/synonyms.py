"""Synonyms: expressions of the same meaning, replaced by one head word (data/text/synonyms.yaml)."""

import re
from functools import cache, lru_cache

from longtrail.paths import DATA
from longtrail.text.alternatives import Alternative, Atoms
from longtrail.text.folding import fold
from longtrail.yaml_file import read_yaml


@cache
def _heads() -> dict[str, str]:
    """Each folded expression -> its head word."""
    groups: dict[str, list[str]] = read_yaml(DATA / "text" / "synonyms.yaml")
    return {fold(way): head for head, ways in groups.items() for way in ways}


@cache
def _ways() -> re.Pattern[str]:
    longest_first = sorted(_heads(), key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b", re.IGNORECASE)


@lru_cache(maxsize=4096)
def canonical(text: str) -> str:
    """The text with every known expression replaced by its head word."""
    return _ways().sub(lambda found: _heads()[fold(found[0])], text)


@lru_cache(maxsize=8192)
def canonical_alternative(alternative: Alternative) -> Alternative:
    """The same for a searched alternative."""
    if isinstance(alternative, str):
        return canonical(alternative)
    words = tuple(canonical(phrase) for phrase in alternative.words)
    return alternative if words == alternative.words else Atoms(**{**alternative.model_dump(), "words": words})
