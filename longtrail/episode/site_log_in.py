"""Site log-in: logs in to WebArena's sites by their own forms (Magento's admin and Postmill).

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

SECONDS = 60.0
UNCHECKED = False
"""Value of `verify`: no check, as a staging site may have no valid certificate."""
_INPUT = re.compile(r"<input\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(name|value)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)


@dataclass(frozen=True)
class SiteKind:
    """One kind of site."""

    page: str
    """Path of its form, relative to the site's address."""
    target: str
    """Path that the form is sent to; empty: the same page."""
    fields: tuple[str, str]
    token: str
    account: tuple[str, str]
    variable: str


KINDS: Mapping[str, SiteKind] = {
    "magento": SiteKind(
        "/",
        "",
        ("login[username]", "login[password]"),
        "form_key",
        ("admin", "admin1234"),
        "LONGTRAIL_LOGIN_SHOPPING_ADMIN",
    ),
    "postmill": SiteKind(
        "/login",
        "/login_check",
        ("_username", "_password"),
        "_csrf_token",
        ("MarvelsGrantMan136", "test1234"),
        "LONGTRAIL_LOGIN_REDDIT",
    ),
}


def signed_in(kind: str, address: str) -> dict[str, str]:
    """Cookies of a new session. Raises UsageError if there is no such form or the account is refused,
    HarnessTrouble(site_error) if the site does not answer."""
    import httpx

    site = KINDS[kind]
    try:
        with httpx.Client(follow_redirects=True, timeout=SECONDS, trust_env=False, verify=UNCHECKED) as client:
            form = client.get(f"{address}{site.page}")
            if site.fields[1] not in form.text:
                if form.status_code < 400 and client.cookies:
                    return dict(client.cookies)  # the form has no password field
                raise UsageError(f"{address}: expected {kind}'s log-in form ({site.fields[1]}), got {form.status_code}")
            sent = {**_hidden(form.text, site.token), **dict(zip(site.fields, _account(site), strict=True))}
            target = f"{address}{site.target}" if site.target else str(form.url)
            done = client.post(urljoin(str(form.url), target), data=sent, headers=_from(str(form.url)))
            if site.fields[1] in done.text or done.status_code >= 400:
                raise UsageError(f"{address}: the account was refused; {site.variable}=USER:PASSWORD gives another")
            return {cookie.name: cookie.value or "" for cookie in client.cookies.jar}
    except httpx.HTTPError as error:
        raise HarnessTrouble("site_error", f"{address} does not answer: {error}") from error


def _from(url: str) -> dict[str, str]:
    return {"Referer": url, "Origin": origin_of(url).base}


def _account(site: SiteKind) -> tuple[str, str]:
    given = os.environ.get(site.variable, "")
    if not given:
        return site.account
    user, colon, password = given.partition(":")
    if not colon:
        raise UsageError(f"{site.variable}: expected USER:PASSWORD")
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
