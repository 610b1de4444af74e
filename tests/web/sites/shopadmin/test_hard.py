"""The shop in the state of the hard tier: more pages, and the events of the task that is played."""

from collections.abc import Iterator

import pytest

from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.web.world import World
from tests.web.sites.shopadmin.shop import TEMPLATES, Shop, read

HARD = {name: task for name, task in load_tasks(TASKS / "hard_shop").items() if isinstance(task, DecisionTask)}
PRODUCT = "/admin/catalog/product/"
REPORT = "/admin/reports/report_product/returned/"


class StagedShop(Shop):
    """A visitor of a world in which a task is played."""

    def __init__(self, task: str) -> None:
        super().__init__(f"staged-{task}")
        self.world.stage(HARD[task])

    def comment(self, order: int, text: str, *, notify: bool) -> None:
        fields = {"history[comment]": text} | ({"history[is_customer_notified]": "1"} if notify else {})
        self.send(f"/admin/sales/order/addComment/order_id/{order}/", fields)

    def notes(self, order: int) -> list[str]:
        sql = "SELECT comment FROM sales_order_status_history WHERE parent_id = ? ORDER BY entity_id"
        return [row["comment"] for row in self.rows(sql, order)]


@pytest.fixture
def staged(request: pytest.FixtureRequest) -> Iterator[StagedShop]:
    """It plays HS-01, or the test's parameter."""
    shop = StagedShop(getattr(request, "param", "HS-01"))
    yield shop
    shop.close()


def _expires(shop: StagedShop) -> int:
    expires = shop.world.session.events.expires
    assert expires is not None
    return expires.after_requests


def test_the_session_expires_once_and_leads_on(staged: StagedShop) -> None:
    pages = [staged.get(PRODUCT).text for _ in range(_expires(staged))]
    assert all("Sign in" not in page for page in pages)
    wanted = f"{PRODUCT}?search=tent"
    expired = staged.get(wanted).text
    assert "Your current session has expired" in expired
    assert "Sign in" in staged.get(PRODUCT).text, "it stays so until the user signs in"
    staged.get(wanted)
    answer = staged.post("/admin/admin/auth/login/")
    assert answer.headers["location"] == wanted
    assert all("Sign in" not in staged.get(PRODUCT).text for _ in range(20))


def test_parts_that_a_script_loads_do_not_count(staged: StagedShop) -> None:
    for _ in range(_expires(staged) + 5):
        assert "Sign in" not in staged.get("/admin/sales/order/shipments/order_id/596/?isAjax=true").text
    assert "Sign in" not in staged.get(PRODUCT).text


@pytest.mark.parametrize("staged", ["HS-02"], indirect=True)
def test_a_notice_stands_before_one_page_until_it_is_dismissed(staged: StagedShop) -> None:
    notice = staged.world.session.events.notice
    assert notice is not None
    for _ in range(notice.after_requests):
        assert notice.text not in staged.get(PRODUCT).text
    assert notice.text in staged.get(PRODUCT).text
    assert notice.text in staged.get(PRODUCT).text
    assert staged.post("/admin/admin/system_message/dismiss/").headers["location"] == PRODUCT
    assert all(notice.text not in staged.get(PRODUCT).text for _ in range(20))


def test_a_question_is_answered_once_and_only_if_the_customer_gets_it(staged: StagedShop) -> None:
    before = staged.notes(596)
    staged.comment(596, "Ask her about Depot Street.", notify=False)
    assert staged.notes(596) == [*before, "Ask her about Depot Street."]
    staged.comment(596, "Do you know Depot Street?", notify=True)
    answer = staged.notes(596)[-1]
    assert "my sister's old flat" in answer
    staged.comment(596, "Thank you.", notify=True)
    assert staged.notes(596).count(answer) == 1
    own = [change.after["comment"] for change in staged.world.changes() if change.after]
    assert own == ["Ask her about Depot Street.", "Do you know Depot Street?", "Thank you."], "not the answer"


def test_the_answer_is_among_the_notes_that_the_page_shows_after_submit(staged: StagedShop) -> None:
    fields = {"history[comment]": "Do you know Depot Street?", "history[is_customer_notified]": "1"}
    assert (
        "my sister&#39;s old flat"
        in staged.send("/admin/sales/order/addComment/order_id/596/?isAjax=true", fields).text
    )
    assert staged.notes(596)[-2] == "Do you know Depot Street?"


def test_an_agent_that_edits_an_added_row_has_changed_it(staged: StagedShop) -> None:
    staged.comment(596, "Do you know Depot Street?", notify=True)
    db = staged.world.db("shopadmin")
    db.execute("UPDATE sales_order_status_history SET comment = 'gone' WHERE comment LIKE '%old flat%'")
    assert "gone" in {change.after["comment"] for change in staged.world.changes() if change.after}


@pytest.mark.parametrize("staged", ["HS-05"], indirect=True)
def test_a_report_counts_anew_when_it_is_refreshed(staged: StagedShop) -> None:
    asked = f"{REPORT}?from=2026-01-01&to=2026-03-17&code=LM-GLM-LAN"
    assert "Gloaming Camp Lantern" not in staged.get(REPORT).text, "a report shows nothing without a period"
    assert "0.0%" in staged.get(asked).text
    assert staged.post("/admin/reports/report_statistics/refresh/report/returned/").headers["location"] == REPORT
    assert "14.3%" in staged.get(asked).text
    assert staged.world.changes() == (), "refreshing a report does not change the shop"


def test_documents_of_an_appeal_are_in_the_site_and_nobody_s_change(staged: StagedShop) -> None:
    rows = HARD["HS-01"].appeal.documents.of("deceptive", 2)
    assert rows
    staged.world.add(rows)
    assert "1Z8R41W70344718206" in staged.get("/admin/sales/order/view/order_id/596/").text
    assert staged.world.changes() == ()


def test_a_copy_of_a_world_goes_on_where_it_was(staged: StagedShop) -> None:
    staged.comment(596, "Do you know Depot Street?", notify=True)
    for _ in range(_expires(staged) - 1):  # sending the comment has counted as one page
        staged.get(PRODUCT)
    twin = staged.world.fork("twin")
    assert (twin.edition, twin.session) == (staged.world.edition, staged.world.session)
    assert twin.changes() == staged.world.changes()
    twin.session.gate(PRODUCT)
    assert not staged.world.session.expired, "the copy does not change the original"


def test_the_action_log_is_long_and_can_be_searched(staged: StagedShop) -> None:
    text = read(staged.get("/admin/logging/event/").text)[0]
    found = int(text.split(" records found")[0].split()[-1])
    assert 300 <= found <= 2500
    few = read(staged.get("/admin/logging/event/?search=000000596").text)[0]
    assert "Change Address" in few
    assert "3 records found" in few


def test_colleagues_who_vouch_in_a_valid_appeal_are_signed_in_today() -> None:
    """12.7 of the Handbook matches a colleague's statement with a sign-in on the day that it speaks of."""
    users = {"Lind": "returns.ilind", "Mara": "care.mbrandt", "Thuy": "care.tvo"}
    documents = [d for task in HARD.values() if task.suite == "hard_shop" for d in task.appeal.documents.valid]
    told = " ".join(str(added.row["comment"]) for document in documents for added in document.adds)
    world = World("hard", TEMPLATES)
    world.stage(HARD["HS-01"])
    sql = "SELECT user FROM magento_logging_event WHERE action = 'Login' AND time LIKE '2026-03-17 %'"
    found = {row["user"] for row in world.db("shopadmin").execute(sql)}
    assert {user for name, user in users.items() if name in told} <= found


@pytest.mark.parametrize("path", ["/admin/logging/event/", REPORT, "/admin/reports/report_sales/coupons/"])
def test_the_usual_shop_has_none_of_these_pages(shop: Shop, path: str) -> None:
    assert shop.get(path).status_code == 404
    assert "Action Log" not in shop.get(PRODUCT).text
    assert "Part Two" not in shop.get("/admin/cms/page/").text


def test_the_usual_world_has_no_story_of_the_hard_tier() -> None:
    usual, hard = World("usual", TEMPLATES), World("hard", TEMPLATES)
    hard.stage(HARD["HS-01"])
    sql = "SELECT count(*) FROM customer_entity WHERE lastname = 'Aldous'"
    assert [world.db("shopadmin").execute(sql).fetchone()[0] for world in (usual, hard)] == [0, 1]


def test_a_world_without_events_is_served_as_before(shop: Shop) -> None:
    assert "Products" in shop.get(PRODUCT).text
    assert shop.world.session.pages == 0, "nothing is counted"
