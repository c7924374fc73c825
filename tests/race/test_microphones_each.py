"""The ear with a microphone for each player and the race's onsets: overlapping cries, silent players, twice, late."""

from __future__ import annotations

import numpy as np
import pytest

from tests.ear.speech import heard, lexicon
from tests.race.table_sounds import RATE, Sound, table, voice
from voiceref.audio.source import Block, ListSource
from voiceref.ear.hearing import AudioHearing, EarSettings
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.ear.judge import Judge
from voiceref.ear.network import Network
from voiceref.ear.posteriors import ScriptedPhones
from voiceref.ear.word_graph import PhraseList
from voiceref.referee.ownership import owned

ANA, BRUNO = voice(210, seed=1), voice(120, seed=2)


def events(sound: Sound, text: str = "grelotte ça picote", lead: int = 12) -> list[Hypothesis | Clock]:
    """What the ear gives out when every cut sounds like `text`, said `lead` frames after the cut's first sample."""
    blocks = [Block(i, sound[i : i + 320], RATE) for i in range(0, len(sound), 320)]
    judge = Judge(lexicon(), Network.compile(PhraseList.of([("d", "bonjour"), ("d", "oui")]), lexicon()))
    phones = ScriptedPhones(dict.fromkeys(range(40), heard(text, frames=3, lead=lead, trail=5)))
    settings = EarSettings(microphones=sound.shape[1])
    ear = AudioHearing(ListSource(blocks), judge, phones, settings=settings, ownership=owned)
    ear.expect(PhraseList.of([("GRELOTTE", "grelotte ça picote")]))
    return [event for event in ear.events() if isinstance(event, Hypothesis | Clock)]


def hypotheses(sound: Sound) -> dict[int | None, Hypothesis]:
    found = [event for event in events(sound) if isinstance(event, Hypothesis)]
    by_channel = {event.channel: event for event in found}
    assert len(by_channel) == len(found)
    return by_channel


@pytest.mark.parametrize("gap", [0.06, 0.15, 0.3])
def test_overlapping_identical_cries_are_timed_each_on_its_own_rise(gap: float) -> None:
    found = hypotheses(table([(2, 2.0, ANA), (0, 2.0 + gap, BRUNO)], channels=3, seconds=5.0))
    assert set(found) == {0, 2}
    assert found[2].onset == pytest.approx(2.0, abs=0.015)
    assert found[0].onset == pytest.approx(2.0 + gap, abs=0.05)
    assert found[2].uncertainty < found[0].uncertainty


def test_a_neighbours_microphone_hears_the_words_but_owns_nothing() -> None:
    assert set(hypotheses(table([(1, 2.0, ANA)], channels=4, seconds=5.0, crosstalk_db=-4.0))) == {1}


def test_onsets_never_lie_before_the_watermark() -> None:
    watermark = 0.0
    for event in events(table([(1, 2.0, ANA), (0, 2.4, BRUNO), (1, 4.5, ANA)], channels=2, seconds=8.0)):
        if isinstance(event, Clock):
            watermark = event.t
        else:
            assert event.onset >= watermark - 1e-6


def test_a_real_repetition_is_told_as_often_as_it_was_cried() -> None:
    found = [
        e for e in events(table([(1, 2.0, ANA), (1, 5.0, ANA)], channels=2, seconds=8.0)) if not isinstance(e, Clock)
    ]
    assert [event.channel for event in found] == [1, 1]
    assert [event.onset for event in found] == pytest.approx([2.0, 5.0], abs=0.02)


def test_noise_between_microphones_is_nobodys_cry() -> None:
    noise = np.random.default_rng(0).normal(0, 3e-4, (4 * RATE, 3)).astype(np.float32)
    assert not [event for event in events(noise) if isinstance(event, Hypothesis)]
