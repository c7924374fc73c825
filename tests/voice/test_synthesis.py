"""Pico speaks French, whole sentences, at the rate asked for; sounds are trimmed; errors are sentences."""

import time

import numpy as np
import pytest

from voiceref.voice.spoken import spoken
from voiceref.voice.synthesis import Manner, PicoVoice, SilentVoice, Sound, VoiceError, trimmed

pytest.importorskip("py_nanotts", reason="Pico has no wheel here")


@pytest.fixture(scope="module")
def pico() -> PicoVoice:
    return PicoVoice()


def test_pico_speaks_mono_floats(pico: PicoVoice) -> None:
    sound = pico.speak("Ana marque seize points.")
    assert (sound.samples.dtype, sound.samples.ndim, sound.rate_hz) == (np.float32, 1, 16_000)
    assert 0.8 < sound.seconds < 2.0
    assert 0.2 < np.abs(sound.samples).max() <= 1.0


def test_a_sentence_takes_far_less_work_than_150_ms(pico: PicoVoice) -> None:
    began = time.process_time()
    pico.speak("Bruno perd dix points, et Chloé gagne quatre-vingt-dix-neuf points.")
    assert time.process_time() - began < 0.1


def test_rate_changes_the_length_and_pitch_does_not(pico: PicoVoice) -> None:
    normal, fast = pico.speak("Ana marque seize points."), pico.speak("Ana marque seize points.", Manner(rate=1.5))
    assert fast.seconds < 0.85 * normal.seconds
    high = pico.speak("Ana marque seize points.", Manner(pitch=1.4))
    assert high.seconds == pytest.approx(normal.seconds, rel=0.15)
    assert not np.array_equal(high.samples[:4000], normal.samples[:4000])


@pytest.mark.parametrize("stop", [".", " !", " ?", "…", ",", " ;", " :"])
def test_no_stop_cuts_the_end_off(pico: PicoVoice, stop: str) -> None:
    """B56: the last word is there whatever the stop."""
    whole = pico.speak("Ana marque seize points").seconds
    assert pico.speak(spoken(f"Ana marque seize points{stop}")).seconds == pytest.approx(whole, rel=0.25)


def test_length_grows_with_the_words(pico: PicoVoice) -> None:
    """B56: twelve scores are not shorter than their parts."""
    parts = [f"{name}, vingt et un points." for name in ("Ana", "Bruno", "Chloé", "David", "Émile", "Fanny")]
    alone = sum(pico.speak(part).seconds for part in parts)
    assert pico.speak(" ".join(parts)).seconds > 0.85 * alone


def test_accents_sound_the_same_however_they_are_written(pico: PicoVoice) -> None:
    """B58: NFD is NFC once it went through `spoken`."""
    assert pico.speak(spoken("E\u0301galite\u0301")).seconds == pico.speak("Égalité").seconds
    assert pico.speak("un œuf").seconds == pico.speak("un oeuf").seconds != pico.speak("un uf").seconds


def test_markup_of_the_engine_cannot_come_in_by_a_name(pico: PicoVoice) -> None:
    plain = pico.speak(spoken("Tom gagne")).seconds
    assert pico.speak(spoken("Tom <break time='9s'/> gagne")).seconds < plain + 2.5


def test_nothing_to_say_is_no_sound_and_no_sound_for_words_is_an_error(
    pico: PicoVoice, monkeypatch: pytest.MonkeyPatch
) -> None:
    import py_nanotts

    assert len(pico.speak("… !").samples) == 0
    monkeypatch.setattr(py_nanotts.NanoTTS, "speak", lambda *_, **__: b"")
    with pytest.raises(VoiceError, match="rien produit"):
        pico.speak("Ana")


def test_a_broken_pico_is_one_french_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import py_nanotts

    def fails(*_: object, **__: object) -> bytes:
        raise RuntimeError("lingware missing")

    monkeypatch.setattr(py_nanotts.NanoTTS, "speak", fails)
    with pytest.raises(VoiceError, match="choisissez une autre voix"):
        PicoVoice()


def test_manner_is_kept_within_what_is_understood() -> None:
    assert Manner(rate=9.0, pitch=0.0) == Manner(rate=2.0, pitch=0.5)


def test_trimming_keeps_all_sound() -> None:
    loud = np.full(1000, 0.5, np.float32)
    sound = Sound(np.concatenate([np.zeros(16_000, np.float32), loud, np.zeros(16_000, np.float32)]), 16_000)
    kept = trimmed(sound)
    assert kept.samples.sum() == sound.samples.sum()
    assert kept.seconds < 0.2
    silence = Sound(np.zeros(100, np.float32), 16_000)
    assert trimmed(silence) is silence


def test_the_silent_voice_makes_no_sound_and_remembers() -> None:
    voice = SilentVoice()
    assert len(voice.speak("Ana").samples) == 0
    assert voice.given == ["Ana"]
    voice.close()
