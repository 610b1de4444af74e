"""WebArena log-in: logs in to WebArena sites at the user's address, by their own forms (Magento's admin, Postmill).

The accounts are those that WebArena publishes for its test sites; a variable `LONGTRAIL_LOGIN_SHOPPING_ADMIN` or
`LONGTRAIL_LOGIN_REDDIT` (`USER:PASSWORD`) gives others. Passwords are never written to a file.
"""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

from longtrail.checks.hosts import origin_of
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.llm.secrets import keep_secret

REQUEST_SECONDS = 60.0
VERIFY_CERTIFICATES = False  # a staging site may have no valid certificate
_INPUT = re.compile(r"<input\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(name|value)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)


@dataclass(frozen=True)
class LogInForm:
    """The log-in form of one kind of site."""

    form_path: str
    """Relative to the site's address."""
    submit_path: str
    """Path that the form is sent to; empty: the address of the form's page."""
    fields: tuple[str, str]
    """Names of the fields for user and password."""
    token: str
    """Name of the hidden field that protects the form."""
    account: tuple[str, str]
    variable: str
    """Environment variable that gives another account."""


KINDS: Mapping[str, LogInForm] = {
    "magento": LogInForm(
        "/",
        "",
        ("login[username]", "login[password]"),
        "form_key",
        ("admin", "admin1234"),
        "LONGTRAIL_LOGIN_SHOPPING_ADMIN",
    ),
    "postmill": LogInForm(
        "/login",
        "/login_check",
        ("_username", "_password"),
        "_csrf_token",
        ("MarvelsGrantMan136", "test1234"),
        "LONGTRAIL_LOGIN_REDDIT",
    ),
}


def log_in(kind: str, address: str) -> dict[str, str]:
    """Cookies of a new session. Raises UsageError if there is no such form or the account is refused,
    HarnessTrouble(site_error) if the site does not answer."""
    import httpx

    form, password = KINDS[kind], KINDS[kind].fields[1]
    try:
        with httpx.Client(
            follow_redirects=True, timeout=REQUEST_SECONDS, trust_env=False, verify=VERIFY_CERTIFICATES
        ) as client:
            page = client.get(f"{address}{form.form_path}")
            if password not in page.text:
                if page.status_code < 400 and client.cookies:
                    return dict(client.cookies)  # the page asks for no password
                raise UsageError(f"{address}: expected {kind}'s log-in form ({password}), got {page.status_code}")
            sent = {**_hidden(page.text, form.token), **dict(zip(form.fields, _account(form), strict=True))}
            target = f"{address}{form.submit_path}" if form.submit_path else str(page.url)
            url = str(page.url)
            headers = {"Referer": url, "Origin": origin_of(url).base}
            done = client.post(urljoin(url, target), data=sent, headers=headers)
            if password in done.text or done.status_code >= 400:
                raise UsageError(f"{address}: the account was refused; {form.variable}=USER:PASSWORD gives another")
            return {cookie.name: cookie.value or "" for cookie in client.cookies.jar}
    except httpx.HTTPError as error:
        raise HarnessTrouble("site_error", f"{address} does not answer: {error}") from error


def _account(form: LogInForm) -> tuple[str, str]:
    given = os.environ.get(form.variable, "")
    if not given:
        return form.account
    user, colon, password = given.partition(":")
    if not colon:
        raise UsageError(f"{form.variable}: expected USER:PASSWORD")
    keep_secret(password)
    return user, password


def _hidden(page: str, name: str) -> dict[str, str]:
    """The form's hidden token."""
    import html

    for field in _INPUT.findall(page):
        given = {key.lower(): html.unescape(a or b or c) for key, a, b, c in _ATTRIBUTE.findall(field)}
        if given.get("name") == name:
            return {name: given.get("value", "")}
    return {}
