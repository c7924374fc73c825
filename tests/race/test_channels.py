"""One microphone each: onsets of own shouts, silent players, uncertainty."""

from __future__ import annotations

import numpy as np
import pytest

from tests.race.table_sounds import table, voice
from voiceref.race.channels import own_onsets
from voiceref.race.ownership import own_shout

ANA, BRUNO = voice(210, seed=1), voice(120, seed=2)


@pytest.mark.parametrize("gap", [0.05, 0.1, 0.2, 0.4])
@pytest.mark.parametrize("first", [0, 1])
def test_overlapping_shouts_keep_their_order(gap: float, first: int) -> None:
    sound = table([(first, 1.0, ANA), (1 - first, 1.0 + gap, BRUNO)], channels=3)
    found = own_onsets(sound)
    assert found[first] is not None
    assert found[1 - first] is not None
    assert found[first].t == pytest.approx(1.0, abs=0.01)
    assert found[1 - first].t == pytest.approx(1.0 + gap, abs=found[1 - first].uncertainty)
    assert found[first].t < found[1 - first].t
    assert found[2] is None


def test_the_same_words_in_the_same_voice_are_two_shouts() -> None:
    """Overlapping identical phrases: the second is no echo of the first."""
    found = own_onsets(table([(2, 1.0, ANA), (0, 1.15, ANA)], channels=3))
    assert found[2].t < found[0].t
    assert found[1] is None


def test_a_single_shout_has_one_owner_and_a_narrow_interval() -> None:
    found = own_onsets(table([(1, 0.8, BRUNO)], channels=4))
    assert [onset is not None for onset in found] == [False, True, False, False]
    assert found[1].uncertainty < 0.02
    assert abs(found[1].t - 0.8) <= found[1].uncertainty


def test_a_shout_over_another_is_less_certain() -> None:
    found = own_onsets(table([(0, 1.0, ANA), (1, 1.2, BRUNO)], channels=2))
    assert found[1].uncertainty > 10 * found[0].uncertainty


def test_noise_drowns_certainty() -> None:
    quiet = table([(0, 1.0, ANA)], channels=2)
    noisy = quiet + np.random.default_rng(3).normal(0, 0.01, quiet.shape).astype(np.float32)
    assert own_onsets(noisy)[0].uncertainty > own_onsets(quiet)[0].uncertainty


def test_nobody_in_digital_silence_or_in_too_little_sound() -> None:
    assert own_onsets(np.zeros((16_000, 3), np.float32)) == (None, None, None)
    assert own_onsets(np.zeros((50, 2), np.float32)) == (None, None)


def test_shouts_without_any_crosstalk_in_digital_silence() -> None:
    sound = np.zeros((32_000, 2), np.float32)
    sound[16_000 : 16_000 + len(ANA), 0] = ANA[:16_000]
    sound[17_600 : 17_600 + len(BRUNO), 1] = BRUNO[: 32_000 - 17_600]
    found = own_onsets(sound)
    assert (found[0].t, found[1].t) == (pytest.approx(1.0, abs=0.01), pytest.approx(1.1, abs=0.01))


def test_a_player_shouting_twice_counts_from_where_he_is_looked_for() -> None:
    sound = table([(0, 0.8, ANA[:6_000]), (0, 1.9, ANA)], channels=2)
    assert own_onsets(sound)[0].t == pytest.approx(0.8, abs=0.02)
    assert own_onsets(sound, since=1.6)[0].t == pytest.approx(1.9, abs=0.02)


def test_a_phrase_belongs_to_the_microphone_of_its_player() -> None:
    sound = table([(0, 1.0, ANA), (1, 1.15, BRUNO)], channels=3)
    assert own_shout(sound, 0, 1.02).t == pytest.approx(1.0, abs=0.01)
    assert own_shout(sound, 1, 1.0).t > 1.0
    assert own_shout(sound, 2, 1.0) is None


def test_an_answer_to_an_overheard_phrase_is_not_that_phrase() -> None:
    sound = table([(0, 1.0, ANA), (1, 2.0, BRUNO)], channels=2, seconds=4.0)
    assert own_shout(sound, 1, 1.0) is None
    assert own_shout(sound, 1, 2.0).t == pytest.approx(2.0, abs=0.02)


def test_a_phrase_without_any_rise_stays_where_its_words_are() -> None:
    onset = own_shout(np.zeros((32_000, 2), np.float32), 1, 1.2)
    assert (onset.t, onset.uncertainty) == (1.2, 0.5)
