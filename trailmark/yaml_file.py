"""YAML files: the one reader, safe and closed, with errors that name file, field and what was expected."""

import re
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

from trailmark.errors import DataError

T = TypeVar("T")
MAX_BYTES = 32_000_000


_TIME, _TRUTH = "tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:bool"


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """SafeLoader that refuses duplicate keys and aliases (an alias bomb needs aliases; our data needs none).

    Dates and the words `on`, `off`, `yes` and `no` stay text, as JSON and YAML 1.2 have them: they need no quotes.
    """

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag not in (_TIME, _TRUTH)]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        if node in self.constructed_objects:  # libyaml resolves an alias to the node that it names
            raise yaml.YAMLError(f"line {node.start_mark.line + 1}: aliases are not supported")
        return super().construct_object(node, deep=deep)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value]
        if len(keys) != len(set(keys)):
            twice = next(key for key in keys if keys.count(key) > 1)
            raise yaml.YAMLError(f"line {node.start_mark.line + 1}: key {twice!r} is given twice")
        return super().construct_mapping(node, deep=deep)  # type: ignore[no-any-return]


_Loader.add_implicit_resolver(_TRUTH, re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF"))


def read_yaml(path: Path) -> Any:
    """The contents of a YAML file. Raises DataError."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DataError(path, "", f"is larger than {MAX_BYTES} bytes")
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_Loader)  # noqa: S506 (a SafeLoader)
    except OSError as error:
        raise DataError(path, "", f"can't be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise DataError(path, "", f"is not UTF-8 at byte {error.start}") from error
    except yaml.YAMLError as error:
        raise DataError(path, "", " ".join(str(error).split())) from error


def validate(adapter: TypeAdapter[T], data: Any, file: Path, at: str = "") -> T:
    """Data as a model. Raises DataError naming the first field that is wrong."""
    try:
        return adapter.validate_python(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join([*([at] if at else []), *(str(part) for part in first["loc"])])
        more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise DataError(file, field, f"{first['msg']}, got {first.get('input')!r:.80}{more}") from error


def read(adapter: TypeAdapter[T], path: Path) -> T:
    """A YAML file as a model."""
    return validate(adapter, read_yaml(path), path)
