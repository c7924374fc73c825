"""What follows a sipped die: Sirop Gagnant, Contre-Sirop, Sirop-Jeannot (CDC-111, CDC-118, CDC-122…125)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from voiceref.games.cul_de_chouette import cries
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, FirstRace
from voiceref.games.cul_de_chouette.state import State
from voiceref.games.cul_de_chouette.values import BIRD_GAIN, OPTION_S, contre_sirop
from voiceref.games.engine import Opening, Said


def gagnant(play: Play, right: tuple[str, ...]) -> None:
    """Right bettors may claim their gain until the next throw (CDC-111)."""
    if right:
        play.open(Gagnant(right, play.t + OPTION_S))


@dataclass(frozen=True)
class Gagnant:
    """Who may still cry « Sirop Gagnant ! »; forgetting it costs nothing."""

    players: tuple[str, ...]
    until: float | None
    soft: bool = True

    def openings(self, state: State) -> Iterable[Opening]:
        """The cry, for those who bet right."""
        return (Opening(cries.SIROP_GAGNANT, frozenset(self.players), self.until),)

    def hear(self, play: Play, said: Said) -> bool:
        """Twenty-five points (CDC-110)."""
        if said.phrase != cries.SIROP_GAGNANT or said.speaker not in self.players:
            return False
        play.gain("CDC-111", "sirop_gagnant", said.speaker, BIRD_GAIN)
        left = tuple(p for p in self.players if p != said.speaker)
        if left:
            play.swap(self, replace(self, players=left))
        else:
            play.drop(self)
        if play.rules.get("contre_sirop.blocked_by") == "claimed":
            for item in play.state.items:
                if isinstance(item, FirstRace) and isinstance(item.verdict, Contre):
                    play.drop(item)
        return True

    def close(self, play: Play) -> None:
        """Time is up."""
        play.drop(self)


def contre(play: Play, sipper: str, value: int, right: tuple[str, ...]) -> None:
    """A failed Sirop without a right bet opens the Contre-Sirop (CDC-122, CDC-124); for two, to both (CDC-125)."""
    blocked = bool(right) and play.rules.get("contre_sirop.blocked_by") == "matching"
    if blocked or not play.rules.plays(cries.FRUITS_AU_SIROP):
        return
    alive = play.state.alive
    who = frozenset(alive if len(alive) == 2 else play.state.others(sipper))
    play.open(FirstRace({cries.FRUITS_AU_SIROP: who}, Contre(contre_sirop(value)), play.t + OPTION_S))


@dataclass(frozen=True)
class Contre:
    """The first one gains; tied ones lose (CDC-123), but tied team-mates gain double (CDC-288)."""

    points: int

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """Pay or punish."""
        pay_race(play, winners, self.points, ("CDC-122", "CDC-123"), "contre_sirop", tie_gains=False)


def jeannot(play: Play, culprit: str, value: int) -> FirstRace:
    """[NN] A Sirop one could not afford: the first to denounce it gains (CDC-118, D-37)."""
    who = frozenset(play.state.others(culprit))
    return FirstRace({cries.SIROP_JEANNOT: who}, Jeannot(contre_sirop(value), culprit), play.t + OPTION_S)


@dataclass(frozen=True)
class Jeannot:
    """All tied denouncers gain."""

    points: int
    culprit: str

    def decided(self, play: Play, winners: tuple[Cry, ...]) -> None:
        """The value of a Contre-Sirop for each."""
        for cry in winners:
            play.gain("CDC-118", "sirop_jeannot", cry.player, self.points, cible=self.culprit)


def pay_race(
    play: Play, winners: tuple[Cry, ...], points: int, rules: tuple[str, str], name: str, tie_gains: bool
) -> None:
    """A race in which a tie turns the gain round; team-mates alone in a tie gain double (CDC-288, D-63)."""
    players = tuple(cry.player for cry in winners)
    if not players:
        return
    if len(players) == 1:
        play.gain(rules[0], name, players[0], -points if tie_gains else points)
        return
    if not tie_gains and set(players) <= set(play.rules.team(players[0])):
        play.gain("CDC-288", name, players[0], 2 * points)
        return
    change = points if tie_gains else -points
    data = {"joueurs": players, "points": change}
    play.score(rules[1], f"{name}_egalite", dict.fromkeys(players, change), **data)
