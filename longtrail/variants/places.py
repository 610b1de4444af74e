"""Places of the shop's customers: other towns in the same state (taxes and `a state never used before` depend on it),
other streets, and the ZIP codes and telephone numbers that go with them."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from longtrail.paths import DATA
from longtrail.variants.numbers import Numbers
from longtrail.yaml_file import read_yaml

_STREET = re.compile(r"^\d+ ([^,#]+)")
_AREA = re.compile(r"\d{3}")


class Places:
    """Old street, town, ZIP code, area code -> new one."""

    def __init__(
        self, addresses: Iterable[Mapping[str, Any]], words: Counter[str], kept: set[str], rng: random.Random
    ) -> None:
        """`words`: of the texts; a town's name that is also a word stays, as do the towns in `kept`."""
        lists = read_yaml(DATA / "variants" / "places.yaml")
        known = list(addresses)
        streets = sorted({m[1].strip() for a in known if (m := _STREET.match(str(a["street"])))})
        pool = [street for street in lists["streets"] if street not in streets]
        order = rng.sample(streets, len(streets))
        self.streets = dict(zip(order, [*rng.sample(pool, len(pool)), *order], strict=False))
        self.towns: dict[str, str] = {}
        self.zips: dict[str, str] = {}
        self.areas: dict[str, str] = {}
        self._known = {m[0] for a in known if (m := _AREA.search(str(a["phone"])))}
        states: dict[str, set[str]] = defaultdict(set)
        for address in known:
            states[address["city"]].add(address["state"])
        fresh: dict[str, list[list[Any]]] = defaultdict(list)
        for town in lists["towns"]:
            if town[0] not in states and not any(words[word] for word in str(town[0]).split()):
                fresh[town[1]].append(town)
        for place in rng.sample(sorted(states), len(states)):
            if len(states[place]) > 1 or place in kept or words[place.lower()]:
                continue
            if options := fresh[next(iter(states[place]))]:
                self._move(place, options.pop(rng.randrange(len(options))), known)

    def _move(self, place: str, town: list[Any], known: list[Mapping[str, Any]]) -> None:
        self.towns[place] = town[0]
        for address in known:
            if address["city"] != place:
                continue
            if address["zip"] not in self.zips:
                code = int(town[2])
                while f"{code:05d}" in self.zips.values():
                    code += 1
                self.zips[address["zip"]] = f"{code:05d}"
            area = _AREA.search(str(address["phone"]))
            used = {*self._known, *self.areas.values()}  # two numbers must not become one
            if area and str(town[3]) not in used:
                self.areas.setdefault(area[0], str(town[3]))

    def phone(self, match: re.Match[str], numbers: Numbers) -> str:
        """A telephone number: `(607) 555-0109`, `607-555-0109`, `555-0109`."""
        area, between, line = match["area"], match["between"], match["line"]
        if area is None:
            return f"555-{numbers.phone(line)}"
        return f"{match['open']}{self.areas.get(area, area)}{between}555-{numbers.phone(line)}"


PHONE = r"(?:(?P<open>\(?)(?P<area>\d{3})(?P<between>\)? ?-?))?555-(?P<line>\d{4})"
