"""« C'était Bob »: the race told otherwise, what follows played again, undone, and the same after a resume."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.referee.small_game import SmallGame
from tests.referee.table_top import Top, play
from voiceref.games.cul_de_chouette import CulDeChouette
from voiceref.games.engine import Said, Table, Tick
from voiceref.phrases import catalogue as catalogues
from voiceref.referee import course as courses
from voiceref.referee import journal as journals
from voiceref.referee import replay
from voiceref.referee.course import Course
from voiceref.referee.overruling import Overruled, overruled

RACE = "1 Ana Cul : six\n2 Ana Pas mou le caillou !\n"


def corrected(after: str) -> Top:
    return play(RACE + after)


def test_the_points_go_to_the_one_who_is_named() -> None:
    top = corrected("5 ? C'était Bruno\n")
    assert top.scores == {"Ana": 0, "Bruno": 32, "Chloé": 0}
    assert top.record.texts[-4:] == [
        "cri_corrige Bruno",
        "marque Bruno 32",
        "nouveau_score Ana 0",
        "nouveau_score Bruno 32",
    ]
    assert sum(event.deltas.get("Ana", 0) for event in top.record.events) == 0
    assert sum(event.deltas.get("Bruno", 0) for event in top.record.events) == 32


def test_it_was_me_where_the_speaker_is_known() -> None:
    assert corrected("5 Chloé C'était moi le premier\n").scores["Chloé"] == 32
    assert corrected("5 ? C'était moi le premier\n").scores["Ana"] == 32


def test_a_lone_name_changes_nothing() -> None:
    assert corrected("5 ? Bruno\n6 ? C'est Bruno\n").scores["Ana"] == 32


def test_the_one_who_was_heard_is_confirmed() -> None:
    top = corrected("5 ? C'était Ana\n")
    assert top.record.reasons == ["deja_ce_joueur"]
    assert top.scores["Ana"] == 32


def test_without_a_race_there_is_nothing_to_correct() -> None:
    assert play("1 Ana Cul : six\n3 ? C'était Bruno\n").record.reasons == ["aucune_course"]
    assert corrected("200 ? C'était Bruno\n").record.reasons == ["aucune_course"]


def test_a_name_that_answers_who_is_no_correction() -> None:
    top = play("1 Ana Cul : six\n2 ? Pas mou le caillou !\n4 ? C'était Bruno\n")
    assert top.scores == {"Ana": 0, "Bruno": 32, "Chloé": 0}
    assert "cri_corrige" not in " ".join(top.record.texts)


def test_words_since_then_are_played_again() -> None:
    top = corrected("4 Ana Je sirote !\n5 ? Ajoute dix points à Chloé\n7 ? C'était Bruno\n")
    assert top.scores == {"Ana": 4, "Bruno": 32, "Chloé": 10}


def test_undo_takes_back_the_correction_alone() -> None:
    top = corrected("4 Ana Je sirote !\n5 ? C'était Bruno\n6 ? Annule\n")
    assert top.scores == {"Ana": 36, "Bruno": 0, "Chloé": 0}
    assert "annule C'était Bruno Bruno" in top.record.texts
    again = corrected("5 ? C'était Bruno\n6 ? C'était Chloé\n7 ? Annule\n8 ? Annule\n9 ? Annule\n")
    assert again.scores == {"Ana": 0, "Bruno": 0, "Chloé": 0}


def test_a_game_resumed_stands_where_it_stood(tmp_path: Path) -> None:
    game, path = SmallGame(), tmp_path / "game.jsonl"
    journal = journals.create(path, replay.header("cul-de-chouette", Table(("Ana", "Bruno", "Chloé")), "1", "now"))
    after = "4 Ana Je sirote !\n5 ? C'était Bruno\n6 Ana Je sirote !\n"
    top = play(RACE + after, journal=journal, game=game)
    rebuilt = replay.replay(journals.read(path), lambda name: game)
    assert rebuilt.course == top.desk.course
    resumed = play("7 ? C'était Chloé\n", begun=rebuilt.course)
    assert resumed.scores == {"Ana": 8, "Bruno": 0, "Chloé": 32}
    undone = play("8 ? Annule\n9 ? Annule\n", begun=resumed.desk.course)
    assert undone.scores == {"Ana": 40 - 4, "Bruno": 0, "Chloé": 0}


# --- races of Le Cul de chouette --------------------------------------------------------------------------------------

PLAYERS = ("Ana", "Bruno", "Chloé")


PHRASES = catalogues.load("cul-de-chouette").phrases


def kind(phrase: str) -> str:
    return PHRASES[phrase].kind


def thrown(dice: tuple[int, int, int], *cries: Said, end: float) -> Course:
    """A throw of Ana's, cries, and everything run out."""
    course, _ = courses.begin(CulDeChouette(), Table(PLAYERS))
    first = [Said(1.0, "Ana", "CDC-Q001", {"des": dice[:2]}, ""), Said(2.0, "Ana", "CDC-Q002", {"de": dice[2]}, "")]
    for given in (*first, *cries):
        course = run_out(course, given.t)
        course, _ = courses.advance(course, given)
    return run_out(course, end)


def run_out(course: Course, until: float) -> Course:
    while (due := course.game.deadline(course.state)) is not None and due < until:
        course, _ = courses.advance(course, Tick(due))
    return course


def scores(course: Course) -> dict[str, int]:
    return dict(course.game.summary(course.state).scores)


def cry(t: float, who: str, phrase: str) -> Said:
    return Said(t, who, phrase, {}, "")


def say(course: Course, t: float, who: str) -> Overruled | str:
    return overruled(course, Said(t, who, "TABLE-036", {"joueur": who}, f"c'était {who}"), who, kind, 0.15)


def test_first_of_a_tie() -> None:
    """Chouette-Velute: two cries within the window tie; the players saw that Chloé was first."""
    tied = thrown((2, 2, 4), cry(3.0, "Bruno", "CDC-P001"), cry(3.1, "Chloé", "CDC-P001"), end=4.0)
    alone = thrown((2, 2, 4), cry(3.0, "Chloé", "CDC-P001"), end=4.0)
    change = say(tied, 5.0, "Chloé")
    assert isinstance(change, Overruled)
    assert scores(change.course) == scores(alone)
    assert scores(tied) != scores(alone)
    assert courses.undo(change.course)[0] == tied  # type: ignore[index]


def test_second_crier_was_first() -> None:
    heard = thrown((2, 2, 4), cry(3.0, "Bruno", "CDC-P001"), cry(3.4, "Chloé", "CDC-P001"), end=4.0)
    change = say(heard, 5.0, "Chloé")
    assert isinstance(change, Overruled)
    assert scores(change.course) == scores(thrown((2, 2, 4), cry(3.0, "Chloé", "CDC-P001"), end=4.0))


@pytest.mark.parametrize("who", ["Ana", "Bruno"])
def test_last_of_a_suite(who: str) -> None:
    """Suite: the last to cry pays; « c'était … » names another last one."""
    cries = [cry(3.0, "Ana", "CDC-P002"), cry(3.5, "Bruno", "CDC-P002"), cry(4.0, "Chloé", "CDC-P002")]
    heard = thrown((3, 2, 4), *cries, end=20.0)
    change = say(heard, 21.0, who)
    assert scores(heard)["Chloé"] < 0 <= scores(heard)[who]
    assert isinstance(change, Overruled)
    assert scores(change.course)[who] < 0 <= scores(change.course)["Chloé"]


def test_last_of_a_suite_where_the_last_two_tied() -> None:
    cries = [cry(3.0, "Ana", "CDC-P002"), cry(3.5, "Bruno", "CDC-P002"), cry(3.58, "Chloé", "CDC-P002")]
    change = say(thrown((3, 2, 4), *cries, end=6.0), 7.0, "Bruno")
    assert isinstance(change, Overruled)
    assert scores(change.course)["Bruno"] < 0 <= scores(change.course)["Chloé"]


def test_the_next_throw_stays_thrown() -> None:
    heard = thrown((2, 2, 4), cry(3.0, "Bruno", "CDC-P001"), end=8.0)
    for given in (Said(9.0, "Bruno", "CDC-Q001", {"des": (1, 2)}, ""), Said(10.0, "Bruno", "CDC-Q002", {"de": 6}, "")):
        heard, _ = courses.advance(heard, given)
    heard = run_out(heard, 11.0)
    change = say(heard, 12.0, "Chloé")
    assert isinstance(change, Overruled)
    assert scores(change.course)["Chloé"] - scores(heard)["Chloé"] == scores(heard)["Bruno"]
    assert change.course.game.summary(change.course.state).turn == heard.game.summary(heard.state).turn


def test_who_may_not_cry_cannot_have_been_first() -> None:
    assert say(thrown((2, 2, 4), cry(3.0, "Bruno", "CDC-P001"), end=4.0), 5.0, "Zoé") == "partie_trop_loin"
