"""WebCanvas' match semantics, by cases whose answers were found by running its evaluator."""

import pytest

from longtrail.checks import selectors
from longtrail.checks.key_steps import evaluate
from longtrail.checks.webcanvas import WebCanvasStep, element_path, netloc_label, url_exactly, url_included
from longtrail.records.trajectory import Step, Target
from longtrail.tasks.task import Subtask
from tests.made import step
from tests.tables import grouped, tables_of

TABLES = tables_of(__file__)

LIST = "https://www.discogs.com/sell/list?sort=price%2Casc&format=Vinyl"
PATH = "html>body:nth-child(2)>div#cart.wide.open:nth-child(3)>form:nth-child(1)>a.btn.green:nth-child(2)"


def node(match: str, answer: str, **more: str) -> WebCanvasStep:
    return WebCanvasStep.model_validate({"name": "node-1", "match": match, "answer": answer, **more})


@pytest.mark.parametrize(("url", "label"), TABLES["netloc_is_the_first_label"])
def test_netloc_is_the_first_label(url: str, label: str) -> None:
    assert netloc_label(url) == label


@pytest.mark.parametrize(("match", "url", "key", "answer", "hit"), grouped(TABLES["addresses"]))
def test_addresses(match: str, url: str, key: str, answer: str, hit: bool) -> None:
    """`included` looks for a part of the address without its query; `exactly` compares."""
    found = url_included(url, key, answer) if match == "included" else url_exactly(url, key, answer)
    assert found is hit


@pytest.mark.parametrize(("selector", "hit"), TABLES["element_paths"])
def test_element_paths(selector: str, hit: bool | None) -> None:
    assert element_path(PATH, selector) is hit


def test_names_with_odd_letters_are_escaped() -> None:
    assert selectors.parse("div#a\\:b.w-1\\/2") == (
        selectors.Compound("div", frozenset({"a:b"}), frozenset({"w-1/2"})),
    )


def trip(*urls: str) -> list[Step]:
    """Goes from page to page; every step begins where the last one ended."""
    return [
        step(number, {"type": "goto", "url": to}, url=at, to=to)
        for number, (at, to) in enumerate(zip(("about:blank", *urls), urls, strict=False), 1)
    ]


def test_the_last_address_does_not_count_for_webcanvas() -> None:
    """WebCanvas reads an address when the next action is chosen, so never after the last action."""
    key = node("url_included_match", "/b")
    (short,) = evaluate([key], trip("https://x.test/a", "https://x.test/b"))
    assert short.step is None
    assert "only the last action led there" in short.reason
    (longer,) = evaluate([key], trip("https://x.test/a", "https://x.test/b", "https://x.test/c"))
    assert longer.step == 3
    mended = key.model_copy(update={"sampled": "after"})
    assert evaluate([mended], trip("https://x.test/a", "https://x.test/b"))[0].step == 2


def click(ok: bool = True, url: str = "https://store.steampowered.com/app/570/") -> Step:
    target = Target(role="link", name="Add to Cart", path=PATH)
    return step(1, {"type": "click", "id": "1"}, url=url, outcome={"target": target, "ok": ok})


def test_elements_count_by_intention() -> None:
    key = node("element_path_exactly_match", "#cart a", netloc="store")
    assert key.hit_by(click())
    assert key.hit_by(click(ok=False))
    assert not key.hit_by(click(url="https://www.steampowered.com/"))


def test_values_are_what_was_typed_or_the_text_clicked() -> None:
    field = Target(role="textbox", name="Zip", path="html>body:nth-child(2)>input#zip:nth-child(1)")
    filled = {"type": "fill", "id": "1", "text": "90026"}
    typed = step(1, filled, url="https://www.ebay.com/", outcome={"target": field, "value": "90026"})
    assert node("element_value_exactly_match", "90026", netloc="ebay", path="#zip").hit_by(typed)
    assert not node("element_value_exactly_match", "90026", netloc="ebay", path="#city").hit_by(typed)
    assert node("element_value_included_match", "900").hit_by(typed)
    assert not node("element_value_exactly_match", "900").hit_by(typed)
    assert node("element_value_exactly_match", "Add to Cart").hit_by(click())


def test_what_can_not_be_decided_says_so() -> None:
    for key in (node("url_semantic_match", "Decide whether ..."), node("element_path_exactly_match", "a[href*=x]")):
        assert not key.hit_by(click())
        assert evaluate([key], [click()])[0].reason.startswith("not decidable: ")


def test_nodes_may_stand_in_a_task() -> None:
    part = Subtask.model_validate(
        {
            "instruction": "Find vinyl records.",
            "key_steps": [{"kind": "webcanvas", "name": "node-1", "match": "url_included_match", "answer": "discogs."}],
            "reference": [{"goto": "https://www.discogs.com/"}, {"finish": ""}],
        }
    )
    assert part.key_steps[0].hit_by(step(1, url="https://www.discogs.com/"))
