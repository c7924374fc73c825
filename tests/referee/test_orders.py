"""Orders to the referee: undo, pauses, sleep, answers, the voice and the end."""

from __future__ import annotations

from tests.referee.table_top import play

THROW_AND_CRY = "1 Ana Cul : six\n2 Bruno Pas mou le caillou !\n"


def test_undo_takes_back_the_throw_with_what_followed() -> None:
    top = play(THROW_AND_CRY + "4 ? Annule\n")
    assert set(top.scores.values()) == {0}
    event = top.record.events[-1]
    assert (event.name, event.deltas) == ("annule", {"Bruno": -32})
    assert "Cul : six" in top.record.texts[-2]
    assert top.record.texts[-1] == "retour_score Bruno 0"


def test_undo_goes_several_deep() -> None:
    text = THROW_AND_CRY + "3 ? Ajoute dix points à Chloé\n4 ? Annule\n"
    assert play(text).scores == {"Ana": 0, "Bruno": 32, "Chloé": 0}
    assert set(play(text + "5 ? Annule\n").scores.values()) == {0}
    assert play(text + "5 ? Annule\n6 ? Annule\n").record.reasons == ["rien_a_annuler"]


def test_the_sum_of_all_changes_is_the_score() -> None:
    top = play(THROW_AND_CRY + "4 ? Annule\n5 Ana Je sirote !\n6 Ana Cul : un\n30 @ tick\n")
    for name, points in top.scores.items():
        assert sum(event.deltas.get(name, 0) for event in top.record.events) == points


def test_a_pause_stops_the_hourglass() -> None:
    text = "1 Ana Cul : six\n3 ? Pause\n103 ? On reprend\n"
    assert play(text + "108 Bruno Pas mou le caillou !\n").scores["Bruno"] == 32
    assert play(text + "110 Bruno Pas mou le caillou !\n").scores["Ana"] == -1


def test_cries_during_a_pause_are_refused_and_answers_are_given() -> None:
    top = play("1 Ana Cul : six\n2 ? Pause\n3 Bruno Pas mou le caillou !\n4 ? Scores\n")
    assert top.record.reasons == ["en_pause"]
    assert top.record.texts[-1].startswith("scores")


def test_pausing_twice_and_resuming_without_a_pause_are_refused() -> None:
    assert play("1 ? Pause\n2 ? Pause\n").record.reasons == ["deja_en_pause"]
    assert play("1 ? On reprend\n").record.reasons == ["pas_en_pause"]


def test_a_sleeping_referee_says_nothing_until_woken() -> None:
    text = "1 Ana Cul : six\n2 ? Dors\n3 ? Scores\n4 Bruno Pas mou le caillou !\n50 ? Réveille-toi\n"
    top = play(text + "52 Chloé Pas mou le caillou !\n")
    assert [text.split()[0] for text in top.record.texts] == ["lancer", "dort", "reveille", "marque"]
    assert top.scores["Chloé"] == 32


def test_answers() -> None:
    top = play("1 Ana Je sirote !\n2 ? Scores\n3 ? À qui le tour\n4 ? Combien il manque\n5 ? Aide\n")
    assert top.record.texts[1:3] == ["scores {'Ana': 4, 'Bruno': 0, 'Chloé': 0} 4 0", "en_tete ['Ana']"]
    assert top.record.texts[3] == "tour Ana"
    assert top.record.texts[4:7] == ["manque Ana 339", "manque Bruno 343", "manque Chloé 343"]
    assert top.record.texts[7] == "aide ['Cul : six', 'Je sirote !', 'Ajoute dix points à Bob']"


def test_repeat() -> None:
    top = play("1 Ana Je sirote !\n2 ? Répète\n3 ? Répète\n")
    assert top.record.said == [(1.0, "marque Ana 4"), (2.0, "marque Ana 4"), (3.0, "marque Ana 4")]


def test_the_end_is_confirmed() -> None:
    assert not play("1 ? Fin de la partie\n2 ? Non\n3 ? Oui\n").session.ended
    assert not play("1 ? Fin de la partie\n30 ? Oui\n").session.ended
    top = play("1 ? Fin de la partie\n2 ? Oui\n3 Ana Je sirote !\n")
    assert top.session.ended
    assert top.scores["Ana"] == 0


def test_the_voice_is_adjusted() -> None:
    assert play("1 ? Plus fort\n2 ? Tais-toi\n3 ? Stop\n").mouth.done == ["louder", "quiet", "interrupt"]


def test_the_last_degree_of_the_voice_is_told() -> None:
    louder = play("1 ? Plus fort\n2 ? Plus fort\n3 ? Plus fort\n").record.texts
    assert louder == ["louder", "louder", "pas_plus_loin"]
    assert play("1 ? Tais-toi\n2 ? Tais-toi\n3 ? Tais-toi\n").record.texts == ["se_tait"] * 3


def test_a_rule_that_is_not_known_is_refused() -> None:
    assert play("1 ? Explique la Suite\n").record.reasons == ["regle_inconnue"]


def test_a_score_is_corrected_by_its_right_value() -> None:
    text = "1 Ana Je sirote !\n2 ? Ana a seize points, pas quatre\n"
    assert play(text).scores["Ana"] == 16
    assert play(text + "3 ? Annule\n").scores["Ana"] == 4
    assert play("1 Ana Je sirote !\n2 ? Ana a seize points, pas dix\n").record.reasons == ["correction_impossible"]


def test_how_much_time_is_left() -> None:
    top = play("1 Ana Cul : six\n4 ? Combien de temps\n20 @ tick\n21 ? Combien de temps\n22 ? Tu m'entends\n")
    assert top.record.texts[1] == "reste 5"
    assert top.record.texts[-2:] == ["pas_de_sablier", "present"]


def test_a_yes_without_a_question_is_table_talk() -> None:
    top = play("1 ? Oui\n2 ? Bruno\n")
    assert top.record.reasons == ["rien_demande", "rien_demande"]
    assert not top.record.said
