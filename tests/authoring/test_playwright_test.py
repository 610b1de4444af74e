"""Reading Playwright tests as tasks: which lines are taken, which are left out, and what can't be read."""

from pathlib import Path

import pytest

from longtrail.authoring.playwright_test import read_test
from longtrail.authoring.record_task import app_entry
from longtrail.errors import UsageError
from longtrail.tasks.app_task import AppTask

TEST = """
def sign_in(page):
    page.get_by_label("Password").fill("pass")


async def test_buy(page, shop):
    await page.goto(f"{shop.url}/login")
    sign_in(page)
    more = page.get_by_role("button", name="More")
    await more.click()
    await page.get_by_role("link", name="Buy").nth(1).click()
    await page.get_by_placeholder("Search").fill("desk")
    await page.keyboard.press("Enter")
    await page.get_by_label("Size").select_option(label="Large")
    await page.get_by_label("Gift").check()
    await page.get_by_text("More").click()
    await page.locator("#pay").click()
    if shop.open:
        await page.reload()
    await expect(page.get_by_role("heading", name="Thanks")).to_be_visible()
    await expect(page).to_have_url("http://shop.test/done?id=1")
    await expect(page).to_have_title("Done")
"""


def test_actions_become_the_reference_and_assertions_key_steps(tmp_path: Path) -> None:
    (tmp_path / "test_shop.py").write_text(TEST)
    test = read_test(f"{tmp_path / 'test_shop.py'}::test_buy")
    assert test.reference == [
        {"goto": "/login"},
        {"fill": {"role": "textbox", "name": "Password", "text": "pass"}},
        {"click": {"role": "button", "name": "More"}},
        {"click": {"role": "link", "name": "Buy", "nth": 2}},
        {"fill": {"role": "textbox", "name": "Search", "text": "desk", "enter": True}},
        {"select": {"role": "combobox", "name": "Size", "option": "Large"}},
        {"click": {"role": "checkbox", "name": "Gift"}},
    ]
    assert test.key_steps == [
        {"name": "1-thanks", "kind": "text", "text": "Thanks"},
        {"name": "2-done", "kind": "url", "paths": ["/done"]},
    ]
    assert [line.partition(": ")[2] for line in test.left_out] == [
        "page.get_by_text('More').click()",
        "page.locator('#pay').click()",
        "if shop.open:",
        "expect(page).to_have_title('Done')",
    ]


MORE = """
def test_more(page):
    page.get_by_text("Invoice 12").hover()
    page.get_by_role("link", name="More").hover()
    page.get_by_role("row", name="Ada").dblclick()
    page.get_by_role("row", name="Ada").click(button="right")
    page.get_by_role("row", name="Ada").click(button="middle")
    page.get_by_role("slider", name="Stars").press("ArrowRight")
    page.keyboard.press("Escape")
    page.keyboard.type("Bo")
    page.get_by_label("Name").clear()
    done = page.get_by_role("button", name="Done")
    page.get_by_role("link", name="Card").drag_to(done)
    page.get_by_role("link", name="Card").drag_to(page.locator("#bin"))
    with page.expect_file_chooser():
        page.get_by_label("File").set_input_files("data/note.txt")
    page.once("dialog", lambda dialog: dialog.accept("Berries"))
    page.get_by_role("button", name="New").click()
    page.on("dialog", lambda dialog: dialog.dismiss())
    page.get_by_role("button", name="Ask").click()
    page.get_by_text("Saved").wait_for()
    page.wait_for_timeout(1500)
    page.go_back()
    page.go_forward()
    page.mouse.click(10, 20.5)
    page.mouse.wheel(0, 300)
"""


def test_actions_of_the_full_set(tmp_path: Path) -> None:
    (tmp_path / "test_more.py").write_text(MORE)
    test = read_test(str(tmp_path / "test_more.py"))
    row = {"role": "row", "name": "Ada"}
    assert test.reference == [
        {"hover": "Invoice 12"},
        {"hover": {"role": "link", "name": "More"}},
        {"double_click": row},
        {"right_click": row},
        {"press": {"role": "slider", "name": "Stars", "keys": "ArrowRight"}},
        {"press": "Escape"},
        {"type_text": "Bo"},
        {"clear": {"role": "textbox", "name": "Name"}},
        {"drag": {"role": "link", "name": "Card", "onto": {"role": "button", "name": "Done"}}},
        {"upload": {"role": "button", "name": "File", "file": "note.txt"}},
        {"click": {"role": "button", "name": "New"}},
        {"answer_dialog": {"accept": True, "text": "Berries"}},
        {"click": {"role": "button", "name": "Ask"}},
        {"answer_dialog": {"accept": False}},
        {"wait": {"text": "Saved"}},
        {"wait": {"seconds": 1.5}},
        {"back": True},
        {"forward": True},
        {"mouse": {"gesture": "click", "x": 10, "y": 20.5}},
        {"mouse": {"gesture": "wheel", "x": 0, "y": 300}},
    ]
    assert len(test.left_out) == 2, test.left_out
    entry = app_entry("more", "shop", "/", "", [{"kind": "url", "name": "a", "paths": ["/"]}], test.reference)
    assert entry["files"] == ["note.txt"]
    assert len(AppTask.model_validate({**entry, "app": {"fixture": "shop"}}).reference) == 21


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def test_a(page):\n    pass\n\ndef test_b(page):\n    pass\n", "has test_a, test_b; name one"),
        ("def test_a(page):\n    pass\n", "has no action on a page"),
        ("def test_a(:\n", "invalid syntax"),
        ("x = 1\n", "has no function"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "test_shop.py").write_text(text)
    with pytest.raises(UsageError, match=message):
        read_test(str(tmp_path / "test_shop.py"))
