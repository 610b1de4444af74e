"""Number words: merges tokens that belong together: numbers and days in words, amounts and currency, sizes."""

from datetime import date
from decimal import Decimal

from longtrail.text.lexicon import CURRENCIES, DAYS, MONTHS, MULTIPLIERS, NUMBERS, TENS
from longtrail.text.token import Token

_PAIRS: dict[object, str] = {
    ("extra", "size:l"): "size:xl",
    ("x", "size:l"): "size:xl",
    ("extra", "size:s"): "size:xs",
    ("e", "mail"): "email",
    ("per", "cent"): "percent",
}
_PARTS = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
_FIRST = NUMBERS.keys() | TENS.keys()
"""Words with which a number in words can begin."""


def merge(tokens: list[Token]) -> list[Token]:
    """Number words become numbers, `sixth of March` a date; a number with a currency or `percent` becomes money or a
    percentage."""
    return _units(_numbers(_days(_names(tokens))))


def _names(tokens: list[Token]) -> list[Token]:
    """`extra large`, `x-large` -> one size; `e-mail` -> email; `per cent` -> percent."""
    merged: list[Token] = []
    for token in tokens:
        pair = (merged[-1].value, token.value) if merged and merged[-1].kind == token.kind == "word" else None
        if pair in _PAIRS:
            merged[-1] = Token("word", _PAIRS[pair], merged[-1].start, token.end)
        else:
            merged.append(token)
    return merged


def _days(tokens: list[Token]) -> list[Token]:
    """`sixth of March`, `twenty-sixth of March, 2026` -> one date each."""
    merged: list[Token] = []
    for token in tokens:
        merged.append(token)
        day, link, month = (_word(part) for part in merged[-3:]) if len(merged) > 2 else ("", "", "")
        if day in DAYS and link == "of" and month in MONTHS:
            tens = TENS.get(_word(merged[-4]), 0) if len(merged) > 3 and DAYS[day] < 10 else 0
            begin = merged[-4 if tens else -3].start
            del merged[-4 if tens else -3 :]
            merged.append(Token("date", (MONTHS[month], int(tens) + DAYS[day]), begin, token.end))
        elif token.kind == "number" and (dated := _dated(merged)):
            del merged[-3 if merged[-2].kind == "comma" else -2 :]
            merged.append(dated)
    return merged


def _dated(tokens: list[Token]) -> Token | None:
    """The last tokens as one, if they are a day without a year, perhaps a comma, and a year."""
    last, before = tokens[-1], tokens[-3:-1] if tokens[-2:-1] and tokens[-2].kind == "comma" else tokens[-2:-1]
    year = int(last.value) if isinstance(last.value, Decimal) else 0
    if not before or not isinstance(before[0].value, tuple) or before[0].kind != "date" or not 1900 <= year <= 2100:
        return None
    try:
        return Token("date", date(year, *before[0].value), before[0].start, last.end)
    except ValueError:
        return None


def _word(token: Token) -> str:
    return str(token.value) if token.kind == "word" else ""


def _numbers(tokens: list[Token]) -> list[Token]:
    """`twenty-five`, `two hundred and six`, `1.2 million` -> one number each."""
    merged: list[Token] = []
    position = 0
    while position < len(tokens):
        first = tokens[position]
        begins = first.kind == "number" or (first.kind == "word" and first.value in _FIRST)
        value, after = _spelled(tokens, position) if begins else (None, position)
        if value is None:
            merged.append(first)
            position += 1
        else:
            part, after = _fraction(tokens, after)
            value += part
            last = tokens[after - 1]
            merged.append(
                Token("number", value.normalize(), first.start, last.end, first.exact and after == position + 1)
            )
            position = after
    return merged


def _spelled(tokens: list[Token], position: int) -> tuple[Decimal | None, int]:
    """The number that starts at a position, and its end; (None, position) if there is none."""
    total, at = Decimal(0), position
    group: Decimal | None = None
    while at < len(tokens):
        token = tokens[at]
        word = str(token.value) if token.kind == "word" else ""
        if token.kind == "number" and group is None and isinstance(token.value, Decimal):
            group = token.value
        elif word in TENS and (group is None or group % 100 == 0) and not _digits(tokens, position):
            group = (group or Decimal(0)) + TENS[word]
        elif word in NUMBERS and (group is None or (group % 10 == 0 and group > 9)) and not _digits(tokens, position):
            group = (group or Decimal(0)) + NUMBERS[word]
        elif word in MULTIPLIERS and group is not None:
            group = group * MULTIPLIERS[word]
            if word != "hundred":
                total, group = total + group, None if _continues(tokens, at + 1) else Decimal(0)
        elif word == "and" and at > position and str(tokens[at - 1].value) in MULTIPLIERS and _continues(tokens, at):
            at += 1
            continue
        else:
            break
        at += 1
    return (None, position) if at == position else (total + Decimal(group or 0), at)


def _fraction(tokens: list[Token], at: int) -> tuple[Decimal, int]:
    """What `and a half` or `and three quarters` after a number adds to it, and its end. Articles are not tokens."""
    words = [str(token.value) for token in tokens[at : at + 3]]
    article = len(words) > 1 and tokens[at + 1].start - tokens[at].end > 1
    if article and words[:2] in (["and", "half"], ["and", "quarter"]):
        return _PARTS[words[1]], at + 2
    if words[:1] == ["and"] and words[2:] == ["quarter"] and words[1] in ("one", "three"):
        return _PARTS["quarter"] * NUMBERS[words[1]], at + 3
    return Decimal(0), at


def _digits(tokens: list[Token], position: int) -> bool:
    return tokens[position].kind == "number"


def _continues(tokens: list[Token], at: int) -> bool:
    """Whether a number word follows, perhaps after `and`."""
    if at < len(tokens) and tokens[at].value == "and":
        at += 1
    return at < len(tokens) and tokens[at].kind == "word" and (tokens[at].value in NUMBERS or tokens[at].value in TENS)


def _units(tokens: list[Token]) -> list[Token]:
    merged: list[Token] = []
    for token in tokens:
        last = merged[-1] if merged else None
        if last and last.kind == "number" and token.kind == "word" and isinstance(last.value, Decimal):
            if token.value in ("percent", "pct"):
                merged[-1] = Token("percent", last.value, last.start, token.end)
                continue
            if token.value in CURRENCIES:
                merged[-1] = Token("money", (CURRENCIES[str(token.value)], last.value), last.start, token.end)
                continue
            if token.value == "cent":
                merged[-1] = Token("money", ("USD", (last.value / 100).normalize()), last.start, token.end)
                continue
        if last and last.kind == "word" and last.value in ("usd", "eur", "gbp") and token.kind == "number":
            merged[-1] = Token("money", (CURRENCIES[str(last.value)], token.value), last.start, token.end)
            continue
        merged.append(token)
    return merged
