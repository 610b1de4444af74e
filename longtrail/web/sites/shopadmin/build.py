"""Build: the world's initial state: the crowd, and the records that the tasks' stories add.

The state of the hard tier has the same crowd, articles and pages, and in addition the Handbook's second part, an action
log of everyday work, and reports whose statistics are some days old.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.records.case import Suite
from longtrail.tasks.shifts.ledger import COURTESIES
from longtrail.tasks.shifts.shift import Shift
from longtrail.tasks.task import DecisionTask, Task
from longtrail.web.shift_inbox import write_messages
from longtrail.web.site import VARIANTS_KEPT, SourceTransform, as_shipped, for_hard_tier
from longtrail.web.sites.shopadmin.catalogue import FOLDER, Product, catalogue
from longtrail.web.sites.shopadmin.handbook import DISPUTE_LIMITS, LIMITS, ContentPage, handbook
from longtrail.web.sites.shopadmin.ledger import GROUPS, Row, StoryLedger, stamp
from longtrail.web.sites.shopadmin.order_totals import TAX
from longtrail.web.sites.shopadmin.pages import reports
from longtrail.web.sites.shopadmin.past_orders import expand
from longtrail.web.sites.shopadmin.story import STORY, Items, LogEntry, Order, Review, ShopStory
from longtrail.yaml_file import read, validate

HERE = Path(__file__).parent
CROWD = FOLDER / "crowd.json"
STORY_TASKS = TASKS / "shopping_admin"
EVERYDAY = FOLDER / "action_log.json"


def everyday_entries(vary: SourceTransform = as_shipped) -> tuple[LogEntry, ...]:
    """The action log's entries of ordinary work: what users did about the crowd's orders, sign-ins, small chores."""
    held = json.loads(EVERYDAY.read_bytes())
    return STORY.validate_python({"log": vary("shop/log", held["log"])}).log


def log_rows(entries: Iterable[LogEntry]) -> list[Row]:
    """The table's rows, numbered by time."""
    ordered = sorted(entries, key=lambda entry: (entry.at, entry.user, entry.details))
    return [
        (number, f"{entry.at:%Y-%m-%d %H:%M:%S}", entry.ip, entry.user, entry.group, entry.action, entry.details)
        for number, entry in enumerate(ordered, start=20_001)
    ]


def read_crowd() -> dict[str, list[dict[str, Any]]]:
    """The crowd as its file has it: table -> records."""
    held = json.loads(CROWD.read_bytes())
    return {table: rows for table, rows in held.items() if table != "canary"}


def crowd(vary: SourceTransform = as_shipped) -> ShopStory:
    """The crowd: the checked-in generated people and orders."""
    return _crowd(vary)


@lru_cache(VARIANTS_KEPT)
def _crowd(vary: SourceTransform) -> ShopStory:
    return validate(STORY, vary("shop/crowd", read_crowd()), CROWD)


def stories(tasks: Iterable[Task], suite: Suite = "shopping_admin") -> list[ShopStory]:
    """The stories of the tasks of a suite among these. Raises DataError."""
    mine = (task for task in tasks if isinstance(task, DecisionTask) and task.suite == suite)
    return [validate(STORY, task.story, TASKS / suite, f"{task.id}.story") for task in mine]


def fill(db: sqlite3.Connection, shop_stories: list[ShopStory], vary: SourceTransform = as_shipped) -> StoryLedger:
    """Create the tables and write the rows. Raises DataError if the stories contradict each other."""
    ledger = ledger_of(shop_stories, catalogue(vary))
    db.executescript((HERE / "schema.sql").read_text(encoding="utf-8"))
    insert(db, {**ledger.rows, **_fixed(vary)})
    return ledger


def insert(db: sqlite3.Connection, rows: Mapping[str, list[Row]]) -> None:
    """Write the rows of these tables, in the order of their columns."""
    db.execute("BEGIN")
    for table, table_rows in rows.items():
        marks = ", ".join("?" * len(table_rows[0]))
        db.executemany(f"INSERT INTO {table} VALUES ({marks})", table_rows)  # noqa: S608 (constant table names)
    db.execute("COMMIT")


def ledger_of(shop_stories: list[ShopStory], products: dict[str, Product]) -> StoryLedger:
    """The rows of these stories, with products at these prices. What the former shop system sold, it sold at the
    shipped prices. Raises DataError if the stories contradict each other."""
    ledger = StoryLedger(products)
    for shop_story in shop_stories:
        for customer in shop_story.customers:
            ledger.add_customer(customer)
    for order in _orders(shop_stories):
        ledger.add_order(order)
    for review in _reviews(shop_stories):
        ledger.add_review(review)
    return ledger


def _fixed(vary: SourceTransform) -> dict[str, list[Row]]:
    """Rows that no story is about: groups, products, content pages."""
    products: list[Row] = [
        (
            p.id,
            p.sku,
            p.name,
            p.size,
            p.category,
            p.price,
            p.qty,
            p.weight,
            p.enabled,
            f"{p.since} 08:00:00",
            p.description,
        )
        for p in catalogue(vary).values()
    ]
    return {
        "customer_group": [(key, code) for code, key in GROUPS.items()],
        "catalog_product_entity": products,
        "cms_page": [page_row(page) for page in (*read(list[ContentPage], FOLDER / "pages.yaml"), handbook(LIMITS))],
    }


def _orders(shop_stories: list[ShopStory]) -> list[Order]:
    """All orders, oldest first, so that rows are in the order of events. Raises DataError for a number that is used
    twice."""
    orders = [order for shop_story in shop_stories for order in shop_story.orders]
    orders += [
        order
        for shop_story in shop_stories
        for customer in shop_story.customers
        for order in expand(customer, catalogue())
    ]
    seen: set[int] = set()
    for order in orders:
        if order.id in seen:
            raise DataError("story", f"orders.{order.id}", "another order has this number")
        seen.add(order.id)
    return sorted(orders, key=lambda order: (order.at, order.id))


def _reviews(shop_stories: list[ShopStory]) -> list[Review]:
    return sorted(
        (review for shop_story in shop_stories for review in shop_story.reviews), key=lambda review: review.id
    )


def page_row(page: ContentPage) -> Row:
    """The row of a content page."""
    content = [[section.heading, [list(pair) for pair in section.paragraphs]] for section in page.sections]
    times = (stamp(page.created, page.id), stamp(page.changed, page.id + 7))
    return (page.id, page.title, page.key, page.active, *times, json.dumps(content, ensure_ascii=False))


def build(db: sqlite3.Connection, tasks: Iterable[Task], vary: SourceTransform = as_shipped) -> None:
    """The whole world: the crowd, and the stories of these tasks."""
    fill(db, [crowd(vary), *stories(tasks)], vary)


def build_shift(db: sqlite3.Connection, shift: Shift) -> None:
    """The world of a shift: the crowd, the shift's own records, its rules and its inbox. Raises DataError."""
    fill(db, [crowd(), validate(STORY, shift.story, TASKS, "shift.story")])
    insert(db, {"cms_page": [page_row(handbook({"courtesies": COURTESIES}, "shift_shop"))]})
    write_messages(db, shift)


SMALL = ("LM-KNG-SOX", "LM-JRN-NTB", "LM-CDR-CND", "LM-MAP-CSE", "LM-ALD-MUG")
"""Articles that people add a code to."""
OFF = 5.0
"""What a code takes off, in dollars."""
COUNTED_TO = datetime(2026, 3, 9, 2, 0)
"""The last time when the reports' statistics were made."""


def build_hard(db: sqlite3.Connection, tasks: Iterable[Task], vary: SourceTransform = as_shipped) -> None:
    """The whole world of the hard tier, with the stories of these tasks. Raises DataError."""
    vary = for_hard_tier(vary)
    people, shop_stories = crowd(vary), stories(tasks, "hard_shop")
    fill(db, [people, *shop_stories, ShopStory(orders=tuple(_uses(shop_stories, people)))], vary)
    entries = [*everyday_entries(vary), *(entry for shop_story in shop_stories for entry in shop_story.log)]
    insert(
        db,
        {
            "cms_page": [page_row(handbook({**LIMITS, **DISPUTE_LIMITS}, "handbook_disputes"))],
            "magento_logging_event": log_rows(entries),
            "report_statistics": [(name, f"{COUNTED_TO:%Y-%m-%d %H:%M:%S}") for name in reports()],
        },
    )


def _uses(shop_stories: Iterable[ShopStory], everybody: ShopStory) -> Iterable[Order]:
    """The orders of other people with the codes of the stories."""
    people = [customer for customer in everybody.customers if customer.address.state not in TAX]
    for shop_story in shop_stories:
        for uses in shop_story.codes:
            for number, at in uses.orders.items():
                customers_then = [customer for customer in people if customer.since < at]
                buyer = customers_then[number * 7 % len(customers_then)]
                items: Items = {SMALL[number % len(SMALL)]: 1 + number % 2}
                yield Order(id=number, customer=buyer.id, at=at, items=items, coupon=uses.code, discount=OFF)
