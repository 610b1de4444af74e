"""Warnings in a thread that makes a model call are ignored, whatever filters other threads set."""

import threading
import warnings
from pathlib import Path

from longtrail.llm.call_book import CallBook
from longtrail.llm.limits import Limiter
from longtrail.llm.quiet_calls import CALLING, hush


def warned(name: str) -> list[Warning]:
    """The exceptions that a warning raises in a thread of this name."""
    raised: list[Warning] = []

    def warn() -> None:
        try:
            warnings.warn("it is old", DeprecationWarning, stacklevel=1)
        except Warning as error:
            raised.append(error)

    thread = threading.Thread(target=warn, name=name)
    thread.start()
    thread.join()
    return raised


def test_only_calling_threads_are_quiet() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(warned(CALLING)) == 1
        hush()
        assert warned(CALLING) == []
        assert len(warned("another")) == 1


def test_a_limiter_knows_for_whom_each_thread_calls(tmp_path: Path) -> None:
    limiter, together, told = Limiter(CallBook(tmp_path)), threading.Barrier(2), {}

    def play(label: str) -> None:
        limiter.who = label
        together.wait(60)
        told[label] = limiter.who

    threads = [threading.Thread(target=play, args=(label,)) for label in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == {"one": "one", "two": "two"}
    assert limiter.who in ("one", "two"), "a thread that an agent starts calls for the contender that was named last"
