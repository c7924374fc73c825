"""`voiceref demo [GAME]`: a game from recorded shouts, heard by the real ear and refereed aloud to its end.

The shouts are made here by the voice that ships, one pitch and one microphone a player, with crosstalk and hiss; then
they are heard like any other recording. What is played stands in `demos/GAME.toml`.
"""

from __future__ import annotations

import tomllib
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from voiceref import resources
from voiceref.audio.resampling import resample
from voiceref.audio.source import EAR_RATE, Samples, Trouble
from voiceref.audio.wave_file import write_wave
from voiceref.ear import script
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.ear.script import ScriptHearing, Typed
from voiceref.phrases.graph import WordGraph
from voiceref.referee.hearings import Attention, Hearing, open_ear
from voiceref.referee.outlets import write_line
from voiceref.referee.play import Ends, PlayError, Request, Streams, play
from voiceref.table import Wishes
from voiceref.voice.synthesis import Manner, Synthesiser
from voiceref.voice.voices import open_voice

FOLDER = Path(__file__).with_name("demos")
FIRST = "cul-de-chouette"
QUIET_ROOM = "vive"
SHOUTS, REFEREE = "cris.wav", "arbitre.wav"

_PITCHES = (1.0, 0.95, 1.0, 0.95)
_PACE = 0.9
_PEAK = 0.6
_CROSSTALK = 0.05
_DISTANCE = 64
"""Samples (4 ms, 1.4 m) by which a shout reaches the other microphones later."""
_HISS = 0.001
_AFTER_S = 12.0


@dataclass(frozen=True)
class Play:
    """What a demo plays: the table, who shouts what when, and what is typed in secret."""

    game: str
    table: ScriptHearing
    wishes: Wishes
    deck: Path | None = None

    @property
    def typed(self) -> tuple[Typed, ...]:
        """The secrets, in the order of their times."""
        return tuple(line for line in self.table.lines if isinstance(line, Typed))


@dataclass(frozen=True)
class _File:
    """The keys of a demo file."""

    joueurs: tuple[str, ...]
    table: str
    niveau: int | None = None
    paquet: str | None = None
    premier: str | None = None
    points: Mapping[str, str] = field(default_factory=dict)
    reglages: Mapping[str, str] = field(default_factory=dict)


def games() -> tuple[str, ...]:
    """The games that have a demo."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))


def load(game: str) -> Play:
    """The demo of `game`. Raises PlayError with one French sentence when it has none."""
    path = FOLDER / f"{game}.toml"
    if not path.is_file():
        raise PlayError(f"Il n'y a pas de démonstration de « {game} » ; il y a : {', '.join(games())}.")
    file = _File(**tomllib.loads(path.read_text(encoding="utf-8")))
    players = tuple(file.joueurs)
    wishes = Wishes(players, level=file.niveau, settings=file.reglages, scores=file.points, turn=file.premier)
    deck = resources.grammars() / "decks" / file.paquet if file.paquet else None
    return Play(game, script.parse(file.table, path.name, players), wishes, deck)


def demo(game: str, folder: Path, streams: Streams) -> int:
    """Record the shouts into `folder`, referee them, and leave what the referee said beside them."""
    shown = load(game)
    folder.mkdir(parents=True, exist_ok=True)
    shouts, referee = folder / SHOUTS, folder / REFEREE
    opened = open_voice()
    write_wave(shouts, recording(shown, opened.voice), EAR_RATE)
    opened.voice.close()
    players = ", ".join(shown.wishes.players)
    write_line(streams.out, f"Les cris : {shouts} (un micro par joueur : {players})")
    code = heard(shown, shouts, Ends(input=str(shouts), output=str(referee)), streams)
    write_line(streams.out, f"L'arbitre a parlé : {referee}")
    return code


def heard(shown: Play, shouts: Path, ends: Ends, streams: Streams, journal: Path | None = None) -> int:
    """Referee the recording `shouts` of `shown`, its secrets typed at their times; the exit code of the game."""
    ends = replace(ends, attention=Attention(QUIET_ROOM))
    with ExitStack() as stack:
        ear = open_ear(str(shouts), shown.wishes.players, stack, ends.attention)
        ear = replace(ear, hearing=Dictated(ear.hearing, shown.typed))
        return play(Request(shown.game, shown.wishes, ends, journal, shown.deck), streams, ear)


class Dictated:
    """A hearing beside which somebody types secrets at fixed times (s)."""

    def __init__(self, hearing: Hearing, typed: tuple[Typed, ...]) -> None:
        self._hearing = hearing
        self._typed = deque(typed)

    def expect(
        self, graph: WordGraph, legal: Collection[str] | None = None, meaning: Callable[[str], Hashable] | None = None
    ) -> None:
        self._hearing.expect(graph, legal, meaning)

    def events(self) -> Iterator[Hypothesis | Clock | Typed | Trouble]:
        """What is heard; a secret as soon as the watermark has passed its time."""
        for event in self._hearing.events():
            while isinstance(event, Clock) and self._typed and self._typed[0].t < event.t:
                yield self._typed.popleft()
            yield event

    def mute(self, start: float, end: float) -> None:
        self._hearing.mute(start, end)


def recording(shown: Play, voice: Synthesiser) -> Samples:
    """The lines of `shown` spoken in their places: samples (n, players) at EAR_RATE, one microphone a player.

    Nobody pauses where the rulebook prints a colon.
    """
    lines, players = shown.table.lines, shown.wishes.players
    length = round((script.moment(lines[-1]) + _AFTER_S) * EAR_RATE)
    sound = np.random.default_rng(0).normal(0.0, _HISS, (length, len(players))).astype(np.float32)
    for line in lines:
        if not isinstance(line, Hypothesis) or line.speaker is None:
            continue
        seat = players.index(line.speaker)
        said = voice.speak(line.text.replace(" :", ""), Manner(_PACE, _PITCHES[seat]))
        shout = resample(said.samples, said.rate_hz, EAR_RATE)
        shout *= _PEAK / max(float(np.abs(shout).max()), 1e-6)
        first = round(line.onset * EAR_RATE)
        for microphone in range(len(players)):
            own = microphone == seat
            start = first if own else first + _DISTANCE
            sound[start : start + len(shout), microphone] += (1.0 if own else _CROSSTALK) * shout
    return sound
