"""Pictures: neighbours on a page of results can be told apart by sight, as a browser draws them."""

import io
from collections.abc import Iterator
from itertools import pairwise

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Page, sync_playwright

from longtrail.authoring.browse import serving
from longtrail.browser.launcher import find_chromium, sandbox_allowed
from longtrail.web.sites.consumer.app import make

LISTS = (
    "https://www.yelp.com/search?find_desc=mexican",
    "https://www.yelp.com/search?find_desc=restaurants&find_loc=Greenville%2C+SC",
    "https://www.ebay.com/sch/i.html?_nkw=washing+machines",
    "https://www.ebay.com/sch/i.html?_nkw=dining+sets",
    "https://www.ebay.com/sch/i.html?_nkw=musical+instruments",
    "https://www.ebay.com/sch/i.html?_nkw=guitars",
    "https://www.gamestop.com/consoles-hardware/xbox-series-x%7Cs",
    "https://www.gamestop.com/consoles-hardware/playstation-5",
)
SIZE = (48, 48)
ALIKE = 8.0
"""Mean difference of the pixels' colors, of 255, up to which two pictures look alike."""


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with serving([make()], 0) as (web, world), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium(), chromium_sandbox=sandbox_allowed())
        context = browser.new_context(
            proxy=web.proxy(world),  # type: ignore[arg-type]
            ignore_https_errors=True,
        )
        yield context.new_page()
        browser.close()


@pytest.mark.thorough
@pytest.mark.parametrize("url", LISTS)
def test_neighbours_look_different(page: Page, url: str) -> None:
    page.goto(url)
    drawn = [one.screenshot() for one in page.locator(".results .picture").all()[:10]]
    assert len(drawn) >= 5
    differ = [difference(left, right) for left, right in pairwise(drawn)]
    assert min(differ) > ALIKE, [round(one, 1) for one in differ]


def difference(left: bytes, right: bytes) -> float:
    """The mean difference of two pictures' colors."""
    one, other = (Image.open(io.BytesIO(png)).convert("RGB").resize(SIZE) for png in (left, right))
    return sum(ImageStat.Stat(ImageChops.difference(one, other)).mean) / 3
