"""What MkDocs needs to know about this repository: README, CHANGELOG and CONTRIBUTING become pages, and links to files
outside `docs/` lead to the repository."""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
REPOSITORY = "https://github.com/longtrail/longtrail/blob/main"
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
"""File at the top of the repository -> page of the site."""
_LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)#\s]+)")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that lie outside `docs/`."""
    for source, page in PAGES.items():
        text = _LINK.sub(lambda link: _from_docs(link[1]), (ROOT / source).read_text(encoding="utf-8"))
        files.append(File.generated(config, page, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links that leave `docs/` lead to another page of the site, or to the repository's file."""
    return _LINK.sub(lambda link: _outside(link[1]), markdown)


def _from_docs(target: str) -> str:
    """A link of a file at the top of the repository, as it would stand in `docs/`."""
    return posixpath.relpath(target, "docs")


def _outside(target: str) -> str:
    if not target.startswith("../"):
        return target
    name = posixpath.normpath(posixpath.join("docs", target))
    if name in PAGES:
        return PAGES[name]
    if not (ROOT / name).exists():
        return target  # MkDocs reports it
    return f"{REPOSITORY}/{name}"
