"""WebArena log-in: logs in to WebArena sites at the user's address, by their own forms (Magento's admin, Postmill).

The accounts are those that WebArena publishes for its test sites; a variable `LONGTRAIL_LOGIN_SHOPPING_ADMIN` or
`LONGTRAIL_LOGIN_REDDIT` (`USER:PASSWORD`) gives others. Passwords are never written to a file.
"""

import os
import re
from pathlib import Path
from urllib.parse import urljoin

from longtrail.checks.hosts import origin_of
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.llm.secrets import keep_secret
from longtrail.records.record import Record
from longtrail.yaml_file import read

REQUEST_SECONDS = 60.0
VERIFY_CERTIFICATES = False  # a staging site may have no valid certificate
_INPUT = re.compile(r"<input\b[^>]*>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\b(name|value)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)


class WebArenaSite(Record):
    """One of WebArena's sites, with its log-in form (`webarena.yaml` explains the fields)."""

    kind: str
    home: str
    container: str
    form_path: str
    submit_path: str
    fields: tuple[str, str]
    token: str
    account: tuple[str, str]


SITES = read(dict[str, WebArenaSite], Path(__file__).with_name("webarena.yaml"))
"""By suite."""
KINDS = {site.kind: suite for suite, site in SITES.items()}
"""Kind of a site -> its suite."""


def log_in(kind: str, address: str) -> dict[str, str]:
    """Cookies of a new session. Raises UsageError if there is no such form or the account is refused,
    HarnessTrouble(site_error) if the site does not answer."""
    import httpx

    suite = KINDS[kind]
    form, variable = SITES[suite], f"LONGTRAIL_LOGIN_{suite.upper()}"
    password = form.fields[1]
    try:
        with httpx.Client(
            follow_redirects=True, timeout=REQUEST_SECONDS, trust_env=False, verify=VERIFY_CERTIFICATES
        ) as client:
            page = client.get(f"{address}{form.form_path}")
            if password not in page.text:
                if page.status_code < 400 and client.cookies:
                    return dict(client.cookies)  # the page asks for no password
                raise UsageError(f"{address}: expected {kind}'s log-in form ({password}), got {page.status_code}")
            sent = {**_hidden(page.text, form.token), **dict(zip(form.fields, _account(form, variable), strict=True))}
            target = f"{address}{form.submit_path}" if form.submit_path else str(page.url)
            url = str(page.url)
            headers = {"Referer": url, "Origin": origin_of(url).base}
            done = client.post(urljoin(url, target), data=sent, headers=headers)
            if password in done.text or done.status_code >= 400:
                raise UsageError(f"{address}: the account was refused; {variable}=USER:PASSWORD gives another")
            return {cookie.name: cookie.value or "" for cookie in client.cookies.jar}
    except httpx.HTTPError as error:
        raise HarnessTrouble("site_error", f"{address} does not answer: {error}") from error


def _account(form: WebArenaSite, variable: str) -> tuple[str, str]:
    given = os.environ.get(variable, "")
    if not given:
        return form.account
    user, colon, password = given.partition(":")
    if not colon:
        raise UsageError(f"{variable}: expected USER:PASSWORD")
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
