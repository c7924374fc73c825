"""The Tichette challenge at the end of a turn (CDC-210…230): the machine of `tichette.py` as something open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from voiceref.games.cul_de_chouette import tichette
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.state import State
from voiceref.games.engine import Event, Opening, Said


def begin_tichette(play: Play, ticheur: str, pot: int) -> None:
    """The ticheur hides his dice; announcements go round from his right (CDC-211, CDC-217)."""
    tichants = []
    following = play.state.after(ticheur)
    while following != ticheur:
        tichants.append(following)
        following = play.state.after(following)
    step = tichette.start(ticheur, tichants, pot, play.rules.settings, play.t)
    play.state = play.state.but(sequence="tichette")
    _tell(play, step.events)
    play.open(Challenge(step.state))


@dataclass(frozen=True)
class Challenge:
    """The challenge under way. Hard: the game resumes when it is over."""

    machine: tichette.Tichette
    until: float | None = None
    soft: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """What the machine opens."""
        return tichette.openings(self.machine)

    def hear(self, play: Play, said: Said) -> bool:
        """Every phrase of the challenge."""
        named = said.phrase == tichette.NAMING and self.machine.accuser is not None
        if said.phrase not in tichette.PHRASES and not named:
            return False
        step = tichette.say(self.machine, said)
        _tell(play, step.events)
        play.refusals.extend(step.refusals)
        if step.state.over:
            play.drop(self)
        else:
            play.swap(self, replace(self, machine=step.state))
        return True

    def close(self, play: Play) -> None:
        """Nothing here runs out."""


def _tell(play: Play, events: Iterable[Event]) -> None:
    """The events of the machine, their points under the rules of the game."""
    for event in events:
        if event.deltas:
            play.score(event.rule, event.name, event.deltas, **event.data)
        else:
            play.tell(event.rule, event.name, **event.data)
