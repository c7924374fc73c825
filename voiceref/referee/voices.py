"""The voices known on this machine, and naming a shout by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from voiceref import resources
from voiceref.audio.source import Samples
from voiceref.race.attribution import SURE, Guess, first_voice
from voiceref.race.profiles import ProfileError, Profiles
from voiceref.race.voice_print import Embedding, Encoder, OnnxEncoder


def voices_folder() -> Path:
    """Where learnt voices are kept."""
    return resources.data_home() / "voix"


def profiles() -> Profiles:
    """The voices kept on this machine."""
    return Profiles(voices_folder())


def encoder() -> Encoder:
    """The shipped voice-print model. Raises ProfileError when it is not there."""
    model = resources.shipped("models/voice_print") / "encoder.onnx"
    try:
        return OnnxEncoder(model)
    except FileNotFoundError:
        raise ProfileError(f"Le modèle des voix {model} manque : réinstallez VoiceRef.") from None


@dataclass(frozen=True)
class KnownVoices:
    """The voices of one table."""

    voices: Mapping[str, Embedding]
    encoder: Encoder

    def guess(self, sound: Samples) -> Guess | None:
        """Who began the shout whose first sample is the first of `sound` (n,), however unsure."""
        return first_voice(sound, self.voices, self.encoder)

    def name(self, sound: Samples) -> str | None:
        """Who began the shout, None when that is not sure enough to act on."""
        guess = self.guess(sound)
        return guess.player if guess is not None and guess.confidence >= SURE else None


def known(players: Sequence[str]) -> KnownVoices:
    """The voices of these players. Raises ProfileError naming the first that was never enrolled."""
    return KnownVoices(profiles().voices(players), encoder())


def known_at_table(players: Sequence[str]) -> KnownVoices | None:
    """The voices of these players, or None when one of them was never enrolled: then the referee asks."""
    try:
        return known(players) if len(players) > 1 else None
    except ProfileError:
        return None
