"""A session that only estimates: cases are collected as usual and counted, but not run."""

from collections.abc import Callable
from typing import Any

from pluggy import HookimplMarker

from longtrail.agents.spec import AgentSpec, agents_with_prompts
from longtrail.errors import UsageError
from longtrail.options.run_options import Options

hookimpl = HookimplMarker("pytest")


class EstimateSession:
    """Replaces the test loop."""

    def __init__(self, options: Options, case_of: Callable[[Any], Any], workers: int) -> None:
        """`workers`: those of xdist. Raises UsageError for agents whose prompts are unknown."""
        for agent in (contender.agent for contender in options.contenders):
            if not AgentSpec.parse(agent).calls_model:
                known = ", ".join(agents_with_prompts())
                raise UsageError(f"--estimate: needs a --model and an agent with known prompts ({known}), not {agent}")
        self._options, self._case_of = options, case_of
        self._workers = options.ray_workers or max(1, workers)
        """How many episodes run at the same time."""

    @hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        from longtrail.estimate.cases import estimates, judge_estimate
        from longtrail.estimate.text import assumptions, estimate_text, judge_text, total_text

        options = self._options
        cases = [case for item in session.items if (case := self._case_of(item)) is not None]
        terminal = session.config.pluginmanager.getplugin("terminalreporter")
        terminal.section("Estimate")
        found = estimates(cases, options) if cases else []
        rules = (options.limits, options.model_args, self._workers)
        judge = judge_estimate(cases, options)
        alone = len(found) == 1 and judge is None
        texts = [estimate_text(estimate, *rules, alone=alone) for estimate in found]
        texts += [judge_text(judge)] if judge else []
        texts += [] if alone or not found else [total_text(found, judge, *rules)]
        for text in texts:
            terminal.write_line(text)
            terminal.write_line("")
        terminal.write_line(assumptions())
        return True
