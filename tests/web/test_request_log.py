"""The request log: waiting until it is quiet, and waiting for more requests."""

import threading
import time

from longtrail.records.trajectory import Request
from longtrail.web.request_log import RequestLog

ASKED = Request(method="GET", url="https://a.test/", status=200)


def test_quiet_means_nothing_pending_for_a_while() -> None:
    log = RequestLog()
    assert log.wait_quiet(0, 0)
    assert log.wait_quiet(0.02, 5)
    log.begin()
    assert log.pending() == 1
    assert not log.wait_quiet(0, 0.01)
    log.begin()
    log.end()
    assert not log.wait_quiet(0, 0.01)
    log.end()
    assert log.pending() == 0
    assert log.wait_quiet(0, 0)
    assert not log.wait_quiet(10, 0.01)


def test_waiting_ends_when_the_last_answer_is_given() -> None:
    log = RequestLog()
    log.begin()
    threading.Timer(0.05, log.end).start()
    assert log.wait_quiet(0.02, 100)
    assert log.pending() == 0
    assert time.monotonic() - log.last_activity() >= 0.02


def test_requests_that_follow_each_other_are_not_quiet() -> None:
    log, stop = RequestLog(), threading.Event()

    def poll() -> None:
        while not stop.wait(0.005):
            log.begin()
            log.end()

    polling = threading.Thread(target=poll)
    polling.start()
    assert not log.wait_quiet(0.5, 0.6)
    stop.set()
    polling.join()


def test_more_is_handed_out_as_it_comes() -> None:
    log = RequestLog()
    assert log.wait_more(0, 0.01) == []
    threading.Timer(0.02, log.add, [ASKED]).start()
    assert log.wait_more(0, 10) == [ASKED]
    assert log.wait_more(1, 0.01) == []


def test_a_violation_names_the_request() -> None:
    log = RequestLog()
    log.add(ASKED, "unknown host")
    log.add(ASKED)
    assert log.violations == ["unknown host: GET https://a.test/"]
    assert log.requests == [ASKED, ASKED]
