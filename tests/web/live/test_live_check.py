"""`longtrail check-live`: its results for tasks whose sites work, have changed, block robots, or don't answer."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from longtrail.authoring.live_check import address as page_of
from longtrail.checks.key_steps import ElementStep, UrlStep
from longtrail.checks.webcanvas import WebCanvasStep
from longtrail.commands.main import main
from longtrail.paths import TASKS
from tests.web.live.replicas import replicas
from tests.web.live.staging import SHOP

SITE = "www.ikea.com"
TASK = "ikea_favorites"


@pytest.fixture(scope="module")
def there() -> Iterator[str]:
    with replicas() as address:
        yield address


def said(capsys: pytest.CaptureFixture[str], *words: object, **hosts: str) -> tuple[int, list[str]]:
    given = [f"--live-host={name.replace('_', '.')}={address}" for name, address in hosts.items()]
    code = main(["check-live", *map(str, words), *given])
    out = capsys.readouterr()
    return code, (out.out + out.err).splitlines()


def test_a_site_that_is_there(there: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "found.json"
    code, lines = said(capsys, TASK, "--strict", "--json", out, www_ikea_com=there, www_google_com=there)
    assert code == 0, lines
    assert lines[0].split() == ["task", "now", "why"]
    assert lines[1].split()[:2] == [TASK, "ok"]
    assert "the reference passes all" in lines[1]
    assert lines[-1] == "1 tasks: 1 ok, 0 changed, 0 unreachable, 0 blocked"
    assert json.loads(out.read_text())[0]["verdict"] == "ok"


def test_pages_alone(there: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = said(capsys, TASK, "--pages", "--strict", www_ikea_com=there, www_google_com=there)
    assert code == 0, lines
    assert "key pages are there" in lines[1]


@pytest.mark.slow
def test_a_site_that_changed(address: str, there: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Another shop answers under the site's name."""
    code, lines = said(capsys, TASK, "--strict", www_ikea_com=address, www_google_com=there)
    assert code == 1
    assert lines[1].split()[:2] == [TASK, "changed"]
    assert "key steps missed: The reference solution does not work: " in lines[1]
    assert "0 of " in lines[1]
    assert "missing: 404" in lines[1]
    assert said(capsys, TASK, "--pages", www_ikea_com=address, www_google_com=there)[0] == 0, "only --strict fails"


@pytest.mark.slow
def test_a_site_that_keeps_robots_out(capsys: pytest.CaptureFixture[str]) -> None:
    with replicas(blocked=SITE) as closed:
        for more in ((), ("--pages",)):
            code, lines = said(capsys, TASK, "--strict", *more, www_ikea_com=closed, www_google_com=closed)
            assert code == 1
            assert lines[1].split()[:2] == [TASK, "blocked"]
            assert "403" in lines[1]


def test_a_site_that_is_gone(there: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = said(capsys, TASK, "--strict", www_ikea_com="http://127.0.0.1:9", www_google_com=there)
    assert code == 1
    assert lines[1].split()[:2] == [TASK, "unreachable"]


def test_tasks_of_ones_own(there: str, address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A task whose key page has moved: the redirect is named."""
    shipped = yaml.safe_load((TASKS / "long_context" / "shopping.yaml").read_text())
    task: dict[str, Any] = next(one for one in shipped if one["id"] == TASK)
    task["id"] = "own_task"
    moved = {"kind": "url", "name": "relocated", "host": SHOP, "paths": ["/out"], "query": {"to": "/offers"}}
    task["a1"]["key_steps"] = [moved]
    file = tmp_path / "own.yaml"
    file.write_text(yaml.safe_dump([task]))
    shop = f"--live-host={SHOP}={address}"
    code, lines = said(capsys, "own_*", "--file", file, "--pages", shop, www_ikea_com=there, www_google_com=there)
    assert code == 0
    assert lines[1].split()[:2] == ["own_task", "changed"]
    assert f"redirects to https://{SHOP}/offers" in lines[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("nosuch",), "check-live nosuch: no task has this id"),
        (("pw-055",), "can't be played on the live web"),
        (("--file", "missing.yaml"), "missing.yaml: can't be read"),
        (("--live-host", "a.example.com=http://10.0.0.1:1"), "a site on this machine"),
        (("--live-host", "a.example.com"), "expected KEY=VALUE"),
    ],
)
def test_what_can_not_be_checked(words: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, lines = said(capsys, *words)
    assert code == 4
    assert len(lines) == 1
    assert says in lines[0]


def test_which_page_a_key_step_is() -> None:
    offers = UrlStep(name="a", host=SITE, paths=("/*/offers", "/us/en/offers"), query={"sort": "price, up"})
    assert page_of(offers) == "https://www.ikea.com/us/en/offers?sort=price%2C+up"
    assert page_of(UrlStep(name="a", host=SITE, paths=("/us/**",))) == ""
    assert page_of(UrlStep(name="a", host=SITE, paths=("/us",), query={"q": "*desk*"})) == ""
    assert page_of(ElementStep(name="a", host=SITE, role="button", element="Save")) == ""
    assert page_of(WebCanvasStep(name="a", match="url_included_match", answer="x")) == ""
