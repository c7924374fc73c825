"""Flans: turned on another player, against a flanneur, and given away (CDC-240…242, CDC-264…268)."""

from __future__ import annotations

from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.state import FlanMark
from voiceref.games.engine import Said


def flan(play: Play, said: Said, target: str) -> None:
    """« Tatan elle fait des Flans ! » at `target`: a Flan, a Double Flan (even by one, CDC-266), a Contre-Flan."""
    author = said.speaker or ""
    marks = play.state.flans
    against = [mark for mark in marks if mark.author == target]
    if author not in play.state.bags or not play.bag(author).flan:
        play.fault(said, "pas_de_flan", "CDC-240")
    elif target == author or target not in play.state.alive:
        play.fault(said, "flan_cible", "CDC-240", cible=target)
    elif against and any(mark.target == author for mark in against):
        play.fault(said, "contre_flan_interdit", "CDC-268", cible=target)
    elif _teammate_flanned(play, target):
        play.fault(said, "flan_equipe", "CDC-287", cible=target)
    elif against:
        _counter(play, author, target, against)
    else:
        play.keep(author, flan=False)
        play.state = play.state.but(flans=(*marks, FlanMark(target, author)))
        weight = sum(mark.weight for mark in play.state.flans if mark.target == target)
        rule = {1: "CDC-240", 2: "CDC-264"}.get(weight, "CDC-265")
        play.tell(rule, "flan" if weight == 1 else "flan_multiple", joueur=author, cible=target, fois=weight)


def _counter(play: Play, author: str, target: str, against: list[FlanMark]) -> None:
    """The first flanné is saved, the flanneur is struck twice (CDC-267)."""
    saved = {mark.target for mark in against}
    left = tuple(mark for mark in play.state.flans if mark.target not in saved)
    play.keep(author, flan=False)
    play.state = play.state.but(flans=(*left, FlanMark(target, author, 2)))
    play.tell("CDC-267", "contre_flan", joueur=author, cible=target, sauves=tuple(sorted(saved)))


def _teammate_flanned(play: Play, target: str) -> bool:
    """One player of a team at a time (CDC-287)."""
    team = play.rules.team(target)
    return any(mark.target != target and mark.target in team for mark in play.state.flans)
