"""Carriers: their entries on shipments follow one template, as in an automatic feed."""

import re

from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask

MOMENT = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d{1,2}, \d\d:\d\d\b")
TEMPLATE = re.compile(r"(?:UPS|FedEx|USPS): ")


def test_entries_with_a_moment_follow_the_carriers_template() -> None:
    texts = [
        comment["text"]
        for task in load_tasks().values()
        if isinstance(task, DecisionTask) and task.suite == "shopping_admin"
        for order in task.story.get("orders", ())
        for shipment in order.get("shipments", ())
        for comment in shipment.get("comments", ())
    ]
    timed = [text for text in texts if MOMENT.search(text)]
    assert len(timed) > 80
    assert not [text for text in timed if not TEMPLATE.match(text)]
