"""A session's raw trace: the files that its browser wrote, moved out of the folder of all its traces."""

from pathlib import Path

from longtrail.browser.context_records import Recording
from longtrail.browser.session import Browser
from longtrail.browser.url_policy import UrlPolicy
from tests.browser.conftest import OddSite, made_page
from tests.browser.hands import click


def test_two_sessions_with_the_same_page_each_have_a_whole_trace(
    chrome: Browser, site: OddSite, tmp_path: Path
) -> None:
    address = site.address + made_page("<button>Press</button>")
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        recording = Recording(tmp_path / name, frozenset({"tracing"}))
        with chrome.session(url_policy=UrlPolicy([site.authority]), recording=recording) as session:
            session.goto(address)
            session.begin_step("1. press the button")
            click(session, "Press")
            session.end_step("nothing happened")
        trace = recording.files()["tracing"]
        steps = (trace / "trace.trace").read_text()
        assert "1. press the button" in steps
        assert "nothing happened" in steps
        assert "made" in (trace / "trace.network").read_text()
        (page,) = trace.glob("resources/*.html")
        assert "<button>Press" in page.read_text()
    shared = {path.parent.name for path in chrome.engine.traces.rglob("*") if path.is_file()}
    assert shared == {"resources"}, "everything else of the traces is gone"
