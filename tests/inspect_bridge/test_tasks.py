"""Our tasks in Inspect: the same actions get the same score as in a run of ours."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import inspect_ai
import pytest
from inspect_ai.log import EvalSample
from inspect_ai.model import ModelOutput, get_model

from longtrail.episode.context import EpisodeContext
from longtrail.errors import UsageError
from longtrail.inspect_bridge import tasks
from longtrail.records.trajectory import Case, Contender
from longtrail.scoring.score import score
from longtrail.tasks.loading import load_tasks
from tests.made import play_case

if TYPE_CHECKING:
    from longtrail.browser.session import Browser
    from longtrail.web.sealed import SealedWeb

pytestmark = [  # said by what Inspect itself uses
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def tokenizer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inspect counts tokens with tiktoken, which would load its table from the internet; litellm brings it."""
    folder = Path(next(iter(find_spec("litellm").submodule_search_locations or ())))  # type: ignore[union-attr]
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(folder / "litellm_core_utils" / "tokenizers"))


def evaluated(folder: Path, answers: list[ModelOutput], **limits: Any) -> EvalSample:
    """The first sample of the shop, with a model that gives these answers."""
    model = get_model("mockllm/model", custom_outputs=answers)
    task = tasks.shopping_admin(sample=1)
    (log,) = inspect_ai.eval(task, model=model, log_dir=str(folder), display="none", **limits)
    assert log.status == "success", log.error
    assert log.samples
    return log.samples[0]


@pytest.mark.slow
def test_the_same_actions_get_the_same_score(
    embedded_web: "SealedWeb", shared_browser: "Browser", tmp_path: Path
) -> None:
    task = next(entry for entry in load_tasks().values() if entry.suite == "shopping_admin")
    case = Case(id=f"{task.id.lower()}-raw-r0", suite="shopping_admin", task=task.id, prompt="raw")
    trajectory = play_case(case, task, EpisodeContext(embedded_web, shared_browser, Contender(agent="oracle")))
    result = score(task, trajectory)
    answers = [
        ModelOutput.for_tool_call(
            "mockllm/model",
            step.action.type,
            step.action.model_dump(mode="json", exclude={"type"}, exclude_defaults=True),
        )
        for step in trajectory.steps
        if step.action
    ]
    sample = evaluated(tmp_path, answers)
    assert sample.scores
    (judged,) = sample.scores.values()
    assert judged.value == 1
    assert judged.explanation == result.reason
    assert judged.metadata == result.values
    assert task.id in str(sample.id).upper()


@pytest.mark.slow
def test_an_answer_without_a_tool_is_told_so_and_takes_a_step(tmp_path: Path) -> None:
    answers = [ModelOutput.from_content("mockllm/model", "I would click the second link.")]
    answers += [ModelOutput.for_tool_call("mockllm/model", "decide", {"decision": "MAYBE", "justification": "So."})]
    answers += [ModelOutput.for_tool_call("mockllm/model", "decide", {"decision": "APPROVE", "justification": "So."})]
    sample = evaluated(tmp_path, answers)
    assert sample.scores
    assert next(iter(sample.scores.values())).value == 0
    texts = [message.text for message in sample.messages]
    assert any("call one of the tools: goto, click" in text for text in texts), texts
    assert texts[-1] == "The task is over."


@pytest.mark.thorough
def test_a_variant_is_made_from_its_seed() -> None:
    shipped, varied = (tasks.shopping_admin(sample=1, variant=seed).dataset[0] for seed in (0, 100_001))
    assert varied.input != shipped.input
    assert [sample.metadata["split"] for sample in (shipped, varied) if sample.metadata] == ["test", "train"]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"variant": "abc"}, "-T variant=abc: expected a whole number, 0 or more"),
        ({"sample": -1}, "-T sample=-1: expected a whole number, 0 or more"),
        ({"variant": 1_000_000}, "variant=1000000: expected a seed from 1 to 999999"),
    ],
)
def test_bad_options_are_said(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        tasks.shopping_admin(**options)
