"""Make data/ledgers.json: play the reference solution of the tasks that claims speak of and keep what was delivered.

Run as `python -m tests.analysis.record_ledgers [NEW_CASE...]` when the worlds or the tasks have changed, or for cases
that are to be written about; check the claims afterwards.
"""

import hashlib
import json
import sys
from typing import Any

from tests.analysis.labelled import LEDGERS
from trailmark.agents.registry import factory
from trailmark.analysis.grounding.ledger import ledger
from trailmark.browser.session import Browser
from trailmark.browser.settings import ViewSettings
from trailmark.checks.decisions import decision_words
from trailmark.clock import NOW
from trailmark.episode import run
from trailmark.lab import Kept, Lab
from trailmark.llm.tokens import count
from trailmark.noise.pool import load_pool
from trailmark.paths import TASKS
from trailmark.spec.briefing import briefing
from trailmark.spec.cases import Conditions, plan
from trailmark.spec.load import load_tasks
from trailmark.spec.task import DecisionTask
from trailmark.trajectory import Contender
from trailmark.web.registry import all_sites
from trailmark.web.sealed import SealedWeb


def main() -> None:
    wanted = {*json.loads(LEDGERS.read_text())["cases"], *sys.argv[1:]}
    loaded = load_tasks(TASKS)
    tasks = {name: task for name in sorted(wanted) if isinstance(task := loaded[name], DecisionTask)}
    texts: dict[str, str] = {}
    cases: dict[str, Any] = {}
    with SealedWeb(all_sites()) as web, Browser(ViewSettings(), count=count) as browser:
        for planned in plan(dict(tasks), Conditions(prompts=("raw",))):
            task = tasks[planned.task.id]
            lab = Lab(
                web=web,
                browser=browser,
                contender=Contender(agent="oracle"),
                factory=factory("oracle"),
                pool=load_pool,
                kept=Kept(),
                prompt=briefing(task, "raw", decision_words(task.suite)),
            )
            trajectory = run(planned.case, task, lab, lambda _: None)
            entries = []
            for entry in ledger(task.suite, trajectory.prompt, trajectory.steps, NOW).entries:
                name = hashlib.sha256(entry.page.text.encode()).hexdigest()[:12]
                texts[name] = entry.page.text
                entries.append(
                    {
                        "keys": sorted(entry.keys),
                        "url": entry.url,
                        "title": entry.title,
                        "step": entry.step,
                        "text": name,
                    }
                )
            cases[task.id] = {"suite": task.suite, "entries": entries}
    LEDGERS.write_text(
        json.dumps({"cases": cases, "texts": texts}, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    )


if __name__ == "__main__":
    main()
