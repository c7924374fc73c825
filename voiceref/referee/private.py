"""What only some players may hear, in a headset of their own: `--private DEVICE` (or a wave file).

The rules name such events `…_prive`; the teller gives them to the outlet in its confidence and to nobody else.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from voiceref.audio.player import Player, WavePlayer
from voiceref.audio.source import AudioError
from voiceref.referee.hearings import Ear
from voiceref.referee.speech import Speech
from voiceref.voice.announcer import DirectAnnouncer, LiveAnnouncer, VoiceBox
from voiceref.voice.voices import open_voice

_LAST_WORDS_S = 20.0


def open_headset(output: str, voice: str | None, ear: Ear, trouble: Callable[[str], None], stack: ExitStack) -> Speech:
    """The voice in the headset `output`, closed with `stack`; `trouble` is told one French sentence of what goes wrong.

    Raises AudioError when there is no such device, or no such file can be written.
    """
    opened = open_voice(voice)
    box = VoiceBox(opened.voice, trouble)
    if output.lower().endswith(".wav"):
        direct = DirectAnnouncer(box, WavePlayer(Path(output)), _unheard)
        stack.callback(direct.close)
        return Speech(direct)
    live = LiveAnnouncer(box, _device(output, ear), _unheard, ear.now)
    stack.callback(live.close)
    stack.callback(live.drain, _LAST_WORDS_S)
    return Speech(live)


def _device(name: str, ear: Ear) -> Player:
    from voiceref.audio.speakers import SpeakerPlayer

    try:
        return SpeakerPlayer(ear.from_stream_time, name)
    except AudioError as error:
        raise AudioError(f"L'écouteur « {name} » ne s'ouvre pas. {error}") from error


def _unheard(start: float, end: float) -> None:
    """A headset is not heard by the microphones."""
