"""Log-in: the forms of Magento's admin and of Postmill in front of the served sites, with the accounts that WebArena
publishes for its test sites.
"""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, quote

PAGE = "<!doctype html><html lang=en><title>{title}</title><body>{header}<main>{error}{form}</main></body></html>"


@dataclass(frozen=True)
class LogIn:
    """The log-in form of one site."""

    user: str
    password: str
    cookie: str
    fields: tuple[str, str]
    """Names of the fields of user and password."""
    token: str
    """Name of the hidden field with the form's token."""
    prefix: str
    """Paths that the form protects."""
    form_path: str
    """The form's path; empty: shown at every protected address."""
    target: str
    """The path that the form is sent to; empty: to its own address."""
    home: str
    """The path after a log-in."""
    title: str
    button: str
    labels: tuple[str, str]
    wrong: str

    def page(self, key: str, error: str = "", action: str = "") -> bytes:
        """The form."""
        user, password = self.fields
        fields = (
            f'<input type=hidden name="{self.token}" value="{key}">'
            f'<label>{self.labels[0]} <input name="{user}"></label>'
            f'<label>{self.labels[1]} <input type=password name="{password}"></label>'
            f"<button>{self.button}</button>"
        )
        form = f'<h1>{self.title}</h1><form method=post action="{html.escape(action)}">{fields}</form>'
        alert = f"<p role=alert>{self.wrong}</p>" if error else ""
        # Postmill shows this link to every guest; BrowserGym begins its log-in with it.
        header = f'<header><nav><a href="{self.form_path}">{self.title}</a></nav></header>' if self.form_path else ""
        return PAGE.format(title=self.title, header=header, error=alert, form=form).encode()

    def accepts(self, body: bytes, key: str) -> bool:
        """Whether a sent form contains the account and the token with which it was served."""
        form: Mapping[str, list[str]] = parse_qs(body.decode("utf-8", "replace"))
        wanted = {self.fields[0]: self.user, self.fields[1]: self.password, self.token: key}
        return all(form.get(name) == [value] for name, value in wanted.items())

    def is_form(self, path: str) -> bool:
        """Whether the form is shown at an address to a visitor who is not signed in."""
        return path == self.form_path if self.form_path else path.startswith(self.prefix)

    def is_target(self, path: str) -> bool:
        """Whether the form is sent there."""
        return path == self.target if self.target else path.startswith(self.prefix)

    def leads(self, path: str) -> str:
        """The redirect for a visitor who is not signed in; empty: the form is shown at the same address."""
        return f"{self.form_path}?return={quote(path, safe='')}" if self.form_path else ""


LOG_INS: Mapping[str, LogIn] = {
    "shopadmin": LogIn(
        user="admin",
        password="admin1234",  # noqa: S106 (the account that is published for WebArena's test site)
        cookie="admin_login",
        fields=("login[username]", "login[password]"),
        token="form_key",  # noqa: S106 (a field's name)
        prefix="/admin",
        form_path="",
        target="",
        home="/admin/admin/dashboard/",
        title="Welcome, please sign in",
        button="Sign in",
        labels=("Username", "Password"),
        wrong="The account sign-in was incorrect or your account is disabled temporarily.",
    ),
    "forum": LogIn(
        user="MarvelsGrantMan136",
        password="test1234",  # noqa: S106 (as above)
        cookie="forum_login",
        fields=("_username", "_password"),
        token="_csrf_token",  # noqa: S106 (a field's name)
        prefix="/",
        form_path="/login",
        target="/login_check",
        home="/",
        title="Log in",
        button="Log in",
        labels=("Username", "Password"),
        wrong="Invalid credentials.",
    ),
}
"""By site."""
