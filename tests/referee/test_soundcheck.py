"""The sound check: whose microphone is whose, whose voice is whose, and how it is skipped."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest

from voiceref import resources
from voiceref.audio.recent import Recent
from voiceref.audio.reordered import Reordered
from voiceref.audio.source import EAR_RATE, Block, ListSource, Samples
from voiceref.board.stream import GuardedStream
from voiceref.ear.hypothesis import Hypothesis, Utterance
from voiceref.ear.script import ScriptHearing
from voiceref.phrases import catalogue as catalogues
from voiceref.race.profiles import FEWEST, ProfileError
from voiceref.referee import opening
from voiceref.referee.hearings import Ear
from voiceref.referee.outlets import JsonOutlet
from voiceref.referee.soundcheck import Check, Step, Way, answered, begun, shouted
from voiceref.referee.telling import Teller
from voiceref.voice.wording import Wording

PLAYERS = ("Ana", "Bruno", "Chloé")


@dataclass
class FakeVoices:
    """Answers in order; remembers what it learnt."""

    names: list[str | None] = field(default_factory=list)
    learnt: dict[str, int] = field(default_factory=dict)
    broken: bool = False

    def name(self, shout: Samples) -> str | None:
        return self.names.pop(0)

    def learn(self, player: str, shouts: Sequence[Samples]) -> None:
        if self.broken:
            raise ProfileError("Le disque est plein.")
        self.learnt[player] = len(shouts)


def shout(channel: int = 0, channels: int = 1, level: float = 0.3, seconds: float = 0.8) -> Samples:
    sound = np.full((round(seconds * EAR_RATE), channels), 0.01, np.float32)
    sound[:, channel] = level * np.sin(np.arange(len(sound)) * 0.3)
    return sound


def after(check: Check, voices: FakeVoices, *given: Samples | str) -> Step:
    step: Step = (check, ())
    for one in given:
        step = answered(step[0], one) if isinstance(one, str) else shouted(step[0], one, voices)
    return step


def rows(step: Step) -> list[str]:
    return [line.name for line in step[1]]


def test_one_microphone_each_is_found_whatever_the_plugs() -> None:
    check, lines = begun(PLAYERS, 3, known=False)
    assert [line.name for line in lines] == ["essai_debut", "essai_cri"]
    done = after(check, FakeVoices(), shout(2, 3), shout(0, 3), shout(1, 3))
    assert done[0].order == (2, 0, 1)
    assert done[0].over


def test_a_microphone_that_is_taken_is_told_and_tried_again() -> None:
    check, _ = begun(PLAYERS, 3, known=False)
    again = after(check, FakeVoices(), shout(0, 3), shout(0, 3))
    assert rows(again) == ["essai_deja", "essai_encore"]
    assert after(again[0], FakeVoices(), shout(0, 3), shout(1, 3))[0].order is None


def test_known_voices_are_named_after_one_shout() -> None:
    check, _ = begun(PLAYERS, 1, known=True)
    voices = FakeVoices(["Ana", None, "Bruno", "Ana", "Ana"])
    step = after(check, voices, shout())
    assert rows(step) == ["essai_reconnu", "essai_cri"]
    step = after(step[0], voices, shout())
    assert rows(step) == ["essai_inconnu", "essai_encore"]
    step = after(step[0], voices, shout(), shout(), shout())
    assert rows(step) == ["essai_autre", "essai_fini"]
    assert step[0].over


def test_unknown_voices_are_learnt_if_the_players_agree_then_checked() -> None:
    check, lines = begun(("Ana", "Bruno"), 1, known=False)
    assert lines[-1].name == "essai_apprendre"
    voices = FakeVoices(["Ana", "Bruno"])
    step = after(check, voices, shout(), "yes", *[shout()] * (2 * FEWEST))
    assert voices.learnt == {"Ana": FEWEST, "Bruno": FEWEST}
    assert rows(step) == ["essai_appris", "essai_verifie", "essai_cri"]
    assert after(step[0], voices, shout(), shout())[0].over


def test_without_consent_only_the_level_is_checked() -> None:
    voices = FakeVoices()
    step = after(begun(("Ana", "Bruno"), 1, known=False)[0], voices, "no", shout())
    assert rows(step) == ["essai_entendu", "essai_cri"]
    assert step[0].way is Way.LEVELS
    assert not voices.learnt


@pytest.mark.parametrize(("level", "row"), [(0.001, "micro_trop_faible"), (1.5, "micro_trop_fort")])
def test_a_poor_level_is_told(level: float, row: str) -> None:
    loud = np.clip(shout(level=level), -1.0, 1.0)
    assert rows(after(begun(PLAYERS, 1, known=True)[0], FakeVoices(), loud)) == [row, "essai_encore"]


def test_a_click_is_no_shout() -> None:
    assert rows(after(begun(PLAYERS, 1, known=True)[0], FakeVoices(), shout(seconds=0.1))) == []


def test_a_disk_that_takes_no_voice_ends_the_check_and_the_referee_will_ask() -> None:
    check = begun(("Ana", "Bruno"), 1, known=False)[0]
    step = after(check, FakeVoices(broken=True), "yes", *[shout()] * FEWEST)
    assert rows(step) == ["essai_sans_voix"]
    assert step[0].over


def test_it_can_be_skipped() -> None:
    check, _ = begun(PLAYERS, 3, known=False)
    assert after(check, FakeVoices(), "play")[0].over
    one = after(check, FakeVoices(), "pass")
    assert one[0].player == "Bruno"
    assert after(one[0], FakeVoices(), "pass", "pass")[0].over
    assert begun(("Ana",), 1, known=False)[0].over


def test_every_line_can_be_said() -> None:
    wording = Wording.load()
    for row in wording.templates["table"]:
        if row.startswith("essai_"):
            assert wording.render("table", row, {"joueur": "Ana", "n": 2})


def heard(t: float, text: str = "", reason: str = "autre_parole") -> Hypothesis:
    return Hypothesis(Utterance(t, t + 0.8, -20.0), t, text, 0.9, reason == "entendu", reason)


def check_of(*said: Hypothesis, source: Recent) -> tuple[tuple[int, ...] | None, str]:
    told = io.StringIO()
    teller = Teller("table", Wording.load())
    teller.join(JsonOutlet(GuardedStream(told)))
    ear = Ear(ScriptHearing(said), lambda: 0.0, float)
    hall = opening.Hall(ear, teller, catalogues.load(resources.grammars() / "welcome.toml"), None)
    return opening.checked(hall, source, PLAYERS, 0.0), told.getvalue()


def remembered(*channels: int) -> Recent:
    sound = np.concatenate([shout(channel, 3, seconds=1.0) for channel in channels])
    source = Recent(ListSource([Block(0, sound, EAR_RATE)]), 30.0)
    assert len(list(source.blocks())) == 1
    return source


def test_from_the_sound_to_the_order_of_the_channels(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    order, told = check_of(heard(0.0), heard(1.0), heard(2.0), source=remembered(1, 2, 0))
    assert order == (1, 2, 0)
    assert "Ana : micro numéro deux." in told


def test_on_joue_ends_it(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    order, told = check_of(heard(0.0), heard(1.0, "on joue", "entendu"), source=remembered(1, 2, 0))
    assert order is None
    assert "Bruno : micro" not in told


def test_reordered_channels_are_those_of_the_players() -> None:
    source = Reordered(remembered(1, 2, 0), (1, 2, 0))
    (block,) = source.blocks()
    assert isinstance(block, Block)
    loudest = np.square(block.samples).reshape(3, EAR_RATE, 3).sum(axis=1).argmax(axis=1)
    assert loudest.tolist() == [0, 1, 2]
    with pytest.raises(ValueError, match="every channel"):
        Reordered(remembered(0), (0, 0, 1))
