"""Every rule finds its kind of fault: shipped tasks with one thing broken."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from longtrail.authoring.validity import ValidityFinding, case_rules, long_context_rules, page_rules
from longtrail.authoring.validity.crawl import Crawl, read
from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import TASK, DecisionTask, LongContextTask
from longtrail.text.matcher import Atoms
from longtrail.web.site import as_shipped
from longtrail.yaml_file import read_yaml

SHOP = {k: v for k, v in load_tasks(TASKS / "shopping_admin").items() if isinstance(v, DecisionTask)}
FORUM = {k: v for k, v in load_tasks(TASKS / "reddit").items() if isinstance(v, DecisionTask)}
SEQUENCES = {k: v for k, v in load_tasks(TASKS / "long_context").items() if isinstance(v, LongContextTask)}
SOUND = SHOP["PW-014"]
BROKEN = read_yaml(Path(__file__).with_name("broken.yaml"))


def changed(task: Any, **parts: Any) -> Any:
    """The task with other values for these fields (`truth__optimal` is a field within a field)."""
    data = task.model_dump(mode="json")
    for name, value in parts.items():
        *outer, last = name.split("__")
        inner = data
        for step in outer:
            inner = inner[int(step)] if step.isdigit() else inner[step]
        inner[last] = value
    return TASK.validate_python(data)


def fields(found: Iterable[ValidityFinding]) -> set[str]:
    return {finding.field for finding in found}


@pytest.mark.parametrize(("rule", "parts", "field"), BROKEN["case"])
def test_a_broken_case_is_found(rule: str, parts: dict[str, Any], field: str) -> None:
    assert list(getattr(case_rules, rule)(SOUND)) == []
    assert field in fields(getattr(case_rules, rule)(changed(SOUND, **parts)))


@pytest.mark.parametrize(("rule", "parts", "field"), BROKEN["sequence"])
def test_a_broken_sequence_is_found(rule: str, parts: dict[str, Any], field: str) -> None:
    task = SEQUENCES["ikea_favorites"]
    assert list(getattr(long_context_rules, rule)(task)) == []
    assert field in fields(getattr(long_context_rules, rule)(changed(task, **parts)))


def test_a_result_that_the_site_does_not_come_to_is_found() -> None:
    task = SEQUENCES["ikea_favorites"]
    given = task.model_dump(mode="json")
    (essentials, cheapest), saved = given["a1"]["key_steps"], given["a2"]["key_steps"]
    list_rule = long_context_rules.listings_are_what_the_site_lists
    assert list(list_rule(task, as_shipped)) == []
    for broken, field in (
        ({"items": cheapest["items"][1:]}, "a1.key_steps.1.items"),
        ({"order": "-price"}, "a1.key_steps.1.order"),
        ({"route": [{**cheapest["route"][0], "paths": ["/us/en/nowhere"]}]}, "a1.key_steps.1"),
    ):
        assert fields(list_rule(changed(task, a1__key_steps=[essentials, {**cheapest, **broken}]), as_shipped)) == {
            field
        }
    state_rule = long_context_rules.states_are_of_the_second_part
    assert list(state_rule(task, as_shipped)) == []
    assert fields(state_rule(changed(task, a1__key_steps=saved), as_shipped)) == {f"a1.key_steps.{n}" for n in range(3)}
    unknown = [{**saved[0], "holds": {"products/1": 1}}]
    assert fields(state_rule(changed(task, a2__key_steps=unknown), as_shipped)) == {"a2.key_steps.0.holds"}


def test_an_answer_that_the_reference_does_not_give_is_found() -> None:
    task = SEQUENCES["ticketcenter_bears"]
    rule = long_context_rules.reference_answers_what_is_asked
    assert list(rule(task)) == []
    path = task.model_dump(mode="json")["a1"]["reference"]
    silent = [*path[:-1], {"finish": "The page of the stadium is open."}]
    assert fields(rule(changed(task, a1__reference=silent))) == {"a1.reference"}


def test_a_second_part_that_can_be_guessed_is_found() -> None:
    rule, task = long_context_rules.second_part_cannot_be_guessed, SEQUENCES["mbta_reduced_fares"]
    assert list(rule(task, as_shipped)) == []
    telling = "A while ago I asked about a transit agency: find the page about its reduced fares."
    assert fields(rule(changed(task, a2__instruction=telling), as_shipped)) == {"a2.key_steps.0"}


PAGE = "<h1>Order #000000712</h1><table><tr><td>Rank</td><td>top 9 %</td></tr></table><p>PW-014</p><a href='#'>x</a>"


def _crawl(**pages: str) -> Crawl:
    found = Crawl()
    for key, page in pages.items():
        name = key.replace("_", ":")
        found.raw[f"/admin/sales/order/view/order_id/{name.split(':')[1]}/"] = page
        for line in read(page)[0]:
            found.lines.setdefault(line, set()).add(name)
    return found


def test_facts_elsewhere_and_pages_that_are_missing_are_found() -> None:
    task = changed(SOUND, facts=[fact for fact in SOUND.model_dump(mode="json")["facts"] if fact["id"] == "rank"])
    assert read(PAGE)[0] == ["Order #000000712", "| Rank | top 9 %", "PW-014", "x"]
    elsewhere = list(page_rules.facts_stand_on_their_pages(task, _crawl(order_712=PAGE, order_9=PAGE)))
    assert [finding.message for finding in elsewhere] == ["it is also on order:9", "it is not on order:712/history"]
    assert any("no link leads to order:712/history" in f.message for f in page_rules.named_pages_exist(task, _crawl()))
    start = changed(task, start="https://shopadmin.test/order:712")
    assert fields(page_rules.start_shows_nothing(start, _crawl())) == {"start"}
    page = Crawl(raw={"/order:712": PAGE, "/order:9": "<p>top 8 %</p>"})
    assert [finding.message for finding in page_rules.start_shows_nothing(start, page)] == ["shows the fact rank"]
    assert not list(page_rules.start_shows_nothing(changed(task, start="https://shopadmin.test/order:9"), page))
    told = list(page_rules.nothing_served_names_a_case({task.id: task}, _crawl(order_712=PAGE)))
    assert [finding.message for finding in told] == ["/admin/sales/order/view/order_id/712/ contains 'pw-014'"]


def test_an_id_on_many_pages_is_one_fault_and_a_part_of_a_word_is_none() -> None:
    short = changed(SOUND, id="sa")
    words = Crawl(raw={"/a": "<p>Sales, visa, sa1, 2sa</p>"})
    assert not list(page_rules.nothing_served_names_a_case({short.id: short}, words))
    pages = Crawl(raw={f"/{number}": "<p>Case SA</p>" for number in range(3)})
    (told,) = page_rules.nothing_served_names_a_case({short.id: short}, pages)
    assert (told.message, told.tasks) == ("/0 and 2 more pages contain 'sa'", ("sa",))


def test_values_on_other_pages_are_accepted_or_explained() -> None:
    """PW-019: the day is on two more pages of the case. An order of another customer does not count."""
    task = SHOP["PW-019"]
    number = next(n for n, fact in enumerate(task.facts) if fact.id == "moving")
    where = f"facts.{number} (moving).elsewhere"
    page = "<h1>Order #000000631</h1><p>Ines Calloway</p><p>Mar 16, 2026 8:07 PM</p>"
    found = Crawl(raw={
        "/admin/sales/order/view/order_id/631/": page,
        "/admin/customer/index/edit/id/300/": page,
        "/admin/sales/order/view/order_id/9/": "<p>Mar 16, 2026</p>",
    })  # fmt: skip
    rule = page_rules.values_elsewhere_are_explained
    assert where not in fields(rule(task, found))
    told = task.model_dump(mode="json")["facts"]
    told[number]["elsewhere"] = {"customer:300": "the last sign-in"}
    silent = [finding for finding in rule(changed(task, facts=told), found) if finding.field == where]
    assert ["also on order:631" in finding.message for finding in silent] == [True]
    told[number]["elsewhere"] = {"order:*": "a status", "customer:*": "a sign-in", "invoice:*": "no such page"}
    stale = [finding for finding in rule(changed(task, facts=told), found) if finding.field == where]
    assert ["on no page invoice:*" in finding.message for finding in stale] == [True]


def test_an_order_that_could_be_held_is_found() -> None:
    sound = SHOP["PW-067"]
    page = Crawl(raw={"/admin/sales/order/view/order_id/697/": '<button id="order-view-hold-button">Hold</button>'})
    assert list(page_rules.orders_are_held(sound, page)) == []
    comment = [check for check in sound.model_dump(mode="json")["end_state"] if check["table"] != "sales_order"]
    assert fields(page_rules.orders_are_held(changed(sound, end_state=comment), page)) == {"end_state"}
    assert list(page_rules.orders_are_held(changed(sound, end_state=comment), Crawl())) == []


def test_what_a_way_of_showing_consists_of() -> None:
    values = [value.model_dump(mode="json", exclude_defaults=True) for value in page_rules.specific_parts(
        Atoms(id=("314",), words=("Rhea Stroud", "next to it", "We went there with Bo at 7")))]  # fmt: skip
    assert values == [{"id": ["314"]}, *({"words": [word]} for word in ("Rhea Stroud", "Bo", "7"))]
    assert not page_rules.is_specific(page_rules.specific_parts("sixteen Tuesdays since my last bet"))
    assert page_rules.is_specific(page_rules.specific_parts(Atoms(money=(21.5,))))
