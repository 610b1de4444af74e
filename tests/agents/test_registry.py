"""From what `--agent` was given to a factory."""

import subprocess
import sys
from pathlib import Path

import pytest

from longtrail.agents.agent import Equipment
from longtrail.agents.prompt_files import fingerprint
from longtrail.agents.registry import MODEL_AGENTS, factory, known
from longtrail.errors import UsageError
from longtrail.records.action import Finish
from tests.agents.views import task, view


def test_built_in_agents_are_known_by_their_modules() -> None:
    baselines = {"nothing", "constant", "surface", "random", "looper", "stuffer", "visitor", "paster", "quoter"}
    assert set(known()) == {"webagent", "irag", "audit", "oracle"} | baselines
    assert factory("nothing")(task(), Equipment()).act(view("")) == Finish()


@pytest.mark.parametrize("name", ["nobody", "agent", "prompts", "registry", "", "../nothing", "os"])
def test_an_unknown_name_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match="audit, constant, irag, looper") as caught:
        factory(name)
    assert "\n" not in str(caught.value)


def test_an_agent_of_one_s_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_own_agent.py").write_text(
        "from longtrail.agents.baselines.nothing import Nothing\n"
        "def make(task, equipment):\n    return Nothing()\nword = 3\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    assert factory("my_own_agent:make")(task(), Equipment()).act(view("")) == Finish()
    for name, reason in {
        "my_own_agent:nothing": "no callable 'nothing'",
        "my_own_agent:word": "no callable 'word'",
        "no_such_module_here:make": "can't import 'no_such_module_here'",
    }.items():
        with pytest.raises(UsageError, match=reason):
            factory(name)


def test_agents_without_a_model_import_none() -> None:
    program = (
        "import sys; from longtrail.agents.registry import factory, known; known(); factory('webagent')\n"
        "print([name for name in ('litellm', 'openai', 'tiktoken', 'playwright') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_agents_with_prompts_are_those_with_a_model() -> None:
    assert {name for name in known() if fingerprint(name)} == MODEL_AGENTS


@pytest.mark.parametrize("name", sorted(MODEL_AGENTS))
def test_agents_that_need_a_model_say_so(name: str) -> None:
    with pytest.raises(UsageError, match="--model"):
        factory(name)(task(), Equipment())


def test_the_oracle_needs_a_reference() -> None:
    with pytest.raises(UsageError, match="reference"):
        factory("oracle")(task(), Equipment())
