"""Which browser is found, and how it is started."""

import os
import time
from pathlib import Path

import psutil
import pytest

from longtrail.browser.engine import PROXY_LOOPBACK, Engine
from longtrail.browser.launcher import Launch, arguments, environment, find_chromium, is_shell
from longtrail.browser.session import Browser
from longtrail.browser.url_policy import ParsedUrl, UrlPolicy
from longtrail.errors import HarnessTrouble, UsageError
from tests.tables import tables_of

TABLES = tables_of(__file__)


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any browser."""
    monkeypatch.delenv("LONGTRAIL_CHROMIUM", raising=False)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "playwright"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def test_order_of_search(machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="longtrail install-browser"):
        find_chromium()
    chrome = executable(machine / "bin" / "google-chrome")
    assert find_chromium() == chrome
    shell = executable(machine / "bin" / "chromium-headless-shell")
    assert find_chromium() == shell
    assert find_chromium(headless=False) == chrome
    full = executable(machine / "playwright" / "chromium-1200" / "chrome-linux" / "chrome")
    assert find_chromium() == full
    executable(machine / "playwright" / "chromium_headless_shell-999" / "chrome-linux" / "headless_shell")
    newest = executable(machine / "playwright" / "chromium_headless_shell-1200" / "chrome-linux" / "headless_shell")
    assert find_chromium() == newest
    assert is_shell(newest)
    assert find_chromium(headless=False) == full
    named = executable(machine / "mine")
    monkeypatch.setenv("LONGTRAIL_CHROMIUM", str(named))
    assert find_chromium() == named
    monkeypatch.setenv("LONGTRAIL_CHROMIUM", str(machine / "missing"))
    with pytest.raises(UsageError, match="which is not an executable file"):
        find_chromium()


def test_launch_options_of_pytest_playwright(machine: Path) -> None:
    launch = Launch.of({"headless": False, "slow_mo": 50, "args": ["--x"], "channel": None, "downloads_path": "/tmp"})
    assert Launch.of({"channel": "msedge"}).channel == "msedge"
    assert (launch.headless, launch.slow_mo, launch.args) == (False, 50, ("--x",))
    assert arguments(launch)[-1] == "--x"
    assert any("NOTFOUND" in argument for argument in arguments(launch))
    assert not any("NOTFOUND" in argument for argument in arguments(Launch(proxied=False)))


def test_environment_holds_no_keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "canary")
    assert "canary" not in environment(tmp_path).values()
    assert environment(tmp_path)["TMPDIR"] == str(tmp_path)


def test_loopback_past_the_proxy_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PROXY_LOOPBACK, "1")
    with pytest.raises(UsageError, match=PROXY_LOOPBACK):
        Browser()


def test_a_browser_that_does_not_start(tmp_path: Path) -> None:
    broken = executable(tmp_path / "broken")
    with (
        Browser(launch=Launch(executable_path=broken)) as browser,
        pytest.raises(HarnessTrouble, match="does not start"),
    ):
        browser.session()


def test_sandbox_is_spoken_of_once(chrome: Browser) -> None:
    chrome.session().close()
    expected = (
        ["Chromium's sandbox is off: this system does not let it start as this user"] if os.geteuid() == 0 else []
    )
    assert chrome.notices == expected
    assert chrome.version.split()[-1][0].isdigit()


@pytest.mark.parametrize(("protocol", "host", "port", "userinfo", "open_"), TABLES["fence_of_served_hosts"])
def test_fence_of_served_hosts(protocol: str, host: str, port: str, userinfo: bool, open_: bool) -> None:
    url_policy = UrlPolicy(["www.IKEA.com", "shop.test:7770"])
    address = ParsedUrl(href="", protocol=protocol, hostname=host, port=port, userinfo=userinfo)
    assert (url_policy.refusal(address) == "") is open_


@pytest.mark.parametrize(("host", "open_"), TABLES["fence_of_the_real_web"])
def test_fence_of_the_real_web(host: str, open_: bool) -> None:
    assert (UrlPolicy().refusal(ParsedUrl(href="", protocol="https:", hostname=host)) == "") is open_


def test_no_feature_that_the_driver_wants_is_lost() -> None:
    """Chromium uses only the last `--enable-features` list."""
    with Browser() as browser:
        assert browser.version
        given = psutil.Process(browser.engine._pids[0]).cmdline()
    lists = [set(each.partition("=")[2].split(",")) for each in given if each.startswith("--enable-features=")]
    assert set().union(*lists) == lists[-1]


def test_a_driver_starts_without_a_change_of_this_process_s_environment() -> None:
    engine, earlier = Engine(Launch()), set(psutil.Process().children())  # other tests' drivers may still run
    try:
        before = dict(os.environ)
        starting = engine.begin(engine.browser())
        while not starting.done():
            assert dict(os.environ) == before
            time.sleep(0)
        starting.result()
        started = [child for child in psutil.Process().children() if child not in earlier]
        (driver,) = [child for child in started if "node" in child.name()]
        environment = driver.environ()
        assert Path(environment["TMPDIR"]).name.startswith("longtrail-browser-")
        assert "--max-semi-space-size=2" in environment["NODE_OPTIONS"]
    finally:
        engine.close()
