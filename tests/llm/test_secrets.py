"""Texts without keys: plain, in base64 at any offset, URL-encoded, in JSON."""

import base64
import json
from urllib.parse import quote

import pytest

from longtrail.llm.secrets import is_secret, keep_secret, redact
from tests.tables import tables_of

TABLES = tables_of(__file__)

KEY = 'sk-canary/+"9f=3b27d1c4a84e60'


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", KEY)


@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "Bearer ", "user:"])
def test_every_spelling_is_removed(before: str) -> None:
    whole = (before + KEY + " and more").encode()
    for text in (
        f"{before}{KEY} and more",
        base64.b64encode(whole).decode(),
        base64.urlsafe_b64encode(whole).decode(),
        quote(before + KEY, safe=""),
        json.dumps({"header": before + KEY}),
    ):
        clean = redact(f"start {text} end")
        assert "[key]" in clean, text
        assert KEY[3:12] not in clean
        assert clean.startswith("start ")
        assert clean.endswith(" end")


def test_other_texts_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Jane Example")
    monkeypatch.setenv("SHORT_TOKEN", "page")
    assert redact("Jane Example reads a page with sk-canary") == "Jane Example reads a page with sk-canary"


@pytest.mark.parametrize(("name", "value"), TABLES["a_setting_that_is_named_like_a_key_is_none"])
def test_a_setting_that_is_named_like_a_key_is_none(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert redact(f"The account is {value}.") == f"The account is {value}."


@pytest.mark.parametrize("value", TABLES["a_key_of_any_kind_is_removed"])
def test_a_key_of_any_kind_is_removed(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("SHOP_TOKEN", value)
    assert value not in redact(f"The key is {value}.")


def test_what_the_command_line_named_is_a_secret_too() -> None:
    keep_secret("a-password-of-the-command-line")
    assert redact("x a-password-of-the-command-line y") == "x [key] y"


@pytest.mark.parametrize(("name", "value", "secret"), TABLES["numbers_of_tokens_are_no_secrets"])
def test_numbers_of_tokens_are_no_secrets(name: str, value: object, secret: bool) -> None:
    assert is_secret(name, value) is secret
