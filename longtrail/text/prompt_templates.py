"""Prompt templates: Jinja files whose text goes to models. A missing variable is an error."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jinja2


def prompt_templates(folder: Path, *, keep_trailing_newline: bool = False) -> "jinja2.Environment":
    """The templates of a folder. Values are inserted unchanged and never rendered themselves."""
    import jinja2  # imported here, so code that renders nothing does not load it

    return jinja2.Environment(  # noqa: S701 (plain text for models, not HTML)
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=keep_trailing_newline,
    )
