"""The game clock: the capture clock less its pauses. Hourglasses run on it, so a pause stops them all."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class GameClock:
    """`game = capture - offset` while running; standing at `paused_at` (game seconds) during a pause."""

    offset: float = 0.0
    paused_at: float | None = None

    @property
    def running(self) -> bool:
        """Whether hourglasses run."""
        return self.paused_at is None

    def game_time(self, capture: float) -> float:
        """The game clock (s) at `capture` seconds of the capture clock."""
        return capture - self.offset if self.paused_at is None else self.paused_at

    def capture_time(self, game: float) -> float:
        """The capture clock (s) at `game` seconds of the game clock, as the clock stands now."""
        return game + self.offset

    def paused(self, capture: float) -> GameClock:
        """The clock stopped at `capture`; stopping a stopped clock changes nothing."""
        return self if not self.running else replace(self, paused_at=self.game_time(capture))

    def resumed(self, capture: float) -> GameClock:
        """The clock going on at `capture` from where it stood."""
        return self if self.paused_at is None else GameClock(capture - self.paused_at)


def continued(last_game_time: float, first_capture: float) -> GameClock:
    """The clock of a resumed game: it goes on from its last moment, unless the capture clock is already past that."""
    return GameClock(min(first_capture - last_game_time, 0.0))


def suspended() -> float:
    """Seconds this machine has slept since it was started; 0 where the system cannot tell. Set clocks do not count."""
    if not hasattr(time, "CLOCK_BOOTTIME"):
        return 0.0
    return time.clock_gettime(time.CLOCK_BOOTTIME) - time.clock_gettime(time.CLOCK_MONOTONIC)
