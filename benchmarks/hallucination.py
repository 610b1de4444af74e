"""The hallucination detector against planted faults: `python -m benchmarks.hallucination [--seed N] [--errors]`.

Takes the decisions of all reference solutions, plants one fault in each copy (`tests/scoring/planted.py` has
the kinds), and prints precision and recall by class, and recall by kind of fault, each decision counted once.
"""

import argparse
from collections import Counter

from longtrail.records.result import FLAGGED, ClaimResult
from longtrail.scoring.hallucination import findings
from tests.scoring.planted import honest, planted
from tests.scoring.recorded import played


def main() -> None:
    """Print the tables; with `--errors` also every fault that was missed and every false flag."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--errors", action="store_true")
    given = parser.parse_args()
    right, told, wrong = Counter[str](), Counter[str](), Counter[str]()
    sown, found = Counter[str](), Counter[str]()
    expected = Counter[str]()
    for case in played().values():
        for finding in _flags(findings(honest(case), case.ledger)):
            wrong[finding.kind] += 1
            _print(given.errors, f"{case.task.id}: honest, flagged: {finding.kind}: {finding.reason}")
        for fault in planted(case, given.seed):
            flags = _flags(findings(fault.decision, case.ledger))
            kinds = {finding.kind for finding in flags}
            expected[fault.expected] += 1
            sown[fault.kind] += 1
            found[fault.kind] += bool(kinds)
            right[fault.expected] += fault.expected in kinds
            for kind in kinds:
                told[kind] += 1
            if fault.expected not in kinds:
                _print(given.errors, f"{case.task.id}: {fault.kind}: {fault.expected} judged {sorted(kinds)}")
    print(f"{len(played())} honest decisions, {sum(wrong.values())} flags; {sum(sown.values())} planted faults\n")
    print("class              planted flagged precision recall")
    for name in FLAGGED:
        flagged = told[name] + wrong[name]
        precision = right[name] / flagged if flagged else 0.0
        print(f"{name:<18} {expected[name]:>7} {flagged:>7} {precision:>9.3f} {right[name] / expected[name]:>6.3f}")
    print("\nkind of fault                       planted flagged  recall")
    for fault_kind, number in sorted(sown.items()):
        print(f"{fault_kind:<35} {number:>7} {found[fault_kind]:>7} {found[fault_kind] / number:>7.3f}")


def _flags(found: tuple[ClaimResult, ...]) -> list[ClaimResult]:
    """One of each class: a decision counts once."""
    return list({finding.kind: finding for finding in found if finding.flagged}.values())


def _print(wanted: bool, line: str) -> None:
    if wanted:
        print(line)


if __name__ == "__main__":
    main()
