"""Sharding: which cases of the plan one machine plays, so that all machines end at about the same time.

The same plan and the same recorded seconds give the same shards everywhere: units are taken longest first, each by the
shard with least to do so far. Cases that share a first part are one unit, as for workers (`options.plan.unit_of`).
"""

import heapq
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from longtrail.errors import DataError, UsageError
from longtrail.estimate.cases import expected_seconds
from longtrail.options.plan import unit_of
from longtrail.options.run_options import Options
from longtrail.records.grouping import grouped
from longtrail.tasks.cases import PlannedCase


def in_shard(cases: Sequence[PlannedCase], options: Options) -> frozenset[str]:
    """Ids of the cases that the shard of these options plays. Raises UsageError if there are too many shards."""
    assert options.shard is not None
    known = read_seconds(options.balance) if options.balance else {}
    return divide(cases, options.shard.of, known)[options.shard.number - 1]


def divide(cases: Sequence[PlannedCase], shards: int, known: Mapping[str, float]) -> list[frozenset[str]]:
    """Ids of the cases of each shard.

    `known`: recorded seconds by case. Other units get the estimate's seconds, scaled by the pace of the recorded ones.
    Raises UsageError if there are fewer units than shards.
    """
    groups = grouped(cases, unit_of)
    if len(groups) < shards:
        most = f"the plan has units for {len(groups)} (all lengths of a task are one)"
        raise UsageError(f"--shard: {shards} shards are too many: {most}")
    length = _seconds(groups, known)
    loads = [(0.0, number) for number in range(shards)]
    found: list[set[str]] = [set() for _ in loads]
    for unit in sorted(groups, key=lambda unit: (-length[unit], unit)):
        load, number = heapq.heappop(loads)
        found[number] |= {planned.case.id for planned in groups[unit]}
        heapq.heappush(loads, (load + length[unit], number))
    return [frozenset(ids) for ids in found]


def _seconds(groups: Mapping[str, Sequence[PlannedCase]], known: Mapping[str, float]) -> dict[str, float]:
    expected = {unit: expected_seconds(group) for unit, group in groups.items()}
    recorded = {
        unit: sum(known[planned.case.id] for planned in group)
        for unit, group in groups.items()
        if all(planned.case.id in known for planned in group)
    }
    pace = sum(recorded.values()) / sum(expected[unit] for unit in recorded) if recorded else 1.0
    return {unit: round(recorded.get(unit, pace * expected[unit]), 6) for unit in groups}


def read_seconds(results: Path) -> dict[str, float]:
    """Recorded seconds by case of a results.jsonl. Raises DataError that names the invalid line."""
    found: dict[str, float] = {}
    for number, line in enumerate(results.read_text("utf-8", errors="replace").splitlines(), 1):
        try:
            result = json.loads(line)
            found[str(result["case"]["id"])] = float(result["seconds"])
        except (ValueError, KeyError, TypeError) as error:
            raise DataError(results, f"line {number}", "is not a result of a run") from error
    return found
