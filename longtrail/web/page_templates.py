"""Page templates: how sites turn data into HTML (always escaped; an undefined name is an error)."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import jinja2
from starlette.responses import HTMLResponse


class _Compiled(jinja2.FileSystemBytecodeCache):
    """Stores compiled templates in the `__pycache__` next to their folder, because compiling a report's templates takes
    half a second. A changed template is compiled again. Nothing is written if Python writes no bytecode."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder.parent / "__pycache__"), f"%s.{sys.implementation.cache_tag}.jinja")

    def load_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: jinja2.bccache.Bucket) -> None:
        with suppress(OSError):  # an installation that this user can't write to
            if not sys.dont_write_bytecode:
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)


def environment(folder: Path) -> jinja2.Environment:
    """A Jinja environment over a folder of templates: autoescape always on, undefined names raise."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        bytecode_cache=_Compiled(folder),
    )


def page(templates: jinja2.Environment, name: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A rendered page."""
    return HTMLResponse(templates.get_template(name).render(**context), status_code=status)
