"""Second opinion: a model judges the claims of a decision in addition to the rules (`grounding/`), never instead of
them. One call for each decision, at temperature 0. The episode stores its answer, so that scoring stays a pure
function of files. A justification may try to persuade the judge, so no primary measure depends on it.
"""

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from longtrail.errors import HarnessTrouble
from longtrail.llm.client import Message, ModelClient
from longtrail.llm.secrets import redact
from longtrail.llm.tokens import count
from longtrail.records.record import Record
from longtrail.records.trajectory import ClaimKind, ClaimOpinion, SecondOpinion, Trajectory
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.hallucination import Claim, claims_of, ledger_of
from longtrail.scoring.shown_pages import ShownPage
from longtrail.scoring.sources import resolve
from longtrail.tasks.briefing import prompt_templates
from longtrail.tasks.task import DecisionTask, Task

if TYPE_CHECKING:
    import jinja2

PAGE_TOKENS = 40_000
"""Maximum tokens of the pages that the agent was shown. Pages that the evidence names come first, then the latest."""
ANSWER_TOKENS = 4_000
MAX_REASON = 300
"""Maximum characters of a reason."""


class _Verdict(Record):
    claim: int
    kind: ClaimKind
    reason: str = ""


def with_opinion(task: Task, trajectory: Trajectory, model: ModelClient) -> Trajectory:
    """The episode with the model's opinion on its decision; unchanged if there is nothing to judge.

    Trouble with the model's server is recorded in the opinion and does not affect the case. Raises UsageError for what
    concerns the whole run (a rejected key).
    """
    if not isinstance(task, DecisionTask) or not trajectory.valid:
        return trajectory
    case = DecisionView.of(task, trajectory)
    claims = claims_of(case.decision) if case.decision else ()
    if not claims:
        return trajectory
    try:
        reply = model.complete(messages(case, claims), max_tokens=ANSWER_TOKENS, json=True)
    except HarnessTrouble as error:
        opinion = SecondOpinion(model=model.name, problem=redact(f"{error.kind}: {error.message}")[:MAX_REASON])
    else:
        found, problem = read(reply.text, claims)
        opinion = SecondOpinion(
            model=model.name, model_reported=reply.model, claims=found, usage=reply.usage, problem=problem
        )
    return trajectory.model_copy(update={"opinion": opinion})


def messages(case: DecisionView, claims: Iterable[Claim]) -> tuple[Message, ...]:
    """The prompt for the model: the delivered pages, then the numbered claims."""
    pages, left_out = _pages(case, claims)
    listed = [claim.model_dump(exclude_defaults=True) for claim in claims]
    asked = template("second_opinion.j2").render(
        prompt=case.trajectory.prompt,
        pages=pages,
        left_out=left_out,
        claims=listed,
    )
    return (
        Message(role="system", text=template("second_opinion_system.j2").render()),
        Message(role="user", text=asked),
    )


def _pages(case: DecisionView, claims: Iterable[Claim]) -> tuple[list[ShownPage], int]:
    """Each page text once, in order of delivery, as far as they fit, and the number of omitted pages."""
    pages, host = case.known_pages, ledger_of(case).host
    shown = {page.text: page for page in reversed(pages) if page.text.strip()}
    named = [page.text for claim in claims if claim.source for page in resolve(claim.source, pages, host).pages]
    room, kept = PAGE_TOKENS, []
    for text in dict.fromkeys([*named, *shown]):
        size = count(text)
        if text in shown and size <= room:
            room -= size
            kept.append(shown[text])
    return sorted(kept, key=lambda page: page.step), len(shown) - len(kept)


def read(text: str, claims: tuple[Claim, ...]) -> tuple[tuple[ClaimOpinion, ...], str]:
    """The verdicts in an answer, and its problem (empty: none). The first verdict on a claim counts."""
    try:
        verdicts = [_Verdict.model_validate(one) for one in json_object(text)["verdicts"]]
    except (ValueError, KeyError, TypeError, ValidationError):
        return (), "the answer is not the JSON object that was asked for"
    found: dict[int, _Verdict] = {}
    for verdict in verdicts:
        if 1 <= verdict.claim <= len(claims):
            found.setdefault(verdict.claim, verdict)
    opinions = tuple(
        ClaimOpinion(claim=claims[number - 1].statement, kind=verdict.kind, reason=redact(verdict.reason)[:MAX_REASON])
        for number, verdict in sorted(found.items())
    )
    missing = len(claims) - len(found)
    return opinions, f"{missing} of {len(claims)} claims were not judged" if missing else ""


def json_object(text: str) -> Any:
    """What stands between the first and the last brace of a judge's answer. Raises ValueError."""
    start, end = text.find("{"), text.rfind("}")
    try:
        return json.loads(text[start : end + 1])
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


@cache
def template(name: str) -> "jinja2.Template":
    return prompt_templates(Path(__file__).with_name("prompts")).get_template(name)
