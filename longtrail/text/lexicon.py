"""Lexicon: the words for numbers, units, months, places, sizes and currencies, and the removal of plural endings."""


def _ranks(words: str, first: int = 0) -> dict[str, int]:
    """Words -> their position; words joined by `/` share one."""
    return {word: rank for rank, group in enumerate(words.split(), first) for word in group.split("/")}


def _pairs(lines: str) -> dict[str, str]:
    """`KEY value|KEY value` as a mapping."""
    return {line.split(" ", 1)[0]: line.split(" ", 1)[1] for line in lines.split("|")}


NUMBERS = _ranks(
    "zero one two three four five six seven eight nine ten eleven twelve/dozen thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
TENS = {word: 10 * rank for word, rank in _ranks("twenty thirty forty fifty sixty seventy eighty ninety", 2).items()}
ORDINALS = _ranks(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth",
    1,
)
DAYS = {**ORDINALS, "thirtieth": 30}
"""The words for a day of a month; those from 21 on, except 30, are two words."""
MULTIPLIERS = {"hundred": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
MONTHS = _ranks(
    "jan/january feb/february mar/march apr/april may jun/june jul/july aug/august sep/sept/september oct/october "
    "nov/november dec/december",
    1,
)

UNITS: dict[str, tuple[str, float]] = {
    name: (scale, size)
    for names, scale, size in (
        ("second sec secs", "days", 1 / 86_400),
        ("minute min", "days", 1 / 1_440),
        ("hour hr hrs h", "days", 1 / 24),
        ("day", "days", 1.0),
        ("night", "days", 1.0),
        ("week wk wks", "days", 7.0),
        ("fortnight", "days", 14.0),
        ("month mo mos", "months", 1.0),
        ("year yr yrs", "months", 12.0),
    )
    for name in names.split()
}
"""Unit -> its scale, and its size there. Months and years have no fixed number of days."""
DAYS_PER_MONTH = 365.25 / 12

CURRENCIES = {"$": "USD", "usd": "USD", "dollar": "USD", "buck": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR"} | {
    "£": "GBP",
    "gbp": "GBP",
}

STATES = _pairs(
    "AL alabama|AK alaska|AZ arizona|AR arkansas|CA california|CO colorado|CT connecticut|DE delaware|FL florida|"
    "GA georgia|HI hawaii|ID idaho|IL illinois|IN indiana|IA iowa|KS kansas|KY kentucky|LA louisiana|ME maine|"
    "MD maryland|MA massachusetts|MI michigan|MN minnesota|MS mississippi|MO missouri|MT montana|NE nebraska|"
    "NV nevada|NH new hampshire|NJ new jersey|NM new mexico|NY new york|NC north carolina|ND north dakota|OH ohio|"
    "OK oklahoma|OR oregon|PA pennsylvania|RI rhode island|SC south carolina|SD south dakota|TN tennessee|"
    "TX texas|UT utah|VT vermont|VA virginia|WA washington|WV west virginia|WI wisconsin|WY wyoming"
)
AMBIGUOUS_STATES = frozenset({"HI", "ID", "IN", "ME", "OK", "OR"})
"""Codes that are also words in capitals: they count as states only after a comma or before a ZIP code."""

SIZES = {
    "xs": "xs",
    "s": "s",
    "small": "s",
    "m": "m",
    "medium": "m",
    "l": "l",
    "large": "l",
    "xl": "xl",
    "xxl": "xxl",
    "2xl": "xxl",
    "xxxl": "xxxl",
    "3xl": "xxxl",
}
ARTICLES = frozenset({"a", "an", "the"})

_KEEP = frozenset({"does", "news", "always", "perhaps", "series", "species", "less", "plus", "yes"})
_ES = ("sses", "shes", "ches", "xes", "zes")


def singular(word: str) -> str:
    """A word without its plural ending, approximately; applied to both sides of every comparison."""
    if len(word) <= 3 or word in _KEEP or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_ES) else word[:-1]
