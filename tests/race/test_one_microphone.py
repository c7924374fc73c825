"""One microphone: who began a shout by voice, the race command with profiles, and the ear that names who spoke."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tests.ear.speech import heard, lexicon
from tests.race.table_sounds import RATE, Sound, voice
from voiceref.audio.source import Block, ListSource
from voiceref.audio.wave_file import write_wave
from voiceref.cli import main
from voiceref.ear.crosstalk import Naming
from voiceref.ear.hearing import AudioHearing
from voiceref.ear.hypothesis import Hypothesis
from voiceref.ear.judge import Judge
from voiceref.ear.network import Network
from voiceref.ear.posteriors import ScriptedPhones
from voiceref.ear.word_graph import PhraseList
from voiceref.race.attribution import IN_A_RACE, IN_TURN, SURE, Guess, Listeners, first_voice
from voiceref.race.overlap import FakeOverlap
from voiceref.race.profiles import Profile
from voiceref.race.voice_print import Embedding, FakeEncoder, unit
from voiceref.referee import voices
from voiceref.referee.doctor import State, who_is_known

PITCH = {"Ana": 310.0, "Bruno": 110.0, "Chloé": 205.0}


def shout(name: str, seed: int = 9, seconds: float = 1.0) -> Sound:
    return voice(PITCH[name], seconds, seed)


def table() -> dict[str, Embedding]:
    prints = FakeEncoder()
    return {name: unit(np.mean([prints.embed(shout(name, seed)) for seed in range(5)], axis=0)) for name in PITCH}


def in_quiet(*shouts: tuple[float, Sound], seconds: float = 4.0) -> Sound:
    """Mono: each shout at its second, in faint noise."""
    sound = np.random.default_rng(4).normal(0, 1e-4, round(seconds * RATE)).astype(np.float32)
    for at, said in shouts:
        begin = round(at * RATE)
        sound[begin : begin + len(said)] += said[: len(sound) - begin]
    return sound


# --- whose voice -----------------------------------------------------------------------------------------------------


LISTENERS = Listeners(FakeEncoder(), FakeOverlap())


def guess(sound: Sound, together: float = 0.0, alone: float = IN_A_RACE) -> Guess | None:
    """Who begins the shout at 0.3 s of `sound`, where the part `together` of it sounds like two voices."""
    return first_voice(
        sound[:, None], 0.3, table(), Listeners(FakeEncoder(), FakeOverlap(lambda _: together)), None, alone
    )


@pytest.mark.parametrize("name", sorted(PITCH))
def test_a_single_shout_is_named(name: str) -> None:
    found = guess(in_quiet((0.3, shout(name))))
    assert found.player == name
    assert found.confidence >= SURE
    assert found.together < 0.5


def test_half_a_second_of_head_start_names_the_first() -> None:
    both = in_quiet((0.3, shout("Bruno")), (0.9, shout("Ana")))
    assert guess(both).player == "Bruno"


def test_two_voices_at_once_are_less_sure_than_one_and_said_to_be_two() -> None:
    both = in_quiet((0.3, shout("Bruno")), (0.32, shout("Chloé")))
    found = guess(both, together=0.6)
    assert found.together > 0.9
    assert found.confidence < SURE < guess(in_quiet((0.3, shout("Bruno")))).confidence


def test_outside_races_a_second_voice_takes_more_evidence() -> None:
    alone = in_quiet((0.3, shout("Ana")))
    assert guess(alone, 0.1, IN_TURN).together < guess(alone, 0.1, IN_A_RACE).together


def test_too_short_or_without_voices_there_is_no_guess() -> None:
    assert guess(in_quiet((0.3, shout("Ana")), seconds=0.5)) is None
    assert first_voice(in_quiet((0.3, shout("Ana")))[:, None], 0.3, {}, LISTENERS) is None


# --- the race command ------------------------------------------------------------------------------------------------


@pytest.fixture
def enrolled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Profiles of everybody; writes a mono (or wider) recording and gives its name."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(voices, "listeners", lambda: LISTENERS)
    for name in PITCH:
        shouts = tuple(FakeEncoder().embed(shout(name, seed)) for seed in range(5))
        voices.profiles().save(Profile(name, shouts))

    def recording(sound: Sound) -> str:
        write_wave(tmp_path / "course.wav", sound, RATE)
        return str(tmp_path / "course.wav")

    return recording


def verdict(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    assert main(["race", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_voices_name_the_shouts_of_one_channel(
    enrolled: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = enrolled(in_quiet((1.2, shout("Chloé")), (3.2, shout("Ana")), seconds=5.5))
    found = verdict([file, "--players", "Ana,Bruno,Chloé"], capsys)
    assert [(claim["player"], claim["channel"]) for claim in found["order"]] == [("Chloé", None), ("Ana", None)]
    assert found["order"][0]["onset"] == pytest.approx(1.2, abs=0.02)
    assert (found["first"], found["last"], found["reason"]) == ("Chloé", "Ana", "net")
    assert found["confidence"] >= SURE


def test_without_names_everybody_known_may_have_shouted(
    enrolled: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    stereo = np.repeat(in_quiet((1.2, shout("Bruno")))[:, None], 2, axis=1)
    assert verdict([enrolled(stereo), "--players", "Ana,Bruno,Chloé"], capsys)["first"] == "Bruno"
    assert verdict([enrolled(in_quiet((1.2, shout("Bruno"))))], capsys)["first"] == "Bruno"


def test_who_was_last_in_a_single_stretch_of_voices_is_not_claimed(
    enrolled: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = verdict([enrolled(in_quiet((1.2, shout("Ana")), (1.9, shout("Bruno"))))], capsys)
    assert (found["first"], found["last"]) == ("Ana", None)


def test_two_voices_that_cannot_be_told_apart_are_a_tie(
    enrolled: Callable[..., str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """« Two voices at once on one microphone are one cry »: égalité, and the game's own tie-break follows."""
    monkeypatch.setattr(voices, "listeners", lambda: Listeners(FakeEncoder(), FakeOverlap(lambda _: 0.6)))
    found = verdict([enrolled(in_quiet((1.2, shout("Bruno")), (1.22, shout("Chloé"))))], capsys)
    assert (found["first"], found["reason"], found["ties"]) == (None, "egalite", [["?", "?"]])


def test_a_shout_that_is_too_short_is_asked_for(
    enrolled: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = verdict([enrolled(in_quiet((1.2, shout("Ana", seconds=0.2))))], capsys)
    assert (found["first"], found["reason"]) == (None, "qui_a_crie")
    assert found["order"][0]["player"] is None


def test_unknown_voices_are_one_sentence(
    enrolled: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = enrolled(in_quiet((1.2, shout("Ana"))))
    assert main(["race", file, "--players", "Ana,Zoé"]) == 1
    assert capsys.readouterr().err.startswith("Aucune voix n'est connue pour Zoé : lancez")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nobody"))
    assert main(["race", file]) == 1
    assert capsys.readouterr().err.startswith("Aucune voix n'est connue : lancez")


# --- the ear ---------------------------------------------------------------------------------------------------------


def speakers(sound: Sound, name: Naming | None) -> list[tuple[str | None, bool]]:
    blocks = [Block(i, sound[i : i + 320, None], RATE) for i in range(0, len(sound), 320)]
    judge = Judge(lexicon(), Network.compile(PhraseList.of([("d", "bonjour"), ("d", "oui")]), lexicon()))
    phones = ScriptedPhones(dict.fromkeys(range(9), heard("grelotte ça picote", frames=3, lead=12, trail=5)))
    ear = AudioHearing(ListSource(blocks), judge, phones, voices=name)
    ear.expect(PhraseList.of([("GRELOTTE", "grelotte ça picote")]))
    return [(event.speaker, event.accepted) for event in ear.events() if isinstance(event, Hypothesis)]


def test_the_ear_names_who_cried_by_voice() -> None:
    known = voices.KnownVoices(table(), LISTENERS)
    sound = in_quiet((2.0, shout("Bruno")), (5.0, shout("Ana")), seconds=8.0)
    assert speakers(sound, known.name) == [("Bruno", True), ("Ana", True)]
    assert speakers(sound, None) == [(None, True), (None, True)]


def test_a_doubtful_voice_is_left_to_the_question() -> None:
    known = voices.KnownVoices(table(), LISTENERS)
    voice = known.name(in_quiet((0.3, shout("Ana", seconds=0.2)), seconds=0.5)[:, None], 0.3, "CDC-P001")
    assert voice.player is None
    assert voice.onset == pytest.approx(0.3, abs=0.01)


def test_a_table_with_a_voice_missing_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(voices, "listeners", lambda: LISTENERS)
    voices.profiles().save(Profile("Ana", (FakeEncoder().embed(shout("Ana")),)))
    assert voices.known_at_table(("Ana", "Bruno")) is None
    voices.profiles().save(Profile("Bruno", (FakeEncoder().embed(shout("Bruno")),)))
    assert set(voices.known_at_table(("Ana", "Bruno")).voices) == {"Ana", "Bruno"}


@pytest.mark.usefixtures("enrolled")
def test_the_doctor_tells_how_players_are_known() -> None:
    assert who_is_known(("ana", "Bruno")) == (State.GOOD, "avec un seul micro, par les voix apprises : ana, Bruno")
    state, message = who_is_known(("Ana", "Zoé"))
    assert state is State.POOR
    assert "enroll --players Zoé »" in message
