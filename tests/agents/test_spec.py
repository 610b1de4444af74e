"""How the value of `--agent` becomes a factory of agents."""

import subprocess
import sys
from pathlib import Path

import pytest

from longtrail.agents.agent import Equipment
from longtrail.agents.prompt_files import fingerprint
from longtrail.agents.spec import AGENTS, BASELINES, BUILT_IN, PROMPTS, AgentSpec
from longtrail.errors import UsageError
from longtrail.records.action import Finish
from tests.agents.views import task, view
from tests.tables import tables_of

TABLES = tables_of(__file__)


def test_built_in_agents_are_known_by_their_factories() -> None:
    assert all(callable(AgentSpec.parse(name).factory) for name in BUILT_IN)
    assert not set(AGENTS) & set(BASELINES)
    assert AgentSpec.parse("nothing").factory(task(), Equipment()).act(view("")) == Finish()


@pytest.mark.parametrize("name", ["nobody", "agent", "prompts", "registry", "", "../nothing", "os"])
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match="audit, constant, irag, lookup, looper") as caught:
        _ = AgentSpec.parse(name).factory
    assert "\n" not in str(caught.value)


def test_an_agent_of_one_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_own_agent.py").write_text(
        "from longtrail.agents.guessers import Nothing\n"
        "def make(task, equipment):\n    return Nothing(task, equipment)\nword = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert AgentSpec.parse("my_own_agent:make").factory(task(), Equipment()).act(view("")) == Finish()
    for name, reason in {
        "my_own_agent:nothing": "no callable 'nothing'",
        "my_own_agent:word": "no callable 'word'",
        "no_such_module_here:make": "can't import 'no_such_module_here'",
    }.items():
        with pytest.raises(UsageError, match=reason):
            _ = AgentSpec.parse(name).factory


def test_nothing_heavy_is_loaded_before_a_model_is_called() -> None:
    """What is known of a model is read without litellm, whose import takes seconds."""
    program = (
        "import sys; from longtrail.agents.spec import AgentSpec; from longtrail.llm.models import facts\n"
        "from longtrail.llm.litellm_client import LiteLLMClient\n"
        "AgentSpec.parse('webagent').factory; assert facts('gpt-4o').vision and LiteLLMClient('gpt-4o').vision\n"
        "print([name for name in ('litellm', 'openai', 'tiktoken', 'playwright') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_listing_agents_for_a_help_text_imports_none() -> None:
    program = (
        "import sys; from longtrail.agents.spec import agents_help; said = agents_help()\n"
        "print('stuffer' in said, [name for name in sys.modules if name.startswith('longtrail.agents.')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "True ['longtrail.agents.spec']", done.stderr


@pytest.mark.parametrize(("name", "kind", "target", "role"), TABLES["what_a_name_says"])
def test_what_a_name_says(name: str, kind: str, target: str, role: str) -> None:
    spec = AgentSpec.parse(name)
    assert (spec.kind, spec.target, spec.role) == (kind, target, role)
    assert spec.drives_browser == (kind == "cdp")
    assert spec.trust() == ("isolated" if kind in ("http", "cdp") else "in-process")
    assert (spec.trust("live") == "isolated, self-attested") == (kind == "cdp")
    assert spec.reads_whole_pages == (kind == "browsergym")
    assert spec.calls_model == (name == "webagent")
    assert spec.takes_model == (name == "webagent" or kind != "built_in")


def refusal_without_equipment(name: str) -> str:
    try:
        AgentSpec.parse(name).factory(task(), Equipment())
    except UsageError as error:
        return str(error)
    return ""


def test_agents_that_need_a_model_are_those_with_prompt_files() -> None:
    assert {name for name in BUILT_IN if "--model" in refusal_without_equipment(name)} == set(PROMPTS)
    assert {name for name in BUILT_IN if fingerprint(name)} == set(PROMPTS)


def test_only_the_oracle_needs_a_reference() -> None:
    assert {name for name in BUILT_IN if "reference" in refusal_without_equipment(name)} == {"oracle"}
