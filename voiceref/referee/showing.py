"""The races kept of a game shown again by `voiceref replay`: a line, a picture and the sound of each."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from voiceref.audio.player import Player, WavePlayer
from voiceref.audio.source import AudioError
from voiceref.board.stream import GuardedStream
from voiceref.race.attribution import SURE
from voiceref.race.knocks import near
from voiceref.race.picture import picture
from voiceref.race.verdict import judge
from voiceref.referee.footage import Race
from voiceref.referee.outlets import SPEAKERS, write_line
from voiceref.referee.video import RATE, Clip, order

_PAUSE_S = 1.0
"""Between two races that are played."""


@dataclass(frozen=True)
class Showing:
    """What is wanted of the races: `pictures`, a folder for an SVG each; `sound`, `speakers` or a wave file."""

    pictures: Path | None = None
    sound: str | None = None


def show(
    races: Sequence[Race], wanted: Showing, out: GuardedStream, wait: Callable[[float], None] = time.sleep
) -> None:
    """Tell every race, draw and play it as `wanted`. Raises AudioError when the folder or the sound cannot be had."""
    for race in races:
        write_line(out, told(race))
    if wanted.pictures is not None:
        for path in _drawn(races, wanted.pictures):
            write_line(out, f"Image : {path}")
    if wanted.sound is not None:
        _play(races, wanted.sound, wait)
    if races and wanted == Showing():
        write_line(out, "Pour les voir et les entendre : --pictures DOSSIER et --sound speakers.")


def told(race: Race) -> str:
    """« Course 3 : Bruno à 0,60 s, puis Ana (+ 0,12 s), coup à 0,63 s »."""
    first, *later = order(race.claims)
    begins = f"{first[0] or '?'} à {_seconds(race.claims[0].onset)}"
    follow = "".join(f", puis {name or '?'} (+ {_seconds(after / 100)})" for name, after in later)
    beside = near(race.sound, [claim.onset for claim in race.claims])
    knocks = "".join(f", coup à {_seconds(knock.t)}" for knock in beside)
    return f"Course {race.number} : {begins}{follow}{knocks}  {race.file}"


def _seconds(value: float) -> str:
    return f"{value:.2f} s".replace(".", ",")


def _drawn(races: Sequence[Race], folder: Path) -> Iterator[Path]:
    for race in races:
        path = folder / f"course-{race.number}.svg"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(picture(race.sound, judge(race.claims, race.tie_s, SURE), race.tie_s), encoding="utf-8")
        except OSError as error:
            raise AudioError(f"Le dessin {path} ne peut pas être écrit ({error.strerror}).") from error
        yield path


def _play(races: Sequence[Race], output: str, wait: Callable[[float], None]) -> None:
    player = _player(output)
    at = 0.0
    for race in races:
        sound = Clip(race.claims, 0.0, np.asarray(race.sound * 32767.0, np.int16)).heard
        at = player.play(sound, RATE, at).end + _PAUSE_S
        if output == SPEAKERS:
            wait(len(sound) / RATE + _PAUSE_S)
    player.close()


def _player(output: str) -> Player:
    if output != SPEAKERS:
        return WavePlayer(Path(output), RATE)
    from voiceref.audio.speakers import SpeakerPlayer

    return SpeakerPlayer(lambda seconds: seconds)
