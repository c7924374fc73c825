"""Cries that are hard to judge, each from the ear's words to the game's rules: at once, twice, too early, too late."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.referee.table_top import FakeMouth, Phrases, Record
from voiceref.ear.crosstalk import Voice
from voiceref.ear.hypothesis import Clock, Hypothesis, Utterance
from voiceref.games.cul_de_chouette import CulDeChouette
from voiceref.games.engine import Table
from voiceref.phrases import catalogue as catalogues
from voiceref.referee import course as courses
from voiceref.referee.clock import GameClock
from voiceref.referee.desk import Desk
from voiceref.referee.orders import Aids, Orders
from voiceref.referee.session import Session
from voiceref.referee.telling import Teller

PLAYERS = ("Ana", "Bruno", "Chloé")
CATALOGUE = catalogues.load("cul-de-chouette")
CAILLOU, GRELOTTE, MOISSURE = (CATALOGUE.phrases[f"CDC-P00{n}"].text for n in (1, 2, 3))


class Play:
    """A game of Le Cul de chouette told by what the ear gives out."""

    def __init__(self, settings: Mapping[str, str] | None = None) -> None:
        begun, _ = courses.begin(CulDeChouette(), Table(PLAYERS, settings=settings or {}))
        self.record = Record()
        self.desk = Desk(begun, Teller("cul-de-chouette", Phrases(), (self.record,)), None, GameClock())
        aids = Aids(catalogue=CATALOGUE, mouth=FakeMouth(), explain=lambda rule: ())
        orders = Orders(self.desk, aids)
        self.session = Session(
            self.desk, orders, CATALOGUE, PLAYERS, strict=(settings or {}).get("bevue.mode") == "strict"
        )

    def hears(self, t: float, who: str | None, text: str, together: float = 0.0, lasts: float = 0.8) -> Play:
        """`who` says `text` at `t`; `None`: the ear does not know who."""
        heard = Hypothesis(Utterance(t, t + lasts, -20.0), t, text, 0.95, True, "entendu", speaker=who)
        self.session.hear(Hypothesis(**{**vars(heard), "together": together}))
        return self

    def until(self, t: float) -> Play:
        """Everything before `t` was heard."""
        self.session.clock(Clock(t).t)
        return self

    def thrown(self, chouettes: str, cul: str) -> Play:
        self.hears(1.0, "Ana", f"Chouettes : {chouettes}").hears(2.5, "Ana", f"Cul : {cul}")
        return self.until(4.0)

    @property
    def scores(self) -> dict[str, int]:
        return dict(self.desk.summary.scores)

    @property
    def events(self) -> list[str]:
        return [event.name for event in self.record.events]


def alone(who: str, cry_at: float = 5.0) -> dict[str, int]:
    """The scores where `who` alone cries after a Chouette-Velute."""
    return Play().thrown("deux et deux", "quatre").hears(cry_at, who, CAILLOU).until(16.0).scores


# --- at once ---------------------------------------------------------------------------------------------------------


def test_identical_cries_on_two_microphones_within_the_window_tie() -> None:
    both = Play().thrown("deux et deux", "quatre").hears(5.0, "Bruno", CAILLOU).hears(5.1, "Chloé", CAILLOU).until(7.0)
    assert both.scores not in (alone("Bruno"), alone("Chloé"))
    assert "Bruno" in " ".join(both.record.texts)
    assert "Chloé" in " ".join(both.record.texts)


def test_identical_cries_further_apart_do_not() -> None:
    first = Play().thrown("deux et deux", "quatre").hears(5.0, "Bruno", CAILLOU).hears(5.2, "Chloé", CAILLOU)
    assert first.until(16.0).scores == alone("Bruno")


def test_the_order_of_delivery_does_not_matter() -> None:
    late = Play().thrown("deux et deux", "quatre").hears(5.3, "Bruno", CAILLOU).hears(5.0, "Chloé", CAILLOU)
    assert late.until(16.0).scores == alone("Chloé")


def test_two_voices_on_one_microphone_are_asked_for_and_tie() -> None:
    """Égalité on one microphone: both names answer, and the game goes on exactly as after a tie that was measured."""
    asked = Play().thrown("deux et deux", "quatre").hears(5.0, None, CAILLOU, together=0.8).until(7.0)
    assert asked.record.texts[-1].startswith("qui_ensemble")
    asked.hears(8.0, None, "Bruno et Chloé").until(12.0)
    tied = Play().thrown("deux et deux", "quatre").hears(5.0, "Bruno", CAILLOU).hears(5.0001, "Chloé", CAILLOU)
    tied.until(12.0)
    assert asked.scores == tied.scores
    assert asked.events == tied.events
    assert {o.phrase for o in asked.desk.openings} == {o.phrase for o in tied.desk.openings}


def test_one_name_answers_for_two_voices_too() -> None:
    asked = Play().thrown("deux et deux", "quatre").hears(5.0, None, CAILLOU, together=0.8).until(7.0)
    assert asked.hears(8.0, None, "Bruno").until(20.0).scores == alone("Bruno")


def test_one_unknown_voice_is_asked_for_one_name() -> None:
    asked = Play().thrown("deux et deux", "quatre").hears(5.0, None, CAILLOU, together=0.2).until(7.0)
    assert asked.record.texts[-1].startswith("qui ")


def test_the_last_two_of_a_suite_at_once_break_the_tie_by_their_cry() -> None:
    """CDC-P002, then P003: the game's own tie-break follows an égalité heard by one microphone."""
    suite = Play().thrown("trois et deux", "quatre").hears(5.0, "Ana", GRELOTTE).until(6.0)
    suite.hears(6.5, None, GRELOTTE, together=0.9).until(8.0)
    suite.hears(9.0, None, "Bruno et Chloé").until(11.0)
    assert "CDC-P003" in {opening.phrase for opening in suite.desk.openings}
    suite.hears(12.0, "Bruno", MOISSURE).hears(12.6, "Chloé", MOISSURE).until(40.0)
    assert min(suite.scores, key=lambda name: suite.scores[name]) in ("Bruno", "Chloé")
    assert suite.scores["Ana"] >= 0


# --- twice -----------------------------------------------------------------------------------------------------------


def test_who_cries_twice_counts_once_by_his_first_cry() -> None:
    twice = Play().thrown("deux et deux", "quatre").hears(5.0, "Bruno", CAILLOU).hears(5.05, "Chloé", CAILLOU)
    once = twice.hears(5.12, "Bruno", CAILLOU).until(16.0).scores
    same = Play().thrown("deux et deux", "quatre").hears(5.0, "Bruno", CAILLOU).hears(5.05, "Chloé", CAILLOU)
    assert once == same.until(16.0).scores


def test_crying_again_does_not_make_him_the_last_of_a_suite() -> None:
    suite = Play().thrown("trois et deux", "quatre")
    suite.hears(5.0, "Ana", GRELOTTE).hears(5.5, "Bruno", GRELOTTE).hears(6.2, "Chloé", GRELOTTE)
    suite.hears(7.5, "Ana", GRELOTTE).until(40.0)
    assert suite.scores["Chloé"] < 0 <= suite.scores["Ana"]


# --- too early -------------------------------------------------------------------------------------------------------


def early(settings: Mapping[str, str], cul: str) -> Play:
    """Bruno cries while the cul still rolls, Chloé when it lies."""
    game = Play(settings).hears(1.0, "Ana", "Chouettes : deux et deux").hears(2.2, "Bruno", CAILLOU).until(3.5)
    return game.hears(4.0, "Ana", f"Cul : {cul}").until(5.5).hears(6.0, "Chloé", CAILLOU).until(20.0)


def test_a_false_start_before_the_dice_are_known_counts_if_they_come() -> None:
    """Préventive (CDC-014, D-68): by its onset it is the first cry."""
    assert early({}, "quatre").scores == alone("Bruno")


@pytest.mark.parametrize("mode", ["claim", "strict"])
def test_a_false_start_for_dice_that_do_not_come_is_a_mistake(mode: str) -> None:
    game = early({"bevue.mode": mode}, "six")
    assert game.scores["Bruno"] <= 0
    assert any("preventive_ratee" in text for text in (*game.record.texts, *game.record.reasons, *game.events))


def test_without_preventives_a_false_start_wins_nothing() -> None:
    assert early({"preventive": "false"}, "quatre").scores == alone("Chloé")


def test_a_false_start_and_a_cry_at_the_dice_are_no_tie() -> None:
    game = Play().hears(1.0, "Ana", "Chouettes : deux et deux").hears(2.4, "Bruno", CAILLOU)
    game.hears(2.5, "Ana", "Cul : quatre").hears(2.9, "Chloé", CAILLOU).until(16.0)
    assert game.scores == alone("Bruno")


# --- too late --------------------------------------------------------------------------------------------------------


def test_a_late_recognition_before_the_verdict_counts_by_its_onset() -> None:
    game = Play().thrown("deux et deux", "quatre").hears(5.4, "Bruno", CAILLOU, lasts=0.6)
    assert game.hears(5.0, "Chloé", CAILLOU, lasts=1.9).until(16.0).scores == alone("Chloé")


def test_a_late_recognition_after_the_verdict_is_refused_and_said() -> None:
    game = Play().thrown("deux et deux", "quatre").hears(5.4, "Bruno", CAILLOU).until(8.0)
    game.hears(5.0, "Chloé", CAILLOU).until(16.0)
    assert game.scores == alone("Bruno")
    assert game.record.reasons == ["trop_tard"]


def test_the_players_may_still_give_a_late_cry_its_due() -> None:
    game = Play().thrown("deux et deux", "quatre").hears(5.4, "Bruno", CAILLOU).until(8.0)
    game.hears(5.0, "Chloé", CAILLOU).until(9.0).hears(9.5, None, "C'était Chloé").until(16.0)
    assert game.scores == alone("Chloé")


# --- the ear's naming ------------------------------------------------------------------------------------------------


def test_the_ear_hands_on_that_two_voices_sound() -> None:
    from tests.ear.speech import heard, lexicon
    from tests.race.table_sounds import table, voice
    from voiceref.audio.source import Block, ListSource
    from voiceref.ear.hearing import AudioHearing
    from voiceref.ear.judge import Judge
    from voiceref.ear.network import Network
    from voiceref.ear.posteriors import ScriptedPhones
    from voiceref.ear.word_graph import PhraseList

    sound = table([(0, 2.0, voice(200, seed=1))], channels=1, seconds=5.0)
    judge = Judge(lexicon(), Network.compile(PhraseList.of([("d", "bonjour"), ("d", "oui")]), lexicon()))
    phones = ScriptedPhones(dict.fromkeys(range(40), heard("grelotte ça picote", frames=3, lead=12, trail=5)))
    ear = AudioHearing(
        ListSource([Block(i, sound[i : i + 320], 16_000) for i in range(0, len(sound), 320)]),
        judge,
        phones,
        voices=lambda sound, said_at, phrase: Voice(None, said_at, 0.02, 0.7),
    )
    ear.expect(PhraseList.of([("GRELOTTE", "grelotte ça picote")]))
    found = [event for event in ear.events() if isinstance(event, Hypothesis)]
    assert [event.together for event in found] == [0.7]
