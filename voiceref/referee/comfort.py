"""Settings of every game: how the voice counts and paces itself, and whether points are told."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from voiceref import resources
from voiceref.voice.number_words import Region
from voiceref.voice.style import Style
from voiceref.voice.synthesis import Manner
from voiceref.voice.wording import Wording, without_points

PACES: Mapping[str, float] = {"normale": 1.0, "lente": 0.7, "vive": 1.3}
"""`voice.pace` -> rate, 1.0 as the voice normally speaks."""
_REGIONS: Mapping[str, Region] = {"fr": "fr", "be": "be", "ch": "ch"}

SCHEMA: Mapping[str, Sequence[str]] = {
    "points": ("true", "false"),
    "voice.pace": tuple(PACES),
    "voice.region": tuple(_REGIONS),
}
"""Settings that `--set` takes in every game, besides those of the game."""


@dataclass(frozen=True)
class Comfort:
    """`pace`: the rate asked for, None: as it was last time. `points`: whether scores and gains are told and shown."""

    region: Region = "fr"
    pace: float | None = None
    points: bool = True

    @classmethod
    def of(cls, settings: Mapping[str, str]) -> Comfort:
        """From checked settings."""
        region = _REGIONS[settings.get("voice.region", "fr")]
        pace = PACES[settings["voice.pace"]] if "voice.pace" in settings else None
        return cls(region, pace, settings.get("points") != "false")

    def wording(self) -> Wording:
        """The sentences as this table wants them."""
        wording = Wording.load(region=self.region)
        return wording if self.points else without_points(wording)

    def style(self, last: Style) -> Style:
        """How the referee speaks at first: as `last`, at the pace that was set."""
        return last if self.pace is None else replace(last, manner=replace(last.manner, rate=self.pace))


def style_file() -> Path:
    """Where rate, pitch and volume are kept from one evening to the next."""
    return resources.state_home() / "manière.json"


def kept_style() -> Style:
    """The voice as players last left it; what cannot be read is as if it were not there."""
    try:
        held = json.loads(style_file().read_text(encoding="utf-8"))
        manner = Manner(float(held["rate"]), float(held["pitch"]))
        return Style(manner=manner, volume=min(max(float(held["volume"]), 0.1), 1.0))
    except (OSError, ValueError, KeyError, TypeError):
        return Style()


def keep_style(style: Style) -> None:
    """Keep rate, pitch and volume for next time; a disk that does not take them changes nothing tonight."""
    content = {"rate": style.manner.rate, "pitch": style.manner.pitch, "volume": style.volume}
    file = style_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(content), encoding="utf-8")
        fresh.replace(file)
    except OSError:
        return
