"""Races kept on disk, if the players want that: the sound of each as a wave file, who cried when as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from voiceref import resources
from voiceref.audio.source import AudioError, Samples
from voiceref.audio.wave_file import read_wave, write_wave
from voiceref.race.verdict import Claim
from voiceref.referee.video import MOST, RATE, Clip

_FAULTS = (OSError, AudioError)


@dataclass(frozen=True)
class Race:
    """A race as kept: its cries in seconds from the start of its sound, (n, channels) at 16 kHz."""

    number: int
    claims: tuple[Claim, ...]
    tie_s: float
    sound: Samples
    file: Path


def home() -> Path:
    """Where the races of all games are kept."""
    return resources.state_home() / "courses"


class Footage:
    """The last races of one game on disk; older ones are deleted as new ones come."""

    def __init__(self, game: str, tie_s: float, trouble: Callable[[str], None]) -> None:
        """`game`: the name of its journal, without the ending. `trouble` is told once when the disk takes nothing."""
        self._folder = home() / game
        self._tie_s = tie_s
        self._trouble = trouble
        self._told = False
        self._before = max(_numbers(self._folder), default=0)

    def keep(self, number: int, clip: Clip) -> None:
        """Keep the race `number` of this sitting, or the same with other names; without sound there is nothing to."""
        if not clip.sound.size:
            return
        number += self._before
        claims = [{**asdict(claim), "onset": claim.onset - clip.begin} for claim in clip.claims]
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_wave(self._folder / f"{number:04d}.wav", clip.samples, RATE)
            content = json.dumps({"tie": self._tie_s, "claims": claims}, ensure_ascii=False)
            (self._folder / f"{number:04d}.json").write_text(content, encoding="utf-8")
            for old in sorted(_numbers(self._folder))[:-MOST]:
                for ending in (".wav", ".json"):
                    (self._folder / f"{old:04d}{ending}").unlink(missing_ok=True)
        except _FAULTS:
            if not self._told:
                self._told = True
                self._trouble(f"Les courses ne peuvent pas être gardées dans {self._folder} : vérifiez le disque.")


def races(game: str) -> tuple[Race, ...]:
    """The races kept of a game, oldest first; files that are no races are passed over."""
    found = []
    for number in sorted(_numbers(home() / game)):
        path = home() / game / f"{number:04d}.wav"
        try:
            content = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
            claims = tuple(Claim(**claim) for claim in content["claims"])
            found.append(Race(number, claims, float(content["tie"]), read_wave(path)[0], path))
        except (*_FAULTS, ValueError, KeyError, TypeError):
            continue
    return tuple(race for race in found if race.claims)


def _numbers(folder: Path) -> list[int]:
    return [int(path.stem) for path in folder.glob("*.wav") if path.stem.isdecimal()]
