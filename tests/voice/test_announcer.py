"""The announcer: order, exact windows, talk levels, interruption, a voice that hangs, fails or is slow."""

import threading
import time
from collections.abc import Callable, Iterator, Sized

import numpy as np
import pytest

from voiceref.audio.player import ListPlayer, Playback, Window
from voiceref.audio.source import AudioError, Samples
from voiceref.voice.announcer import DirectAnnouncer, LiveAnnouncer, VoiceBox
from voiceref.voice.earcons import Cue, tone
from voiceref.voice.style import Style, Talk, Weight
from voiceref.voice.synthesis import NORMAL, Manner, Sound, VoiceError

RATE = 1000


class FakeVoice:
    """A tenth of a second a letter of sound; may wait first, or fail on some sentences."""

    name = "fausse"

    def __init__(self, wait: Callable[[], object] = lambda: None, fails_on: str = "\0") -> None:
        self.given: list[tuple[str, Manner]] = []
        self.threads: set[int] = set()
        self.closed = False
        self._wait = wait
        self._fails_on = fails_on

    def speak(self, text: str, manner: Manner = NORMAL) -> Sound:
        self.given.append((text, manner))
        self.threads.add(threading.get_ident())
        self._wait()
        if self._fails_on in text:
            raise VoiceError("La voix est en panne.")
        return Sound(np.ones(len(text) * RATE // 100, np.float32), RATE)

    def close(self) -> None:
        self.closed = True

    @property
    def texts(self) -> list[str]:
        return [text for text, _ in self.given]


class Troubles(list[str]):
    def __call__(self, text: str) -> None:
        self.append(text)


class Windows(list[tuple[float, float]]):
    def __call__(self, start: float, end: float) -> None:
        self.append((round(start, 3), round(end, 3)))


def direct(voice: FakeVoice, style: Style | None = None) -> tuple[DirectAnnouncer, ListPlayer, Windows, Troubles]:
    player, windows, troubles = ListPlayer(), Windows(), Troubles()
    return DirectAnnouncer(VoiceBox(voice, troubles), player, windows, style), player, windows, troubles


def test_sentences_follow_each_other_and_their_windows_are_exact() -> None:
    announcer, player, windows, _ = direct(FakeVoice())
    announcer.say(1.0, "a" * 50)
    announcer.say(1.1, "b" * 20)
    announcer.say(9.0, "c" * 10)
    assert windows == [(1.0, 1.5), (1.5, 1.7), (9.0, 9.1)]
    assert [len(item.samples) / item.rate for item in player.played] == [0.5, 0.2, 0.1]


def test_a_sentence_can_be_cut_short_and_the_window_shrinks() -> None:
    announcer, _, windows, _ = direct(FakeVoice())
    announcer.say(1.0, "a" * 200)
    announcer.say(1.0, "b" * 200)
    announcer.interrupt(1.5)
    assert windows == [(1.0, 3.0), (3.0, 5.0), (1.0, 1.5), (3.0, 3.0)]
    announcer.interrupt(1.6)
    assert len(windows) == 4


@pytest.mark.parametrize(
    ("talk", "spoken"), [(Talk.ALL, "answer question result detail"), (Talk.SHORT, "answer question result"),
                         (Talk.ON_REQUEST, "answer question")]
)  # fmt: skip
def test_talk_levels(talk: Talk, spoken: str) -> None:
    voice = FakeVoice()
    announcer, player, _, _ = direct(voice, Style(talk))
    for weight in Weight:
        announcer.say(0.0, weight.value, weight)
    assert voice.texts == spoken.split()
    announcer.cue(0.0, Cue.REFUSED)
    assert len(player.played) == len(voice.texts) + 1


def test_manner_and_volume_go_to_the_next_sentence() -> None:
    voice = FakeVoice()
    announcer, player, _, _ = direct(voice)
    announcer.say(0.0, "un")
    announcer.style = announcer.style.softer().faster()
    announcer.say(0.0, "deux")
    assert voice.given == [("un", Manner()), ("deux", Manner(1.15))]
    assert [float(item.samples.max()) for item in player.played] == pytest.approx([0.7, 0.55])


def test_style_has_ends() -> None:
    loud = quiet = Style()
    for _ in range(20):
        loud, quiet = loud.louder().faster(), quiet.softer().slower()
    assert (loud.volume, loud.manner) == (1.0, Manner(2.0))
    assert (quiet.volume, quiet.manner) == (pytest.approx(0.1), Manner(0.5))


def test_engine_gets_words_and_spoken_names_only() -> None:
    """B57, B59."""
    voice = FakeVoice()
    box = VoiceBox(voice, Troubles(), {"Lea": "Léa"}, "ch")
    DirectAnnouncer(box, ListPlayer(), Windows()).say(0.0, "Lea a -80 points.")
    assert voice.texts == ["Léa a moins huitante points."]


def test_a_failing_voice_is_told_once_rests_and_is_tried_again() -> None:
    voice = FakeVoice(fails_on="zut")
    announcer, player, _, troubles = direct(voice)
    for _ in range(3):
        announcer.say(0.0, "zut")
    assert troubles == ["La voix est en panne."]
    for _ in range(25):
        announcer.say(0.0, "bien")
    assert len(player.played) == 5
    assert troubles == ["La voix est en panne."]


@pytest.mark.parametrize("cue", Cue)
def test_cues_are_short_soft_edged_and_distinct(cue: Cue) -> None:
    """B67: a cue ends by itself."""
    sound = tone(cue)
    assert 0.1 < sound.seconds < 0.8
    assert 0.2 < np.abs(sound.samples).max() <= 0.31
    assert abs(sound.samples[0]) < 0.01
    assert abs(sound.samples[-1]) < 0.01
    assert [other for other in Cue if tone(other).seconds == sound.seconds] == [cue]


# --- at a real table -------------------------------------------------------------------------------------------------


class Speaker:
    """Plays in real time; the sound of `never_ends` sentences is never over by itself."""

    def __init__(self, now: Callable[[], float], *, breaks: bool = False) -> None:
        self._list = ListPlayer()
        self._now = now
        self._breaks = breaks
        self.started: list[float] = []
        self.closed = False

    def play(self, samples: Samples, rate: int, at: float) -> Playback:
        if self._breaks:
            raise AudioError("Le haut-parleur a disparu.")
        self.started.append(self._now())
        return self._list.play(samples, rate, at)

    def close(self) -> None:
        self.closed = True


class Table:
    """A live announcer with what it is joined to, and how to end it."""

    def __init__(self, voice: FakeVoice, *, breaks: bool = False, hang_s: float = 8.0) -> None:
        began = time.monotonic()
        self.now = lambda: time.monotonic() - began
        self.voice = voice
        self.player = Speaker(self.now, breaks=breaks)
        self.windows, self.troubles = Windows(), Troubles()
        box = VoiceBox(voice, self.troubles)
        self.announcer = LiveAnnouncer(box, self.player, self.windows, self.now, hang_s=hang_s)


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Opened at the end, so that no thread outlives its test."""
    event = threading.Event()
    yield event
    event.set()


def wait_for(some: Sized) -> None:
    """Wait until the announcer's thread has put something there."""
    until = time.monotonic() + 10.0
    while not some:
        assert time.monotonic() < until
        time.sleep(0.005)


def test_live_every_sentence_once_in_order_on_one_thread() -> None:
    """B53, B54: three threads speak at once."""
    table = Table(FakeVoice())
    threads = [
        threading.Thread(
            target=lambda name=name: [table.announcer.say(0.0, f"{name} {word}") for word in ("un", "deux")]
        )
        for name in ("Ana", "Bruno", "Chloé")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.announcer.drain(5.0)
    assert sorted(table.voice.texts) == [
        "Ana deux", "Ana un", "Bruno deux", "Bruno un", "Chloé deux", "Chloé un"
    ]  # fmt: skip
    assert len(table.voice.threads) == 1
    over = table.windows[1::2]
    assert all(after[0] >= before[1] for before, after in zip(over, over[1:], strict=False))
    table.announcer.close()
    assert table.voice.closed
    assert table.player.closed


def test_live_saying_never_waits_for_the_voice(gate: threading.Event) -> None:
    """B55: a voice of many seconds holds nothing up."""
    table = Table(FakeVoice(wait=gate.wait))
    began = time.monotonic()
    for _ in range(10):
        table.announcer.say(0.0, "long")
        table.announcer.interrupt(table.now())
    assert time.monotonic() - began < 0.2
    gate.set()
    table.announcer.close()


def test_live_a_hang_is_told_once_and_close_does_not_wait(gate: threading.Event) -> None:
    """B53: the game goes on in text."""
    table = Table(FakeVoice(wait=gate.wait), hang_s=0.05)
    table.announcer.say(0.0, "un")
    wait_for(table.voice.given)
    time.sleep(0.15)
    table.announcer.say(0.0, "deux")
    table.announcer.say(0.0, "trois")
    assert table.troubles == ["La voix ne répond plus : l'arbitre écrit ses phrases à l'écran."]
    began = time.monotonic()
    table.announcer.close()
    assert time.monotonic() - began < 1.5


def test_live_interruption_stops_the_sound_and_drops_the_queue() -> None:
    table = Table(FakeVoice())
    table.announcer.say(0.0, "a" * 500)
    table.announcer.say(0.0, "b" * 500)
    wait_for(table.windows)
    table.announcer.interrupt(table.now())
    assert table.announcer.drain(3.0)
    assert table.voice.texts == ["a" * 500]
    (planned, over) = table.windows
    assert planned[1] - planned[0] == pytest.approx(5.0)
    assert over[1] - over[0] < 2.5
    table.announcer.say(0.0, "c")
    assert table.announcer.drain(1.0)
    assert table.voice.texts[-1] == "c"
    table.announcer.close()


def test_live_a_sentence_interrupted_in_the_making_is_not_played(gate: threading.Event) -> None:
    table = Table(FakeVoice(wait=gate.wait))
    table.announcer.say(0.0, "un")
    wait_for(table.voice.given)
    table.announcer.interrupt(table.now())
    gate.set()
    assert table.announcer.drain(1.0)
    assert table.player.started == []
    table.announcer.close()


def test_live_details_are_left_out_when_the_queue_lags(gate: threading.Event) -> None:
    table = Table(FakeVoice(wait=gate.wait))
    table.announcer.say(0.0, "en cours")
    wait_for(table.voice.given)
    for word in ("un", "deux"):
        table.announcer.say(0.0, word)
    table.announcer.say(0.0, "détail", Weight.DETAIL)
    table.announcer.say(0.0, "question", Weight.QUESTION)
    gate.set()
    assert table.announcer.drain(3.0)
    assert table.voice.texts == ["en cours", "un", "deux", "question"]
    table.announcer.close()


def test_live_a_sound_that_never_ends_reopens_the_ear(monkeypatch: pytest.MonkeyPatch) -> None:
    """B62: the ear opens again by a bound when the end of the sound is never reported."""
    monkeypatch.setattr(Window, "finished", lambda self, now: False)
    table = Table(FakeVoice())
    table.announcer.say(0.0, "a" * 10)
    assert table.announcer.drain(3.0)
    assert len(table.windows) == 2
    table.announcer.close()


def test_live_lost_speakers_are_told_and_speech_goes_on() -> None:
    table = Table(FakeVoice(), breaks=True)
    table.announcer.say(0.0, "un")
    table.announcer.say(0.0, "deux")
    assert table.announcer.drain(2.0)
    assert table.voice.texts == ["un", "deux"]
    assert table.troubles == ["Le haut-parleur a disparu."]
    table.announcer.close()


def test_live_the_work_before_the_first_sample_takes_less_than_150_ms() -> None:
    """Processor time, so that a busy machine does not matter."""
    pytest.importorskip("py_nanotts", reason="Pico has no wheel here")
    from voiceref.voice.synthesis import PicoVoice

    table = Table(PicoVoice())  # type: ignore[arg-type]
    decided = time.process_time()
    table.announcer.say(table.now(), "Bruno perd dix points, et Chloé gagne quatre-vingt-dix-neuf points.")
    waited = threading.Event()
    for _ in range(1000):
        if table.player.started:
            break
        waited.wait(0.005)
    assert table.player.started
    assert time.process_time() - decided < 0.15
    table.announcer.close()


def test_live_after_close_nothing_is_said() -> None:
    table = Table(FakeVoice())
    table.announcer.close()
    table.announcer.say(0.0, "trop tard")
    assert table.voice.texts == []
