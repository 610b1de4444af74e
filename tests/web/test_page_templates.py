"""Page templates are compiled once, and again when they change."""

import sys
from pathlib import Path

import pytest

from longtrail.web.page_templates import environment


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a template."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "hello.html").write_text("<p>Hello {{ name }}</p>")
    return folder


def shown(folder: Path) -> str:
    """The template, rendered in a new environment."""
    return environment(folder).get_template("hello.html").render(name="<Ann>")


def test_a_compiled_template_is_used_again_until_it_changes(folder: Path) -> None:
    assert shown(folder) == "<p>Hello &lt;Ann&gt;</p>"
    (kept,) = (folder.parent / "__pycache__").iterdir()
    compiled = kept.read_bytes()
    kept.write_bytes(compiled.replace(b"Hello", b"Howdy"))
    assert shown(folder) == "<p>Howdy &lt;Ann&gt;</p>", "it was not compiled again"
    (folder / "hello.html").write_text("<p>Goodbye {{ name }}</p>")
    assert shown(folder) == "<p>Goodbye &lt;Ann&gt;</p>"
    assert len(list((folder.parent / "__pycache__").iterdir())) == 1


@pytest.mark.parametrize("spoiled", [b"", b"nonsense", b"j2"])
def test_a_spoiled_file_is_made_anew(folder: Path, spoiled: bytes) -> None:
    shown(folder)
    (kept,) = (folder.parent / "__pycache__").iterdir()
    kept.write_bytes(spoiled)
    assert shown(folder) == "<p>Hello &lt;Ann&gt;</p>"


def test_a_folder_that_can_not_be_written_is_no_trouble(folder: Path) -> None:
    (folder.parent / "__pycache__").write_text("a file, as a read-only folder means nothing to root")
    assert shown(folder) == "<p>Hello &lt;Ann&gt;</p>"


def test_nothing_is_kept_where_python_keeps_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert shown(folder) == "<p>Hello &lt;Ann&gt;</p>"
    assert list(folder.parent.iterdir()) == [folder]
