"""Plays a text table straight against the rules: words through the matcher, no session, no voice."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

from voiceref.games.cul_de_chouette import CulDeChouette
from voiceref.games.cul_de_chouette.state import State
from voiceref.games.engine import Event, Refusal, Said, Summary, Table, Tick
from voiceref.phrases import catalogue, matcher
from voiceref.phrases.slots import Context
from voiceref.referee.attribution import for_speaker

GAME = CulDeChouette()
BOOK = functools.cache(catalogue.load)


@dataclass(frozen=True)
class Played:
    """How a table ended."""

    state: State
    events: tuple[Event, ...]
    refusals: tuple[Refusal, ...]

    @property
    def summary(self) -> Summary:
        """As shown."""
        return GAME.summary(self.state)

    @property
    def scores(self) -> tuple[int, ...]:
        """In the order of the players."""
        return tuple(self.state.scores.values())

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why words were refused."""
        return tuple(refusal.reason for refusal in self.refusals)

    def tokens(self, player: str) -> set[str]:
        """What a player holds."""
        return set(self.summary.tokens[player])


def table(
    scores: Mapping[str, int],
    level: int = 4,
    tokens: Mapping[str, tuple[str, ...]] | None = None,
    turn: str | None = None,
    teams: tuple[tuple[str, ...], ...] = (),
    **settings: str,
) -> Table:
    """A table whose players are the keys of `scores`; settings with `__` for the dot."""
    named = {key.replace("__", "."): value for key, value in settings.items()}
    return Table(tuple(scores), level, named, dict(scores), tokens or {}, turn, teams)


def play(seats: Table, lines: str) -> Played:
    """Play `SECONDS SPEAKER TEXT` lines (`@`: the clock). A line that no phrase matches is an error of the test."""
    step = GAME.start(seats)
    state, events, refusals = step.state, [*step.events], [*step.refusals]
    for line in filter(None, map(str.strip, lines.splitlines())):
        at, speaker, text = line.split(" ", 2)
        inputs: list[Tick | Said] = [Tick(float(at))]
        if speaker != "@":
            state, told, turned = _reduce(state, inputs.pop())
            events += told
            refusals += turned
            inputs.append(_said(state, float(at), None if speaker == "?" else speaker, text))
        for given in inputs:
            state, told, turned = _reduce(state, given)
            events += told
            refusals += turned
    return Played(state, tuple(events), tuple(refusals))


def _reduce(state: State, given: Tick | Said) -> tuple[State, tuple[Event, ...], tuple[Refusal, ...]]:
    step = GAME.reduce(state, given)
    return step.state, step.events, step.refusals


def _said(state: State, t: float, speaker: str | None, text: str) -> Said:
    openings = GAME.openings(state)
    legal = tuple(dict.fromkeys(opening.phrase for opening in openings))
    found = matcher.match(text, BOOK("cul-de-chouette"), Context(state.players), legal)
    assert isinstance(found, matcher.Match), f"« {text} » is no phrase: {found.reason}"
    chosen = for_speaker(found, speaker, openings)
    return Said(t, speaker, chosen.phrase_id, chosen.slots, chosen.text)
