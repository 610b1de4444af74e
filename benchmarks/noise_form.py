"""How much of the noise pool's wording repeats, and how often its agents mention a step that did not help.

    python benchmarks/noise_form.py [POOL]

A sentence's form is what remains when quotations, capitalised words and figures are masked. Published trajectories of
agents (WebCanvas, 80 of them): 0.3 % of the sentences have a form that is used five times or more, and 27 % of the
reflections speak of a step that failed, was wrong or was needless.
"""

import re
import sys
from collections import Counter
from pathlib import Path

from longtrail.noise.pool import load_pool
from workshop.noise.ledger import OFTEN, forms

IN_VAIN = re.compile(
    r"\b(error|fail(s|ed|ure)?|unsuccessful(ly)?|mistake|dead end|wrong|unnecessary|in vain|no help"
    r"|no results|same page"
    r"|not (successful|effective|what|the right|helpful|useful|needed)|nothing (was )?found|nothing has changed"
    r"|d(id|oes)(n't| not) (work|lead|achieve|help|bring|change|contribute|succeed|exist))\b",
    re.IGNORECASE,
)


def main() -> None:
    """Print the figures."""
    pool = load_pool(Path(sys.argv[1])) if len(sys.argv) > 1 else load_pool()
    steps = [step for trajectory in pool.trajectories for step in trajectory.episode.steps]
    texts = [text for step in steps for text in (step.thought, step.reflection)]
    found = Counter(form for text in texts for form in forms(text))
    total, often = sum(found.values()), sum(n for n in found.values() if n >= OFTEN)
    reflections = [step.reflection for step in steps if step.reflection]
    vain = sum(bool(IN_VAIN.search(text)) for text in reflections)
    print(f"{len(pool.trajectories)} trajectories, {len(steps)} steps, {total} sentences")
    print(f"sentences whose form is used {OFTEN} times or more: {often} ({often / total:.1%})")
    print(f"reflections that speak of a step in vain: {vain} of {len(reflections)} ({vain / len(reflections):.1%})")
    for text, n in found.most_common(10):
        print(f"{n:5}  {text}")


if __name__ == "__main__":
    main()
