"""Template page: how the reports' templates are rendered and written. Every value is made `visible`, then escaped."""

import base64
import hashlib
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from longtrail.browser.observation_budget import left_out
from longtrail.report import figures, gate_text, text

TEMPLATES = Path(__file__).parent / "templates"


def _finalize(value: Any) -> Any:
    return text.visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _parted(name: str) -> Markup:
    """A name that may go on in the next line after each of its separators."""
    return Markup("<wbr>").join(re.split(r"(?<=[:/_@])(?=\w)|(?<=\.)(?=[a-z])", text.visible(name)))


@cache
def templates() -> jinja2.Environment:
    """The reports' templates: those of the sites' pages (autoescape, StrictUndefined), with figures as filters."""
    # imports Starlette, so only code that writes a report loads it
    from longtrail.web.page_templates import environment

    env = environment(TEMPLATES)
    env.finalize = _finalize
    env.filters.update(
        percent=figures.percent,
        span=figures.span,
        decimal=figures.decimal,
        p_value=figures.p_value,
        whole=figures.whole,
        tokens=figures.tokens,
        usd=figures.usd,
        seconds=figures.seconds,
        context=figures.context,
        clip=text.clip,
        parted=_parted,
        web_link=text.web_link,
        page_link=text.page_link,
        left_out=left_out,
        part_name=figures.part_name,
        css_class=lambda words: words.replace(" ", "-"),
        meaning=gate_text.MEANINGS.__getitem__,
        power=gate_text.power_sentence,
        under=lambda prompt, line: line.under(prompt),
    )
    return env


def render(name: str, **context: Any) -> str:
    """A template with its data, as text."""
    return templates().get_template(name).render(**context)


def script_hash(name: str) -> str:
    """The Content-Security-Policy source of a script template, so that this script runs and no other."""
    digest = hashlib.sha256(render(name).encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def write(path: Path, page: str) -> Path:
    """Write a page atomically: a reader sees the old or the new page. Makes the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(page, encoding="utf-8")
    beside.replace(path)
    return path
