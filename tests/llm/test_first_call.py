"""The first calls of several threads share one HTTP client."""

import gc
import threading

import openai

from longtrail.llm.mock.server import MockServer
from tests.llm.bench import Bench


def test_threads_that_begin_together_share_a_client() -> None:
    with MockServer(latency=0.3) as server:
        together = threading.Barrier(6)

        def ask() -> None:
            together.wait()
            Bench(server).ask("scripted-finisher")

        threads = [threading.Thread(target=ask) for _ in range(6)]
        collecting = gc.isenabled()
        gc.disable()  # so that a client that was dropped can still be counted
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            clients = [each for each in gc.get_objects() if isinstance(each, openai.OpenAI)]
        finally:
            if collecting:
                gc.enable()
        assert sum(str(each.base_url).startswith(server.url) for each in clients) == 1
