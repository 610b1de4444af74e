"""The contact sheet: one row per site, with pictures of four different pages."""

from pathlib import Path

import pytest

from longtrail.errors import UsageError
from longtrail.web.sites.consumer.sites import Replica
from tests.web.sites.client import Page
from tests.web.sites.consumer.conftest import replica
from workshop.contact_sheet import INNER, contact_sheet, inner_pages

__all__ = ["replica"]


def test_inner_pages_are_of_different_kinds(replica: Replica) -> None:
    kinds = [address.page.kind for address in inner_pages(replica)]
    assert len(kinds) == len(set(kinds)) == INNER
    assert "home" not in kinds


def test_pictures_stand_side_by_side(tmp_path: Path) -> None:
    told: list[str] = []
    page = contact_sheet(["www.mbta.com"], tmp_path / "sheet", told.append)
    pictures = sorted(page.parent.glob("*.jpg"))
    assert len(pictures) == 1 + INNER
    assert len({picture.read_bytes() for picture in pictures}) == 1 + INNER
    assert all(picture.name in page.read_text(encoding="utf-8") for picture in pictures)
    assert "MBTA" in Page(page.read_text(encoding="utf-8")).words
    assert told[0].startswith("www.mbta.com: /")


def test_an_unknown_site_is_said_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no such site; there are .*www\.mbta\.com"):
        contact_sheet(["nope.test"], tmp_path / "sheet")
    assert not (tmp_path / "sheet").exists()
