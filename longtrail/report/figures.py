"""Figures: numbers as people read them. Rates come as fractions and are shown in percent; None is a dash."""

from longtrail.tasks.cases import length_name

NONE = "–"


def percent(value: float | None, digits: int = 1) -> str:
    """0.4615 -> `46.2`, without the percent sign. Exactly 0 or 100 has no decimals."""
    if value is None:
        return NONE
    number = round(100 * value, digits)
    return f"{number:.0f}" if number in (0, 100) else f"{number:.{digits}f}"


def span(low: float | None, high: float | None) -> str:
    """An interval of a rate in whole percent: `38–54`."""
    if low is None or high is None:
        return ""
    return f"{100 * low:.0f}–{100 * high:.0f}"


def decimal(value: float | None, digits: int = 2) -> str:
    """A plain number with a fixed number of decimals."""
    return NONE if value is None else f"{value:.{digits}f}"


def p_value(value: float) -> str:
    """Three decimals; `<0.001` instead of zero."""
    return "<0.001" if value < 0.0005 else f"{value:.3f}"


def whole(value: float | None) -> str:
    """A count with thin spaces between thousands: `12 345`."""
    return NONE if value is None else f"{value:,.0f}".replace(",", "\u2009")


def tokens(value: float | None) -> str:
    """A count of tokens in three digits: `950`, `15.3k`, `150k`, `2.41M`."""
    if value is None:
        return NONE
    scaled, unit = value, ""
    for bigger in ("k", "M", "G"):
        if scaled < 999.5:
            break
        scaled, unit = scaled / 1000, bigger
    digits = 0 if not unit or scaled >= 99.95 else 1 if scaled >= 9.995 else 2
    return f"{scaled:.{digits}f}{unit}"


def usd(value: float | None) -> str:
    """An amount in USD, with four decimals if small. None means an unknown price, not zero."""
    if value is None:
        return "unknown"
    if value == 0:
        return "$0"
    return f"${value:,.2f}" if value >= 0.1 else f"${value:.4f}"


def seconds(value: float | None) -> str:
    """A duration: `850 ms`, `12.4 s`, `3 min 05 s`, `2 h 10 min`."""
    if value is None:
        return NONE
    if value < 1:
        return f"{1000 * value:.0f} ms"
    if value < 59.95:
        return f"{value:.1f} s"
    minutes, remainder = divmod(round(value), 60)
    if minutes < 60:
        return f"{minutes} min {remainder:02d} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min"


def context(noise_tokens: int) -> str:
    """A context length as a column heading: `0`, `25k` ... `150k`, `1m`."""
    if noise_tokens >= 1_000_000 and noise_tokens % 1_000_000 == 0:
        return f"{noise_tokens // 1_000_000}m"
    return length_name(noise_tokens)


def part_name(stage: str) -> str:
    """A stage in words: the parts of a long-context task are recorded as `a1` and `a2`, those of an app's task by the
    measure that it failed."""
    words = {"a1": "first part", "a2": "second part", "success": "the end"}
    words |= {"key_step_rate": "the key steps", "paper_investigation": "the pages with the evidence"}
    return words.get(stage, stage)
