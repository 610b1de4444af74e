"""The refund as `playwright codegen --target python-pytest http://127.0.0.1:8000/login` recorded it."""

import re

from playwright.sync_api import Page, expect


def test_recorded_refund(page: Page) -> None:
    page.goto("http://127.0.0.1:8000/login")
    page.get_by_role("textbox", name="Name").click()
    page.get_by_role("textbox", name="Name").fill("clerk")
    page.get_by_role("textbox", name="Password").fill("pass")
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("link", name="Order 12").click()
    page.get_by_role("button", name="Refund").click()
    expect(page.get_by_text("Refunded")).to_be_visible()
    expect(page).to_have_url(re.compile("/orders/12$"))
