"""The player of several episodes, where something goes wrong before an episode is played: no test waits for ever."""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from longtrail.browser.session import Browser
from longtrail.browser.view_settings import ViewSettings
from longtrail.episode.context import EpisodeContext, FirstPartCache
from longtrail.errors import DataError, UsageError
from longtrail.pytest_plugin.player import Place, Player
from longtrail.pytest_plugin.units import unit_of
from longtrail.records.trajectory import Contender
from longtrail.runs.store import Run, new_manifest
from longtrail.runs.under_way import SessionOver, end_session, play_alone
from longtrail.tasks.cases import Planned
from longtrail.web.sealed import SealedWeb
from tests.pytest_plugin.laboratory import CASES

NAMES = ("PW-001", "PW-025", "PW-055", "PW-100")
PLACES = [Place(f"test[{name}]", CASES[name]) for name in NAMES]


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    made = Run.create(tmp_path / "runs" / "mine", new_manifest("mine", {}))
    yield made
    made.close()


@pytest.fixture
def context(embedded_web: SealedWeb) -> EpisodeContext:
    """Of an episode; its browser starts only if it is played."""
    return EpisodeContext(embedded_web, Browser(ViewSettings()), Contender(agent="oracle"))


def answer(told: Callable[[], object]) -> object:
    """What a call returned or raised; fails if it takes longer than a minute."""
    found: list[object] = []

    def ask() -> None:
        try:
            found.append(told())
        except BaseException as error:  # noqa: BLE001 (that is what is asked)
            found.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(60)
    assert found, "it waits for ever"
    return found[0]


def places(*names: str) -> Sequence[Place]:
    return [place for place in PLACES if place.planned.task.id in names]


def failing(name: str, error: Exception, rest: EpisodeContext) -> Callable[[Planned, FirstPartCache], EpisodeContext]:
    """Makes contexts, but not for this task."""

    def make(planned: Planned, _: FirstPartCache) -> EpisodeContext:
        if planned.task.id == name:
            raise error
        return rest

    return make


def stopped(_: object) -> None:
    raise DataError("here", "", "not played")


def test_what_can_not_begin_is_the_error_of_its_own_test(run: Run, context: EpisodeContext) -> None:
    error = DataError("run.json", "", "too many open files")
    player = Player(run, 3, unit_of, failing("PW-025", error, context), stopped)
    coming = places("PW-001", "PW-025")
    first = answer(lambda: player.result(coming[0], lambda: coming))
    assert "not played" in str(first), "the other case's error is not this test's"
    assert answer(lambda: player.result(coming[1], lambda: coming[1:])) is error
    player.close()


def test_a_thread_that_can_not_start(run: Run, context: EpisodeContext, monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start
    left = ["too many"]

    def refuse(thread: threading.Thread) -> None:
        if thread.name.startswith("longtrail-episode") and left:
            raise RuntimeError(f"can't start new thread: {left.pop()}")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    player = Player(run, 3, unit_of, lambda *_: context, stopped)
    coming = places("PW-001", "PW-025")
    assert "can't start new thread" in str(answer(lambda: player.result(coming[0], lambda: coming)))
    assert "not played" in str(answer(lambda: player.result(coming[1], lambda: coming[1:])))
    player.close()


def refuse_key(_: object) -> None:
    raise UsageError("the key was refused")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit of files' sizes")
def test_a_full_disk_when_the_run_is_stopped(run: Run, context: EpisodeContext) -> None:
    """No other worker can be told, but the test gets the refused key."""
    import resource

    before, most = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill_disk_and_refuse(_: object) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, most))
        raise UsageError("the key was refused")

    player = Player(run, 3, unit_of, lambda *_: context, fill_disk_and_refuse)
    try:
        assert str(answer(lambda: player.result(PLACES[0], lambda: PLACES[:1]))) == "the key was refused"
        player.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (before, most))
    assert run.stop_reason == ""


def test_after_a_refused_key_no_case_begins(run: Run, context: EpisodeContext) -> None:
    begun = []

    def make(planned: Planned, _: FirstPartCache) -> EpisodeContext:
        begun.append(planned.task.id)
        return context

    player = Player(run, 1, unit_of, make, refuse_key)
    assert isinstance(answer(lambda: player.result(PLACES[0], lambda: PLACES)), UsageError)
    for place in PLACES[1:]:
        assert str(answer(lambda place=place: player.result(place, lambda: PLACES))) == "the key was refused"
    assert begun == [PLACES[0].planned.task.id]
    assert run.stop_reason == "the key was refused"
    assert not run.attempts()
    player.close()


def test_another_worker_stopped_the_run(run: Run, context: EpisodeContext) -> None:
    run.stop("no more money")
    player = Player(run, 2, unit_of, lambda *_: context)
    assert str(answer(lambda: player.result(PLACES[0], lambda: PLACES))) == "no more money"
    assert not run.attempts()
    player.close()


def test_the_session_ends_while_a_test_waits(run: Run, context: EpisodeContext) -> None:
    """`-x` in another worker: what is being played leaves no record, and nothing else begins."""
    begun, go_on = threading.Event(), threading.Event()

    def wait(_: object) -> None:
        begun.set()
        go_on.wait(60)

    player = Player(run, 1, unit_of, lambda *_: context, wait)
    waiting = threading.Thread(target=lambda: (begun.wait(60), end_session(run.folder)), daemon=True)
    waiting.start()
    assert isinstance(answer(lambda: player.result(PLACES[0], lambda: PLACES)), SessionOver)
    go_on.set()
    player.close()
    assert not run.attempts()


def test_a_case_that_must_be_alone_is_played_alone(run: Run, context: EpisodeContext) -> None:
    """The others wait until it has ended, and it waits for those that began before."""
    alone, now, together = "PW-025", set[str](), list[set[str]]()
    play_alone(run.folder, CASES[alone].case.id)
    changing = threading.Lock()
    both = threading.Barrier(2)

    def begin(given: EpisodeContext) -> None:
        with changing:
            now.add(given.version)
            together.append(set(now))
        if given.version in ("PW-055", "PW-100"):
            both.wait(60)
        with changing:
            now.discard(given.version)
        raise DataError("here", "", given.version)

    def make(planned: Planned, _: FirstPartCache) -> EpisodeContext:
        return replace(context, version=planned.task.id)

    player = Player(run, 4, unit_of, make, begin)
    for number, place in enumerate(PLACES):
        assert place.planned.task.id in str(
            answer(lambda place=place, number=number: player.result(place, lambda: PLACES[number:]))
        )
    assert [each for each in together if alone in each] == [{alone}]
    assert {"PW-055", "PW-100"} in together
    player.close()


def test_a_record_that_is_being_written_is_finished_and_no_other_begins(run: Run, context: EpisodeContext) -> None:
    player = Player(run, 1, unit_of, lambda *_: context)
    writing, go_on, closed = threading.Event(), threading.Event(), threading.Event()

    def write() -> None:
        with player._saving():
            writing.set()
            go_on.wait(60)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    assert writing.wait(60)
    closer = threading.Thread(target=lambda: (player.close(), closed.set()), daemon=True)
    closer.start()
    assert not closed.wait(0.3)
    go_on.set()
    assert closed.wait(60)
    with pytest.raises(SessionOver), player._saving():
        raise AssertionError("nothing may be written now")
