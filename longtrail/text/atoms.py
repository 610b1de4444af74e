"""Atoms: a line of text as typed tokens, so that amounts, dates and counts compare as values and not as characters."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import lru_cache

from longtrail.text.folding import fold, offsets
from longtrail.text.lexicon import AMBIGUOUS_STATES, ARTICLES, CURRENCIES, MONTHS, ORDINALS, SIZES, STATES, singular
from longtrail.text.number_words import merge
from longtrail.text.token import Kind, Token

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_NUM = r"\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)?"
_TOKEN = re.compile(
    rf"""(?P<plain>(?<![\w'])(?!(?:{_MONTH})\b|no\.)[a-z]+(?![\w']))\s*
    |(?P<comma>,)\s*
    |(?P<colon>:)\s*
    |(?P<iso>\b\d{{4}}[-/]\d{{1,2}}[-/]\d{{1,2}}\b)
    |(?P<us>\b\d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d{{2}})\b)
    |(?P<dotted>\b\d{{1,2}}\.\d{{1,2}}\.\d{{4}}\b)
    |\b(?P<md_month>{_MONTH})\b\.?\s+(?P<md_day>\d{{1,2}})(?:st|nd|rd|th)?\b(?![.:/%]?\d|\s?%)(?:,?\s+(?P<md_year>\d{{4}})\b)?
    |\b(?P<dm_day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<dm_month>{_MONTH})\b\.?(?:,?\s+(?P<dm_year>\d{{4}})\b)?
    |(?P<time>\b\d{{1,2}}:\d{{2}}(?::\d{{2}})?\b(?:\s?[ap]\.?m\b)?)
    |(?P<dots>\b\d+(?:\.\d+){{2,}}\b)
    |(?P<symbol>[$€£])\s?(?P<amount>{_NUM})(?P<amount_k>[km]\b)?
    |(?<![\w.])(?P<amount_first>{_NUM})\s?(?P<symbol_last>[€£$])(?!\d)
    |(?<![\w.])(?P<percent>{_NUM})\s?%
    |\#\s?(?P<hash>[a-z0-9]+)\b
    |(?P<zeros>\b0\d{{2,}}\b(?!\.\d))
    |(?P<ordinal>\b\d+(?:st|nd|rd|th)\b)
    |\b(?P<with_unit>\d+(?:\.\d+)?)(?P<unit>h|hrs?|d|mins?|wks?|yrs?|mos?)\b
    |(?P<size>\b[23]xl\b)
    |(?<![\w.])(?P<thousand>{_NUM})k\b
    |(?P<mixed>\b(?:\d+[a-z]|[a-z]+\d)[a-z0-9]*\b)
    |(?P<number>(?:(?<![\w)\].,-])-)?(?:{_NUM}))
    |\b(?P<numero>no\.\s?(?=[\d#]))
    |(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)
    |(?P<arrow>-+>|=>)
    |(?P<and>&)
    |(?P<dash>(?<=\s)-+(?=\s|$)|--+|[()\[\]{{}}|])
    |(?P<stop>[.!?;…]+(?=[\s"')\]]|$))""",
    re.VERBOSE,
)
"""`plain`, which matches most words of any text, comes first: no later alternative would match more than the word. It
includes the following space, because trying other alternatives there would take longer than the word."""
_IN_A_ROW = {place: word for word, place in ORDINALS.items()}
_ODD = frozenset({"cannot", *ARTICLES, *SIZES})
_ABBREVIATED = re.compile(r"(?:^|[\s(])(?:[a-z]|mr|mrs|ms|dr|st|vs|no|approx|e\.g|i\.e|inc|jr|sr|max|min)$")


@lru_cache(maxsize=32_768)
def tokenize(line: str) -> tuple[Token, ...]:
    """The tokens of a line, articles left out. Offsets are those of the line as given."""
    folded = fold(line)
    tokens = merge(list(_scan(line, folded)))
    index = offsets(line)
    if index is None:
        return tuple(tokens)
    index.append(len(line))
    return tuple(replace(t, start=index[t.start], end=index[t.end - 1] + 1) for t in tokens)


def _scan(line: str, folded: str) -> Iterator[Token]:
    cased = line if len(line) == len(folded) else "".join(char * len(fold(char)) for char in line)
    for match in _TOKEN.finditer(folded):
        group = match.lastgroup
        if group == "plain":
            start, end = match.span("plain")
            word = folded[start:end]
            if word not in _ODD and cased[start:end] not in STATES:
                yield Token("word", singular(word), start, end)
            else:
                yield from _words(word, start, cased, folded)
        elif group == "comma":
            yield Token("comma", ",", *match.span("comma"))
        elif group == "colon":
            yield Token("colon", ":", *match.span("colon"))
        elif group == "word":
            yield from _words(match[0], match.start(), cased, folded)
        elif group == "stop":
            start, end = match.span()
            if match[0] != "." or not _ABBREVIATED.search(folded[max(0, start - 8) : start]):
                yield Token("stop", match[0], start, end)
        elif group == "dash":
            yield Token("dash", match[0], *match.span())
        elif group != "numero":  # "No. 5" is not a denial
            yield from _valued(match, *match.span(), cased)


def _valued(match: re.Match[str], start: int, end: int, line: str) -> Iterator[Token]:
    """The tokens of a match that is a value of some type."""
    found = match.groupdict()
    if day := _calendar(found, line[start:end]):
        yield Token("date", day, start, end)
    elif found["time"]:
        yield Token("time", _minutes(found["time"]), start, end)
    elif found["symbol"]:
        factor = {"k": 1_000, "m": 1_000_000}.get(found["amount_k"] or "", 1)
        yield Token("money", (CURRENCIES[found["symbol"]], _decimal(found["amount"]) * factor), start, end)
    elif found["symbol_last"]:
        yield Token("money", (CURRENCIES[found["symbol_last"]], _decimal(found["amount_first"])), start, end)
    elif found["percent"]:
        yield Token("percent", _decimal(found["percent"]), start, end)
    elif found["hash"] or found["zeros"]:
        yield Token("ref", (found["hash"] or found["zeros"]).lstrip("0") or "0", start, end)
    elif found["with_unit"]:
        middle = start + len(found["with_unit"])
        yield Token("number", _decimal(found["with_unit"]), start, middle)
        yield Token("word", "day" if found["unit"] == "d" else singular(found["unit"]), middle, end)
    elif found["thousand"]:
        yield Token("number", _decimal(found["thousand"]) * 1_000, start, end)
    elif found["number"]:
        text = found["number"]
        yield Token("number", _decimal(text), start, end, exact=re.search(r"\.\d\d$", text) is not None)
    elif found["ordinal"]:
        yield Token("word", _IN_A_ROW.get(int(re.sub(r"\D", "", match[0])), match[0]), start, end)
    elif found["arrow"] or found["and"]:
        yield Token("word", "to" if found["arrow"] else "and", start, end)
    elif found["size"]:
        yield Token("word", f"size:{SIZES[found['size']]}", start, end)
    elif found["dm_month"] or found["md_month"]:
        # "15 may be enough" is not a day
        for part in re.finditer(r"\d+|[a-z]+", match[0]):
            kind: Kind = "number" if part[0].isdigit() else "word"
            value = _decimal(part[0]) if part[0].isdigit() else part[0]
            yield Token(kind, value, start + part.start(), start + part.end())
    else:
        yield Token("word", match[0], start, end)


def _words(word: str, start: int, line: str, folded: str) -> Iterator[Token]:
    """The token or tokens of a word: contractions are split, state codes are written out, sizes are marked."""
    end = start + len(word)
    head, mark, tail = word.partition("'")
    if tail == "t" and head.endswith("n"):
        head = {"can": "can", "won": "will", "shan": "shall"}.get(head, head[:-1])
        yield Token("word", head, start, end)
        yield Token("word", "not", start, end)
    elif mark and tail in ("s", "ve", "re", "ll", "d", "m"):
        if head not in ARTICLES:
            yield Token("word", singular(head), start, start + len(head), possessive=tail == "s")
    elif word == "cannot":
        yield Token("word", "can", start, end)
        yield Token("word", "not", start, end)
    elif word not in ARTICLES:
        written = line[start:end]
        if written in STATES and (written not in AMBIGUOUS_STATES or _in_address(folded, start, end)):
            for name in STATES[written].split():
                yield Token("word", singular(name), start, end)
        elif word in SIZES and (len(word) > 3 or written.isupper()) and folded[end : end + 1] not in (".", "'"):
            yield Token("word", f"size:{SIZES[word]}", start, end)
        else:
            owns = word.endswith("s") and folded[end : end + 1] == "'"
            yield Token("word", singular(word.replace("'", "")), start, end, possessive=owns)


def _in_address(folded: str, start: int, end: int) -> bool:
    return folded[:start].rstrip().endswith(",") or re.match(r",?\s+\d{5}\b", folded[end:]) is not None


def _decimal(text: str) -> Decimal:
    return Decimal(text.replace(",", "")).normalize()


def _minutes(text: str) -> int:
    hours, minutes = int(text.split(":")[0]), int(text.split(":")[1][:2])
    half = re.search(r"([ap])\.?m$", text)
    if half:
        hours = hours % 12 + (12 if half[1] == "p" else 0)
    return 60 * hours + minutes


def _calendar(found: dict[str, str | None], written: str) -> date | tuple[int, int] | None:
    """A day of the calendar from any of the forms; dates with slashes are American unless that is not a valid date."""
    if text := found["iso"]:
        year, month, day = map(int, re.split("[-/]", text))
    elif text := found["us"] or found["dotted"]:
        first, second, year = map(int, re.split("[/.]", text))
        american = found["us"] is not None and first <= 12
        month, day = (first, second) if american else (second, first)
        year += 2000 if year < 100 else 0
    elif name := found["md_month"] or found["dm_month"]:
        given = found["md_year"] or found["dm_year"]
        month, day, year = MONTHS[name], int(found["md_day"] or found["dm_day"] or 0), int(given or 0)
        if name == "may" and not given and "May" not in written:
            return None
        if not given:
            return (month, day) if 1 <= day <= 31 else None
    else:
        return None
    try:
        return date(year, month, day)
    except ValueError:
        return None
