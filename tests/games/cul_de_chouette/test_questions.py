"""What voice does not carry: the referee asks once, takes the answer, and goes on without one."""

from __future__ import annotations

import pytest
from spoken_table import GAME, play, table

THREE = {"Ana": 90, "Bruno": 90, "Chloé": 90}
FOUR = {**THREE, "David": 90}
GRELOTTINES = dict.fromkeys(FOUR, ("grelottine",))
CHOUETTE = "3 Ana cinq, cinq… et deux\n"


def names(played: object) -> list[str]:
    return [event.name for event in played.events]  # type: ignore[attr-defined]


def test_soufflette_without_a_name_then_without_an_answer() -> None:
    played = play(table(THREE, 2), "3 Ana quatre, deux… et un\n5 Ana En garde ma mignonne !\n30 @ tick")
    assert names(played).count("demande_cible") == 1
    assert played.summary.turn == "Bruno"
    assert played.scores == (90, 90, 90)


def test_grelottine_without_a_name_then_without_an_answer() -> None:
    played = play(table(THREE, 1, GRELOTTINES), "3 Ana Grelottine !\n30 @ tick\n31 Ana un, trois… et quatre")
    assert "defi_abandonne" in names(played)
    assert played.tokens("Ana") == {"grelottine"}
    assert played.scores == (122, 90, 90)


def test_grelottine_answer_must_hold_a_grelottine() -> None:
    tokens = {"Ana": ("grelottine",), "Bruno": ("grelottine",), "Chloé": ("grelottine",)}
    played = play(
        table(FOUR, 1, tokens), "3 Ana Grelottine !\n5 ? David\n6 ? Chloé\n8 Ana Sur une Velute, dix points !"
    )
    assert played.reasons == ("cible_sans_grelottine",)
    assert played.summary.turn == "Chloé"


def test_passe_grelot_without_a_name() -> None:
    tokens = {**GRELOTTINES, "Bruno": ("grelottine", "immunite")}
    lines = "3 Ana Grelottine, Bruno !\n4 Bruno Passe-Grelot !\n5 ? David\n7 Ana Sur une Velute, dix points !"
    played = play(table(FOUR, 2, tokens), lines)
    assert played.summary.turn == "David"
    assert played.tokens("Bruno") == {"grelottine"}


@pytest.mark.parametrize(("answer", "points"), [("4 ? Chloé\n", 90 - 32), ("20 @ tick\n", 90 + 32)])
def test_flan_without_a_name(answer: str, points: int) -> None:
    lines = "3 Bruno Tatan elle fait des Flans !\n" + answer + "25 Chloé un, trois… et quatre\n"
    played = play(table(THREE, 4, {"Bruno": ("flan",)}, turn="Chloé"), lines)
    assert names(played).count("demande_cible") == 1
    assert played.scores[2] == points


def test_with_two_players_nobody_is_asked() -> None:
    played = play(table({"Ana": 90, "Bruno": 90}, 4, {"Bruno": ("flan",)}), "3 Bruno Lance-Flan !")
    assert played.tokens("Ana") == {"flan"}


def test_two_hands_on_one_die_and_no_answer() -> None:
    lines = (
        CHOUETTE + "4 Bruno Attrape-Oiseau !\n4.1 Ana Je sirote !\n20 @ tick\n21 Bruno Le sirop fait cinq\n40 @ tick"
    )
    played = play(table({"Ana": 0, "Bruno": 50}, 2), lines)
    assert "demande_qui_a_le_de" in names(played)
    assert played.scores == (25, 140)


def test_a_bet_while_asked_who_has_the_die_takes_the_earlier_cry() -> None:
    lines = (
        CHOUETTE
        + "4 Bruno Attrape-Oiseau !\n4.1 Ana Je sirote !\n6 Ana File-Sirop !\n8 Bruno Le sirop fait un\n40 @ tick"
    )
    assert play(table({"Ana": 0, "Bruno": 50}, 2), lines).scores == (25, 25)


def test_who_has_the_die_may_be_contested_after_the_cry() -> None:
    lines = CHOUETTE + (
        "4 Ana Je sirote !\n4.1 Bruno Attrape-Oiseau !\n5 ? C'est Ana qui a le dé\n6 ? C'est Bruno qui a le dé\n"
        "7 Ana File-Sirop !\n8 Bruno Le sirop fait cinq\n40 @ tick"
    )
    assert play(table({"Ana": 0, "Bruno": 50}, 2), lines).scores == (25, 140)


def test_two_buyers_of_a_sirop_throw_a_die() -> None:
    lines = CHOUETTE + (
        "4 Ana Je sirote !\n5 Bruno J'achète !\n5.05 Chloé J'achète !\n7 ? Bruno cinq, Chloé deux\n"
        "8 Ana File-Sirop !\n8.5 Bruno File-Sirop !\n10 Chloé Le sirop fait cinq\n12 Chloé Je prends\n40 @ tick"
    )
    assert play(table(THREE, 2), lines).scores == (115, 90, 150)


def test_sirop_words_out_of_place() -> None:
    lines = CHOUETTE + (
        "4 Ana Je sirote !\n5 Bruno Mouette\n5.5 Bruno Linotte\n6 Ana J'achète !\n6.5 David J'achète !\n"
        "7 ? Le dé est tombé\n8 Chloé Fauvette\n8.5 ? C'est David qui a le dé\n9 ? Chouettes : un et deux"
    )
    played = play(table({**THREE, "David": 10}, 2), lines)
    assert played.reasons == (
        "deja_mise",
        "achat_a_soi",
        "achat_trente",
        "de_tombe",
        "pas_en_lice",
        "sirop_attendu",
    )


SUITE = (
    "3 Ana un, deux… et trois\n4 Ana Grelotte ça picote !\n4.5 Bruno Grelotte ça picote !\n"
    "5 Chloé Grelotte ça picote !\n"
)


def test_velutee_two_hands_told_one_by_one() -> None:
    lines = SUITE + (
        "6 Bruno Velutée !\n7 Chloé Velutée !\n8 Bruno J'ai une chouette\n9 Chloé J'ai une chouette\n"
        "11 Bruno Le dé fait six\n12 Chloé Le dé fait six\n"
    )
    assert play(table(THREE, 2), lines).scores == (54, 90, 80)


def test_velutee_two_hands_told_as_chouettes() -> None:
    lines = SUITE + (
        "6 Bruno Velutée !\n6.05 Chloé Velutée !\n8 ? Bruno a une chouette\n9 ? Chloé a une chouette\n"
        "11 ? Chouettes : deux et un\n"
    )
    played = play(table(THREE, 2), lines.replace("? Bruno a", "Bruno J'ai").replace("? Chloé a", "Chloé J'ai"))
    assert played.scores == (90, 90, 80)


def test_velutee_and_no_answer_gives_the_first_both() -> None:
    lines = SUITE + "6 Bruno Velutée !\n40 @ tick\n41 Bruno Chouettes : trois et trois\n43 Bruno Je prends"
    assert play(table(THREE, 2), lines).scores == (90, 160, 80)


def test_velutee_and_at_once_the_dice() -> None:
    lines = SUITE + "6 Bruno Velutée !\n8 ? Chouettes : trois et trois\n10 Bruno Je prends"
    assert play(table(THREE, 2), lines).scores == (90, 160, 80)


def test_velutee_held_by_one_who_did_not_cry() -> None:
    played = play(table(THREE, 2), SUITE + "6 Bruno Velutée !\n8 Chloé J'ai les deux chouettes")
    assert played.reasons == ("pas_en_lice",)


def test_newcomer_without_a_name() -> None:
    asked = play(table(THREE, 1), "3 ? Chante-Sloubi !\n30 @ tick\n31 Ana un, trois… et quatre")
    assert "demande_nom" in names(asked)
    assert asked.scores == (122, 90, 90)
    named = play(table(THREE, 1), "3 ? Chante-Sloubi !\n5 ? Chante-Sloubi ! Je m'appelle Nora.")
    assert named.state.players[-1] == "Nora"


def test_dice_that_fall_and_dice_that_cannot_be() -> None:
    lines = (
        "3 Ana Chouettes : deux et deux\n4 ? Une chouette est tombée\n5 Ana Cul : trois\n6 Ana Chouettes : cinq et un\n"
        "7 Ana Chouettes : deux et un\n8 ? Le cul est tombé\n9 Ana Cul : cinq\n40 @ tick"
    )
    played = play(table(THREE, 1), lines)
    assert played.reasons == ("cul_avant_chouettes", "cul_attendu")
    assert played.scores == (115, 90, 90)


def test_dice_kept_must_be_there() -> None:
    lines = (
        "3 Ana quatre, deux… et un\n5 Ana En garde ma mignonne, Bruno !\n8 Bruno un, deux… et six\n"
        "10 Bruno Je garde le cinq\n"
        "11 Bruno Je garde tout\n12 Bruno Je garde le un et le deux\n14 Bruno Les dés : un, trois et quatre\n"
        "16 Bruno Cul : quatre"
    )
    played = play(table(THREE, 2), lines)
    assert played.reasons == ("des_non_lances", "lancer_obligatoire", "des_gardes_absents")
    assert played.scores == (50, 130, 90)


def test_three_dice_at_once_are_a_bevue_only_where_two_come_first() -> None:
    turn = play(table(THREE, 1, bevue__mode="strict"), "3 Ana Les dés : un, trois et quatre")
    assert turn.scores == (117, 90, 90)
    breath = play(table(THREE, 1, bevue__mode="strict"), "3 Ana un, trois… et quatre")
    assert breath.scores == (122, 90, 90)


def test_dispute_in_the_middle_of_the_game() -> None:
    played = play(table(THREE, 1), "3 Ana un, trois… et quatre\n6 ? Ana quatre, Bruno deux\n8 ? Ana un, Chloé un")
    assert [(e.name, e.data.get("joueur")) for e in played.events[-2:]] == [("decision", "Bruno"), ("des_encore", None)]
    assert played.summary.turn == "Bruno"


def test_duel_dice_of_somebody_else() -> None:
    lines = (
        "3 Ana Chouettes : cinq et cinq\n4 Bruno J'achète !\n4.05 Chloé J'achète !\n6 ? Ana deux\n"
        "7 Bruno Le dé fait un\n8 Chloé Le dé fait trois"
    )
    played = play(table(THREE, 2), lines)
    assert played.reasons == ("des_des_autres",)
    assert played.scores == (90, 60, 90)


def test_the_table_may_be_set_by_voice_until_the_first_throw() -> None:
    orders = ("Dans l'ordre vers la droite : Ana, Chloé, Bruno", "Ana et Bruno sont ensemble", "Niveau deux étoiles")
    lines = "".join(f"{t} ? {words}\n" for t, words in enumerate(orders, start=1))
    played = play(table(THREE), lines + "4 Ana un, trois… et quatre")
    assert played.summary.turn == "Chloé"
    assert dict(played.summary.scores) == {"Ana": 122, "Bruno": 122, "Chloé": 90}
    assert played.state.rules.level == 2
    late = play(table(THREE), "0.5 Ana un, trois… et quatre\n" + lines)
    assert late.reasons == ("partie_commencee",) * 3


def test_all_questions_have_an_end() -> None:
    seats = table(FOUR, 4, {**GRELOTTINES, "Bruno": ("flan", "grelottine")})
    for words in ("Ana Grelottine !", "Bruno Tatan elle fait des Flans !", "? Chante-Sloubi !"):
        state = play(seats, f"3 {words}\n4 @ tick").state
        assert GAME.deadline(state) is not None


def test_a_jarret_is_not_used_after_one_s_own_throw() -> None:
    lines = "3 Ana six, un… et six\n4 Ana Mi-Jarret !\n5 Bruno Bi-Jarret !\n6 Bruno un, trois… et quatre"
    played = play(table(THREE, 3, {"Ana": ("jarret",), "Bruno": ("jarret",)}), lines)
    assert played.reasons == ("pas_de_jarret",)
    assert played.tokens("Ana") == {"jarret"}
    assert played.scores == (126, 154, 90)


@pytest.mark.parametrize(("challenger", "scores"), [("Bruno", (150, 30, 70)), ("Chloé", (150, 80, 20))])
def test_a_soufflette_at_the_end_of_a_challenge_is_for_both(challenger: str, scores: tuple[int, ...]) -> None:
    """CDC-152: the défié plays it, or the owner of the Filoché (who has lost twenty on it)."""
    lines = (
        "3 Ana Grelottine, Bruno !\n4 Ana Sur une Velute, dix points !\n"
        "5 Chloé Civet-Filoché de vingt sur une Velute !\n8 Bruno un, trois… et six\n"
        f"10 Bruno Les dés : quatre, deux et un\n12 {challenger} En garde ma mignonne, Ana !\n"
        "15 Ana quatre, deux… et un\n40 @ tick"
    )
    seats = table(THREE, 4, {"Ana": ("grelottine",), "Bruno": ("grelottine",), "Chloé": ("civet-filoche",)})
    assert play(seats, lines).scores == scores
