"""Session files: what other tools read of a session: JUnit XML with measures, and the summary as Markdown."""

import xml.etree.ElementTree as ElementTree

from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import Done


def test_junit_has_each_case_with_its_measures_and_missed_stages(real: tuple[Run, Done]) -> None:
    run = real[0]
    suite = ElementTree.parse(run.folder.parents[1] / "junit.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("4", "4", "0")
    values = {item.get("name"): item.get("value") for item in suite.iter("property")}
    (result,) = run.results()
    assert values["longtrail.outcome"] == "failed"
    assert values["longtrail.model"] == "openai/scripted-careful"
    assert values["longtrail.measure.decision"] == "0.0"
    defined = {f"longtrail.measure.{name}" for name, metric in result.metrics.items() if metric.value is not None}
    assert defined <= values.keys()


def test_the_summary_is_written_where_it_was_asked_for_and_for_the_job(real: tuple[Run, Done]) -> None:
    reports = real[0].folder.parents[1]
    told = (reports / "summary.md").read_text()
    assert told == (reports / "step.md").read_text()
    assert told.startswith("## Longtrail: played\n")
    assert "| webagent / openai/scripted\\-careful | shopping admin | proven | 0 |" in told
    assert "right was APPROVE" in told
