"""How tests are distributed to workers that play several episodes at once."""

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from longtrail.pytest_plugin.scheduling import FirstPartsTogether
from tests.pytest_plugin.test_worker_deaths import Worker


class Dealer:
    """The scheduler, with workers that play `episodes` at once."""

    def __init__(self, tests: int, workers: int, episodes: int, begun: int = 1) -> None:
        config: Any = SimpleNamespace(getvalue=lambda _: [f"{workers}*popen"], option=SimpleNamespace())
        config.option.loadscopereorder = False
        self.given_up: list[str] = []
        self.scheduler = FirstPartsTogether(
            config,
            None,
            {},
            lambda _: "given up",
            lambda left: left[:begun],
            lambda test, _: self.given_up.append(test),
            episodes,
        )
        self.tests = [f"test_x.py::test[{number}]" for number in range(tests)]
        self.workers = [Sent(self.tests) for _ in range(workers)]
        for worker in self.workers:
            self.scheduler.add_node(worker)
        for worker in self.workers:
            self.scheduler.add_node_collection(worker, self.tests)
        self.scheduler.schedule()


class Sent(Worker):
    """A worker whose tests are not the module's `TESTS`."""

    def __init__(self, tests: list[str]) -> None:
        super().__init__("gw")
        self.tests = tests

    def send_runtest_some(self, indices: list[int]) -> None:
        self.sent += [self.tests[index] for index in indices]


def test_a_worker_has_enough_for_all_of_its_episodes() -> None:
    dealer = Dealer(tests=200, workers=2, episodes=8)
    assert [len(worker.sent) for worker in dealer.workers] == [24, 24]


def test_few_tests_are_dealt_out_evenly() -> None:
    dealer = Dealer(tests=10, workers=2, episodes=8)
    assert [len(worker.sent) for worker in dealer.workers] == [5, 5]


@pytest.mark.parametrize(("tests", "workers", "episodes"), [(1, 1, 8), (7, 3, 4), (100, 2, 8), (100, 3, 1)])
def test_every_test_is_dealt_out_once(tests: int, workers: int, episodes: int) -> None:
    dealer = Dealer(tests, workers, episodes)
    while not dealer.scheduler.tests_finished or any(len(each.done) < len(each.sent) for each in dealer.workers):
        for worker in dealer.workers:
            if len(worker.done) < len(worker.sent):
                worker.done.append(worker.sent[len(worker.done)])
                dealer.scheduler.mark_test_complete(worker, dealer.tests.index(worker.done[-1]))
    assert Counter(test for worker in dealer.workers for test in worker.done) == Counter(dealer.tests)
    assert all(worker.shutting_down for worker in dealer.workers)


def test_all_that_a_dead_worker_had_begun_is_given_up_and_the_rest_is_dealt_out_again() -> None:
    dealer = Dealer(tests=9, workers=1, episodes=4, begun=4)
    (first,) = dealer.workers
    assert dealer.scheduler.remove_node(first) == dealer.tests[0]
    assert dealer.given_up == dealer.tests[1:4]
    second = Sent(dealer.tests)
    dealer.scheduler.add_node(second)
    dealer.scheduler.add_node_collection(second, dealer.tests)
    dealer.scheduler.schedule()
    for test in second.sent:
        dealer.scheduler.mark_test_complete(second, dealer.tests.index(test))
    assert second.sent == dealer.tests[4:]


def test_finished_tests_are_forgotten() -> None:
    """Else each test that ends takes longer than the one before."""
    dealer = Dealer(tests=300, workers=1, episodes=8)
    (worker,) = dealer.workers
    most = 0
    while len(worker.done) < 300:
        worker.done.append(worker.sent[len(worker.done)])
        dealer.scheduler.mark_test_complete(worker, dealer.tests.index(worker.done[-1]))
        most = max(most, len(dealer.scheduler.assigned_work[worker]))
    assert most <= 24
    assert dealer.scheduler.tests_finished
