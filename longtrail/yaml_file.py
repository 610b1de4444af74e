"""Reads all YAML files, safely and without unknown fields; errors name the file, the field and what was expected."""

import gc
import hashlib
import json
import os
import re
import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

from longtrail.errors import DataError
from longtrail.paths import PACKAGE

T = TypeVar("T")
Form: TypeAlias = type[T] | TypeAdapter[T]
"""What data must be: a type, or for a union its adapter."""
MAX_BYTES = 32_000_000
KEPT = PACKAGE / "__pycache__" / "data"
_READER = Path(__file__).read_bytes()
"""How files are read: what another version of this module has kept does not count."""
_TIME, _BOOL = "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool"
_TEXT, _SEQUENCE, _MAPPING = "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """SafeLoader that refuses duplicate keys and aliases (they allow an alias bomb, and our data needs none).

    Dates and the words `on`, `off`, `yes` and `no` stay text without quotes, as in JSON and YAML 1.2.
    """

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag not in (_TIME, _BOOL)]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def get_single_data(self) -> Any:
        """The document; None for an empty one. (Same result as the inherited method, in half the time.)"""
        node = self.get_single_node()
        return None if node is None else self._built(node, set())

    def _built(self, node: Any, known: set[int]) -> Any:
        if id(node) in known:  # libyaml resolves an alias to the node that it names
            raise yaml.YAMLError(f"line {node.start_mark.line + 1}: aliases are not supported")
        known.add(id(node))
        kind = (node.id, node.tag)
        if kind == ("scalar", _TEXT):
            return node.value
        if kind == ("sequence", _SEQUENCE):
            return [self._built(each, known) for each in node.value]
        if kind != ("mapping", _MAPPING):
            return self.construct_object(node, deep=True)
        found: dict[Any, Any] = {}
        for key, value in node.value:
            name = self._built(key, known)
            if not isinstance(name, Hashable):
                raise yaml.YAMLError(f"line {key.start_mark.line + 1}: a key must be a single value")
            if name in found:
                raise yaml.YAMLError(f"line {key.start_mark.line + 1}: key {key.value!r} is given twice")
            found[name] = self._built(value, known)
        return found


_Loader.add_implicit_resolver(_BOOL, re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Pause garbage collection: reading makes no garbage, and collecting takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _parsed(text: str) -> Any:
    return yaml.load(text, Loader=_Loader)  # noqa: S506 (a SafeLoader)


def _shipped(path: Path, text: str) -> Any:
    """The contents of a shipped file. They are kept as JSON beside Python's bytecode, as long as the text is the same:
    JSON is read twenty times as fast. Nothing is written if Python writes no bytecode."""
    kept = KEPT / f"{'-'.join(path.relative_to(PACKAGE).parts)}.json"
    digest = hashlib.sha256(_READER + text.encode()).hexdigest()
    with suppress(OSError, TypeError, ValueError):
        of, contents = json.loads(kept.read_bytes())
        if of == digest:
            return contents
    contents = _parsed(text)
    if sys.dont_write_bytecode:
        return contents
    with suppress(OSError):  # an installation that this user can't write to
        whole = json.dumps([digest, contents], ensure_ascii=False, default=str)
        if json.loads(whole)[1] == contents:
            kept.parent.mkdir(parents=True, exist_ok=True)
            new = kept.with_suffix(f".{os.getpid()}")
            new.write_text(whole, encoding="utf-8")
            new.replace(kept)
    return contents


def read_yaml(path: Path) -> Any:
    """The contents of a YAML file. Raises DataError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError(path, "", f"is larger than {MAX_BYTES} bytes")
        text = path.read_text(encoding="utf-8")
        with _without_garbage_collection():
            return _shipped(path, text) if path.is_relative_to(PACKAGE) else _parsed(text)
    except OSError as error:
        raise DataError(path, "", f"can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataError(path, "", f"is not UTF-8 at byte {error.start}") from error
    except yaml.YAMLError as error:
        message = " ".join(str(error).split()).replace('in "<unicode string>", line', "in line")
        raise DataError(path, "", message) from error
    except RecursionError as error:
        raise DataError(path, "", "is nested too deep") from error


_adapter_of: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)


def validate(form: Form[T], data: Any, file: Path, at: str = "") -> T:
    """Data as a model. Raises DataError that names the first invalid field."""
    adapter: TypeAdapter[T] = form if isinstance(form, TypeAdapter) else _adapter_of(form)
    try:
        return adapter.validate_python(data)
    except ValidationError as error:
        first, *others = _faults(error, data, file, at)
        more = f" (and {len(others)} more)" if others else ""
        raise DataError(file, first.field, f"{first.message}{more}") from error


def faults(adapter: TypeAdapter[T], data: Any, file: Path, at: str = "") -> list[DataError]:
    """Every invalid field of data."""
    try:
        adapter.validate_python(data)
    except ValidationError as error:
        return _faults(error, data, file, at)
    return []


def _faults(error: ValidationError, data: Any, file: Path, at: str) -> list[DataError]:
    wrong = []
    for fault in error.errors():
        field, message = _field_and_message(".".join([*([at] if at else []), *_path(fault["loc"], data)]), fault)
        wrong.append(DataError(file, field, message))
    return wrong


def _path(loc: tuple[int | str, ...], data: Any) -> list[str]:
    """Where the fault is, in names of the file: pydantic also names the `suite` or `kind` that it has chosen."""
    found: list[str] = []
    chosen = False
    for part in loc:
        if isinstance(data, dict) and not chosen and part in (data.get("suite"), data.get("kind")):
            chosen = True
            continue
        found.append(str(part))
        try:
            data, chosen = data[part], False
        except (KeyError, IndexError, TypeError):
            data = None
    return found


def _field_and_message(field: str, fault: Any) -> tuple[str, str]:
    """The field of a fault, and what was expected there."""
    kind, given, about = fault["type"], f", got {fault.get('input')!r:.80}", fault.get("ctx", {})
    if kind in ("union_tag_invalid", "union_tag_not_found"):
        field = f"{field}.{about['discriminator']}".replace("'", "").removeprefix(".")
        if kind == "union_tag_not_found":
            return field, "Field required"
        return field, f"expected one of {about['expected_tags']}, got {about['tag']!r}"
    if kind == "extra_forbidden":
        return field, f"there is no such field here{given}"
    if kind == "missing":
        return field, "Field required"
    if kind in _EXPECTED:
        return field, f"expected {_EXPECTED[kind]}{given}"
    message = fault["msg"].removeprefix("Value error, ")
    return field, message if ", got " in message else f"{message}{given}"


_EXPECTED = {
    "tuple_type": "a list",
    "list_type": "a list",
    "string_type": "a text",
    "dict_type": "fields with values",
    "model_type": "fields with values",
    "mapping_type": "fields with values",
}
"""What YAML calls the types whose names in Python say nothing to authors of tasks."""


def read(form: Form[T], path: Path) -> T:
    """A YAML file as a model. Raises DataError."""
    return validate(form, read_yaml(path), path)
