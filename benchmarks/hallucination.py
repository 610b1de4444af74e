"""The hallucination detector against the labelled claims: `python -m benchmarks.hallucination [--errors]`.

Prints precision with its lower 95 % Wilson bound, recall and Cohen's kappa for the development part, the locked one,
both, for claims about new cases whose false alarms were seen, and for those for whose errors nothing was made.
"""

import sys

from longtrail.authoring.claims.agreement import agreement, shown
from tests.scoring.grounding.labelled import DEVELOPMENT, LOCKED, SEEN, UNMENDED, verdicts


def main(arguments: list[str]) -> None:
    """Print the tables; with `--errors` also every claim of the development part that was judged otherwise."""
    both = (*DEVELOPMENT, *LOCKED)
    tables = (("development", DEVELOPMENT), ("locked", LOCKED), ("all", both), ("seen", SEEN), ("unmended", UNMENDED))
    for name, parts in tables:
        found = verdicts(*parts)
        print(f"\n{name}\n{shown(agreement([(label, finding.kind) for _, label, finding in found]))}")
        if "--errors" in arguments and name == "development":
            for case, label, finding in found:
                if label != finding.kind:
                    print(f"  {case}: {label} judged {finding.kind}: [{finding.claim.source}] {finding.claim.text}")
                    print(f"      {finding.reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
