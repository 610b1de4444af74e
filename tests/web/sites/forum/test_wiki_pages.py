"""The wiki: reading, writing, histories, locks."""

from tests.web.sites.forum.member import Member


def test_a_page_is_written_changed_and_keeps_its_history(member: Member) -> None:
    assert "this must not be empty" in member.send("/wiki/_create/coffee/grinders", "", title="", body="x").text
    where = member.send("/wiki/_create/coffee/grinders", "", title="Grinders", body="# Burrs\n\nFlat or conical.")
    assert where.headers["location"] == "/wiki/coffee/grinders"
    member.send("/wiki/_edit/coffee/grinders", "", body="Conical.")
    assert "Conical." in member.page("/wiki/coffee/grinders").text
    old = [link for link in member.page("/wiki/_history/coffee/grinders").links if "_revision" in link]
    assert "Flat or conical." in member.page(old[0]).text
    assert "Grinders" in member.page("/wiki/_all").text
    assert "Grinders" in member.page("/wiki/_recent").text
    assert "exists already" in member.send("/wiki/_create/coffee/grinders", "", title="Again", body="x").text


def test_paths_are_checked(member: Member) -> None:
    assert "each part beginning with a letter" in member.send("/wiki/_create", "", path="1st", title="a", body="b").text
    assert "create it" in member.get("/wiki/some/where").text


def test_a_locked_page_can_be_read_and_not_written(member: Member) -> None:
    assert "/wiki/_edit/rules" not in member.page("/wiki/rules").links
    assert member.get("/wiki/_edit/rules").status_code == 403
    member.send("/wiki/rules", "/wiki/_unlock/rules")
    assert member.get("/wiki/_edit/rules").status_code == 200
