"""Request values: reads numbers, queries and forms that a client sent to a site. Clients may send any text."""

from urllib.parse import parse_qsl

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request

MAX_FIELDS = 200
"""The fields of a query or a form that are read; further ones of a query are ignored."""
MAX_DIGITS = 15
"""Longer numbers fit neither a database nor a page."""


def whole_number(text: str, default: int = 0) -> int:
    """A number without sign, as ASCII digits; `default` for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS else default


def query_pairs(query: str) -> list[tuple[str, str]]:
    """The names and values of a raw query, in order; empty values are left out."""
    return parse_qsl("&".join(query.split("&", MAX_FIELDS)[:MAX_FIELDS]))


async def read_form(request: Request) -> FormData:
    """The fields of a posted form. Raises HTTPException(400) if it can't be read, or holds files: no site takes any."""
    try:
        return await request.form(max_files=0, max_fields=MAX_FIELDS)
    except MultiPartException as error:  # outside of a Starlette app it is not translated
        raise HTTPException(400, error.message) from error
