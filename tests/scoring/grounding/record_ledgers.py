"""Make data/ledgers.json: play the reference solution of the tasks that claims speak of and keep what was delivered.

Run as `python -m tests.scoring.grounding.record_ledgers [NEW_CASE...]` when the worlds or the tasks have changed, or
for cases that are to be written about; check the claims afterwards.
"""

import hashlib
import json
import sys
from typing import Any

from longtrail.browser.session import Browser
from longtrail.browser.view_settings import ViewSettings
from longtrail.clock import NOW
from longtrail.episode.context import EpisodeContext
from longtrail.episode.runner import run_case
from longtrail.llm.tokens import count
from longtrail.paths import TASKS
from longtrail.records.trajectory import Contender
from longtrail.scoring.grounding.ledger import ledger
from longtrail.tasks.cases import Conditions, plan
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.web.registry import all_sites
from longtrail.web.sealed import SealedWeb
from tests.scoring.grounding.labelled import LEDGERS


def main() -> None:
    wanted = {*json.loads(LEDGERS.read_text())["cases"], *sys.argv[1:]}
    loaded = load_tasks(TASKS)
    tasks = {name: task for name in sorted(wanted) if isinstance(task := loaded[name], DecisionTask)}
    texts: dict[str, str] = {}
    cases: dict[str, Any] = {}
    with SealedWeb(all_sites()) as web, Browser(ViewSettings(), count=count) as browser:
        for planned in plan(dict(tasks), Conditions(prompts=("raw",))):
            task = tasks[planned.task.id]
            context = EpisodeContext(web, browser, Contender(agent="oracle"))
            trajectory = run_case(planned.case, task, context, lambda _: None)
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
