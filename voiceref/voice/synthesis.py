"""From words to samples: what a voice is, the SVOX Pico voice, and a silent one.

Voices only make samples; `voiceref.voice.announcer` plays them, so that the start and end of each sound are known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.float32]

_QUIET = 10.0 ** (-46.0 / 20.0)
_LEAD_S = 0.02
_TAIL_S = 0.08


class VoiceError(Exception):
    """A voice that cannot be used or made nothing. The message is one French sentence with the remedy."""


@dataclass(frozen=True)
class Sound:
    """Mono samples (n,), full scale ±1, and their rate in Hz."""

    samples: Samples
    rate_hz: int

    @property
    def seconds(self) -> float:
        return len(self.samples) / self.rate_hz


@dataclass(frozen=True)
class Manner:
    """How to speak: `rate` and `pitch` are factors, 1.0 as the voice normally does. Kept within what is understood."""

    rate: float = 1.0
    pitch: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "rate", min(max(self.rate, 0.5), 2.0))
        object.__setattr__(self, "pitch", min(max(self.pitch, 0.5), 2.0))


NORMAL = Manner()


class Synthesiser(Protocol):
    """A voice. Used by one thread at a time, which is the announcer's."""

    @property
    def name(self) -> str:
        """The voice that really speaks, for the screen and for `voiceref doctor`."""

    def speak(self, text: str, manner: Manner = NORMAL) -> Sound:
        """The sound of `text` (words only, see `spoken`). Raises VoiceError; never blocks for ever."""

    def close(self) -> None:
        """Let the engine go, also while another thread waits for it. Harmless when done twice."""


class SilentVoice:
    """The fake voice, and the one when nothing is to be heard: no sound at all; remembers what it was given."""

    name = "silence"

    def __init__(self) -> None:
        self.given: list[str] = []

    def speak(self, text: str, manner: Manner = NORMAL) -> Sound:
        self.given.append(text)
        return Sound(np.zeros(0, np.float32), 16_000)

    def close(self) -> None:
        return None


@dataclass
class PicoVoice:
    """SVOX Pico, French, through py-nanotts (Apache-2.0): 16 kHz, about 20 ms of work a sentence."""

    name: str = "Pico, français"
    _lock: Lock = field(default_factory=Lock, repr=False)

    def __post_init__(self) -> None:
        """Raises VoiceError when py-nanotts is not there (it has no wheel for macOS) or does not speak."""
        self.speak("un")

    def speak(self, text: str, manner: Manner = NORMAL) -> Sound:
        if not any(letter.isalpha() for letter in text):
            return Sound(np.zeros(0, np.float32), 16_000)
        try:
            from py_nanotts import NanoTTS, Voice

            with self._lock:
                pcm = NanoTTS().speak(
                    _in_pico_letters(text), voice=Voice.fr_FR, speed=manner.rate, pitch=manner.pitch, volume=1.0
                )
        except (ImportError, OSError, ValueError, RuntimeError) as error:
            raise VoiceError(f"La voix Pico ne parle pas ({error}) : choisissez une autre voix.") from error
        if not pcm:
            raise VoiceError("La voix Pico n'a rien produit : choisissez une autre voix.")
        return trimmed(Sound(np.frombuffer(pcm, "<i2").astype(np.float32) / 32768.0, 16_000))

    def close(self) -> None:
        return None


def trimmed(sound: Sound) -> Sound:
    """`sound` without the silence around it (Pico adds 0.6 s at the end), so that the ear is not closed for nothing."""
    loud = np.flatnonzero(np.abs(sound.samples) > _QUIET)
    if not len(loud):
        return sound
    start = max(0, int(loud[0]) - round(_LEAD_S * sound.rate_hz))
    end = int(loud[-1]) + round(_TAIL_S * sound.rate_hz)
    return Sound(sound.samples[start:end], sound.rate_hz)


def _in_pico_letters(text: str) -> str:
    """Pico reads « cœur » wrongly and « coeur » rightly."""
    return text.replace("œ", "oe").replace("Œ", "Oe").replace("æ", "é").replace("Æ", "É")
