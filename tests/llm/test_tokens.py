"""Tokens are counted offline, quickly, and without importing litellm."""

import subprocess
import sys
import time

import pytest

from longtrail.llm.tokens import count, tokenizer_name

PARAGRAPH = (
    "The parcel left the warehouse in Reno on 4 March, was scanned in Salt Lake City two days later and, so the "
    'carrier says, was "left with a neighbour" (signature: P. Johnson). Order #000000635, $115.73.\n'
)


def test_known_lengths() -> None:
    assert count("") == 0
    assert count("hello world") == 2
    assert count("<|endoftext|>") == 7, "special tokens are plain text in a page"


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (None, "cl100k_base"),
        ("gpt-4", "cl100k_base"),
        ("openai/gpt-4o-mini", "o200k_base"),
        ("gpt-4.1", "o200k_base"),
        ("azure/o3-mini", "o200k_base"),
        ("anthropic/claude-sonnet-4-5", "cl100k_base"),
    ],
)
def test_vocabulary_by_model(model: str | None, name: str) -> None:
    assert tokenizer_name(model) == name


def test_texts_that_end_in_empty_lines_add_up() -> None:
    parts = [PARAGRAPH * n + "\n" for n in range(1, 6)]
    assert count("".join(parts)) == sum(map(count, parts))


def test_a_long_history_is_counted_in_a_moment() -> None:
    text = PARAGRAPH * 3_000
    count("warm")
    start = time.process_time()
    tokens = count(text)
    seconds = time.process_time() - start
    assert tokens > 150_000
    assert seconds < 1.0, f"{tokens} tokens took {seconds:.2f} s (0.06 s on a quiet machine)"


def test_needs_neither_network_nor_litellm() -> None:
    program = (
        "import socket, sys\n"
        "def refuse(*args, **kwargs): raise OSError('no network here')\n"
        "socket.socket.connect = refuse; socket.getaddrinfo = refuse\n"
        "from longtrail.llm.tokens import count\n"
        "print(count('hello world'), count('hello world', 'gpt-4o'), 'litellm' in sys.modules)\n"
    )
    environment = {"PATH": "/usr/bin", "HOME": "/nonexistent", "TIKTOKEN_CACHE_DIR": "/nonexistent"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["2", "2", "False"], done.stderr
