"""Interrupts: a shell script starts background jobs with SIGINT ignored, but `kill -INT` must still end our process."""

import signal


def end_at_interrupts() -> None:
    """Let SIGINT end this process, as Ctrl-C does, if it is ignored. Other handlers stay."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
