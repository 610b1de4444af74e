"""A site's YAML becomes a replica, or an error that names the file and the field."""

import copy
from pathlib import Path
from typing import Any

import pytest

from longtrail.errors import DataError
from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.model import SiteSpec
from longtrail.web.sites.consumer.sites import Replica
from longtrail.yaml_file import read_yaml, validate
from tests.tables import tables_of
from tests.web.sites.consumer.visitor import Visitor

TABLES = tables_of(__file__)

FILE = sites.files()["www.ticketcenter.com"]
LOOKS = read_yaml(FILE)["theme"]
TINY: dict[str, Any] = {**TABLES["tiny"], "theme": LOOKS}


def build(**changes: Any) -> Replica:
    """A replica of the tiny site with `path__to__field=value` changed."""
    data = copy.deepcopy(TINY)
    for path, value in changes.items():
        *parents, last = path.split("__")
        target: Any = data
        for key in parents:
            target = target[int(key) if isinstance(target, list) else key]
        target[int(last) if isinstance(target, list) else last] = value
    return Replica(validate(SiteSpec, data, Path("tiny.yaml")), Path("tiny.yaml"))


def test_addresses_are_made_of_fields_and_references() -> None:
    replica = build()
    assert [*replica.addresses] == ["/", "/bergen/peer-gynt", "/about-this-site"]
    assert replica.addresses["/bergen/peer-gynt"].title == "Peer Gynt in Bergen"
    assert replica.redirects == {"/old/1": "/bergen/peer-gynt"}


def test_across_multiplies_items_and_amounts() -> None:
    seats = build().shelves["seats"]
    assert [(item.id, item["price"], item.show("show.town")) for item in seats.items] == [
        ("1-low", 30, "Bergen"),
        ("1-high", 20, "Bergen"),
    ]


@pytest.mark.parametrize(("changes", "says"), TABLES["mistakes_are_named"])
def test_mistakes_are_named(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(DataError) as caught:
        build(**changes)
    assert str(caught.value).startswith("tiny.yaml: ")
    assert says in str(caught.value)


def test_trips_start_after_now_and_take_their_time(visitor: Visitor) -> None:
    words = visitor.page("https://www.mbta.com/schedules/Red/line").words
    assert "Alewife 2:35 PM 2:43 PM 2:51 PM" in words
    assert "Park Street 2:51 PM 2:59 PM" in words
    assert "First trip 5:15 AM, last trip 12:20 AM, about every 8 minutes." in words


def test_the_way_back_starts_at_the_other_end(visitor: Visitor) -> None:
    words = visitor.page("https://www.mbta.com/schedules/Red/line").words
    back = words[words.index("next trips towards Alewife") :]
    assert back.index("Braintree") < back.index("Quincy Adams") < back.index("Davis")
