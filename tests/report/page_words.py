"""The words of a page, so that a snapshot has what a page says and not how it looks."""

import html
import re


def words(page: str) -> str:
    """What the page says, a line for each row or paragraph, without published numbers."""
    body = re.sub(r"(?s)<(style|script|svg)\b.*?</\1>", "", page.partition("<body")[2].partition(">")[2])
    body = re.sub(r'(?s)<tbody class="pub.*?</tbody>', "", body)
    pieces = re.split(r"</?(?:tr|p|h\d|section|li|ul|figure|details|summary|table|label|select)\b[^>]*>", body)
    lines = (" ".join(html.unescape(re.sub(r"<[^>]*>", " ", piece)).split()) for piece in pieces)
    return "\n".join(line for line in lines if line)
