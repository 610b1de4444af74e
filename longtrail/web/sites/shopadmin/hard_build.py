"""Hard build: the state in which the tasks of the hard tier are played.

The same crowd, articles and pages; the stories of the hard tier's tasks instead of the paper's; the Handbook's second
part; an action log of everyday work; reports whose statistics are some days old.
"""

import sqlite3
from collections.abc import Iterable
from datetime import datetime

from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import Task
from longtrail.web.sites.shopadmin.action_log import everyday, log_rows
from longtrail.web.sites.shopadmin.build import crowd, fill, insert, page_row, stories
from longtrail.web.sites.shopadmin.catalogue import catalogue
from longtrail.web.sites.shopadmin.content import handbook
from longtrail.web.sites.shopadmin.policy_limits import DISPUTE_LIMITS, LIMITS
from longtrail.web.sites.shopadmin.reports import REPORTS
from longtrail.web.sites.shopadmin.story import Items, Order, ShopStory
from longtrail.web.sites.shopadmin.usual import TAX

STORIES = TASKS / "hard_shop"
SMALL = ("LM-KNG-SOX", "LM-JRN-NTB", "LM-CDR-CND", "LM-MAP-CSE", "LM-ALD-MUG")
"""Articles that people add a code to."""
OFF = 5.0
"""What a code takes off, in dollars."""
COUNTED_TO = datetime(2026, 3, 9, 2, 0)
"""The last time when the reports' statistics were made."""


def build_hard(db: sqlite3.Connection, tasks: Iterable[Task] | None = None) -> None:
    """The whole world of the hard tier, with the stories of these tasks (None: of all shipped ones). Raises
    DataError."""
    tales = stories(load_tasks(STORIES).values() if tasks is None else tasks, "hard_shop")
    ledger = fill(db, [crowd(), *tales, ShopStory(orders=tuple(_uses(tales)))])
    weights = {sku: product.weight for sku, product in catalogue().items()}
    usual = everyday(ledger.rows, {order.id for order in crowd().orders}, weights)
    entries = [*usual, *(entry for tale in tales for entry in tale.log)]
    insert(
        db,
        {
            "cms_page": [page_row(handbook({**LIMITS, **DISPUTE_LIMITS}, "handbook_disputes"))],
            "magento_logging_event": log_rows(entries),
            "report_statistics": [(name, f"{COUNTED_TO:%Y-%m-%d %H:%M:%S}") for name in REPORTS],
        },
    )


def _uses(tales: Iterable[ShopStory]) -> Iterable[Order]:
    """The orders of other people with the codes of the stories."""
    people = [customer for customer in crowd().customers if customer.address.state not in TAX]
    for tale in tales:
        for uses in tale.codes:
            for number, at in uses.orders.items():
                customers_then = [customer for customer in people if customer.since < at]
                buyer = customers_then[number * 7 % len(customers_then)]
                items: Items = {SMALL[number % len(SMALL)]: 1 + number % 2}
                yield Order(id=number, customer=buyer.id, at=at, items=items, coupon=uses.code, discount=OFF)
