"""Page templates: how sites turn data into HTML (always escaped; an undefined name is an error)."""

from pathlib import Path
from typing import Any

import jinja2
from starlette.responses import HTMLResponse


def environment(folder: Path) -> jinja2.Environment:
    """A Jinja environment over a folder of templates: autoescape always on, undefined names raise."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def page(templates: jinja2.Environment, name: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A rendered page."""
    return HTMLResponse(templates.get_template(name).render(**context), status_code=status)
