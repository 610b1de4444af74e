"""The forum's pages: addresses and labels as Postmill has them, lists and their order, votes, search, images."""

import re
from pathlib import Path

import httpx
import pytest
from PIL import Image

from longtrail.web.page_templates import ABOUT_PATH
from longtrail.web.sites.forum.forum_site import ForumSite
from longtrail.web.world import Templates
from tests.web.sites.client import Page
from tests.web.sites.forum.member import Member


def first(member: Member, forum: str) -> str:
    """The address of a forum's newest submission."""
    links = member.page(f"/f/{forum}/new").addresses
    return next(link for link in links if re.match(rf"/f/{forum}/\d+/", link))


PAGES = """
/ /new /all/top?t=week /featured /subscribed /moderated/active /comments /forums /forums/by_title/2
/forums/all /tags /tag/food /f/Coffee /f/coffee/controversial /f/Coffee+Breadit/new /f/Coffee/comments
/f/Coffee/bans /f/Coffee/moderation_log /f/Coffee/trash /f/Coffee/moderators /f/Coffee/ban/moka_marta
/f/Coffee/bans/history/BeanDealz24 /moderation_log /trash /user/moka_marta
/user/MOKA_MARTA/submissions /user/moka_marta/comments /user/moka_marta/compose_message /wiki
/wiki/rules /wiki/_all /wiki/_recent /wiki/_history/rules /wiki/_create /submit /submit/Coffee
/create_forum /search?q=decaf /messages /notifications
"""


@pytest.mark.parametrize("path", PAGES.split())
def test_every_kind_of_page_is_served(member: Member, path: str) -> None:
    answer = member.get(path)
    assert answer.status_code == 200
    assert len(Page(answer.text).headings) == 1


MISSING = """
/f/nowhere /f/Coffee/1 /f/Coffee/sideways /user/ab /user/nobody_here /wiki/no-such-page /wiki/1
/forums/by_name/99 /moderation_log/99 /tag/nothing /999999999 /robots.txt
/submission_images/../crowd.json
"""


@pytest.mark.parametrize("path", MISSING.split())
def test_what_is_not_there_is_a_404_in_the_sites_own_frame(member: Member, path: str) -> None:
    answer = member.get(path)
    assert answer.status_code == 404
    assert "Commonroom" in answer.text


@pytest.mark.parametrize(
    ("path", "target"),
    [("/u/moka_marta", "/user/moka_marta"), ("/w/moderation/claims", "/wiki/moderation/claims")],
)
def test_short_forms_lead_to_the_long_ones(member: Member, path: str, target: str) -> None:
    answer = member.get(path)
    assert (answer.status_code, answer.headers["location"]) == (301, target)


def test_a_submission_is_found_by_id_under_any_slug_and_by_its_number_alone(member: Member) -> None:
    address = first(member, "Coffee")
    number = address.split("/")[3]
    assert member.get(f"/{number}").headers["location"] == address
    assert member.page(f"/f/coffee/{number}/other-words").headings == member.page(address).headings
    assert member.get(f"/f/Breadit/{number}").status_code == 404
    assert member.get(f"/f/Coffee/{number}.json").json()["id"] == int(number)


def test_more_goes_through_all_submissions_once(member: Member) -> None:
    for sort in ("new", "hot", "active", "top", "controversial", "most_commented"):
        address, seen = f"/all/{sort}", []
        while address:
            page = member.page(address)
            seen += [link for link in page.addresses if re.match(r"/f/\w+/\d+/[^/]+$", link) and "/-/" not in link]
            address = next((link for link in page.addresses if "next%5B" in link), "")
        ids = list(dict.fromkeys(link.split("/")[3] for link in seen))
        assert len(ids) == member.rows("SELECT count(*) AS n FROM submission WHERE visibility = 'visible'")[0]["n"]


def test_new_is_by_time_and_top_by_votes(member: Member) -> None:
    def order(sort: str) -> list[int]:
        links = [re.match(r"/f/\w+/(\d+)/[^/]+$", link) for link in member.page(f"/all/{sort}").addresses]
        return list(dict.fromkeys(int(match[1]) for match in links if match))

    marks = ",".join("?" * len(order("new")))
    created = {
        row["id"]: (row["created"], row["up"] - row["down"])
        for name in ("new", "top")
        for row in member.rows(f"SELECT * FROM submission WHERE id IN ({marks})", *order(name))
    }
    times = [created[number][0] for number in order("new")]
    votes = [created[number][1] for number in order("top")]
    assert times == sorted(times, reverse=True)
    assert votes == sorted(votes, reverse=True)


def test_overview_submissions_and_comments_of_a_member_differ(member: Member) -> None:
    author = member.rows("SELECT user FROM submission INTERSECT SELECT user FROM comment ORDER BY user")[0]["user"]
    texts = {member.page(f"/user/{author}{tab}").text for tab in ("", "/submissions", "/comments")}
    assert len(texts) == 3


def test_recent_comments_reach_back_two_days_and_no_further(member: Member) -> None:
    shown = 0
    address = "/comments"
    while address:
        page = member.page(address)
        assert not re.search(r"wrote ([3-9]|\d\d) days|wrote \d+ (week|month|year)", page.text)
        shown += page.text.count("Permalink")
        address = next((link for link in page.addresses if "next%5B" in link), "")
    assert shown > 25


def test_a_vote_counts_once_and_is_taken_back_by_the_same_button(member: Member) -> None:
    address = first(member, "Coffee")
    number = address.split("/")[3]
    before = member.rows("SELECT up - down AS n FROM submission WHERE id = ?", number)[0]["n"]
    for expected in (before + 1, before):
        form = next(form for form in member.page(address).forms if form[0] == f"/sv/{number}.html")
        up = re.search(
            rf'/sv/{number}.html.*?value="(\d)" title="(Upvote|Retract upvote)"', member.get(address).text, re.S
        )
        assert up
        answer = member.post(form[0], {"token": form[1]["token"], "choice": up[1]})
        assert answer.status_code == 302
        score = re.search(r"<strong>(-?\d+) points?</strong>", member.get(address).text)
        assert score
        assert int(score[1]) == expected


def test_votes_by_json_as_agents_of_the_real_site_send_them(member: Member) -> None:
    address = first(member, "Coffee")
    number = address.split("/")[3]
    token = next(form for form in member.page(address).forms if form[0] == f"/sv/{number}.html")[1]["token"]
    answer = member.post(f"/sv/{number}.json", {"choice": "-1", "token": token})
    assert (
        answer.json()["netScore"]
        == member.rows("SELECT up - down - 1 AS n FROM submission WHERE id = ?", number)[0]["n"]
    )


def test_search_finds_words_in_titles_texts_comments_and_hosts(member: Member) -> None:
    assert "Is anyone actually happy with decaf" in member.page("/search?q=DECAF+afternoon").text
    assert "I lost a fingerprint" not in member.page("/search?q=%25").text
    assert "tightening a hot boiler" in member.page("/search?q=fingerprint").text
    assert "Tunnel reopens" in member.page("/search?q=harbortribune.example").text
    assert "0 results" in member.page("/search?q=xylophonic").text


def test_search_finds_members_by_their_names(member: Member) -> None:
    found = member.get("/search?q=kettleHEAD").text.partition('class="search-members"')[2].partition("</section>")[0]
    assert 'href="/user/kettlehead"' in found
    for query in ("kettlehead+kettle", "%25", ""):
        assert "search-members" not in member.get(f"/search?q={query}").text


def test_pages_are_the_same_bytes_in_every_world(member: Member) -> None:
    other = Member()
    for path in ("/", "/f/news", "/user/kettlehead", "/moderation_log"):
        assert member.get(path).content == other.get(path).content
    other.close()


def test_an_image_has_a_file_and_a_page_of_its_own(tmp_path: Path) -> None:
    Image.new("RGB", (80, 60), "#c04020").save(tmp_path / "00aa11bb22cc33dd.png")
    site = ForumSite((), pictures=tmp_path)
    member = Member(site, Templates([site]))
    member.world.db("forum").execute(
        "INSERT INTO submission (id, forum, user, title, image, created) VALUES "
        "(7, 'pics', 'dustspot', 'Red', '00aa11bb22cc33dd.png', 1700000000)"
    )
    page = member.page("/f/pics/7/red")
    assert "/submission_images/00aa11bb22cc33dd" in page.addresses
    assert 'src="/submission_images/00aa11bb22cc33dd.png" alt=""' in member.get("/f/pics/7/red").text
    picture = member.get("/submission_images/00aa11bb22cc33dd.png")
    assert (picture.headers["content-type"], picture.content[:4]) == ("image/png", b"\x89PNG")
    assert 'class="picture__image picture__image--2"' in member.get("/submission_images/00aa11bb22cc33dd?zoom=2").text
    assert member.get("/submission_images/0000000000000000.png").status_code == 404
    member.close()


def test_a_page_asks_the_database_little(member: Member) -> None:
    """A page needs few statements, not one per row, and each is cheap. `benchmarks/page_times.py` measures times."""
    longest = member.rows("SELECT submission FROM comment GROUP BY submission ORDER BY count(*) DESC LIMIT 1")[0]
    submission = member.get(f"/{longest['submission']}").headers["location"]
    member.get("/")
    for path in ("/", "/all/new", "/f/personalfinance", submission, "/user/WrenHalloway", "/comments", "/forums"):
        effort = member.effort(path)
        assert 1 <= effort.statements <= 12, (path, effort)
        assert effort.instructions < 300_000, (path, effort)


def test_the_session_begins_with_the_first_page(member: Member) -> None:
    answer: httpx.Response = member.get("/")
    assert "PHPSESSID" in answer.cookies
    assert "WrenHalloway" in answer.text
    assert "set-cookie" not in member.get("/").headers


def test_only_the_page_about_the_site_says_what_it_is(member: Member) -> None:
    told = "test community"
    for path in ("/", "/f/Coffee", "/wiki", "/no/such/page"):
        answer = member.get(path)
        assert told not in answer.text
        assert f'href="{ABOUT_PATH}"' in answer.text
    assert told in member.get(ABOUT_PATH).text


def test_a_page_is_written_changed_and_keeps_its_history(member: Member) -> None:
    assert "this must not be empty" in member.send("/wiki/_create/coffee/grinders", "", title="", body="x").text
    where = member.send("/wiki/_create/coffee/grinders", "", title="Grinders", body="# Burrs\n\nFlat or conical.")
    assert where.headers["location"] == "/wiki/coffee/grinders"
    member.send("/wiki/_edit/coffee/grinders", "", body="Conical.")
    assert "Conical." in member.page("/wiki/coffee/grinders").text
    old = [link for link in member.page("/wiki/_history/coffee/grinders").addresses if "_revision" in link]
    assert "Flat or conical." in member.page(old[0]).text
    assert "Grinders" in member.page("/wiki/_all").text
    assert "Grinders" in member.page("/wiki/_recent").text
    assert "exists already" in member.send("/wiki/_create/coffee/grinders", "", title="Again", body="x").text


def test_paths_are_checked(member: Member) -> None:
    assert "each part beginning with a letter" in member.send("/wiki/_create", "", path="1st", title="a", body="b").text
    assert "create it" in member.get("/wiki/some/where").text


def test_a_locked_page_can_be_read_and_not_written(member: Member) -> None:
    assert "/wiki/_edit/rules" not in member.page("/wiki/rules").addresses
    assert member.get("/wiki/_edit/rules").status_code == 403
    member.send("/wiki/rules", "/wiki/_unlock/rules")
    assert member.get("/wiki/_edit/rules").status_code == 200
