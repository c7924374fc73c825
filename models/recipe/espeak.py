"""espeak-ng speaks French in many voices and reports when each phoneme starts."""

from __future__ import annotations

import ctypes
import random
import unicodedata

import numpy as np
from scipy.signal import resample_poly

from .kokoro import Speech
from .phones import INDEX, SIL, library, split_ipa

VOICES = ["fr", "fr-be", "fr-ch"]
VARIANTS = ["", *(f"+m{i}" for i in range(1, 9)), *(f"+f{i}" for i in range(1, 6))]
_RATE, _PITCH, _RANGE = 1, 3, 4  # espeak_PARAMETER
_END, _PHONEME = 0, 7  # espeak_EVENT_TYPE


class _Identity(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class _Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _Identity),
    ]


_sound: list[np.ndarray] = []
_events: list[tuple[float, str]] = []


@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event))
def _collect(samples, count, events):  # type: ignore[no-untyped-def]
    if samples and count > 0:
        _sound.append(np.ctypeslib.as_array(samples, (count,)).copy())
    i = 0
    while events[i].type != _END:
        if events[i].type == _PHONEME:
            name = bytes(events[i].id.string).split(b"\0")[0].decode("utf-8", "ignore")
            _events.append((events[i].audio_position / 1000, name))
        i += 1
    return 0


def say(text: str, rng: random.Random) -> Speech:
    """In a random voice, at a random rate and pitch."""
    speaker = library()
    speaker.espeak_SetSynthCallback(_collect)
    speaker.espeak_SetVoiceByName((rng.choice(VOICES) + rng.choice(VARIANTS)).encode())
    for parameter, value in ((_RATE, (130, 250)), (_PITCH, (20, 90)), (_RANGE, (30, 90))):
        speaker.espeak_SetParameter(parameter, rng.randint(*value), 0)
    _sound.clear()
    _events.clear()
    encoded = text.encode()
    speaker.espeak_Synth(encoded, len(encoded) + 1, 0, 0, 0, 1, None, None)
    speaker.espeak_Synchronize()
    speaker.espeak_SetVoiceByName(b"fr")
    samples = resample_poly(np.concatenate(_sound).astype(np.float32), 320, 441)
    events = [(0.0, SIL)]
    for start, name in _events:
        units = split_ipa(unicodedata.normalize("NFD", name))
        events.append((start, INDEX[units[0][0]] if units else SIL))
    return np.clip(samples, -32768, 32767).astype(np.int16), events
