"""The whole ear on made sound with scripted phones: what is given out, when, and why not (B06, B07, B12, B15, B17)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from tests.ear.speech import heard, lexicon
from voiceref.audio.source import Block, ListSource, Trouble
from voiceref.ear.crosstalk import overheard, similarity
from voiceref.ear.decision import REASONS
from voiceref.ear.hearing import AudioHearing, EarSettings
from voiceref.ear.hypothesis import Clock, Hypothesis
from voiceref.ear.judge import Judge
from voiceref.ear.network import Network
from voiceref.ear.posteriors import PhoneModel, ScriptedPhones
from voiceref.ear.recogniser import Opinion, ScriptedRecogniser
from voiceref.ear.word_graph import PhraseList

RATE = 16_000


@dataclass(frozen=True)
class Seeking:
    """What is sought inside talk, and its rivals."""

    sought: PhraseList
    rivals: PhraseList


GRAPH = PhraseList.of(
    [
        ("CAILLOU", "pas mou le caillou"),
        ("GRELOTTE", "grelotte ça picote"),
        ("C", "chouette"),
        ("CV", "chouette velute"),
    ]
)


def _judge() -> Judge:
    return Judge(lexicon(), Network.compile(PhraseList.of([("d", "bonjour"), ("d", "oui")]), lexicon()))


def _sound(*parts: tuple[float, float], channels: int = 1, seed: int = 0) -> list[Block | Trouble]:
    """Blocks of 20 ms: (seconds, level) of harmonic sound over faint noise."""
    pieces = []
    for seconds, level in parts:
        t = np.arange(round(seconds * RATE)) / RATE
        pieces.append(level * sum(np.sin(2 * np.pi * 150 * k * t) / k for k in range(1, 20)))
    sound = np.concatenate(pieces) + np.random.default_rng(seed).normal(0, 1e-4, sum(len(piece) for piece in pieces))
    sound = np.repeat(sound.astype(np.float32)[:, None], channels, axis=1)
    return [Block(i, sound[i : i + 320], RATE) for i in range(0, len(sound), 320)]


def _ear(
    blocks: list[Block | Trouble], posteriors: dict[int, np.ndarray], settings: EarSettings | None = None
) -> AudioHearing:
    ear = AudioHearing(ListSource(blocks), _judge(), ScriptedPhones(posteriors), settings=settings)
    ear.expect(GRAPH)
    return ear


def _speech(text: str) -> np.ndarray:
    """Posteriors of a cut that starts 0.25 s before the speech."""
    return heard(text, lead=12, trail=5)


def _hypotheses(ear: AudioHearing) -> list[Hypothesis]:
    return [event for event in ear.events() if isinstance(event, Hypothesis)]


ONE = ((2.0, 0.0), (0.9, 0.2), (1.5, 0.0))


def test_a_phrase_is_heard_with_its_times() -> None:
    (hypothesis,) = _hypotheses(_ear(_sound(*ONE), {0: _speech("grelotte ça picote")}))
    assert hypothesis.accepted
    assert (hypothesis.phrase, hypothesis.text, hypothesis.reason) == ("GRELOTTE", "grelotte ça picote", "entendu")
    assert hypothesis.onset == pytest.approx(2.0, abs=0.03)
    assert hypothesis.utterance.end == pytest.approx(2.9, abs=0.06)
    assert [word.text for word in hypothesis.words] == ["grelotte", "ça", "picote"]
    assert hypothesis.words[0].start == pytest.approx(2.0, abs=0.06)
    assert hypothesis.words[1].start == pytest.approx(hypothesis.words[0].end, abs=1e-6)
    assert hypothesis.score > 0.9
    assert hypothesis.runner_up
    assert hypothesis.channel is None


def test_it_is_given_out_within_300_ms_of_its_end() -> None:
    blocks = _sound(*ONE)
    ear = _ear(blocks, {0: _speech("grelotte ça picote")})
    for event in ear.events():
        if isinstance(event, Hypothesis):
            break
    assert ear.now() - 2.9 < 0.25


def test_a_phrase_that_could_go_on_waits_a_little() -> None:
    ear = _ear(_sound((2.0, 0.0), (0.5, 0.2), (1.5, 0.0)), {0: _speech("chouette")})
    for event in ear.events():
        if isinstance(event, Hypothesis):
            assert event.phrase == "C"
            break
    assert 0.3 < ear.now() - 2.5 < 0.5


def test_and_takes_what_follows() -> None:
    parts = ((2.0, 0.0), (0.5, 0.2), (0.22, 0.0), (0.5, 0.2), (1.5, 0.0))
    posteriors = {0: _speech("chouette"), 1: _speech("chouette _ _ _ velute")}
    (hypothesis,) = _hypotheses(_ear(_sound(*parts), posteriors))
    assert hypothesis.phrase == "CV"


def test_a_phrase_after_other_talk_is_heard_by_itself() -> None:
    parts = ((2.0, 0.0), (0.5, 0.2), (0.25, 0.0), (0.9, 0.2), (1.5, 0.0))
    talk = heard("bonjour bonjour", frames=2, lead=12, trail=0)[:-10]
    both = np.concatenate([talk, heard("grelotte ça picote", lead=2, trail=5)])
    (hypothesis,) = _hypotheses(_ear(_sound(*parts), {0: talk, 1: both}))
    assert hypothesis.phrase == "GRELOTTE"
    assert hypothesis.utterance.start == pytest.approx(2.75, abs=0.05)


def test_other_speech_is_refused_with_a_reason() -> None:
    (hypothesis,) = _hypotheses(_ear(_sound(*ONE), {i: _speech("bonjour bonjour bonjour") for i in range(4)}))
    assert not hypothesis.accepted
    assert hypothesis.reason in REASONS
    assert hypothesis.reason != "entendu"
    assert hypothesis.text == ""


def test_silence_zeros_and_ghosts_give_nothing() -> None:
    assert _hypotheses(_ear(_sound((120.0, 0.0)), dict.fromkeys(range(9), _speech("chouette")))) == []


def test_a_word_of_absurd_length_is_refused() -> None:
    stretched = heard("chouette", frames=60, lead=12, trail=5)
    (hypothesis,) = _hypotheses(_ear(_sound((2.0, 0.0), (4.8, 0.2), (1.5, 0.0)), {0: stretched}))
    assert (hypothesis.accepted, hypothesis.reason) == (False, "durée_absurde")


def test_the_watermark_never_passes_what_is_still_to_come() -> None:
    parts = (*ONE, *ONE, *ONE)
    watermark = 0.0
    heard_at = []
    for event in _ear(_sound(*parts), {i: _speech("grelotte ça picote") for i in range(3)}).events():
        if isinstance(event, Clock):
            assert event.t >= watermark
            watermark = event.t
        elif isinstance(event, Hypothesis):
            assert event.onset >= watermark - 1e-6
            heard_at.append(event.onset)
    assert heard_at == pytest.approx([2.0, 6.4, 10.8], abs=0.04)
    assert watermark == pytest.approx(13.2, abs=0.03)


def test_a_real_repetition_counts_again() -> None:
    parts = (*ONE, *ONE)
    assert len(_hypotheses(_ear(_sound(*parts), {0: _speech("chouette"), 1: _speech("chouette")}))) == 2


def test_our_own_voice_is_not_heard() -> None:
    blocks = _sound((2.0, 0.0), (0.9, 0.2), (1.5, 0.0), (0.9, 0.2), (1.5, 0.0))
    ear = _ear(blocks, dict.fromkeys(range(4), _speech("grelotte ça picote")))
    ear.mute(1.9, 5.0)
    ear.mute(1.9, 3.0)
    (hypothesis,) = _hypotheses(ear)
    assert hypothesis.onset == pytest.approx(4.4, abs=0.04)


def test_a_late_machine_does_not_act_on_old_words() -> None:
    class Slow(ListSource):
        def now(self) -> float:
            return super().now() + 4.0

    ear = AudioHearing(Slow(_sound(*ONE)), _judge(), ScriptedPhones({0: _speech("grelotte ça picote")}))
    ear.expect(GRAPH)
    (hypothesis,) = _hypotheses(ear)
    assert (hypothesis.accepted, hypothesis.reason) == (False, "trop_tard")


def test_the_second_opinion_is_asked_in_doubt_only_and_lives_in_one_thread() -> None:
    blurred = heard("grelotte ça picote", lead=12, trail=5, sharp=2.2, noise=1.2)
    clear = _speech("pas mou le caillou")
    opinions = [ScriptedRecogniser([Opinion("grelotte ça picote", 0.9)] * 9) for _ in range(2)]
    made = iter(opinions)
    blocks = _sound(*ONE, *ONE)
    ear = AudioHearing(ListSource(blocks), _judge(), ScriptedPhones({0: blurred, 1: clear}), lambda graph: next(made))
    ear.expect(GRAPH)
    hypotheses = _hypotheses(ear)
    assert hypotheses[-1].phrase == "CAILLOU"
    assert opinions[0].seconds < 1.5
    assert opinions[1].seconds == 0.0


def test_phrases_change_between_utterances() -> None:
    ear = _ear(_sound(*ONE, *ONE), {0: _speech("chouette"), 1: _speech("oui"), 2: _speech("oui"), 3: _speech("oui")})
    found = []
    for event in ear.events():
        if isinstance(event, Hypothesis):
            found.append(event.phrase)
            ear.expect(PhraseList.of([("OUI", "oui"), ("G", "grelotte")]))
    assert found == ["C", "OUI"]


def test_a_phrase_out_of_its_phase_must_be_clearer() -> None:
    either = PhraseList.of([("V", "velute"), ("VV", "velutée")])
    between = _speech("velute")
    for legal, expected in ((None, "V"), (("V",), "V"), (("VV",), "V")):
        ear = AudioHearing(ListSource(_sound(*ONE)), _judge(), ScriptedPhones({0: between}))
        ear.expect(either, legal)
        (hypothesis,) = _hypotheses(ear)
        assert hypothesis.phrase == expected


def test_troubles_and_heartbeats_pass_through() -> None:
    blocks = _sound((1.0, 0.0))
    late = [Trouble(1.0, "micro_muet", "…"), Block(5 * RATE, np.zeros((0, 1), np.float32), RATE)]
    events = list(_ear([*blocks, *late], {}).events())
    assert [event.code for event in events if isinstance(event, Trouble)] == ["micro_muet"]
    assert [event.t for event in events if isinstance(event, Clock)][-1] == pytest.approx(5.0)


def test_each_player_has_a_microphone() -> None:
    blocks = []
    for i, block in enumerate(_sound(*ONE, channels=2)):
        samples = block.samples.copy()
        samples[:, 0] = samples[:, 0] * 0.4 if i else 0.0
        blocks.append(Block(block.start, samples, RATE))
    speech = dict.fromkeys(range(6), _speech("grelotte ça picote"))
    (hypothesis,) = _hypotheses(_ear(blocks, speech, EarSettings(microphones=2)))
    assert hypothesis.channel == 1
    (mixed,) = _hypotheses(_ear(blocks, speech, EarSettings(microphones=3)))
    assert mixed.channel is None


def test_two_voices_at_once_are_both_kept_and_an_echo_is_not() -> None:
    rng = np.random.default_rng(0)
    ana, bruno = rng.normal(0, 0.1, 8_000).astype(np.float32), rng.normal(0, 0.2, 8_000).astype(np.float32)
    at_ana = ana + 0.3 * np.roll(bruno, 40)
    at_bruno = bruno + 0.3 * np.roll(ana, 40)
    assert not overheard(at_ana, at_bruno[:, None])
    assert overheard(0.3 * np.roll(bruno, 40), at_bruno[:, None])
    assert not overheard(at_bruno, (0.3 * np.roll(bruno, 40))[:, None])
    assert similarity(ana, np.roll(ana, 50)) == pytest.approx(1.0, abs=0.02)


# --- inside talk -----------------------------------------------------------------------------------------------------

INSIDE = replace(GRAPH, inside=Seeking(PhraseList.of([("W", "velute")]), PhraseList.of([("W", "caillou")])))
BABBLE = "bonjour oui bonjour velute mou bonjour"
BEFORE_S = 12 * 4 * 0.02
"""Twelve phones of four frames come before the sought word."""


def _babble(text: str = BABBLE) -> np.ndarray:
    return heard(text, lead=12, trail=5)


def _seeking(phones: PhoneModel, *parts: tuple[float, float]) -> AudioHearing:
    ear = AudioHearing(ListSource(_sound(*parts)), _judge(), phones)
    ear.expect(INSIDE)
    return ear


LONG_TALK = ((2.0, 0.0), (2.3, 0.2), (1.5, 0.0))


def test_a_sought_word_inside_talk_is_given_out_with_its_own_onset() -> None:
    (hypothesis,) = _hypotheses(_seeking(ScriptedPhones({0: _babble(), 1: _babble()}), *LONG_TALK))
    assert (hypothesis.phrase, hypothesis.text, hypothesis.reason) == ("W", "velute", "repéré")
    assert hypothesis.accepted
    assert hypothesis.onset == pytest.approx(2.0 + BEFORE_S, abs=0.06)
    assert hypothesis.utterance.end == pytest.approx(4.3, abs=0.06)
    assert [word.text for word in hypothesis.words] == ["velute"]


def test_it_is_looked_for_once_while_nothing_new_is_said() -> None:
    phones = ScriptedPhones({0: _babble(), 1: _babble("bonjour mou bonjour oui")})
    assert not any(hypothesis.accepted for hypothesis in _hypotheses(_seeking(phones, *LONG_TALK)))
    assert phones.calls == 2


def test_where_nothing_is_sought_talk_stays_talk() -> None:
    ear = _ear(_sound(*LONG_TALK), {0: _babble(), 1: _babble()})
    assert not any(hypothesis.accepted for hypothesis in _hypotheses(ear))


def test_a_sought_word_over_the_seam_of_long_talk_is_heard() -> None:
    """Talk without any pause is cut after seven seconds; the second cut is looked at with the end of the first."""
    quiet = _babble("bonjour mou bonjour oui")
    posteriors = {0: quiet, 1: quiet, 2: quiet, 3: _babble()}
    phones = ScriptedPhones(posteriors)
    lengths: list[int] = []

    class Measured:
        def posteriors(self, cut: np.ndarray) -> np.ndarray:
            lengths.append(len(cut))
            return phones.posteriors(cut)

    events = list(_seeking(Measured(), (2.0, 0.0), (8.0, 0.2), (1.5, 0.0)).events())
    *_, last = (event for event in events if isinstance(event, Hypothesis))
    assert (last.text, last.accepted) == ("velute", True)
    assert lengths[3] - lengths[2] == 2 * RATE
    assert last.onset < 9.0, "it began in the cut before"
    clocks = [event.t for event in events[: events.index(last)] if isinstance(event, Clock)]
    assert 6.5 < max(clocks) <= last.onset, "the watermark waits for it"
    assert [event.t for event in events if isinstance(event, Clock)][-1] > 11.0
