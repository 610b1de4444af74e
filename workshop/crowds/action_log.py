"""The action log's everyday entries, made from the crowd's orders with a fixed seed: they fit the other records.

`python -m workshop.crowds.action_log` writes `longtrail/data/worlds/shopadmin/action_log.json` again.
"""

import json
import random
from datetime import datetime, timedelta

from longtrail.clock import NOW
from longtrail.paths import NOTICE
from longtrail.web.sites.shopadmin.build import EVERYDAY, crowd, ledger_of
from longtrail.web.sites.shopadmin.catalogue import catalogue
from longtrail.web.sites.shopadmin.handbook import DISPUTE_LIMITS
from longtrail.web.sites.shopadmin.past_orders import MOVED
from longtrail.web.sites.shopadmin.story import LogEntry

SEED = 611
PACKERS = ("wh.alvarez", "wh.okafor", "wh.lindqvist", "wh.demir")
DESK = ("care.mbrandt", "care.tvo", "care.desk", "care.jruiz")
_CHORES = (
    ("Customers", "View", "Customer account opened after a call"),
    ("Catalog Products", "Save", "Stock figure corrected after the shelf count"),
    ("Customers", "Save", "Telephone number tidied up"),
    ("Catalog Products", "View", "Product page opened for a question about sizes"),
)


def everyday_entries() -> list[LogEntry]:
    """Entries of ordinary work since the shop moved to the present system: sign-ins, parcels, notes, small chores."""
    rng = random.Random(SEED)  # noqa: S311 (plausible entries, no secret)
    rows = ledger_of([crowd()], catalogue()).rows
    orders = {order.id for order in crowd().orders}
    found = []
    goods: dict[object, float] = {}
    for row in rows["sales_order_item"]:
        weight = catalogue()[str(row[3])].weight * int(str(row[8]))
        goods[row[1]] = goods.get(row[1], DISPUTE_LIMITS["carton"]) + weight
    for row in rows["sales_shipment"]:
        number, at = str(row[1]), datetime.fromisoformat(str(row[3]))
        if at >= MOVED and row[2] in orders:
            packer, weight = rng.choice(PACKERS), goods[row[2]] + rng.choice((0, 0, 0.1))
            details = f"Shipment #{number}: {weight:.1f} lb"
            found.append(_entry(at - timedelta(minutes=rng.randrange(2, 9)), packer, "Weigh", details))
            found.append(_entry(at, packer, "Print", f"Shipment #{number}: label printed"))
    for row in rows["sales_order"]:
        number, at = str(row[1]), datetime.fromisoformat(str(row[6]))
        if at >= MOVED and row[0] in orders and rng.random() < 0.85:
            at += timedelta(hours=rng.randrange(3, 30))
            action = rng.choice(("View", "View", "Save"))
            found.append(_entry(at, rng.choice(DESK), action, f"Order #{number}", "Sales Orders"))
    day = MOVED
    while day < datetime(2026, 3, 17, 14):
        for user in (*PACKERS[: 2 if day.weekday() > 4 else 4], *rng.sample(DESK, 2)):
            at = day.replace(hour=rng.randrange(6, 10), minute=rng.randrange(60), second=rng.randrange(60))
            found.append(_entry(at, user, "Login", "Signed in", "Admin Sign In"))
        group, action, details = rng.choice(_CHORES)
        found.append(_entry(day.replace(hour=11, minute=rng.randrange(60)), rng.choice(DESK), action, details, group))
        day += timedelta(days=1)
    return [entry for entry in found if entry.at <= NOW.replace(tzinfo=None)]


def _entry(at: datetime, user: str, action: str, details: str, group: str = "Sales Shipments") -> LogEntry:
    ip = "10.4.0." + str(20 + (*PACKERS, *DESK).index(user))
    return LogEntry(at=at, user=user, group=group, action=action, details=details, ip=ip)


def write() -> None:
    """Make the entries and write their file, one per line."""
    lines = ",\n".join(entry.model_dump_json() for entry in everyday_entries())
    EVERYDAY.write_text(f'{{"canary": {json.dumps(NOTICE)},\n"log": [\n{lines}\n]}}\n', encoding="utf-8")


if __name__ == "__main__":
    write()
