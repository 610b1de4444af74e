"""A process that plays units as a worker of a cluster does, and prints each message that it would send as a line."""

import json
import os
import sys
from pathlib import Path

from longtrail.llm.call_book import CallBook
from longtrail.pytest_plugin.remote.engine import Setup, Unit, WorkerMessage
from longtrail.pytest_plugin.remote.worker import RemoteWorker

OF_THE_SESSION = ("--sample=1", "--baseline=none", "--alpha=0.1", "--baseline-subset", "--ray", "--ray-workers=2")


def main(root: str, scratch: str, run_json: str, *tests: str) -> None:
    """`tests`: node ids; each is a unit."""
    out = os.fdopen(os.dup(1), "w")  # pytest captures the original
    files = {"run.json": Path(run_json).read_bytes()}
    args = ("benchmark_tests", "-q", "--task", "pw-02*", "-m", "raw and not appeal", "--no-shots", *OF_THE_SESSION)
    setup = Setup(args, root, ".", "mine", files, {"LONGTRAIL_TOLD": "yes"}, {})
    worker = RemoteWorker(setup, "far7", Path(root), CallBook(Path(scratch)))

    def tell(message: WorkerMessage) -> None:
        reports = [[report["nodeid"], report["when"], report["outcome"]] for report in message.reports]
        fields = {"kind": message.kind, "test": message.test, "files": sorted(message.files), "reason": message.reason}
        out.write(json.dumps({**fields, "reports": reports}) + "\n")
        out.flush()

    for test in tests:
        for message in worker.play(Unit((test,))):
            tell(message)
    tell(worker.close())


if __name__ == "__main__":
    main(*sys.argv[1:])
