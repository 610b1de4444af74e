"""WebCanvas: judges key nodes as its evaluator did (Mind2Web-Live, 2024-10), for comparison with its figures.

This is a compatibility mode: our own tasks use `key_steps`, whose matching is stricter. It reproduces the evaluator
including its weak points: it searches substrings in host and path without the query, so `yelp.` is found in
`notyelp.example`; it takes the first label of a host as its name; it judges elements by what was intended, not by what
happened; and an address counts only when the *next* action is chosen on it, so the last action's address never counts
(`sampled: after` corrects that). docs/webcanvas.md has the rules, and what can't be judged from a trajectory.
"""

from collections.abc import Sequence
from typing import Literal
from urllib.parse import parse_qs, unquote, urlsplit

from longtrail.checks import selectors
from longtrail.records.record import Name, Record
from longtrail.records.trajectory import Step

Match = Literal[
    "url_exactly_match",
    "url_included_match",
    "url_semantic_match",
    "element_path_exactly_match",
    "element_value_exactly_match",
    "element_value_included_match",
    "element_value_semantic_match",
]
TEXT_TAGS = frozenset({"span", "h1", "h2", "h3", "h4", "h5", "h6", "div", "li", "ul", "p"})
"""If the reference is such an element, up to three of its ancestors count too."""
ANCESTORS = 3
MODEL = "its rule is in words: the published evaluator asks a model"


def netloc_label(url: str) -> str:
    """WebCanvas's netloc: the first label of the host, without `www.` (`m.yelp.com` -> `m`)."""
    labels = _netloc(url).removeprefix("www.").split(".")
    return labels[0]


def url_exactly(url: str, key: str, answer: str) -> bool:
    """With a key: the parameter's first value equals the answer. Without: the whole address does."""
    return (_parameter(url, key) if key else unquote(url)) == answer


def url_included(url: str, key: str, answer: str) -> bool:
    """With a key: the answer is a substring of the parameter's first value. Without: of host, path and fragment, never
    of the query. Case matters."""
    if key:
        value = _parameter(url, key)
        return value is not None and answer in value
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return answer in unquote(f"{parts.netloc}{parts.path}{'#' + parts.fragment if parts.fragment else ''}")


def element_path(path: str, selector: str) -> bool | None:
    """Whether a selector matches this path's element or, for a text element, one of the three above it. None if the
    path is not enough to judge the selector."""
    wanted, given = selectors.parse(selector), selectors.parse(path)
    if wanted is None or given is None:
        return None
    if selectors.names(wanted, given):
        return True
    if wanted[-1].tag not in TEXT_TAGS:
        return False
    shorter = wanted
    for _ in range(ANCESTORS):
        if len(shorter) < 2 or not shorter[-1].child:
            return False
        shorter = shorter[:-1]
        if selectors.names(shorter, given):
            return True
    return False


class WebCanvasStep(Record):
    """A published key node, judged as WebCanvas does."""

    kind: Literal["webcanvas"] = "webcanvas"
    name: Name
    match: Match
    key: str = ""
    """A parameter of the address's query; empty: none."""
    answer: str
    """The reference: a text, an address, a CSS selector, or a rule in words (`semantic`)."""
    netloc: str = ""
    """For elements: the first label of their host; empty: any."""
    path: str = ""
    """For values: the selector of the element that must have got the value; empty: any."""
    url: str = ""
    """The annotator's page; not used in scoring."""
    sampled: Literal["before", "after"] = "before"
    """For addresses: before each action (as WebCanvas does), or also after it."""

    @property
    def undecidable(self) -> str:
        """Why our trajectories can't decide it; empty if they can."""
        if self.match.endswith("semantic_match"):
            return MODEL
        selector = self.answer if self.match == "element_path_exactly_match" else self.path
        if selector and self.match.startswith("element") and selectors.parse(selector) is None:
            return f"the selector {selector[:80]!r} needs the whole document"
        return ""

    def hit_by(self, step: Step) -> str:
        """How the given turn hits this key step, or an empty text."""
        if self.undecidable:
            return ""
        if not self.match.startswith("url"):
            return self._element(step)
        urls = [step.observation.url, *([step.outcome.url] if self.sampled == "after" else [])]
        fits = url_exactly if self.match == "url_exactly_match" else url_included
        return next((f"{self.match}: {url}" for url in urls if url and fits(url, self.key, self.answer)), "")

    def _element(self, step: Step) -> str:
        """The element that the action was for, whether or not it succeeded."""
        target = step.outcome.target
        if target is None or target.unserved or (self.netloc and netloc_label(step.observation.url) != self.netloc):
            return ""
        selector = self.answer if self.match == "element_path_exactly_match" else self.path
        if selector and not element_path(target.path, selector):
            return ""
        if self.match == "element_path_exactly_match":
            return f'{self.match}: {target.role} "{target.name}"'
        typed = step.action is not None and step.action.type == "fill"
        value = (
            step.outcome.value if typed else target.name
        )  # of a list, WebCanvas takes the text, not the selected option
        exact = self.match == "element_value_exactly_match"
        return f"{self.match}: {value!r}" if (value == self.answer if exact else self.answer in value) else ""

    def missed(self, steps: Sequence[Step]) -> str:
        """Why it was not hit."""
        if self.undecidable:
            return f"not decidable: {self.undecidable}"
        if self.match.startswith("url") and steps and self.sampled == "before":
            last = self.model_copy(update={"sampled": "after"}).hit_by(steps[-1])
            if last:
                return f"only the last action led there, and no other followed: WebCanvas does not count it ({last})"
        what = f"{self.key}={self.answer}" if self.key else self.answer
        return f"{self.match}: nothing matched {what!r}"


def _parameter(url: str, key: str) -> str | None:
    """The first value of a parameter, decoded once more as WebCanvas does; None if it is missing or blank."""
    try:
        values = parse_qs(urlsplit(url).query).get(key)
    except ValueError:
        return None
    return unquote(values[0]) if values else None


def _netloc(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:
        return ""
