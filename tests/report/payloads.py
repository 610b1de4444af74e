"""Payloads: what a hostile page, model or task may put into any text that a report shows."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from longtrail.yaml_file import read_yaml

PAYLOADS = (*read_yaml(Path(__file__).with_name("payloads.yaml")), *("A" * 10_000, "مرحبا " * 40 + "שלום", ""))
"""Each fills a field by itself; so does the empty text."""


def filled(record: Any, payload: str) -> Any:
    """The record, and those in it, with the payload as each text, except where the type lists the words."""
    fields = type(record).model_fields
    update = {name: _filled(getattr(record, name), field.annotation, payload) for name, field in fields.items()}
    return record.model_copy(update=update)


def _filled(value: Any, kind: Any, payload: str) -> Any:
    if isinstance(value, BaseModel):
        return filled(value, payload)
    if kind == tuple[str, ...]:
        return (payload,)
    if isinstance(value, tuple):
        return tuple(_filled(each, kind, payload) for each in value)
    if isinstance(value, Mapping):
        return {name: _filled(each, kind, payload) for name, each in value.items()}
    is_text = isinstance(value, str) or (value is None and kind == (str | None))
    return payload if is_text and not _lists_words(kind) else value


def _lists_words(kind: Any) -> bool:
    return get_origin(kind) is Literal or any(map(_lists_words, get_args(kind)))
