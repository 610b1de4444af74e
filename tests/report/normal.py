"""Normal: HTML without style and script, one tag per line, so that changes of a snapshot can be read."""

import re


def normal(page: str) -> str:
    """The page without its style, its script and runs of white space."""
    page = re.sub(r"<style>.*?</style>", "<style>…</style>", page, flags=re.S)
    page = re.sub(r"<script>.*?</script>", "<script>…</script>", page, flags=re.S)
    page = re.sub(r"sha256-[A-Za-z0-9+/=]{44}", "sha256-…", page)
    page = re.sub(r"\s+", " ", page)
    return re.sub(r"> ?<", ">\n<", page).strip() + "\n"
