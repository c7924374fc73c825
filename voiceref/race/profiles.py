"""Voice profiles: the shouts that each player gave at enrolment, and his place at the table's microphones.

Both are kept on this machine until they are deleted.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict
from urllib.parse import quote

import numpy as np

from voiceref.race.direction import Delays, pairs
from voiceref.race.voice_print import Embedding, unit

FEWEST, MOST = 3, 10
"""Shouts of a profile: fewer do not tell a voice from its neighbours, more do not tell it better."""
_DIGITS = 5


class ProfileError(Exception):
    """A profile that is missing or broken, or a folder that takes none; one French sentence with the remedy."""


@dataclass(frozen=True)
class Profile:
    """One player: embeddings of his shouts, (192,) each."""

    name: str
    shouts: tuple[Embedding, ...]

    @property
    def voice(self) -> Embedding:
        """The mean of his shouts, unit length."""
        return unit(np.mean(self.shouts, axis=0))


class Profiles:
    """The profiles of one folder, a small JSON file each. Names are compared without regard to case."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self) -> tuple[str, ...]:
        """Everybody who has a readable profile, in alphabetical order."""
        return tuple(sorted(self._read(path).name for path in self._folder.glob("*.json")))

    def load(self, name: str) -> Profile:
        """The profile of `name`. Raises ProfileError when there is none."""
        path = self._path(name)
        if not path.is_file():
            raise ProfileError(f"Aucune voix n'est connue pour {name} : lancez « voiceref enroll --players {name} ».")
        return self._read(path)

    def voices(self, names: Sequence[str]) -> dict[str, Embedding]:
        """Each name with its voice. Raises ProfileError naming the first that is not known."""
        return {name: self.load(name).voice for name in names}

    def save(self, profile: Profile) -> None:
        """Keep a profile in place of an earlier one. Raises ProfileError when the disk does not take it."""
        rows = [[round(float(value), _DIGITS) for value in shout] for shout in profile.shouts]
        try:
            _keep(self._path(profile.name), {"name": profile.name, "shouts": rows})
        except OSError as error:
            raise ProfileError(f"Le profil de {profile.name} ne peut pas être gardé ({error.strerror}).") from error

    def delete(self, name: str) -> None:
        """Forget a voice. Raises ProfileError when there is none."""
        self.load(name)
        self._path(name).unlink()

    def _path(self, name: str) -> Path:
        return self._folder / f"{quote(_key(name), safe='')}.json"

    def _read(self, path: Path) -> Profile:
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            shouts = tuple(np.array(row, np.float32) for row in content["shouts"])
            if not shouts or any(len(shout) != len(shouts[0]) for shout in shouts):
                raise ValueError("shouts")
            return Profile(str(content["name"]), shouts)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ProfileError(f"Le profil {path} est abîmé : effacez-le et recommencez l'inscription.") from error


class Places:
    """The delays of the players at the pair or array that was calibrated last, in one small JSON file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def load(self, names: Sequence[str], channels: int) -> dict[str, Delays] | None:
        """Each name with its delays; None unless everybody's were measured with that many channels."""
        held = self._read()
        if held["channels"] != channels or any(_key(name) not in held["delays"] for name in names):
            return None
        return {name: tuple(held["delays"][_key(name)]) for name in names}

    def save(self, name: str, channels: int, delays: Delays) -> None:
        """Keep one player's place; those of another number of channels are forgotten.

        Raises ProfileError when the disk does not take it.
        """
        held = self._read()
        others = held["delays"] if held["channels"] == channels else {}
        self._write({"channels": channels, "delays": {**others, _key(name): list(delays)}})

    def delete(self, name: str) -> None:
        """Forget a place; harmless when there is none."""
        held = self._read()
        if held["delays"].pop(_key(name), None) is not None:
            self._write(held)

    def _write(self, content: _Held) -> None:
        try:
            _keep(self._path, content)
        except OSError as error:
            raise ProfileError(f"Les places ne peuvent pas être gardées ({error.strerror}).") from error

    def _read(self) -> _Held:
        """What is on disk; a file that is missing or broken holds nobody's place."""
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
            channels = int(content["channels"])
            delays = {str(name): [float(delay) for delay in row] for name, row in content["delays"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return {"channels": 0, "delays": {}}
        sound = {name: row for name, row in delays.items() if len(row) == len(pairs(channels))}
        return {"channels": channels, "delays": sound}


class _Held(TypedDict):
    channels: int
    delays: dict[str, list[float]]


def _keep(path: Path, content: Mapping[str, object]) -> None:
    """Write a file whole or not at all. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")
    fresh.replace(path)


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())
