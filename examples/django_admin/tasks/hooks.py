"""Python functions of the tasks: a clerk's session."""

import httpx

ACCOUNT = {"username": "clerk", "password": "clerk-1234"}  # made by reset_shop, on this machine only


def signed_in(address: str) -> dict[str, str]:
    """Cookies after a log-in with the admin's form."""
    with httpx.Client(base_url=address, follow_redirects=True, trust_env=False) as client:
        client.get("/admin/login/")
        form = {**ACCOUNT, "csrfmiddlewaretoken": client.cookies["csrftoken"], "next": "/admin/"}
        client.post("/admin/login/", data=form, headers={"Referer": f"{address}/admin/login/"}).raise_for_status()
        return dict(client.cookies)
