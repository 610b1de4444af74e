"""Frames of other origins in the other things that a session gives: trees, marks, sources, positions."""

import re
from collections.abc import Iterator

import pytest

from longtrail.browser.session import Browser, Session, ViewSettings
from longtrail.browser.url_policy import UrlPolicy
from longtrail.records.action import Click
from tests.browser.conformance.pages import ConformancePage, ConformanceSite

PAGE = ConformancePage(
    topic="frames",
    name="nested",
    html="<h1>Shop</h1><iframe src=//other/inner style='padding:20px' width=400 height=300></iframe><p>End</p>",
    lines="",
    pages={
        "inner": "<button>Pay</button><iframe src=//here/deep></iframe><iframe src=http://127.0.0.1:1/></iframe>",
        "deep": "<a href=#1>Terms</a>",
    },
)


@pytest.fixture(scope="module")
def session(chrome: Browser) -> Iterator[Session]:
    site = ConformanceSite([PAGE])
    settings = ViewSettings(screenshot=True, sources=True)
    with chrome.session(url_policy=UrlPolicy(site.hosts), settings=settings) as session:
        session.goto(site.address(0))
        yield session
    site.close()


def test_marks_are_where_the_elements_are(session: Session) -> None:
    view = session.observe()
    ids = dict(re.findall(r'\[(\d+)\] \w+ "(\w+)"', view.text))
    boxes = {name: view.boxes[number] for number, name in ids.items()}
    (left, _, right, _), (inner_left, *_) = boxes["Pay"], boxes["Terms"]
    assert 30 <= left <= 60  # the body's margin, the frame's padding and border, the margin in it
    assert inner_left > right


def test_every_line_has_its_source(session: Session) -> None:
    view = session.observe()
    sources = {passage.lines[0].strip(): passage.source.strip("\x01") for passage in view.passages}
    assert sources['[2] button "Pay"'] == "Pay"
    assert [line for line in view.text.splitlines() if line.strip() not in sources] == []


def test_a_frame_that_can_not_be_opened_says_so(session: Session) -> None:
    assert "(this frame could not be read)" in session.observe().text


def test_trees_hold_the_frames_content(session: Session) -> None:
    view = session.observe()
    assert view.trees is not None
    trees = view.trees()
    nodes = {node["nodeId"]: node for node in trees.axtree["nodes"]}
    link = next(node for node in nodes.values() if node["name"]["value"] == "Terms" and node["role"]["value"] == "link")
    above = []
    node = link
    while "parentId" in node:
        assert node["nodeId"] in nodes[node["parentId"]]["childIds"]
        node = nodes[node["parentId"]]
        above.append(node["role"]["value"])
    assert above.count("Iframe") == 2
    assert above[-1] == "RootWebArea"
    strings, documents = trees.dom["strings"], trees.dom["documents"]
    assert [len(document["nodes"]["contentDocumentIndex"]["value"]) for document in documents][:2] == [1, 2]
    assert "A" in [strings[number] for number in documents[2]["nodes"]["nodeName"]]
    assert trees.places[link["browsergym_id"]]["bbox"][0] == view.boxes[link["browsergym_id"]][0]


def test_an_element_in_a_frame_is_a_target(session: Session) -> None:
    number = re.search(r'\[(\d+)\] button "Pay"', session.observe().text)
    assert number
    outcome = session.act(Click(id=number[1]))
    assert outcome.ok, outcome.error
    assert outcome.target is not None
    assert (outcome.target.role, outcome.target.name) == ("button", "Pay")
