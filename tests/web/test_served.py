"""`longtrail serve`: sites on plain HTTP, separate episodes, the log-in forms, the log, refused requests."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import httpx
import pytest

from longtrail.errors import UsageError
from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.web.registry import all_sites
from longtrail.web.served.server import ServedSites

CONTROL = "/__longtrail__"
ORDER = "/admin/sales/order/view/order_id/1/"


@pytest.fixture(scope="module")
def served() -> Iterator[ServedSites]:
    with ServedSites(all_sites(), ["shopadmin", "forum"]) as sites:
        yield sites


@pytest.fixture(scope="module")
def guarded() -> Iterator[ServedSites]:
    with ServedSites(all_sites(), ["shopadmin", "forum"], log_in=True) as sites:
        yield sites


def client(sites: ServedSites, site: str = "shopadmin.test", **more: str) -> httpx.Client:
    return httpx.Client(
        base_url=sites.addresses[site], follow_redirects=True, trust_env=False, headers=more, timeout=60
    )


def test_pages_lead_to_the_ports(served: ServedSites) -> None:
    with client(served) as web:
        page = web.get("/admin/")
        assert page.status_code == 200
        assert page.url.host == "127.0.0.1"
        assert "https://shopadmin.test" not in page.text
        assert "Dashboard" in page.text


def test_episodes_do_not_see_each_other(served: ServedSites) -> None:
    """A change in one episode is not seen in another, a reset undoes it, and the log is of one episode only."""
    with client(served) as web:
        begun = web.post(f"{CONTROL}/reset").json()
        other = web.post(f"{CONTROL}/reset").json()["episode"]
    first = begun["episode"]
    with client(served, **{"x-longtrail-episode": first}) as web:
        page = web.get(ORDER)
        key = re.search(r'name="form_key"[^>]*value="([^"]+)"', page.text)
        assert key is not None
        form = {"form_key": key[1], "history[comment]": "seen by nobody else", "history[status]": "complete"}
        web.post("/admin/sales/order/addComment/order_id/1/", data=form, headers={"Origin": str(web.base_url)})
        assert "seen by nobody else" in web.get(ORDER).text
        log = web.get(f"{CONTROL}/requests").json()
        assert {"GET", "POST"} <= {request["method"] for request in log}
        assert all(request["url"].startswith("https://shopadmin.test/") for request in log)
        assert web.get(f"{CONTROL}/changes").json()
    with client(served, **{"x-longtrail-episode": other}) as web:
        assert "seen by nobody else" not in web.get(ORDER).text
        assert web.get(f"{CONTROL}/changes").json() == []
    with client(served) as web:
        assert web.post(f"{CONTROL}/reset", params={"episode": first}).json()["episode"] == first
    with client(served, **{"x-longtrail-episode": first}) as web:
        assert "seen by nobody else" not in web.get(ORDER).text


def test_an_episode_begins_in_the_state_of_a_task() -> None:
    """A task of the hard tier has records and pages that the usual state lacks; a reset keeps the task."""
    task = load_tasks(TASKS / "hard_shop")["HS-01"]
    log = "/admin/logging/event/"
    with ServedSites(all_sites(), ["shopadmin"], tasks={task.id: task}) as sites:
        with client(sites) as web:
            assert web.get(log).status_code == 404
            assert web.post(f"{CONTROL}/reset?task=HS-99").json() == {"problem": "there is no task 'HS-99'"}
            begun = web.post(f"{CONTROL}/reset?task=HS-01").json()
        assert begun["start"].startswith(sites.addresses["shopadmin.test"])
        with client(sites, **{"X-Longtrail-Episode": begun["episode"]}) as web:
            assert web.get(log).status_code == 200
            web.post(f"{CONTROL}/reset?episode={begun['episode']}")
            assert web.get(log).status_code == 200


def test_a_browser_enters_an_episode_by_a_cookie(served: ServedSites) -> None:
    """The cookie holds for all ports of this machine's address, as WebArena's tasks need it."""
    with client(served) as web:
        begun = web.post(f"{CONTROL}/reset").json()
        page = web.get(begun["enter"]["shopadmin.test"], params={"next": ORDER})
        assert page.url.path == ORDER
        assert web.cookies["longtrail_episode"] == begun["episode"]
        assert web.get(served.addresses["forum.test"]).status_code == 200
        outside = web.get(f"{CONTROL}/enter/{begun['episode']}", params={"next": "//evil.test/"})
        assert outside.url.host == "127.0.0.1"


def test_strangers_are_sent_away(served: ServedSites) -> None:
    with client(served, host="evil.test") as web:
        assert web.get("/admin/").status_code == 421
    with client(served, **{"x-longtrail-episode": "unknown"}) as web:
        assert web.get("/admin/").status_code == 410
        assert web.get(f"{CONTROL}/nothing").status_code == 404


def test_the_shop_asks_for_a_password(guarded: ServedSites) -> None:
    """As Magento's admin does: the form at the requested address, a token, a redirect, a cookie."""
    with client(guarded) as web:
        form = web.get(ORDER)
        assert 'name="login[username]"' in form.text
        key = re.search(r'name="form_key" value="([^"]+)"', form.text)
        assert key is not None
        sent = {"form_key": key[1], "login[username]": "admin", "login[password]": "wrong"}
        assert "sign-in was incorrect" in web.post("/admin", data=sent).text
        done = web.post("/admin", data={**sent, "login[password]": "admin1234"})
        assert [hop.status_code for hop in done.history] == [302]
        assert done.url.path == "/admin/admin/dashboard/"
        assert "Dashboard" in done.text
        assert "Comments" in web.get(ORDER).text


def test_the_forum_asks_for_a_password(guarded: ServedSites) -> None:
    with client(guarded, "forum.test") as web:
        form = web.get("/f/all")
        assert form.url.path == "/login"
        assert '<a href="/login">Log in</a>' in form.text  # where BrowserGym begins
        key = re.search(r'name="_csrf_token" value="([^"]+)"', form.text)
        assert key is not None
        sent = {"_csrf_token": key[1], "_username": "MarvelsGrantMan136", "_password": "test1234"}
        assert web.post("/login_check", data=sent).url.path == "/"


def test_the_command_serves_until_it_is_ended() -> None:
    command = [sys.executable, "-m", "longtrail", "serve", "forum", "--login"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        host, address = process.stdout.readline().split()
        assert host == "forum.test"
        while "Ctrl-C" not in process.stdout.readline():
            pass
        try:
            assert httpx.get(f"{address}login", trust_env=False).status_code == 200
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_a_site_that_is_not_there_is_told() -> None:
    with pytest.raises(UsageError, match="there is no site 'magento'"):
        ServedSites(all_sites(), ["magento"])
