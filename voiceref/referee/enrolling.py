"""`voiceref enroll`: learn the players' voices from a few shouts each, list them, forget them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from voiceref.audio.resampling import Resampled
from voiceref.audio.source import EAR_RATE, AudioSource, Block, Samples, between
from voiceref.audio.wave_file import WaveSource
from voiceref.board.stream import GuardedStream
from voiceref.ear.endpoint import LAST, Cut, Endpointer
from voiceref.race.profiles import ProfileError
from voiceref.referee import voices
from voiceref.referee.hearings import input_device, is_microphone
from voiceref.referee.outlets import write_line
from voiceref.voice.french import with_little_word

SHORTEST_S = 0.4
"""A shout shorter than this says too little about a voice."""
_KEPT_S = 12.0
ASKED = 6
"""Shouts that each player is asked for at the microphone."""


@dataclass(frozen=True)
class Wanted:
    """Whose voices to learn and from what: `mic`, one wave file for each player, or one file with all in turn.

    `channels`: how many channels of the microphone to open, those of a pair or an array; None: one.
    """

    players: tuple[str, ...]
    inputs: tuple[str, ...]
    channels: int | None = None


def list_voices(out: GuardedStream) -> int:
    """Print every known voice."""
    store = voices.profiles()
    names = store.names()
    for name in names:
        write_line(out, f"{name} ({_counted(len(store.load(name).shouts), 'cri')})")
    if not names:
        write_line(out, "Aucune voix n'est connue.")
    return 0


def forget(name: str, out: GuardedStream) -> int:
    """Delete a voice. Raises ProfileError when it is not known."""
    voices.forget(name)
    write_line(out, f"La voix {with_little_word('de', name)} est oubliée.")
    return 0


def enroll(wanted: Wanted, out: GuardedStream) -> int:
    """Learn voices and keep them. Raises ProfileError or AudioError with one French sentence."""
    if not wanted.players or not all(wanted.players):
        raise ProfileError("Il manque les joueurs : donnez leurs noms, par exemple --players Ana,Bruno.")
    with ExitStack() as stack:
        sounding = len(wanted.inputs) == 1 and is_microphone(wanted.inputs[0])
        heard = _from_microphone(wanted, out, stack) if sounding else _from_files(wanted)
        for name, shouts in heard:
            profile = voices.learn(name, shouts)
            known = f"La voix {with_little_word('de', name)} est connue"
            write_line(out, f"{known} ({_counted(len(profile.shouts), 'cri')}).")
    return 0


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number > 1 else ''}"


def _from_files(wanted: Wanted) -> Iterator[tuple[str, list[Samples]]]:
    files = [Path(name) for name in wanted.inputs]
    if len(files) == len(wanted.players):
        for name, file in zip(wanted.players, files, strict=True):
            yield name, list(shouts_of(WaveSource(file)))
        return
    if len(files) != 1:
        raise ProfileError(f"Il faut un fichier par joueur ou un seul pour tous, pas {len(files)}.")
    found = list(shouts_of(WaveSource(files[0])))
    each, rest = divmod(len(found), len(wanted.players))
    if rest or not each:
        counts = f"{_counted(len(found), 'cri')} pour {_counted(len(wanted.players), 'joueur')}"
        raise ProfileError(f"{files[0]} contient {counts} : il en faut autant de chacun.")
    for place, name in enumerate(wanted.players):
        yield name, found[place * each : (place + 1) * each]


def _from_microphone(wanted: Wanted, out: GuardedStream, stack: ExitStack) -> Iterator[tuple[str, list[Samples]]]:
    from voiceref.audio.microphone import MicrophoneSource

    source = MicrophoneSource(input_device(wanted.inputs[0], (), wanted.channels))
    stack.callback(source.close)
    return asked_for(wanted.players, shouts_of(source), lambda text: write_line(out, text))


def asked_for(
    players: Iterable[str], shouts: Iterator[Samples], tell: Callable[[str], None]
) -> Iterator[tuple[str, list[Samples]]]:
    """Ask each player in turn for his shouts and take them as they come."""
    for name in players:
        taken: list[Samples] = []
        while len(taken) < ASKED:
            tell(f"{name}, criez une phrase du jeu comme pendant la partie ({len(taken) + 1} sur {ASKED}).")
            shout = next(shouts, None)
            if shout is None:
                break
            taken.append(shout)
        yield name, taken


def shouts_of(source: AudioSource) -> Iterator[Samples]:
    """Each shout in a source that is long enough to tell a voice, (n, channels) at 16 kHz from its onset."""
    for cut, sound in cuts_of(source):
        begin, end = (round(t * EAR_RATE) - cut.first for t in (cut.utterance.start, cut.utterance.end))
        if end - begin >= SHORTEST_S * EAR_RATE:
            yield sound[begin:end]


def cuts_of(source: AudioSource) -> Iterator[tuple[Cut, Samples]]:
    """Each finished utterance in a source, found in all channels together, with its sound (n, channels)."""
    endpointer = Endpointer()
    past: deque[Block] = deque()
    for item in Resampled(source).blocks():
        if isinstance(item, Block) and len(item.samples):
            past.append(item)
            while item.end - past[0].start > _KEPT_S * EAR_RATE:
                past.popleft()
            mono = item.samples.mean(axis=1, dtype=np.float32)
            yield from ((cut, _sound(cut, past)) for cut in endpointer.push(item.start, mono) if cut.stage == LAST)
    yield from ((cut, _sound(cut, past)) for cut in endpointer.finish())


def _sound(cut: Cut, past: Iterable[Block]) -> Samples:
    return between(past, cut.first, cut.first + len(cut.samples))[1]
