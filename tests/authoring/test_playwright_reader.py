"""Reading Playwright tests: which lines are taken, which are left out, and what can't be read."""

from pathlib import Path

import pytest

from longtrail.authoring.playwright_reader import read_test
from longtrail.errors import UsageError

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
