"""Reference path: the reference's steps of a task next to the agent's steps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from urllib.parse import urlsplit

from longtrail.records.action import Action
from longtrail.records.trajectory import Step
from longtrail.tasks.reference import Locator, ReferenceStep
from longtrail.text.folding import squeeze


@dataclass(frozen=True, slots=True)
class PathRow:
    """A row of the comparison: the reference's step, the agent's step, or both if they did the same."""

    reference: str
    why: str
    step: int | None
    """Index of the agent's step in `steps`, from 0."""

    @property
    def same(self) -> bool:
        """Whether both did this."""
        return bool(self.reference) and self.step is not None


def aligned_paths(path: Sequence[ReferenceStep], steps: Sequence[Step]) -> tuple[PathRow, ...]:
    """Both paths, aligned at equal steps."""
    ours, theirs = [_mark(step) for step in path], [_done(step) for step in steps]
    rows: list[PathRow] = []
    for tag, a, b, c, d in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        if tag == "equal":
            rows += [PathRow(words(path[i]), path[i].why, j) for i, j in zip(range(a, b), range(c, d), strict=True)]
        else:
            rows += [PathRow(words(path[i]), path[i].why, None) for i in range(a, b)]
            rows += [PathRow("", "", j) for j in range(c, d)]
    return tuple(rows)


def words(step: ReferenceStep) -> str:
    """A step of the reference in words."""
    return next(_worded(step))


def _worded(step: ReferenceStep) -> Iterator[str]:
    if step.goto is not None:
        yield f"goto {step.goto}"
    if step.click is not None:
        yield f"click {_element(step.click)}"
    if step.fill is not None:
        yield f'fill {_element(step.fill)} with "{step.fill.text}"' + " and press Enter" * step.fill.enter
    if step.select is not None:
        yield f'select "{step.select.option}" in {_element(step.select)}'
    if step.search is not None:
        yield f'search the web for "{step.search}"'
    if step.read is not None:
        yield f'read "{step.read}"' + " in the picture" * step.picture
    if step.scroll is not None:
        yield f"scroll {step.scroll}"
    if step.finish is not None:
        yield f'finish with "{step.finish}"' if step.finish else "finish"
    if step.decide:
        yield "decide"
    yield "go back"


def _element(locator: Locator) -> str:
    return f'{locator.role} "{locator.name}"'


def _mark(step: ReferenceStep) -> tuple[str, str]:
    """A step's identity: the kind of action and its target."""
    for kind, locator in (("click", step.click), ("fill", step.fill), ("select", step.select)):
        if locator is not None:
            return kind, squeeze(locator.name.strip("*"))
    if step.goto is not None:
        return "goto", _address(step.goto)
    kind = next((name for name in ("search", "scroll", "finish", "decide", "back") if getattr(step, name)), "read")
    return kind, ""


def _done(step: Step) -> tuple[str, str]:
    action: Action | None = step.action
    if action is None or not step.outcome.ok:
        return "failed", str(step.number)
    if action.type == "goto":
        return "goto", _address(action.url)
    if action.type in ("click", "fill", "select"):
        return action.type, squeeze(step.outcome.target.name) if step.outcome.target else ""
    return action.type, ""


def _address(url: str) -> str:
    """Host and path without the trailing slash."""
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
    except ValueError:
        return url
    return f"{parts.netloc.casefold()}{parts.path.rstrip('/')}"
