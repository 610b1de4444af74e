"""What the tasks need of Python: a session of the clerk's."""

import httpx

ACCOUNT = {"username": "clerk", "password": "clerk-1234"}  # made by reset_shop, on this machine only


def signed_in(address: str) -> dict[str, str]:
    """Cookies of somebody who has filled in the admin's log-in form."""
    with httpx.Client(base_url=address, follow_redirects=True, trust_env=False) as client:
        client.get("/admin/login/")
        form = {**ACCOUNT, "csrfmiddlewaretoken": client.cookies["csrftoken"], "next": "/admin/"}
        client.post("/admin/login/", data=form, headers={"Referer": f"{address}/admin/login/"}).raise_for_status()
        return dict(client.cookies)
