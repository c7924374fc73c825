"""`voiceref demo`: a game of Le Cul de chouette from recorded shouts, heard by the real ear and refereed aloud.

The shouts are made here by the voice that ships, one pitch and one microphone a player, with crosstalk and hiss; then
they are heard like any other recording.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from voiceref.audio.resampling import resample
from voiceref.audio.source import EAR_RATE, Samples
from voiceref.audio.wave_file import write_wave
from voiceref.ear import script
from voiceref.ear.hypothesis import Hypothesis
from voiceref.referee.hearings import Attention
from voiceref.referee.outlets import write_line
from voiceref.referee.play import Ends, Request, Streams, play
from voiceref.table import Wishes
from voiceref.voice.synthesis import Manner, Synthesiser
from voiceref.voice.voices import open_voice

PLAYERS = ("Ana", "Bruno", "Chloé")
TABLE = Path(__file__).with_name("demo.txt")
LEVEL = 1
QUIET_ROOM = "vive"
SHOUTS, REFEREE = "cris.wav", "arbitre.wav"

_PITCHES = (1.0, 0.95, 1.0)
_PACE = 0.9
_PEAK = 0.6
_CROSSTALK = 0.05
_DISTANCE = 64
"""Samples (4 ms, 1.4 m) by which a shout reaches the other microphones later."""
_HISS = 0.001
_AFTER_S = 12.0


def demo(folder: Path, streams: Streams) -> int:
    """Record the shouts into `folder`, referee them, and leave what the referee said beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    shouts, referee = folder / SHOUTS, folder / REFEREE
    opened = open_voice()
    write_wave(shouts, recording(script.load(TABLE, PLAYERS), opened.voice), EAR_RATE)
    opened.voice.close()
    write_line(streams.out, f"Les cris : {shouts} (un micro par joueur : {', '.join(PLAYERS)})")
    wishes = Wishes(players=PLAYERS, level=LEVEL)
    code = play(
        Request(
            "cul-de-chouette", wishes, Ends(input=str(shouts), output=str(referee), attention=Attention(QUIET_ROOM))
        ),
        streams,
    )
    write_line(streams.out, f"L'arbitre a parlé : {referee}")
    return code


def recording(table: script.ScriptHearing, voice: Synthesiser) -> Samples:
    """The lines of `table` spoken in their places: samples (n, players) at EAR_RATE, one microphone a player.

    Nobody pauses where the rulebook prints a colon.
    """
    length = round((script.moment(table.lines[-1]) + _AFTER_S) * EAR_RATE)
    sound = np.random.default_rng(0).normal(0.0, _HISS, (length, len(PLAYERS))).astype(np.float32)
    for line in table.lines:
        if not isinstance(line, Hypothesis) or line.speaker is None:
            continue
        seat = PLAYERS.index(line.speaker)
        said = voice.speak(line.text.replace(" :", ""), Manner(_PACE, _PITCHES[seat]))
        shout = resample(said.samples, said.rate_hz, EAR_RATE)
        shout *= _PEAK / max(float(np.abs(shout).max()), 1e-6)
        first = round(line.onset * EAR_RATE)
        for microphone in range(len(PLAYERS)):
            own = microphone == seat
            start = first if own else first + _DISTANCE
            sound[start : start + len(shout), microphone] += (1.0 if own else _CROSSTALK) * shout
    return sound
