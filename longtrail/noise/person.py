"""Person: what the entries of the noise tell about whoever asks, so that a history can be one person's."""

from collections.abc import Iterable, Mapping
from functools import cache

from pydantic import TypeAdapter

from longtrail.noise.pool import NoiseTrajectory
from longtrail.paths import NOISE
from longtrail.yaml_file import read

PEOPLE = NOISE / "people.yaml"
_PEOPLE: TypeAdapter[dict[str, dict[str, list[str]] | list[list[str]]]] = TypeAdapter(
    dict[str, dict[str, list[str]] | list[list[str]]]
)


@cache
def traits() -> Mapping[str, Mapping[str, str]]:
    """Id of an entry or a task -> trait -> its value. With different values of a trait they are not one person's."""
    told: dict[str, dict[str, str]] = {}
    for trait, values in read(_PEOPLE, PEOPLE).items():
        if isinstance(values, dict):
            rows = [(trait, value, entry) for value, entries in values.items() for entry in entries]
        else:
            rows = [(f"{trait} {number}", entry, entry) for number, group in enumerate(values) for entry in group]
        for name, value, entry in rows:
            told.setdefault(entry, {})[name] = value
    return told


def one_person(
    order: Iterable[NoiseTrajectory], task_id: str = ""
) -> tuple[list[NoiseTrajectory], list[NoiseTrajectory]]:
    """The entries that one person can have asked for, as told by the task and by the first ones in this order; and the
    others."""
    person = dict(traits().get(task_id, {}))
    own: list[NoiseTrajectory] = []
    others: list[NoiseTrajectory] = []
    for noise in order:
        told = traits().get(noise.uncut_id, {})
        fits = all(person.get(trait, value) == value for trait, value in told.items())
        (own if fits else others).append(noise)
        person |= told if fits else {}
    return own, others
