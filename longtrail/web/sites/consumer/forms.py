"""Forms: validates entered values, with messages for people."""

import datetime
import re
from collections.abc import Iterable, Mapping

from longtrail.web.sites.consumer.blocks import Control

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]{2,}")
_PHONE = re.compile(r"\+?[0-9 ().-]{7,20}")
MOST_CHARACTERS = 4_000


def options(control: Control) -> tuple[tuple[str, str], ...]:
    """(value, label) of a control's options."""
    pairs = (text.partition("=") for text in control.options)
    return tuple((value.strip(), (label or value).strip()) for value, _, label in pairs)


def complaints(controls: Iterable[Control], entered: Mapping[str, str]) -> dict[str, str]:
    """Field's name -> its error; empty if all are valid."""
    messages = {control.name: _complaint(control, entered.get(control.name, "").strip()) for control in controls}
    return {name: text for name, text in messages.items() if text}


def _complaint(control: Control, text: str) -> str:
    label = control.label.rstrip(":* ")
    if not text:
        return "" if not control.required else _missing(control, label)
    if len(text) > MOST_CHARACTERS:
        return f"{label} is too long."
    if control.pattern and not re.fullmatch(control.pattern, text):
        return control.complaint or f"{label} does not look right."
    match control.type:
        case "email" if not _EMAIL.fullmatch(text):
            return "Enter an email address like name@example.com."
        case "tel" if not _PHONE.fullmatch(text):
            return "Enter a phone number, digits only is fine."
        case "number":
            return _number(control, label, text)
        case "date":
            return _date(text)
        case "select" | "radio" if text not in {value for value, _ in options(control)}:
            return f"Choose one of the options for {label}."
    return ""


def _missing(control: Control, label: str) -> str:
    if control.type in ("select", "radio"):
        return f"Choose an option for {label}."
    return f"Tick this box to go on: {label}." if control.type == "checkbox" else f"{label} is required."


def _number(control: Control, label: str, text: str) -> str:
    try:
        value = float(text.replace(",", ""))
    except ValueError:
        return f"{label} must be a number."
    if control.least is not None and value < control.least:
        return f"{label} must be at least {control.least:g}."
    if control.most is not None and value > control.most:
        return f"{label} must be at most {control.most:g}."
    return ""


def _date(text: str) -> str:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return "Enter a date as year-month-day, like 2026-04-30."
    return ""
