"""Real frameworks on served sites: the examples, each in a Python that has its package, and BrowserGym's log-ins."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from longtrail.browser.launcher import find_chromium
from longtrail.llm.mock.server import MockServer
from longtrail.web.registry import all_sites
from longtrail.web.served.server import ServedSites
from tests.pytest_plugin.pytest_process import ROOT, environment

EXAMPLES = ROOT / "examples" / "served"
BROWSERGYM = os.environ.get("LONGTRAIL_BROWSERGYM", "")
"""A Python with browsergym-core, and perhaps browsergym-webarena."""
BROWSER_USE = os.environ.get("LONGTRAIL_BROWSER_USE", "")
"""A Python with browser-use."""
pytestmark = pytest.mark.thorough
needs_browsergym = pytest.mark.skipif(not BROWSERGYM, reason="LONGTRAIL_BROWSERGYM names no Python with that package")

BROWSER = """\
import os, runpy, sys
from playwright.sync_api import BrowserType
launch = BrowserType.launch
def here(self, **given):  # BrowserGym can't be told which browser to start
    return launch(self, **given | {"executable_path": os.environ["LONGTRAIL_CHROMIUM"], "args": ["--no-sandbox"],
                                   "headless": True})
BrowserType.launch = here
runpy.run_path(sys.argv[1], run_name="__main__")
"""
LOG_IN = """\
import os
from playwright.sync_api import sync_playwright
from browsergym.webarena.instance import WebArenaInstance
sites = WebArenaInstance()
sites.check_status()
with sync_playwright() as started:
    context = started.chromium.launch().new_context()
    page = context.new_page()
    for site in ("shopping_admin", "reddit"):
        sites.ui_login(site, page)
        page.goto(sites.urls[site])
        print(site, page.title())
"""


@pytest.fixture
def played(tmp_path: Path) -> Iterator[tuple[ServedSites, Path]]:
    """The shop, and a program that runs another one with this machine's Chromium."""
    (tmp_path / "browser.py").write_text(BROWSER, encoding="utf-8")
    with ServedSites(all_sites(), ["shopadmin"]) as served:
        yield served, tmp_path / "browser.py"


def said(python: str, *words: object, **changes: str) -> str:
    """The output of a program, which must succeed."""
    env = environment(LONGTRAIL_CHROMIUM=str(find_chromium()), PYTHONPATH="", **changes)
    command = [python, *map(str, words)]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


@needs_browsergym
def test_browsergym_plays_a_task(played: tuple[ServedSites, Path]) -> None:
    served, browser = played
    out = said(BROWSERGYM, browser, EXAMPLES / "browsergym_task.py", SHOP=served.addresses["shopadmin.test"])
    assert "The order is Complete." in out
    assert "reward 1.0" in out


@needs_browsergym
def test_browsergym_logs_in_to_both_sites(tmp_path: Path) -> None:
    """By its own code for WebArena's sites. What it would download to score their tasks isn't needed."""
    has = [BROWSERGYM, "-c", "import importlib.util as u; print(u.find_spec('browsergym.webarena') is not None)"]
    if "True" not in subprocess.run(has, capture_output=True, text=True, check=False).stdout:
        pytest.skip("LONGTRAIL_BROWSERGYM has no browsergym-webarena")
    (tmp_path / "nltk" / "tokenizers" / "punkt_tab").mkdir(parents=True)
    (tmp_path / "browser.py").write_text(BROWSER, encoding="utf-8")
    (tmp_path / "log_in.py").write_text(LOG_IN, encoding="utf-8")
    others = dict.fromkeys(("WA_SHOPPING", "WA_GITLAB", "WA_WIKIPEDIA", "WA_MAP", "WA_HOMEPAGE"), "todo")
    with ServedSites(all_sites(), ["shopadmin", "forum"], log_in=True) as served:
        named = {"WA_SHOPPING_ADMIN": f"{served.addresses['shopadmin.test']}/admin"}
        named["WA_REDDIT"] = served.addresses["forum.test"]
        words = (tmp_path / "browser.py", tmp_path / "log_in.py")
        out = said(BROWSERGYM, *words, NLTK_DATA=str(tmp_path / "nltk"), **others, **named)
    assert "shopping_admin Dashboard / " in out
    assert "reddit Commonroom" in out


@pytest.mark.skipif(not BROWSER_USE, reason="LONGTRAIL_BROWSER_USE names no Python with the package browser-use")
def test_browser_use_plays_a_task(played: tuple[ServedSites, Path]) -> None:
    served, _ = played
    with MockServer() as server:
        model = {"MODEL": "scripted-careful", "OPENAI_API_KEY": "none", "OPENAI_BASE_URL": server.url}
        shop = served.addresses["shopadmin.test"]
        out = said(BROWSER_USE, EXAMPLES / "browser_use_agent.py", SHOP=shop, **model)
    assert len(server.requests) >= 3
    opened = [line for line in out.splitlines() if line.startswith("200 https://shopadmin.test/admin/")]
    assert len(opened) >= 3, out
