"""The session over text tables of the small game: who, in which order, until when, and what is refused."""

from __future__ import annotations

from tests.referee.table_top import play


def test_a_known_speaker_scores() -> None:
    top = play("1 Ana Cul : six\n2 Bruno Pas mou le caillou !\n")
    assert top.scores == {"Ana": 0, "Bruno": 32, "Chloé": 0}


def test_speakers_are_found_whatever_their_form() -> None:
    top = play("1 ANA Cul : six\n2 Chloe\u0301 Pas mou le caillou !\n")
    assert top.scores["Chloé"] == 32


def test_an_unknown_voice_is_the_only_one_that_may_speak() -> None:
    assert play("1 ? Je sirote !\n").scores["Ana"] == 4


def test_a_report_needs_nobody() -> None:
    top = play("1 ? Cul : six\n2 Bruno Pas mou le caillou !\n")
    assert top.scores["Bruno"] == 32
    assert "qui" not in " ".join(top.record.texts)


def test_who_is_asked_and_a_lone_name_answers() -> None:
    top = play("1 Ana Cul : six\n2 ? Pas mou le caillou !\n5 ? Bruno\n")
    assert top.record.said[1] == (2.0, "qui Pas mou le caillou !")
    assert top.scores["Bruno"] == 32
    assert top.record.events[-1].t == 2.0


def test_it_is_me() -> None:
    assert play("1 Ana Cul : six\n2 ? Pas mou le caillou !\n5 Chloé C'est moi\n").scores["Chloé"] == 32


def test_the_hourglass_waits_for_the_name() -> None:
    """The cry came in time; the answer came after the hourglass would have run out."""
    top = play("1 Ana Cul : six\n8.5 ? Pas mou le caillou !\n12 ? Bruno\n30 @ tick\n")
    assert top.scores == {"Ana": 0, "Bruno": 32, "Chloé": 0}


def test_a_second_cry_waits_for_the_name_of_the_first() -> None:
    text = "1 Ana Cul : six\n2 ? Pas mou le caillou !\n2.1 ? Pas mou le caillou !\n4 ? Bruno\n"
    top = play(text)
    assert top.scores["Bruno"] == 32
    assert top.record.reasons == ["pas_maintenant"]


def test_words_after_a_held_claim_wait_behind_it() -> None:
    text = "1 Ana Cul : six\n2 ? Pas mou le caillou !\n3 Chloé Pas mou le caillou !\n4 ? Bruno\n"
    assert play(text).scores == {"Ana": 0, "Bruno": 32, "Chloé": 0}


def test_scores_may_be_asked_while_a_claim_waits() -> None:
    top = play("1 Ana Cul : six\n2 ? Pas mou le caillou !\n3 ? Scores\n4 ? Bruno\n")
    assert any(text.startswith("scores") for text in top.record.texts)
    assert top.scores["Bruno"] == 32


def test_nobody_answers() -> None:
    top = play("1 Ana Cul : six\n2 ? Pas mou le caillou !\n40 @ tick\n")
    assert top.record.reasons == ["qui_inconnu"]
    assert top.scores == {"Ana": -1, "Bruno": 0, "Chloé": 0}


def test_no_withdraws_the_question() -> None:
    top = play("1 Ana Cul : six\n2 ? Pas mou le caillou !\n3 ? Non\n4 Chloé Pas mou le caillou !\n")
    assert top.scores["Chloé"] == 32


def test_the_same_line_twice_is_one_utterance() -> None:
    top = play("1 Ana Je sirote !\n1 Ana Je sirote !\n2.5 Ana Je sirote !\n")
    assert top.scores["Ana"] == 8


def test_lines_are_taken_in_the_order_of_their_times() -> None:
    top = play("3 Chloé Pas mou le caillou !\n2 Bruno Pas mou le caillou !\n1 Ana Cul : six\n")
    assert top.scores == {"Ana": 0, "Bruno": 32, "Chloé": 0}


def test_an_hourglass_runs_out_before_later_words() -> None:
    top = play("1 Ana Cul : six\n9.5 Bruno Pas mou le caillou !\n")
    assert top.scores == {"Ana": -1, "Bruno": 0, "Chloé": 0}
    assert top.record.events[-1].t == 9.0


def test_an_hourglass_runs_out_on_the_clock_line() -> None:
    assert play("1 Ana Cul : six\n9 @ tick\n").scores["Ana"] == -1
    assert play("1 Ana Cul : six\n8.9 @ tick\n").scores["Ana"] == 0


def test_table_talk_changes_nothing_and_is_not_answered() -> None:
    top = play("1 Ana et donc tout le monde rentre\n2 ? il y en a plus que deux\n")
    assert len(top.record.reasons) == 2
    assert not top.record.said
    assert set(top.scores.values()) == {0}


def test_a_phrase_out_of_place_is_refused_aloud_without_asking_who() -> None:
    top = play("1 ? Pas mou le caillou !\n")
    assert top.record.reasons == ["pas_maintenant"]
    assert not any(text.startswith("qui") for text in top.record.texts)


def test_a_strict_table_asks_who_spoke_out_of_place() -> None:
    top = play("1 ? Pas mou le caillou !\n3 ? Bruno\n", strict=True)
    assert top.record.texts[0].startswith("qui")
    assert top.record.refusals[0].speaker == "Bruno"


def test_a_name_that_does_not_sit_here_is_refused() -> None:
    top = play("1 Ana Cul : six\n2 Zoé Pas mou le caillou !\n")
    assert top.record.reasons == ["joueur_inconnu"]


def test_a_secret_reaches_the_rules() -> None:
    top = play("1 @ secret patate = pomme de terre\n")
    assert top.desk.course.state.secret == "patate"


def test_a_fault_in_a_rule_ends_nothing() -> None:
    from tests.referee.small_game import SmallGame

    class Faulty(SmallGame):
        def reduce(self, state, said):  # type: ignore[no-untyped-def]
            if getattr(said, "phrase", "") == "S-ALONE":
                raise ZeroDivisionError
            return super().reduce(state, said)

    top = play("1 Ana Je sirote !\n2 Ana Cul : six\n3 Bruno Pas mou le caillou !\n", game=Faulty())
    assert top.record.reasons == ["erreur_interne"]
    assert top.scores["Bruno"] == 32


def test_late_words_are_refused_aloud() -> None:
    from voiceref.ear.hypothesis import Hypothesis, Utterance

    top = play("1 Ana Cul : six\n5 @ tick\n")
    late = Hypothesis(Utterance(2.0, 3.0, 0.0), 2.0, "Pas mou le caillou !", 1.0, True, "texte", speaker="Bruno")
    top.session.hear(late)
    assert top.record.reasons == ["trop_tard"]
    assert top.record.texts[-1].startswith("trop_tard")
    assert top.scores["Bruno"] == 0


def test_a_second_question_has_its_whole_time_from_when_it_is_asked() -> None:
    """It waits behind the first one; twelve seconds count from when that was given up, not from its own cry."""
    text = "1 Ana Cul : six\n2 ? Pas mou le caillou !\n2.1 ? Pas mou le caillou !\n20 ? Bruno\n"
    top = play(text)
    assert [t for t, said in top.record.said if said.startswith("qui ")] == [2.0, 14.0]
    assert top.scores["Bruno"] == 32
