"""The book of a run's calls: calls of lost workers, models that pause, failures, resumed runs."""

import sqlite3
from pathlib import Path

import pytest

from longtrail.errors import HarnessTrouble
from longtrail.llm.call_book import FILE, CallBook
from longtrail.llm.limits import CallEnd, CallLimits
from tests.llm.test_limits import MODEL, Clock, request

OTHER = "openai/other"


def test_a_call_with_an_owner_ends_with_its_owner(tmp_path: Path) -> None:
    book = CallBook(tmp_path, CallLimits(budget=1.0, concurrency=1))
    assert book.admit(request("dead", usd=0.7), "ray0").ticket
    book = CallBook(tmp_path, CallLimits(budget=1.0, concurrency=1))  # Ray may start its process again
    assert book.admit(request(usd=0.2), "ray1").wait
    book.lose("ray0")
    assert book.admit(request(usd=0.4), "ray1").refused, "its call may have been billed"
    assert book.admit(request(usd=0.2), "ray1").ticket, "its call is not running any more"


def test_a_lost_worker_gets_no_further_call(tmp_path: Path) -> None:
    """It may still be running: behind a broken connection, or until Ray has ended it."""
    CallBook(tmp_path).lose("ray0")
    book = CallBook(tmp_path, CallLimits(concurrency=1))
    late = book.admit(request("late"), "ray0")
    assert (late.ticket, late.kind) == (0, "cancelled")
    assert "ray0" in late.refused
    assert book.admit(request("b"), "ray1").ticket
    book.begin_again()
    assert book.admit(request("c"), "ray0").ticket, "a resumed run names its workers anew"


def test_an_answer_that_was_lost_is_given_again(tmp_path: Path) -> None:
    """Ray repeats a question if the actor with the book ended before it answered."""
    book = CallBook(tmp_path, CallLimits(concurrency=1))
    ticket = book.admit(request(), "ray0").ticket
    assert book.admit(request(), "ray0").ticket == ticket
    book.end(ticket, CallEnd())
    assert book.admit(request("b"), "ray0").ticket


def test_a_late_end_ends_no_other_call(tmp_path: Path) -> None:
    """Rows are deleted after a minute; their numbers are not used again."""
    clock = Clock()
    book = CallBook(tmp_path, CallLimits(concurrency=1), clock)
    lost = book.admit(request("lost"), "ray0").ticket
    book.lose("ray0")
    clock.now += 61
    assert book.admit(request(), "ray1").ticket != lost
    book.end(lost, CallEnd())
    assert book.admit(request("b"), "ray1").wait


@pytest.mark.parametrize(("end", "allowed"), [(CallEnd(), 4), (CallEnd(succeeded=True), 5)], ids=["failed", "answered"])
def test_only_calls_that_succeed_raise_what_a_model_may_do_at_once(tmp_path: Path, end: CallEnd, allowed: int) -> None:
    book = CallBook(tmp_path)
    tickets = [book.admit(request(number=n)).ticket for n in range(8)]
    book.end(tickets[0], CallEnd(limited=True))
    for ticket in tickets[1:6]:
        book.end(ticket, end)
    assert book.state().slowed == ((MODEL, allowed, 0.0),)


@pytest.mark.parametrize("limits", [CallLimits(rpm=100), CallLimits(tpm=100_000)], ids=["requests", "tokens"])
def test_who_waits_for_a_paused_model_keeps_nobody_from_another(tmp_path: Path, limits: CallLimits) -> None:
    clock = Clock()
    book = CallBook(tmp_path, limits.model_copy(update={"concurrency": 1}), clock)
    ticket = book.admit(request()).ticket
    clock.now += 1
    assert book.admit(request("a", 1)).wait
    book.end(ticket, CallEnd(limited=True, retry_after=20.0))
    assert book.admit(request("a", 1)).wait == 1.0
    busy = book.admit(request("b", 2, model=OTHER, tokens=500))
    assert busy.ticket
    book.end(busy.ticket, CallEnd(succeeded=True))
    assert book.admit(request("b", 3, model=OTHER)).ticket, "its contender used more than the one that waits"


def test_a_resumed_run_keeps_to_its_minute(tmp_path: Path) -> None:
    clock = Clock()
    book = CallBook(tmp_path, CallLimits(rpm=2), clock)
    for number in range(2):
        book.end(book.admit(request(number=number)).ticket, CallEnd(succeeded=True))
    book.begin_again()
    assert book.admit(request("b")).wait
    clock.now += 61
    assert book.admit(request("b")).ticket


def test_a_book_that_can_not_be_used_is_the_harness_s_trouble(tmp_path: Path) -> None:
    book = CallBook(tmp_path)
    ticket = book.admit(request()).ticket
    (tmp_path / FILE).write_bytes(b"no database " * 1000)
    for use in (lambda: book.admit(request("b")), lambda: book.end(ticket, CallEnd()), lambda: book.lose("ray0")):
        with pytest.raises(HarnessTrouble, match=FILE) as caught:
            use()
        assert caught.value.kind == "storage"
        assert isinstance(caught.value.__cause__, sqlite3.Error)
