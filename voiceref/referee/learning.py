"""Voices that get better known while a game is played: from cries that the players named, if they want that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from voiceref.race.profiles import ProfileError
from voiceref.referee.telling import Line
from voiceref.referee.video import Memory

ASK, ALWAYS, NEVER = "demander", "toujours", "jamais"
WISHES = (ASK, ALWAYS, NEVER)
"""Whether a cry that was given to somebody improves his voice."""


class Voices(Protocol):
    """The voices of the table (`voices.TableVoices`)."""

    def improve(self, player: str, sound: Memory, onset: float) -> bool:
        """Add the cry at `onset` capture seconds to the voice of `player`; False where it cannot teach anything.

        Raises ProfileError when the disk does not take it.
        """


@dataclass(frozen=True)
class Learner:
    """What is done with named cries. Without known `voices`, or without sound, nothing."""

    wish: str = ASK
    voices: Voices | None = None
    memory: Memory | None = None

    @property
    def asks(self) -> bool:
        """Whether the players are asked before a voice is learnt better."""
        return self.wish == ASK and self._able

    @property
    def always(self) -> bool:
        """Whether every named cry is learnt from."""
        return self.wish == ALWAYS and self._able

    @property
    def _able(self) -> bool:
        return self.voices is not None and self.memory is not None

    def confirmed(self, player: str, onset: float) -> None:
        """The players named the one who cried at `onset`: learn that in silence where every named cry is learnt."""
        if self.always:
            self.learn(player, onset)

    def learn(self, player: str, onset: float) -> Line:
        """Learn the cry at `onset` capture seconds; what to say of it."""
        try:
            learnt = (
                self.voices is not None and self.memory is not None and self.voices.improve(player, self.memory, onset)
            )
        except ProfileError:
            learnt = False
        return Line("voix_apprise" if learnt else "voix_pas_apprise", {"joueur": player})
