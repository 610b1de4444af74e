"""Variation: which facts a decision depends on. A fact matters if another possible value of it, with all others
unchanged, would change the decision. The same decision by another paragraph is not a change. If the rules then need
something that the case does not tell, every possible value of that is tried, too."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import product
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args, get_origin

from longtrail.records.record import Record

Decide = Callable[[Mapping[str, Any]], Any]
Fields = dict[str, dict[str, Any]]
"""Section of the rules -> field -> value."""
Bounds = Mapping[str, tuple[int, int]]
"""`section.field` of a number to the lowest and the highest value that it can have, given the other fields."""
_UNBOUND: Bounds = MappingProxyType({})
HUGE = 10**6
"""A value above every limit of the rules."""
JOINT = 3
"""Longer lists are varied as a whole, not value by value."""


def merged(settled: Iterable[Fields]) -> Fields:
    """What several facts settle together; lists are joined."""
    together: Fields = {}
    for sections in settled:
        for section, fields in sections.items():
            known = together.setdefault(section, {})
            for name, value in fields.items():
                known[name] = [*known.get(name, ()), *value] if isinstance(value, list) else value
    return together


class Variation(NamedTuple):
    """The possible values of a suite's facts, and the decisions that they would lead to."""

    decide: Decide
    findings: type[Record]
    bounds: Bounds = _UNBOUND

    def needless(self, policy: Mapping[str, Any]) -> list[str]:
        """The facts of a policy that have no possible value that changes the decision."""
        outcome = self.decide(policy).outcome
        return [fact for fact, settles in policy["found"].items() if not self._turns(fact, settles, policy, outcome)]

    def _turns(self, fact: str, settles: Fields, policy: Mapping[str, Any], outcome: Any) -> bool:
        """Does a value of this fact lead to another outcome?"""
        values = variants(settles, policy, self.findings, self.bounds)
        return any(self._differs({**policy, "found": {**policy["found"], fact: value}}, outcome) for value in values)

    def _differs(self, policy: Mapping[str, Any], outcome: Any) -> bool:
        """Is this another outcome, or can it become one through something that the case does not tell?"""
        ruling = self.decide(policy)
        missing: str = getattr(ruling, "missing", "")
        if not missing:
            return bool(ruling.outcome != outcome)
        section, _, name = missing.partition(".")
        example = _example(self.findings, section, name)
        return example is None or self._turns(missing, {section: {name: example}}, policy, outcome)


def variants(
    settles: Fields, policy: Mapping[str, Any], findings: type[Record], bounds: Bounds = _UNBOUND
) -> Iterator[dict[str, dict[str, Any]]]:
    """What a fact could have established instead: every combination of its fields' possible values."""
    slots = [(section, name) for section, fields in settles.items() for name in fields]
    around = list(_values([policy["given"], policy.get("start", {}), policy["found"]]))
    choices = [
        tuple(
            _within(
                bounds.get(f"{section}.{name}"),
                _alternatives(settles[section][name], _kind(findings, section, name), around),
            )
        )
        for section, name in slots
    ]
    for values in product(*choices):
        variant: dict[str, dict[str, Any]] = {}
        for (section, name), value in zip(slots, values, strict=True):
            variant.setdefault(section, {})[name] = value
        yield variant


def _kind(findings: type[Record], section: str, name: str) -> Any:
    """The type of a section's field."""
    annotation = findings.model_fields[section].annotation
    model = next(part for part in (*get_args(annotation), annotation) if hasattr(part, "model_fields"))
    return model.model_fields[name].annotation


def _example(findings: type[Record], section: str, name: str) -> Any:
    """A value of a field that nothing is known about; None: the field is a list and can have any values."""
    try:
        kind = _kind(findings, section, name)
    except KeyError:
        return None
    words = [*_words(kind)]
    return words[0] if words else next((number() for number in (bool, int, float) if number in get_args(kind)), None)


def _within(bounds: tuple[int, int] | None, values: Iterator[Any]) -> list[Any]:
    """The values that are possible, and the bounds themselves."""
    if bounds is None:
        return [*values]
    low, high = bounds
    return sorted({low, high, *(value for value in values if low <= value <= high)})


def _values(part: Any) -> Iterator[Any]:
    """Every single value in a policy's fields."""
    if isinstance(part, Mapping):
        for item in part.values():
            yield from _values(item)
    elif isinstance(part, list | tuple):
        for item in part:
            yield from _values(item)
    else:
        yield part


def _alternatives(value: Any, kind: Any, around: Sequence[Any]) -> Iterator[Any]:
    """Alternatives to a value: those on both sides of every limit and of the case's own values."""
    if isinstance(value, Mapping):
        names = list(value)
        pairs = product(*(list(_alternatives(value[name], None, around)) for name in names))
        yield from (dict(zip(names, pair, strict=True)) for pair in pairs)
        return
    alternatives: list[Any] = list(_words(kind)) or list(_single(value, around))
    if isinstance(value, list | tuple):
        long = len(value) > JOINT
        yield from (
            ([alternative] * len(value) for alternative in alternatives)
            if long
            else map(list, product(alternatives, repeat=len(value)))
        )
    else:
        yield from alternatives


def _single(value: Any, around: Sequence[Any]) -> Iterator[Any]:
    """Other values for one; for a list, for its first."""
    if isinstance(value, list | tuple):
        if value:
            yield from _alternatives(value[0], None, around)
    elif isinstance(value, bool):
        yield from (True, False)
    elif isinstance(value, int | float):
        numbers = [number for number in around if isinstance(number, int | float) and not isinstance(number, bool)]
        limits = [number for number in numbers if isinstance(value, float) or isinstance(number, int)]
        yield from sorted({0, 1, HUGE, *limits, *(number + 1 for number in limits)})
    else:
        yield from _texts(str(value), [text for text in around if isinstance(text, str)])


def _words(kind: Any) -> Iterator[str]:
    """The words that a field allows, if it allows only certain ones."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    else:
        for part in get_args(kind):
            yield from _words(part)


def _texts(text: str, around: Sequence[str]) -> Iterator[str]:
    """Other texts: for times, some near the case's times and some far from them; otherwise the case's texts, or none
    of them."""
    moments = [moment for item in around if (moment := _moment(item))]
    if _moment(text):
        yield from (f"{moment + timedelta(hours=1):%Y-%m-%d %H:%M}" for moment in moments)
        yield from ("2001-01-01 00:00", "2002-01-01 00:00")
    else:
        yield from dict.fromkeys([*around, "nothing", "something else"])


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
