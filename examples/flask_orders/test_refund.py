"""An agent uses the shop within an ordinary Playwright test: `pytest --model gpt-4.1` in this folder."""

from typing import Any

from playwright.sync_api import Page, expect

REFERENCE = [
    {"click": {"role": "link", "name": "Order 12"}},
    {"click": {"role": "button", "name": "Refund"}},
    {"finish": ""},
]


def sign_in(page: Page) -> None:
    page.get_by_label("Name").fill("clerk")
    page.get_by_label("Password").fill("pass")
    page.get_by_role("button", name="Log in").click()


def test_refund(web_agent: Any, page: Page, shop: Any) -> None:
    """The agent goes on where the test is; Playwright's assertions check what it did."""
    page.goto(f"{shop.url}/login")
    sign_in(page)
    run = web_agent("Refund order 12", page=page, reference=REFERENCE)
    expect(page.get_by_text("Refunded")).to_be_visible()
    assert shop.status(12) == "refunded"
    assert run.steps < 15, run.page
