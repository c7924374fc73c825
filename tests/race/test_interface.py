"""An interface with several channels, from PortAudio's callback to the race: a microphone each, and who is told so."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from tests.audio.fake_portaudio import FakePortAudio
from tests.ear.speech import heard, lexicon
from tests.race.table_sounds import RATE, Sound, table, voice
from tests.referee.small_game import SmallGame, State, catalogue
from tests.referee.table_top import FakeMouth, Phrases, Record
from voiceref.audio import microphone
from voiceref.audio.devices import sound_system
from voiceref.audio.fake_device import FakeClock
from voiceref.audio.source import AudioError, AudioSource
from voiceref.ear import opening
from voiceref.ear.hearing import AudioHearing, EarSettings
from voiceref.ear.judge import Judge
from voiceref.ear.network import Network
from voiceref.ear.posteriors import ScriptedPhones
from voiceref.ear.script import ScriptError
from voiceref.ear.word_graph import PhraseList
from voiceref.referee.clock import GameClock
from voiceref.referee.course import Course
from voiceref.referee.desk import Desk
from voiceref.referee.doctor import State as Health
from voiceref.referee.doctor import levels_told, setup
from voiceref.referee.hearings import Attention, calibrated, listen, open_ear
from voiceref.referee.orders import Aids, Orders
from voiceref.referee.session import Session
from voiceref.referee.telling import Teller
from voiceref.referee.voices import places

PLAYERS = ("Ana", "Bruno", "Chloé")
CRY = "pas mou le caillou"
ANA, CHLOE = voice(210, seed=1), voice(160, seed=2)


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[FakePortAudio]:
    """An interface of four channels; the judge of the ear hears the cry in every cut."""
    fake = FakePortAudio(plugged={"Interface": (4, 0), "Casque": (1, 0), "HP": (0, 2)}, rate=float(RATE))
    monkeypatch.setitem(sys.modules, "sounddevice", fake)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(opening, "open_ear", scripted_ear)
    sound_system.cache_clear()
    yield fake
    sound_system.cache_clear()


def scripted_ear(source: AudioSource, models: object, settings: EarSettings, ownership, voices):  # type: ignore[no-untyped-def]
    judge = Judge(lexicon(), Network.compile(PhraseList.of([("d", "bonjour"), ("d", "oui")]), lexicon()))
    phones = ScriptedPhones(dict.fromkeys(range(40), heard(CRY, frames=3, lead=12, trail=5)))
    return AudioHearing(source, judge, phones, settings=settings, ownership=ownership, voices=voices)


def room(sound: Sound, system: FakePortAudio, over: Callable[[], None]) -> FakeClock:
    """A clock that lets every open stream hear `sound` as its time goes on, and calls `over` at the end."""
    clock, done = FakeClock(), [0]

    def run(now: float) -> None:
        while done[0] + 320 <= min(now * RATE, len(sound)):
            for stream in tuple(system.streams):
                stream.run(done[0] / RATE, sound=sound[done[0] : done[0] + 320])
            done[0] += 320
        if now * RATE > len(sound) + RATE:
            over()

    clock.listeners.append(run)
    return clock


def test_a_race_with_a_microphone_each_on_one_interface(system: FakePortAudio, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chloé cries a tenth of a second before Ana; both microphones hear both."""
    ends: list[Callable[[], None]] = []
    sound = table([(2, 2.0, CHLOE), (0, 2.1, ANA)], channels=4, seconds=6.0)
    clock = room(sound, system, lambda: ends[0]())
    monkeypatch.setattr(microphone, "SystemClock", lambda: clock)
    record = Record()
    running = Course(SmallGame(), State(PLAYERS, dict.fromkeys(PLAYERS, 0), until=20.0))
    desk = Desk(running, Teller("cul-de-chouette", Phrases(), (record,)), None, GameClock())
    aids = Aids(catalogue=catalogue(), mouth=FakeMouth(), explain=lambda rule: ())
    session = Session(desk, Orders(desk, aids), catalogue(), PLAYERS, strict=False)
    with ExitStack() as stack:
        ear = open_ear("mic:Interface", PLAYERS, stack, Attention(channels=3))
        ends.append(ear.hearing.close)  # type: ignore[attr-defined]
        assert ear.live
        listen(session, ear, catalogue(), lambda: 0.0)
        session.close()
    assert [stream for stream in system.streams if stream.name == "Interface"] == []
    assert desk.summary.scores == {"Ana": 0, "Bruno": 0, "Chloé": 32}
    assert [event.data["joueur"] for event in record.events] == ["Chloé"]
    assert record.events[0].t == pytest.approx(2.0, abs=0.02)
    assert "qui" not in " ".join(record.texts)


def test_too_few_channels_are_told(system: FakePortAudio) -> None:
    with ExitStack() as stack, pytest.raises(AudioError, match="« Casque » n'a que 1 canal, pas 3"):
        open_ear("mic:Casque", PLAYERS, stack, Attention(channels=3))
    with ExitStack() as stack, pytest.raises(AudioError, match="au moins un canal"):
        open_ear("mic", PLAYERS, stack, Attention(channels=0))


def test_channels_are_for_microphones(tmp_path: Path) -> None:
    with ExitStack() as stack, pytest.raises(ScriptError, match="--channels"):
        open_ear(str(tmp_path / "x.wav"), PLAYERS, stack, Attention(channels=3))


@pytest.mark.usefixtures("system")
def test_a_calibrated_array_is_opened_without_being_asked_for() -> None:
    """A pair that everybody was enrolled with; a laptop's several microphones are one as long as nobody was."""
    assert calibrated(PLAYERS, 4) == 1
    for name in PLAYERS:
        assert calibrated(PLAYERS, 4) == 1
        places().save(name, 2, (1e-4,))
    assert calibrated(PLAYERS, 4) == 2
    assert calibrated(PLAYERS, 1) == 1
    assert calibrated((*PLAYERS, "David"), 4) == 1
    assert calibrated((), 4) == 1


def test_the_doctor_names_the_set_up() -> None:
    assert setup(PLAYERS, 3, 4) == "3 canaux sur 4, un micro par joueur dans cet ordre : Ana, Bruno, Chloé"
    assert setup(PLAYERS, 2, 2) == "2 canaux sur 2, une paire ou un réseau de micros pour tous"
    assert setup(PLAYERS, 1, 1) == "1 canal sur 1, un micro pour tous"
    assert setup(PLAYERS, 1, 2) == "1 canal sur 2, un micro pour tous"
    assert "--channels 3" in setup(PLAYERS, 1, 4)


def test_the_doctor_names_the_channel_that_hears_nothing() -> None:
    sound = np.full((RATE, 3), 0.1, np.float32)
    assert levels_told(sound, RATE) == (Health.GOOD, "Le niveau du micro est bon. (pointe -20, -20, -20 dB, 16000 Hz)")
    sound[:, 1] = 0.0
    state, told = levels_told(sound, RATE)
    assert state is Health.POOR
    assert told.startswith("canal 2 : Je n'entends rien du tout")


def test_the_doctor_listens_to_every_channel(system: FakePortAudio, monkeypatch: pytest.MonkeyPatch) -> None:
    from voiceref.referee.doctor import Micro, findings

    sound = np.full((4 * RATE, 4), 0.1, np.float32)
    clock = room(sound, system, lambda: None)
    monkeypatch.setattr(microphone, "SystemClock", lambda: clock)
    found = next(findings(PLAYERS, Micro("mic:Interface", 3)))
    assert found.part == "micro"
    assert found.state is Health.GOOD
    assert "3 canaux sur 4, un micro par joueur" in found.message
