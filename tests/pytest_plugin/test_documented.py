"""The documents describe exactly the options that exist."""

import re

import pytest

from longtrail.agents.prompt_files import PROFILES
from longtrail.agents.spec import BUILT_IN, agents_help
from longtrail.commands.main import subcommands
from longtrail.llm.litellm_client import CLIENT_ARGS
from longtrail.options.flags import ADDED
from tests.pytest_plugin.pytest_process import ROOT

OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def blocks_of(document: str, *languages: str) -> list[str]:
    """A document's blocks in these languages; commands have none."""
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    return [text for language, text in blocks if language in languages]


def rows(document: str, heading: str) -> list[tuple[str, str]]:
    """First and second cell of the first table under a heading."""
    text = (ROOT / document).read_text(encoding="utf-8").partition(f"\n## {heading}")[2].partition("\n## ")[0]
    table = [line for line in text.splitlines() if line.startswith("| ")]
    assert table, f"{document} has no table under {heading}"
    cells = [re.split(r"(?<!\\)\|", line)[1:3] for line in table if not line.startswith("| option")]
    return [(first.strip(), second.strip()) for first, second in cells]


def test_every_option_is_documented_and_no_other() -> None:
    told = {option for first, second in rows("docs/options.md", "Options") for option in OPTION.findall(first + second)}
    assert told - {"--markers", "--longtrail-", "--longtrail-seed"} == set(ADDED)  # pytest's own, and the long form


def test_every_choice_and_every_agent_is_told() -> None:
    table = rows("docs/options.md", "Options")
    whole = "\n".join(first + second for first, second in table)
    for option, settings in ADDED.items():
        for choice in settings.get("choices", ()):
            assert choice in whole, f"{option} {choice}"
    (agents,) = [second for first, second in table if "--agent NAME" in first]
    assert set(BUILT_IN) <= set(re.findall(r"`(\w+)`", agents))
    (profiles,) = [first for first, _ in table if "--profile" in first]
    assert all(name in profiles for name in PROFILES)
    assert set(BUILT_IN) <= set(re.findall(r"\w+", agents_help()))


def test_every_argument_of_models_is_told_and_no_other() -> None:
    table = rows("docs/models.md", "Arguments: `--model-arg KEY=VALUE`")
    told = {name for first, _ in table[1:] for name in re.findall(r"`([a-z_]+)", first)}
    assert told == CLIENT_ARGS


DOCUMENTS = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]
PYTESTS = {"--junitxml", "--html", "--setup-plan", "--markers", "--collect-only", "--fixtures", "--count", "--pyargs"}
"""Options of pytest and of other plugins that the documents use."""


@pytest.mark.parametrize("document", DOCUMENTS)
def test_examples_use_options_and_commands_that_there_are(document: str) -> None:
    """Every long option of their pytest commands is one of ours, and every subcommand of `longtrail` exists."""
    blocks = blocks_of(document, "")
    used = {
        option
        for line in "\n".join(blocks).splitlines()
        if re.search(r"(?<!-)pytest ", line)
        for option in OPTION.findall(line.partition("#")[0])
    }
    assert used <= set(ADDED) | PYTESTS
    text = "\n".join(blocks)
    used_commands = set(re.findall(r"^(?:\$ )?longtrail ([a-z-]+)", text, re.MULTILINE))
    assert used_commands <= set(subcommands())


def test_every_document_is_a_page_of_the_site() -> None:
    pages = set(re.findall(r": ([a-z-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    outside = {"index.md", "changelog.md", "contributing.md"}
    assert pages - outside == {path.name for path in (ROOT / "docs").glob("*.md")}
