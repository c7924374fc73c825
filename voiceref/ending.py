"""Ending at once and whole: Ctrl-C, a request to end (SIGTERM) and a closed terminal (SIGHUP) all end the game alike.

The first of them raises KeyboardInterrupt in the main thread; what comes after is ignored. If the main thread is then
held up, in a driver or in native code, the process ends without it before two seconds are over: the journal is on disk
already, record by record. Python's own handlers run only between two steps of the main thread, so a thread of its own
waits at the pipe into which the system's handler writes.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable
from types import FrameType

WITHIN_S = 1.6
"""Seconds that an orderly end may take."""
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class Ending:
    """Watches for the signals that end a process, from `watch` on. One for each process, made in its main thread."""

    def __init__(self, leave: Callable[[int], None] = os._exit, within_s: float = WITHIN_S) -> None:
        """`leave` ends the process with an exit code, whatever its threads do."""
        self._leave = leave
        self._within_s = within_s
        self._asked: int | None = None
        self._finished = False

    def watch(self) -> None:
        """From now on the signals end the game; one that the process was started to ignore stays ignored."""
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        threading.Thread(target=self._wait, args=(reading,), name="ending", daemon=True).start()
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        for name in _NAMES:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._ask)

    def finish(self, code: int) -> int:
        """Heed no signal any more; the exit code: 128 and the number of the first one if any came, else `code`."""
        self._finished = True
        return code if self._asked is None else 128 + self._asked

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self._asked is None and not self._finished:
            self._asked = number
            raise KeyboardInterrupt

    def _wait(self, reading: int) -> None:
        with contextlib.suppress(OSError):
            number = os.read(reading, 1)[0]
            threading.Event().wait(self._within_s)
            self._leave(128 + number)
