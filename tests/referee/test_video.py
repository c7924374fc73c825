"""« La vidéo »: races kept in memory, told and heard again; on disk only if wanted; named cries teach voices."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.race.table_sounds import RATE, table, voice
from tests.referee.table_top import play
from voiceref.audio.player import ListPlayer
from voiceref.audio.recent import Recent
from voiceref.audio.source import Block, ListSource, Samples
from voiceref.audio.wave_file import read_wave
from voiceref.board.stream import GuardedStream
from voiceref.race.attribution import Listeners
from voiceref.race.overlap import FakeOverlap
from voiceref.race.profiles import MOST as MOST_SHOUTS
from voiceref.race.verdict import Claim
from voiceref.race.voice_print import FakeEncoder
from voiceref.referee import footage, voices
from voiceref.referee.footage import Footage
from voiceref.referee.learning import ALWAYS, ASK, NEVER, Learner
from voiceref.referee.showing import Showing, show, told
from voiceref.referee.video import MOST, Clip, Video, order


def claim(onset: float, player: str | None = "Ana", phrase: str = "P1") -> Claim:
    return Claim(player, onset, 0.01, phrase=phrase)


class Tape:
    """Sound whose value is its time, as far as `now`."""

    def __init__(self, now: float = 1e9, channels: int = 2) -> None:
        self.now = now
        self._channels = channels

    def sound(self, start: float, end: float) -> tuple[float, Samples]:
        count = max(0, round((min(end, self.now) - start) * RATE))
        return start, np.full((count, self._channels), start / 1000, np.float32)


# --- what is kept ----------------------------------------------------------------------------------------------------


def test_the_last_seconds_of_every_channel_stay_and_older_ones_go() -> None:
    sound = np.arange(10 * RATE, dtype=np.float32)[:, None] * np.array([1, -1], np.float32)
    blocks: list = [Block(i, sound[i : i + 800], RATE) for i in range(0, len(sound), 800) if not 48000 <= i < 56000]
    recent = Recent(ListSource(blocks), 8.0)
    assert len(list(recent.blocks())) == len(blocks)
    begin, found = recent.sound(4.0, 4.5)
    assert begin == 4.0
    assert np.array_equal(found, sound[4 * RATE : 4 * RATE + 8000])
    begin, found = recent.sound(0.0, 2.5)
    assert begin == pytest.approx(2.0, abs=0.05)
    begin, found = recent.sound(2.5, 4.0)
    assert not found[8000:16000].any()
    assert len(found) == 1.5 * RATE
    assert recent.sound(30.0, 31.0)[1].shape == (0, 2)


def test_cries_near_each_other_are_one_race_cut_out_with_what_is_around() -> None:
    kept: list[tuple[int, Clip]] = []
    video = Video(Tape(), lambda number, clip: kept.append((number, clip)))
    video.cry(claim(10.2, "Bruno"))
    video.cry(claim(10.0, "Ana"))
    video.clock(11.0)
    assert not kept
    video.clock(12.0)
    assert len(video.clips) == len(kept) == 1
    (clip,) = video.clips
    assert [each.player for each in clip.claims] == ["Ana", "Bruno"]
    assert clip.begin == pytest.approx(9.4)
    assert clip.samples.shape == (round(2.4 * RATE), 2)
    video.cry(claim(10.4, "Chloé", "P2"))
    video.cry(claim(20.0, "Chloé", "P2"))
    assert len(video.clips) == 3


def test_only_the_last_ten_stay() -> None:
    video = Video(Tape())
    for number in range(25):
        video.cry(claim(10.0 * number))
    video.close()
    assert len(video.clips) == MOST == 10
    assert video.clips[0].claims[0].onset == 150.0


def test_a_race_can_be_seen_before_it_is_over() -> None:
    tape = Tape(now=10.5)
    video = Video(tape)
    video.cry(claim(10.0))
    seen = video.last()
    assert seen is not None
    assert len(seen.sound) == round(1.1 * RATE)
    tape.now = 30.0
    video.clock(13.0)
    assert len(video.clips[0].sound) == round(2.2 * RATE)


def test_what_is_heard_again_is_one_channel_of_good_level() -> None:
    quiet = np.full((RATE, 3), 300, np.int16)
    assert Clip((claim(0.0),), 0.0, quiet).heard.max() == pytest.approx(0.5, abs=1e-3)
    assert Clip((claim(0.0),), 0.0, quiet[:0]).heard.shape == (0,)


def test_each_crier_is_told_once() -> None:
    cries = (claim(1.0, "Ana"), claim(1.12, None), claim(1.3, "Ana"), claim(1.5, "Bruno"))
    assert order(cries) == (("Ana", 0), (None, 12), ("Bruno", 50))


# --- at the table ----------------------------------------------------------------------------------------------------


def test_the_last_race_is_told() -> None:
    top = play("1 Ana Cul : six\n2 Bruno Pas mou le caillou !\n2.3 Chloé Pas mou le caillou !\n5 ? La vidéo\n")
    assert top.record.texts[-2:] == ["video_premier Bruno", "video_suivant Chloé 30"]
    assert not any("play" in done for done in top.mouth.done)


def test_who_answered_is_in_the_video() -> None:
    top = play("1 Ana Cul : six\n2 ? Pas mou le caillou !\n4 ? Bruno\n5 ? La vidéo\n")
    assert top.record.texts[-1] == "video_premier Bruno"
    top = play("1 Ana Cul : six\n2 Ana Pas mou le caillou !\n4 ? C'était Chloé\n5 ? La vidéo\n")
    assert top.record.texts[-1] == "video_premier Chloé"


def test_without_a_race_there_is_no_video() -> None:
    assert play("1 Ana Cul : six\n2 ? La vidéo\n").record.reasons == ["aucune_course"]


def test_the_sound_is_played_and_the_ear_closed_meanwhile() -> None:
    """Through the real announcer: the sentence, then the sound of the race, each with its window."""
    from tests.voice.test_announcer import FakeVoice
    from voiceref.referee.speech import Speech
    from voiceref.voice.announcer import DirectAnnouncer, VoiceBox
    from voiceref.voice.style import Weight

    player, muted = ListPlayer(), []
    speech = Speech(DirectAnnouncer(VoiceBox(FakeVoice(), print), player, lambda a, b: muted.append((a, b))))
    video = Video(Tape())
    video.cry(claim(10.0))
    clip = video.last()
    assert clip is not None
    speech.say(15.0, "Voici la course.", Weight.ANSWER)
    speech.play(15.0, clip.heard, RATE)
    assert len(player.played) == 2
    assert player.played[1].window.start >= player.played[0].window.end
    assert muted[1] == (player.played[1].window.start, player.played[1].window.end)
    assert muted[1][1] - muted[1][0] == pytest.approx(2.2, abs=0.01)


# --- on disk ---------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def filmed(game: str, count: int) -> Video:
    video = Video(Tape(), Footage(game, 0.15, pytest.fail).keep)
    for number in range(count):
        video.cry(claim(10.0 * number + 1.0, "Ana"))
        video.cry(claim(10.0 * number + 1.2, "Bruno"))
    video.close()
    return video


def test_races_on_disk_are_the_last_ten_with_their_names() -> None:
    video = filmed("soir", 12)
    video.named(111.0, "Chloé")
    found = footage.races("soir")
    assert [race.number for race in found] == list(range(3, 13))
    assert [c.player for c in found[-1].claims] == ["Chloé", "Bruno"]
    assert found[-1].claims[0].onset == pytest.approx(0.6)
    assert found[-1].sound.shape == (round(2.4 * RATE), 2)
    filmed("soir", 1)
    assert [race.number for race in footage.races("soir")] == list(range(4, 14))
    assert footage.races("autre") == ()


def test_without_the_wish_nothing_is_on_disk(own_home: Path) -> None:
    video = Video(Tape())
    video.cry(claim(1.0))
    video.close()
    assert not list(own_home.rglob("*.wav"))


def test_a_full_disk_is_told_once(own_home: Path) -> None:
    (own_home / "state" / "voiceref").mkdir(parents=True)
    (own_home / "state" / "voiceref" / "courses").write_text("no folder")
    told: list[str] = []
    video = Video(Tape(), Footage("soir", 0.15, told.append).keep)
    for number in range(3):
        video.cry(claim(10.0 * number))
    video.close()
    assert len(told) == 1
    assert "vérifiez le disque" in told[0]


def test_privacy_lists_and_deletes_them(capsys: pytest.CaptureFixture[str]) -> None:
    from voiceref.cli import main

    filmed("soir", 2)
    assert main(["privacy"]) == 0
    assert "courses (son des dernières courses" in capsys.readouterr().out
    assert main(["privacy", "--delete", "courses", "--yes"]) == 0
    assert footage.races("soir") == ()


def test_replay_tells_draws_and_plays_each_race(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import sys

    filmed("soir", 2)
    races = footage.races("soir")
    assert told(races[0]).startswith("Course 1 : Ana à 0,60 s, puis Bruno (+ 0,20 s)")
    showing = Showing(own_home / "images", str(own_home / "son.wav"))
    show(races, showing, GuardedStream(sys.stdout))
    drawn = (own_home / "images" / "course-2.svg").read_text(encoding="utf-8")
    assert "1. Ana" in drawn
    assert "2. Bruno" in drawn
    assert "micro 2" in drawn
    sound, rate = read_wave(own_home / "son.wav")
    assert len(sound) / rate == pytest.approx(2 * 2.4 + 1.0, abs=0.05)
    assert capsys.readouterr().out.count("\n") == 4


def test_the_replay_command_shows_the_races_of_its_game(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from voiceref.cli import main

    (own_home / "t.txt").write_text("1 Ana Chouettes : quatre et un\n2 Ana Cul : six\n", encoding="utf-8")
    journal = str(own_home / "soir.jsonl")
    begun = ["play", "cul-de-chouette", "--players", "Ana,Bruno", "--input", str(own_home / "t.txt")]
    assert main([*begun, "--output", "none", "--journal", journal]) == 0
    filmed("soir", 1)
    assert main(["replay", journal, "--pictures", str(own_home / "images")]) == 0
    printed = capsys.readouterr().out
    assert "Course 1 : Ana" in printed
    assert (own_home / "images" / "course-1.svg").is_file()


# --- voices that get better ------------------------------------------------------------------------------------------


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> voices.TableVoices:
    """Ana and Bruno, enrolled."""
    monkeypatch.setattr(voices, "listeners", lambda: Listeners(FakeEncoder(), FakeOverlap()))
    for name, pitch in (("Ana", 230), ("Bruno", 110)):
        voices.learn(name, [voice(pitch, seed=s)[:, None] for s in range(3)])
    found = voices.table_voices(("Ana", "Bruno"))
    assert found is not None
    return found


class Cry:
    """A cry of a voice like Bruno's at second 5."""

    def __init__(self, seconds: float = 1.5) -> None:
        self._sound = table([(0, 5.0, voice(112, seconds, seed=9))], channels=1, seconds=8.0)

    def sound(self, start: float, end: float) -> tuple[float, Samples]:
        return start, self._sound[round(start * RATE) : round(end * RATE)]


def test_a_named_cry_is_learnt_and_the_oldest_added_ones_give_way(known: voices.TableVoices) -> None:
    before = voices.profiles().load("Bruno")
    learner = Learner(ALWAYS, known, Cry())
    for _ in range(12):
        assert learner.learn("Bruno", 5.0).name == "voix_apprise"
    after = voices.profiles().load("Bruno")
    assert len(before.shouts) == 3
    assert len(after.shouts) == MOST_SHOUTS
    assert all(np.allclose(a, b, atol=1e-4) for a, b in zip(before.shouts, after.shouts, strict=False))
    assert not np.allclose(before.voice, after.voice, atol=1e-3)


def test_a_cry_that_teaches_nothing(known: voices.TableVoices) -> None:
    assert not known.improve("Zoé", Cry(), 5.0)
    assert not known.improve("Bruno", Cry(), 7.9)
    assert len(voices.profiles().load("Bruno").shouts) == 3


def test_who_wants_it_is_asked_or_not(known: voices.TableVoices) -> None:
    ask, always, never = (Learner(wish, known, Cry()) for wish in (ASK, ALWAYS, NEVER))
    assert [(each.asks, each.always) for each in (ask, always, never)] == [(True, False), (False, True), (False, False)]
    assert not Learner(ASK).asks
    ask.confirmed("Bruno", 5.0)
    never.confirmed("Bruno", 5.0)
    assert len(voices.profiles().load("Bruno").shouts) == 3
    always.confirmed("Bruno", 5.0)
    assert len(voices.profiles().load("Bruno").shouts) == 4


@pytest.mark.parametrize(("answer", "learnt"), [("oui", ["Bruno"]), ("non", []), ("", [])])
def test_after_a_correction_the_players_are_asked(answer: str, learnt: list[str]) -> None:
    class Voices:
        def __init__(self) -> None:
            self.learnt: list[str] = []

        def improve(self, player: str, sound: object, onset: float) -> bool:
            assert onset == 2.0
            self.learnt.append(player)
            return True

    found = Voices()
    text = "1 Ana Cul : six\n2 Ana Pas mou le caillou !\n4 ? C'était Bruno\n"
    top = play(text + (f"6 ? {answer}\n" if answer else ""), learner=Learner(ASK, found, Tape()))
    assert "apprendre_voix Bruno" in top.record.texts
    assert found.learnt == learnt
    assert ("voix_apprise Bruno" in top.record.texts) == bool(learnt)
