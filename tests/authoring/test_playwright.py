"""Playwright tests become tasks: they are read, and carried out in an app. Those in `codegen/` are what
`playwright codegen` (1.65) wrote of a person at its window."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug import Request, Response

from longtrail.authoring.playwright_player import play_test
from longtrail.authoring.playwright_reader import ParsedTest, read_test
from longtrail.errors import UsageError
from longtrail.tasks.app_task import App, AppTask
from longtrail.yaml_file import read_yaml
from tests.episode.flask_shop import served

TEST = """
def sign_in(page):
    page.get_by_label("Password").fill("pass")


async def test_buy(page, shop):
    await page.goto(f"{shop.url}/login")
    sign_in(page)
    more = page.get_by_role("button", name="More")
    await more.click()
    async with page.expect_popup() as page1_info:
        await page.get_by_role("link", name="Help").click()
    page1 = await page1_info.value
    await page1.keyboard.press("Enter")
    if shop.open:
        await page.reload()
    shop.pay()
    assert page.url.endswith("/done")
    await expect(more).to_be_visible()
    await page.set_default_timeout(500)
"""


def test_a_test_is_read_line_by_line(tmp_path: Path) -> None:
    (tmp_path / "test_shop.py").write_text(TEST)
    test = read_test(f"{tmp_path / 'test_shop.py'}::test_buy")
    assert [(line.number, line.page, line.method, line.text, line.asserts) for line in test.lines] == [
        (7, "page", "goto", "/login", False),
        (3, "page", "fill", "pass", False),
        (10, "page", "click", None, False),
        (12, "page", "click", None, False),
        (13, "page1", "expect_popup", None, False),
        (14, "page1", "press", "Enter", False),
        (19, "page", "to_be_visible", None, True),
    ]
    assert test.left_out == ["line 15: if shop.open:", "line 18: assert page.url.endswith('/done')"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def test_a(page):\n    pass\n\ndef test_b(page):\n    pass\n", "has test_a, test_b; name one"),
        ("def test_a(page):\n    expect(page).to_have_url('/')\n", "has no action on a page"),
        ("def test_a(:\n", "invalid syntax"),
        ("x = 1\n", "has no function"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "test_shop.py").write_text(text)
    with pytest.raises(UsageError, match=message):
        read_test(str(tmp_path / "test_shop.py"))


CODEGEN = Path(__file__).parent / "codegen"
REFERENCES = read_yaml(CODEGEN.with_name("references.yaml"))
PAGES = {
    "/": (CODEGEN / "shop.html").read_text("utf-8"),
    "/orders": "<title>Orders</title><h1>Orders</h1><a href=/>Back to shop</a>",
    "/popup": "<title>Help</title><h1>Help</h1><button onclick=\"this.textContent='Closed'\">Got it</button>",
    "/done": "<title>Done</title><h1>Thank you</h1>",
    "/frame": "<button onclick=\"this.textContent='Pressed'\">Inside</button><label>Code <input></label>",
    "/file": "two chairs",
}


@pytest.fixture(scope="module")
def app() -> Iterator[App]:
    """An app with every kind of element."""

    @Request.application
    def answer(request: Request) -> Response:
        headers = {"content-disposition": "attachment; filename=bill.txt"} if request.path == "/file" else {}
        return Response(PAGES.get(request.path, ""), headers=headers, mimetype="text/html")

    with served(answer) as address:
        yield App(address=address)


def played(text: str, app: App, folder: Path) -> tuple[dict[str, Any], ParsedTest]:
    """The task, which is valid, and the test."""
    (folder / "recorded.py").write_text(text)
    (folder / "bill.txt").write_text("one chair")
    test = read_test(str(folder / "recorded.py"))
    entry = play_test("recorded", test, app, folder)
    AppTask.model_validate({**entry, "app": {"fixture": "shop"}})
    return entry, test


@pytest.mark.slow
def test_a_recording_with_every_kind_of_action(app: App, tmp_path: Path) -> None:
    entry, test = played((CODEGEN / "python-async.txt").read_text("utf-8"), app, tmp_path)
    assert entry["start"] == "/"
    assert entry["files"] == ["bill.txt"]
    assert entry["reference"] == REFERENCES["python-async"]
    assert [step["paths"] for step in entry["key_steps"]] == [["/done"], ["/done"]]
    assert [line.partition(": ")[2][:29] for line in test.left_out] == [
        "page.locator('#card').click()",  # without a name, so agents don't see it
        "page.get_by_role('listitem').",  # with Shift
    ]


@pytest.mark.slow
def test_assertions_become_key_steps(app: App, tmp_path: Path) -> None:
    entry, test = played((CODEGEN / "python.txt").read_text("utf-8"), app, tmp_path)
    assert entry["key_steps"] == [
        {"name": "1-refunded", "kind": "text", "text": "refunded"},
        {"name": "2-shop", "kind": "text", "text": "Shop"},
        {"name": "3-name", "kind": "value", "element": "Name", "value": "Ana"},
    ]
    (left,) = test.left_out
    assert left.endswith("not_to_be_checked()")


MORE = """
import re

def test_more(page):
    page.goto("http://shop.test/")
    page.get_by_label("Gift wrap").uncheck()
    page.get_by_label("Name").fill("Ana")
    page.get_by_label("Name").press("Enter")
    expect(page).to_have_url(re.compile("/done$"))
    expect(page.get_by_role("heading")).to_contain_text("thank you", ignore_case=True)
    page.go_back()
    with page.expect_popup() as page1_info:
        page.get_by_role("link", name="Open help").click()
    page1 = page1_info.value
    page.get_by_text(re.compile("more D", re.I)).click()
    page1.get_by_role("button").click()
    page2 = page.context.new_page()
    page2.goto("/orders")
    page.get_by_role("button", name="Add").filter(has_text=page.url).click()
"""


@pytest.mark.slow
def test_what_people_write_themselves(app: App, tmp_path: Path) -> None:
    entry, test = played(MORE, app, tmp_path)
    assert entry["reference"] == REFERENCES["by-hand"]
    assert [step.get("text", step.get("paths")) for step in entry["key_steps"]] == [["/done"], "Thank you"]
    (left,) = test.left_out
    assert left.endswith("(its value is known only when the test runs: page.url)")


@pytest.mark.slow
def test_an_app_that_is_not_as_recorded_is_told_with_file_and_line(app: App, tmp_path: Path) -> None:
    text = (
        "def test_a(page):\n    page.goto('/')\n    expect(page).to_have_title('Bank', timeout=100)\n    page.close()\n"
    )
    (tmp_path / "recorded.py").write_text(text)
    where = f"recorded.py line 3: expect\\(page\\).to_have_title\\('Bank', timeout=100\\): not so on {app.address}"
    with pytest.raises(UsageError, match=where):
        play_test("recorded", read_test(str(tmp_path / "recorded.py")), app, tmp_path)
    (tmp_path / "recorded.py").write_text(text.replace("page.close()", "page.get_by_label('X').set_input_files('x')"))
    with pytest.raises(UsageError, match="line 4: there is no file"):
        play_test("recorded", read_test(str(tmp_path / "recorded.py")), app, tmp_path)
