"""The sounds of a made-up kitchen: talk, noise, music, laughter, the referee and the shouts, mixed as time goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
import soundfile

from voiceref.audio.player import Playback, Window
from voiceref.audio.resampling import resample
from voiceref.audio.source import EAR_RATE

Samples = npt.NDArray[np.float32]
SCENES = ("calm", "talk", "noise", "silence")
"""Hum and shouts; people talking of other things; shouts over noise at `snr` dB; nothing but the hiss of the device."""
SHOUT_LEVEL = 0.1
"""Root mean square of a shout, full scale 1."""
TALK_LEVEL = 0.05
_HUM, _HISS = 10 ** (-58 / 20), 10 ** (-80 / 20)
_LOUDSPEAKER = 0.5


@dataclass(frozen=True)
class Material:
    """What may sound: recordings of people as 16-bit samples at EAR_RATE, with their level."""

    talk: tuple[npt.NDArray[np.int16], ...]

    @staticmethod
    def load(paths: list[Path], most: int, rng: Random) -> Material:
        chosen = rng.sample(paths, min(most, len(paths)))
        return Material(tuple(soundfile.read(path, dtype="int16")[0] for path in chosen))


def at_level(sound: Samples, level: float) -> Samples:
    """`sound` with its louder half at root mean square `level`."""
    frames = (sound[: len(sound) // 320 * 320] ** 2).reshape(-1, 320).mean(axis=1)
    loud = float(np.sqrt(frames[frames >= np.median(frames)].mean())) if len(frames) else 0.0
    return (sound * (level / max(loud, 1e-5))).astype(np.float32)


class Kitchen:
    """A room whose sound is asked for piece by piece, in order; also the player through which the referee speaks."""

    def __init__(
        self,
        material: Material,
        rng: Random,
        snr: float,
        next_shout: Callable[[float], Samples | None],
        weights: tuple[int, ...] = (3, 4, 3, 1),
        ppm: float = 0.0,
    ) -> None:
        """`next_shout(t)` is asked in calm and noise whether somebody begins to shout at second `t`.

        `weights`: how often each of SCENES comes. `ppm`: by how many millionths the device that hears all this takes
        more samples than told; times are seconds of the clock on the wall.
        """
        self._rate = EAR_RATE * (1.0 + ppm * 1e-6)
        self._weights = weights
        self._material = material
        self._rng = rng
        self._numbers = np.random.default_rng(rng.getrandbits(32))
        self._noise_level = SHOUT_LEVEL * 10 ** (-snr / 20)
        self._next_shout = next_shout
        levels = {"hum": _HUM} | dict.fromkeys(("noise", "music", "laughter"), self._noise_level)
        self._bed = {name: background(name, self._numbers) * np.float32(level) for name, level in levels.items()}
        self._ahead = np.zeros(0, np.float32)
        self._place = 0
        self._free = 0.0
        self._scene_end = 0
        self._talking_until = 0
        self._background = "hum"
        self.scene = SCENES[0]
        self.seconds = dict.fromkeys(SCENES, 0.0)

    @property
    def now(self) -> float:
        """Seconds given so far."""
        return self._place / self._rate

    def sound(self, count: int) -> Samples:
        """The next `count` samples."""
        if self._place >= self._scene_end:
            self._change_scene()
        if self.scene == "talk" and self._place >= self._talking_until:
            self._talk()
        elif self.scene in ("calm", "noise"):
            shout = self._next_shout(self.now)
            if shout is not None:
                self._mix(self._place, shout)
        piece = np.zeros(count, np.float32)
        ready = self._ahead[:count]
        piece[: len(ready)] = ready
        self._ahead = self._ahead[count:]
        piece += self._behind(count)
        self._place += count
        self.seconds[self.scene] += count / EAR_RATE
        return np.clip(piece, -1.0, 1.0)

    def play(self, samples: Samples, rate: int, at: float) -> Playback:
        """The referee speaks in the same room."""
        start = max(at, self.now + 0.05, self._free)
        sound = resample(samples, rate, EAR_RATE)
        self._free = start + len(sound) / self._rate
        self._mix(round(start * self._rate), sound * np.float32(_LOUDSPEAKER))
        return Window(start, self._free)

    @property
    def busy_until(self) -> float:
        """Second until which the referee speaks."""
        return self._free

    def close(self) -> None:
        """Nothing to let go."""

    def _change_scene(self) -> None:
        self.scene = self._rng.choices(SCENES, self._weights)[0]
        self._background = self._rng.choice(("noise", "music", "laughter")) if self.scene == "noise" else "hum"
        self._scene_end = self._place + self._rng.randint(20, 60) * EAR_RATE

    def _talk(self) -> None:
        clip = self._rng.choice(self._material.talk).astype(np.float32) / np.float32(32768)
        level = TALK_LEVEL * 10 ** (self._rng.uniform(-8, 6) / 20)
        self._mix(self._place, at_level(clip, level))
        self._talking_until = self._place + len(clip) + round(self._rng.uniform(-0.5, 1.5) * EAR_RATE)

    def _behind(self, count: int) -> Samples:
        if self.scene == "silence":
            return self._numbers.normal(0.0, _HISS, count).astype(np.float32)
        bed = self._bed[self._background]
        return np.take(bed, np.arange(self._place, self._place + count), mode="wrap")

    def _mix(self, start: int, sound: Samples) -> None:
        first = start - self._place
        longer = first + len(sound) - len(self._ahead)
        if longer > 0:
            self._ahead = np.concatenate([self._ahead, np.zeros(longer, np.float32)])
        self._ahead[first : first + len(sound)] += sound


def background(kind: str, numbers: np.random.Generator) -> Samples:
    """30 seconds of "hum", "noise", "music" or "laughter" at root mean square 1."""
    count = 30 * EAR_RATE
    t = np.arange(count) / EAR_RATE
    pink = np.fft.irfft(np.fft.rfft(numbers.normal(0, 1, count)) / np.sqrt(np.arange(count // 2 + 1) + 1.0))
    if kind in ("hum", "noise"):
        made = pink
    elif kind == "music":
        made = np.zeros(count)
        for beat in range(0, count, EAR_RATE // 2):
            length = min(EAR_RATE, count - beat)
            tones = numbers.choice((220.0, 261.6, 293.7, 329.6, 392.0, 440.0, 523.3), 3, replace=False)
            fade = np.exp(-3 * t[:length])
            made[beat : beat + length] += sum(np.sin(2 * np.pi * f * t[:length]) for f in tones) * fade
        made += 0.1 * pink / pink.std()
    else:
        voiced = np.sin(2 * np.pi * np.cumsum(250 + 60 * np.sin(2 * np.pi * 0.7 * t)) / EAR_RATE)
        bursts = np.maximum(0, np.sin(2 * np.pi * 4.5 * t)) * (np.sin(2 * np.pi * 0.2 * t) > 0)
        made = bursts * (voiced + 0.6 * pink / pink.std()) + 0.01 * pink / pink.std()
    return (made / made.std()).astype(np.float32)
