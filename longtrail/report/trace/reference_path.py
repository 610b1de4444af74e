"""Reference path: the reference's steps of a task next to the agent's steps."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from urllib.parse import urlsplit

from longtrail.records.action import Action
from longtrail.records.memory import describe
from longtrail.records.trajectory import Step
from longtrail.tasks.reference import ReferenceStep
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
    """A step of the reference in the words of an agent's step."""
    if step.decide or step.read is not None:
        return "decide" if step.decide else f'read "{step.read}"' + " in the picture" * step.picture
    element, action = step.element, step.action("1", "1")
    if element is None:
        return describe(action)
    if onto := element.onto:
        action = action.model_copy(update={"onto": f'{onto.role} "{onto.name}"'})
    return describe(action, element.role, element.name)


def _mark(step: ReferenceStep) -> tuple[str, str]:
    """A step's identity: the kind of action and its target."""
    if step.element is not None:
        return step.kind, squeeze(step.element.name.strip("*"))
    return step.kind, _address(step.goto) if step.goto is not None else ""


def _done(step: Step) -> tuple[str, str]:
    action: Action | None = step.action
    if action is None or not step.outcome.ok:
        return "failed", str(step.number)
    if action.type == "goto":
        return "goto", _address(action.url)
    return action.type, squeeze(step.outcome.target.name) if step.outcome.target else ""


def _address(url: str) -> str:
    """Host and path without the trailing slash."""
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
    except ValueError:
        return url
    return f"{parts.netloc.casefold()}{parts.path.rstrip('/')}"
