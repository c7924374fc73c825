"""The voices and places known on this machine, and naming a shout by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from voiceref import resources
from voiceref.audio.source import EAR_RATE, Samples
from voiceref.ear.crosstalk import Voice
from voiceref.phrases import catalogue as catalogues
from voiceref.race.attribution import IN_A_RACE, IN_TURN, Guess, Listeners, first_voice
from voiceref.race.direction import Delays, calibrated
from voiceref.race.onset import Onset, nearest_rise
from voiceref.race.overlap import OnnxOverlap
from voiceref.race.profiles import FEWEST, MOST, Places, Profile, ProfileError, Profiles
from voiceref.race.verdict import TOGETHER
from voiceref.race.voice_print import Embedding, OnnxEncoder

LONGEST_S = 1.5
"""Of a longer shout the beginning counts."""
_UNMEASURED_S = 0.1
_LEAD_S, _SHORTEST_S = 0.6, 0.4
"""Sound before a cry that shows the room, and the least of it that tells a voice."""


def voices_folder() -> Path:
    """Where learnt voices are kept."""
    return resources.data_home() / "voix"


def profiles() -> Profiles:
    """The voices kept on this machine."""
    return Profiles(voices_folder())


def places_file() -> Path:
    """Where the places of the players are kept."""
    return voices_folder() / "table.places"


def places() -> Places:
    """From where the players speak to the pair or array on the table, kept apart from their voices."""
    return Places(places_file())


def listeners() -> Listeners:
    """The shipped models. Raises ProfileError when one is not there."""
    try:
        return Listeners(
            OnnxEncoder(resources.shipped("models/voice_print") / "encoder.onnx"),
            OnnxOverlap(resources.shipped("models/overlap") / "overlap.onnx"),
        )
    except FileNotFoundError as error:
        raise ProfileError(f"Le modèle des voix {error} manque : réinstallez VoiceRef.") from None


@dataclass(frozen=True)
class KnownVoices:
    """The voices of one table, and with a pair or an array their places."""

    voices: Mapping[str, Embedding]
    listeners: Listeners
    seats: Mapping[str, Delays] | None = None

    def guess(self, sound: Samples, onset: float, alone: float = IN_A_RACE) -> Guess | None:
        """Who began the shout at `onset` seconds of `sound` (n, channels), however unsure."""
        return first_voice(sound, onset, self.voices, self.listeners, self.seats, alone)

    def name(self, sound: Samples, said_at: float, phrase: str | None) -> Voice:
        """Who began the shout of `phrase` at about `said_at` seconds of `sound`, None when not sure enough; and when.

        Outside races a second voice is seldom, so that a name takes less evidence.
        """
        onset = rise(sound.mean(axis=1, dtype=np.float32), said_at)
        guess = self.guess(sound, onset.t, IN_A_RACE if phrase in raced() else IN_TURN)
        if guess is None:
            return Voice(None, onset.t, onset.uncertainty)
        return Voice(guess.sure, onset.t, onset.uncertainty, guess.together)


def rise(mono: Samples, said_at: float) -> Onset:
    """The rise of the shout at about `said_at` seconds of `mono` (n,); that time itself where none is found."""
    return nearest_rise(mono, said_at) or Onset(said_at, _UNMEASURED_S, 0.0)


@cache
def raced() -> frozenset[str]:
    """The phrases of all games that several players cry at once."""
    found = (catalogues.load(game).phrases.values() for game in catalogues.GAMES)
    return frozenset(phrase.id for phrases in found for phrase in phrases if phrase.raced)


def known(players: Sequence[str], channels: int = 1) -> KnownVoices:
    """The voices of these players, with their places where that many channels were calibrated for all of them.

    Raises ProfileError naming the first that was never enrolled.
    """
    return KnownVoices(profiles().voices(players), listeners(), places().load(players, channels))


def known_at_table(players: Sequence[str], channels: int = 1) -> KnownVoices | None:
    """As `known`, or None when one of the players was never enrolled: then the referee asks."""
    try:
        return known(players, channels) if len(players) > 1 else None
    except ProfileError:
        return None


class Heard(Protocol):
    """Sound that was just heard (`audio.recent.Recent`)."""

    def sound(self, start: float, end: float) -> tuple[float, Samples]:
        """What is kept between two capture seconds, (n, channels) at 16 kHz, and where it begins."""


class TableVoices:
    """The voices of a table as they are known now; cries that were named make them better known."""

    def __init__(self, known: KnownVoices) -> None:
        self._known = known

    def name(self, sound: Samples, said_at: float, phrase: str | None) -> Voice:
        """As `KnownVoices.name`."""
        return self._known.name(sound, said_at, phrase)

    def improve(self, player: str, sound: Heard, onset: float) -> bool:
        """Add the cry at `onset` capture seconds to the voice of `player`, on disk too.

        The first shouts of his enrolment stay; of the others the newest. False when the cry is no longer there or too
        short, or a second voice sounds in it. Raises ProfileError when the disk does not take it.
        """
        begin, heard = sound.sound(onset - _LEAD_S, onset + LONGEST_S)
        shout = heard[max(0, round((onset - begin) * EAR_RATE)) :]
        if player not in self._known.voices or len(shout) < _SHORTEST_S * EAR_RATE:
            return False
        guess = self._known.guess(heard, onset - begin, IN_A_RACE)
        if guess is None or guess.together >= TOGETHER:
            return False
        profile = profiles().load(player)
        shouts = (*profile.shouts, self._known.listeners.encoder.embed(_loudest(shout)))
        if len(shouts) > MOST:
            shouts = (*shouts[:FEWEST], *shouts[FEWEST + 1 :])
        better = replace(profile, shouts=shouts)
        profiles().save(better)
        self._known = replace(self._known, voices={**self._known.voices, player: better.voice})
        return True


def table_voices(players: Sequence[str], channels: int = 1) -> TableVoices | None:
    """The voices of a table, or None as `known_at_table`."""
    known = known_at_table(players, channels)
    return None if known is None else TableVoices(known)


def learn(name: str, shouts: Sequence[Samples]) -> Profile:
    """Keep the voice of `name`, and his place if there are several channels, from his shouts (n, channels) at 16 kHz.

    Each shout begins at its onset. Raises ProfileError when there are too few.
    """
    taken = [shout[: round(LONGEST_S * EAR_RATE)] for shout in shouts[:MOST]]
    if len(taken) < FEWEST:
        raise ProfileError(f"Il faut au moins {FEWEST} cris d'une demi-seconde pour {name}, en voici {len(taken)}.")
    encoder = listeners().encoder
    profile = Profile(name, tuple(encoder.embed(_loudest(shout)) for shout in taken))
    profiles().save(profile)
    if taken[0].shape[1] > 1:
        places().save(name, taken[0].shape[1], calibrated(taken))
    return profile


def forget(name: str) -> None:
    """Delete a voice and its place. Raises ProfileError when it is not known."""
    profiles().delete(name)
    places().delete(name)


def _loudest(shout: Samples) -> Samples:
    """The channel of most energy, (n,)."""
    return shout[:, int(np.square(shout).sum(axis=0).argmax())]
