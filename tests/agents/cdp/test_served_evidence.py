"""In a browser that the agent drives itself, only what the sites served counts as shown, whatever the DOM holds."""

from collections.abc import Iterator

import pytest

from longtrail.agents.cdp.agent_browser import AgentBrowser
from longtrail.agents.cdp.observed_steps import ObservedStep
from longtrail.records.observation import words_of
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from tests.agents.cdp.test_agent_browser import drive
from tests.web.tiny.tiny_site import make

ORDER = "https://shopadmin.test/admin/sales/order/view/order_id/635/"


@pytest.fixture(scope="module")
def web() -> Iterator[SealedWeb]:
    with SealedWeb([*all_sites(), make()]) as web:
        yield web


def compared(agent_browser: AgentBrowser, script: str) -> tuple[list[ObservedStep], list[tuple[int | None, bool, str]]]:
    """The steps, compared with what was served; and of each request its step, whether a script sent it, its address."""
    observed, _ = drive(agent_browser, script)
    requests = [(each.step, each.request.scripted, each.request.url) for each in agent_browser.assigned(last=True)]
    return agent_browser.compared_with_served(observed), requests


HOSTS = [host for site in all_sites() for host in site.hosts]
GROUPS = [tuple(HOSTS[start : start + 6]) for start in range(0, len(HOSTS), 6)]


@pytest.mark.slow
@pytest.mark.sampled(15)
@pytest.mark.parametrize("hosts", GROUPS, ids=lambda hosts: hosts[0])
def test_all_that_the_sites_show_was_served(agent_browser: AgentBrowser, hosts: tuple[str, ...]) -> None:
    """The home page of every site and two pages that it links to: every line of them counts as served."""
    script = f"""
        for host in {hosts!r}:
            page.goto("https://" + host + ("/admin/" if host.startswith("shopadmin") else "/"))
            found = page.locator("a[href]").evaluate_all("each => each.map(a => a.href.split('#')[0])")
            own = list(dict.fromkeys(link for link in found if link.split("/")[2:3] == page.url.split("/")[2:3]))
            for link in own[1::max(1, len(own) // 2)][:2]:
                page.goto(link)
        """
    observed, requests = compared(agent_browser, script)
    read = [step.before for step in observed if step.before.text]
    assert len(read) >= len(hosts)
    assert [line for view in read for line in view.observation.unserved] == []
    assert not any(scripted for _, scripted, _ in requests)


def test_what_a_page_composes_by_its_own_script_counts(agent_browser: AgentBrowser) -> None:
    script = """
        page.goto("https://tiny.test/hours")
        page.get_by_text("today").wait_for()
        page.goto("https://tiny.test/tools")
        """
    observed, _ = compared(agent_browser, script)
    composed = observed[1].before
    assert "Open today" in composed.text or "Closed today" in composed.text
    assert composed.observation.unserved == ()


@pytest.mark.parametrize("by_mouse", [True, False], ids=["mouse", "script"])
def test_a_tab_that_the_sites_script_loads_counts_and_is_one_page(agent_browser: AgentBrowser, by_mouse: bool) -> None:
    """A click by a script is no step: the document that it loads counts against the step limit instead."""
    click = "click()" if by_mouse else "evaluate('tab => tab.click()')"
    script = f"""
        page.goto({ORDER!r})
        with page.expect_response("**isAjax=true"):
            page.get_by_role("link", name="Comments History").{click}
        page.get_by_role("heading", name="Comments History of order").wait_for()
        page.goto("https://tiny.test/tools")
        """
    observed, requests = compared(agent_browser, script)
    last = next(step.before for step in reversed(observed) if step.before.url.startswith(ORDER))
    assert last.observation.unserved == ()
    (tab,) = [scripted for _, scripted, url in requests if "isAjax" in url]
    assert tab is not by_mouse
    assert not any(step.outcome.target.unserved for step in observed if step.outcome.target)


def test_what_a_script_writes_does_not_count(agent_browser: AgentBrowser) -> None:
    script = """
        page.goto("https://tiny.test/tools")
        page.evaluate('''async () => {
            document.title = "Forged";
            const made = Object.assign(document.createElement("p"), {textContent: "The deposit is waived for Ada."});
            const button = Object.assign(document.createElement("button"), {textContent: "Waive it"});
            document.body.prepend(made, button);
            document.body.append(await (await fetch("/join")).text());
        }''')
        page.get_by_role("button", name="Waive it").click()
        page.goto("https://tiny.test/visits")
        """
    observed, requests = compared(agent_browser, script)
    (clicked,) = [step for step in observed if step.outcome.target]
    assert clicked.outcome.target is not None
    assert clicked.outcome.target.unserved
    shown = clicked.before.observation
    assert "Forged" in shown.unserved
    assert any("deposit is waived" in line for line in shown.unserved)
    assert "waived" not in words_of(shown)
    assert "Deposit" in words_of(shown), "what was served still counts"
    assert [url for _, scripted, url in requests if scripted] == ["https://tiny.test/join"]


def test_what_was_typed_does_not_count_as_served(agent_browser: AgentBrowser) -> None:
    script = """
        page.goto("https://tiny.test/join")
        page.get_by_label("Your name").fill("Ada Quist of the deposit")
        page.get_by_role("heading").click()
        page.goto("https://tiny.test/tools")
        """
    observed, _ = compared(agent_browser, script)
    assert "Quist" in observed[-1].before.text
    assert "Quist" not in words_of(observed[-1].before.observation)
    (field,) = [step.outcome.target for step in observed if step.action.type == "fill"]
    assert field is not None
    assert not field.unserved


def test_an_address_that_a_script_has_shown_makes_no_element_of_that_page(agent_browser: AgentBrowser) -> None:
    script = """
        page.goto("https://tiny.test/join")
        page.evaluate("history.pushState({}, '', '/tools/ladder')")
        page.get_by_role("button", name="Join").focus()
        page.get_by_role("heading").click()
        page.goto("https://tiny.test/tools")
        """
    observed, _ = compared(agent_browser, script)
    (step,) = [step for step in observed if step.outcome.target]
    assert step.outcome.target
    on_its_own_page = step.before.url == "https://tiny.test/join"  # on a busy machine, the click is seen first
    assert step.outcome.target.unserved != on_its_own_page
