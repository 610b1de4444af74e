"""Interrupts: a script's shell starts background jobs with SIGINT ignored; `kill -INT` must still end ours."""

import signal


def end_at_interrupts() -> None:
    """Let SIGINT end this process, as Ctrl-C does, if it is ignored. A handler of somebody else stays."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
