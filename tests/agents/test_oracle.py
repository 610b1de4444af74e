"""The oracle needs only observation texts."""

import pytest

from longtrail.agents.agent import Agent, Equipment, Move
from longtrail.agents.oracle import MAX_SCROLLS, ReferenceScript
from longtrail.agents.spec import AgentSpec
from longtrail.browser.view import View
from longtrail.records.action import Back, Click, Decide, Fill, Finish, Goto, Scroll, Search, Select
from longtrail.records.trajectory import Outcome
from longtrail.tasks import reference as solution
from tests.agents.views import case, task, view

SHOP = view(
    """\
banner
 [1] link "Home"
 [2] searchbox "What are you looking for?" value=""
main
 heading "Offers" level=1
 [7] link "FÖRNUFT tea spoon $3.99"
 [8] button "Save to favourites" [9] link "FÖRNUFT fork $3.99"
 [10] button "Save to favourites"
 [11] combobox "Sort by" value="Best match" options: "Best match" | "Price: low to high"
 Customers say “sturdy – and cheap”, 15
 returns a year."""
)


def _oracle(*moves: dict[str, object], **more: str) -> Agent:
    reference = ReferenceScript(moves=tuple(solution.ReferenceStep.model_validate(move) for move in moves), **more)
    return AgentSpec.parse("oracle").factory(case() if more else task(), Equipment(options={"reference": reference}))


def _act(agent: Agent, page: View = SHOP, *, ok: bool = True, after: View | None = None) -> Move:
    move = agent.act(page)
    assert isinstance(move, Move)
    outcome = Outcome(ok=ok, error="" if ok else "it is covered", url=page.url)
    agent.observe(outcome, after or page)
    return move


def test_every_kind_of_move() -> None:
    agent = _oracle(
        {"goto": "https://www.ikea.com/", "why": "It starts there."},
        {"search": "ikea offers"},
        {"click": {"role": "link", "name": "*fork*"}},
        {"click": {"role": "button", "name": "Save to favourites", "nth": 2}},
        {"fill": {"role": "searchbox", "name": "What are you looking for?", "text": "desk", "enter": True}},
        {"select": {"role": "combobox", "name": "Sort by", "option": "Price: low to high"}},
        {"scroll": "down"},
        {"back": True},
        {"finish": "three spoons"},
    )
    moves = [_act(agent) for _ in range(9)]
    assert [move.action for move in moves] == [
        Goto(url="https://www.ikea.com/"),
        Search(query="ikea offers"),
        Click(id="9"),
        Click(id="10"),
        Fill(id="2", text="desk", enter=True),
        Select(id="11", option="Price: low to high"),
        Scroll(direction="down"),
        Back(),
        Finish(answer="three spoons"),
    ]
    assert moves[0].thought == "It starts there."


def test_finishes_where_its_script_ends() -> None:
    assert _act(_oracle({"read": "Offers"})).action == Finish()


@pytest.mark.parametrize(
    "text", ["15 returns", 'customers say "sturdy - and cheap"', "FÖRNUFT tea spoon $3.99", "offers"]
)
def test_reads_what_is_in_sight_without_a_step(text: str) -> None:
    agent = _oracle({"read": text}, {"back": True})
    assert _act(agent).action == Back()


def test_scrolls_down_to_what_is_to_be_read_and_up_to_what_is_to_be_clicked() -> None:
    windows = [
        view('[1] link "Home"\n first lines\n... truncated, 40 more lines; scroll'),
        view("... 20 lines above; scroll up\n middle lines\n... truncated, 20 more lines; scroll"),
        view("... 40 lines above; scroll up\n 15 returns"),
    ]
    agent = _oracle({"read": "15 returns"}, {"click": {"role": "link", "name": "Home"}})
    place, taken = 0, []
    while True:
        action = _act(agent, windows[place]).action
        taken.append(action)
        if not isinstance(action, Scroll):
            break
        place += 1 if action.direction == "down" else -1
    down, up = Scroll(direction="down"), Scroll(direction="up")
    assert taken == [down, down, up, up, Click(id="1")]


def test_says_what_it_does_not_find_and_finishes() -> None:
    agent = _oracle({"click": {"role": "link", "name": "Wishlist"}})
    assert _act(agent).action == Scroll(direction="down"), "there may be more below"
    end = _act(agent)
    assert end.action == Finish()
    assert 'link "Wishlist" no. 1 is not on the page https://www.ikea.com/us/en/' in end.thought


def test_turns_round_once_where_it_did_not_begin_at_the_top() -> None:
    agent = _oracle({"scroll": "down"}, {"click": {"role": "link", "name": "Wishlist"}})
    below = view("the end of the page")
    _act(agent)
    assert [_act(agent, page).action for page in (below, SHOP, SHOP, below, below)] == [
        Scroll(direction="up"),
        Scroll(direction="up"),
        Scroll(direction="down"),
        Scroll(direction="down"),
        Finish(),
    ]


def test_an_endless_page_is_given_up() -> None:
    agent = _oracle({"read": "the last page of the internet"})
    pages = (view(f"page {number}") for number in range(100))
    taken = 0
    while isinstance(_act(agent, next(pages)).action, Scroll):
        taken += 1
    assert taken == MAX_SCROLLS


def test_a_move_that_fails_is_the_end() -> None:
    agent = _oracle({"click": {"role": "link", "name": "Home"}}, {"back": True})
    _act(agent, ok=False)
    end = _act(agent)
    assert end.action == Finish()
    assert "step 1 of the reference failed" in end.thought
    assert "it is covered" in end.thought


def test_a_scroll_that_finds_no_more_is_no_failure() -> None:
    agent = _oracle({"read": "nowhere"}, {"back": True})
    _act(agent, ok=False)
    assert "nowhere" in _act(agent).thought


def test_decides_with_what_it_read() -> None:
    agent = _oracle(
        {"read": "15 returns"}, {"decide": True}, decision="APPROVE", justification="All exchanges.", response="Hello."
    )
    action = _act(agent).action
    assert isinstance(action, Decide)
    assert (action.decision, action.justification, action.response) == ("APPROVE", "All exchanges.", "Hello.")
    assert [(each.source, each.quote) for each in action.evidence] == [("https://www.ikea.com/us/en/", "15 returns")]
