"""Decks: the shipped ones are whole; faults are one French sentence with file and line; cards are played."""

from __future__ import annotations

from pathlib import Path

import pytest

from voiceref.games import decks
from voiceref.games.chasseur_de_tete import ChasseurDeTete
from voiceref.games.decks import DeckError
from voiceref.games.engine import Said, Secret, Table
from voiceref.referee.dealing import dealt

DECKS = Path(__file__).parents[2] / "grammars" / "decks"


def test_shipped_decks_are_whole() -> None:
    words = decks.word_cards((DECKS / "cachamot.toml").read_text("utf-8"), "cachamot.toml")
    expressions = decks.expression_cards((DECKS / "casque_cheque_chat.toml").read_text("utf-8"), "casque.toml")
    jobs = decks.job_cards((DECKS / "chasseur_de_tete.toml").read_text("utf-8"), "chasseur.toml")
    assert len(words) >= 10
    assert sum(card.starter for card in expressions) >= 3
    assert len(jobs) >= 7
    every_job = [job for card in jobs for side in card.sides for job in side]
    assert len(every_job) == len(set(every_job)) == 12 * len(jobs)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "deck.toml : il n'y a pas de carte"),
        ("[[carte]]\nnumero = 9\nmots = ['un', 'deux']\n", "deck.toml, ligne 1 : le numéro doit aller de 1 à 2"),
        ("titre = 'T'\n\n[[carte]]\nmots = ['un']\n", "deck.toml, ligne 3 : il faut « numero = 1 »"),
        ("[[carte]]\nnumero = 1\nmots = ['un']\n[[carte]]\nnumero = 1\n", "deck.toml, ligne 4 : il manque « mots »"),
        ("[[carte]]\nnumero = 1\nmots = ['un', '!']\n", "deck.toml, ligne 1 : il manque « mots »"),
        ("[[carte]]\nnumero = 1\nmots = ['un', 'un']\n", "deux fois"),
        ("[[carte]]\nnumero = 1\nmot = ['un']\n", "deck.toml, ligne 1 : la clé « mot » est inconnue"),
        ("cartes = 3\n", "la clé « cartes » est inconnue"),
        ("carte = 3\n", "il n'y a pas de carte"),
        ("carte = [3]\n", "ligne 1 : une carte est une suite"),
        ("[[carte]]\nnumero = \n", "deck.toml, ligne 2 : TOML incorrect"),
        ("[[carte]]\nmots = ['un'\n", "deck.toml, ligne 2 : TOML incorrect"),
    ],
)
def test_faults_name_file_and_line(text: str, sentence: str) -> None:
    with pytest.raises(DeckError) as error:
        decks.word_cards(text, "deck.toml")
    assert sentence in str(error.value)


def test_faults_of_the_other_decks() -> None:
    with pytest.raises(DeckError, match=r"ligne 1 : il manque « C »"):
        decks.expression_cards("[[carte]]\ntheme = 'x'\nA = 'un'\nB = 'deux'\n", "d.toml")
    with pytest.raises(DeckError, match=r"ligne 1 : « recto » doit avoir 6 textes, il y en a 1"):
        decks.job_cards("[[carte]]\nrecto = ['pompier']\nverso = ['juge']\n", "d.toml")


def test_dealing_shuffles_and_keeps_the_order_for_the_journal(tmp_path: Path) -> None:
    table = dealt(Table(("Ana", "Bruno")), "cachamot", DECKS / "cachamot.toml", shuffle=list.reverse)
    cards = decks.dealt(table.settings, decks.word_cards)
    assert cards[0].words[0] == "tunnel"
    in_file_order = dealt(Table(("Ana",), settings={"deck.order": "fichier"}), "cachamot", DECKS / "cachamot.toml")
    assert decks.dealt(in_file_order.settings, decks.word_cards)[0].words[0] == "parapluie"
    with pytest.raises(DeckError, match="introuvable"):
        dealt(table, "cachamot", tmp_path / "no.toml")
    with pytest.raises(DeckError, match="sans cartes"):
        dealt(table, "cul-de-chouette", DECKS / "cachamot.toml")
    latin = tmp_path / "latin.toml"
    latin.write_bytes("titre = 'été'".encode("latin-1"))
    with pytest.raises(DeckError, match="UTF-8"):
        dealt(table, "cachamot", latin)


def test_a_failed_job_card_comes_back_with_its_other_side() -> None:
    """CDT-014, D-303: turned over, under the pile of seven."""
    table = Table(("Ana", "Bruno", "Chloé"), settings={"deck.order": "fichier"})
    game = ChasseurDeTete()
    state = game.start(dealt(table, game.name, DECKS / "chasseur_de_tete.toml")).state
    top = state.cards[0]
    state = game.reduce(state, Said(1.0, None, "CDT-Q003", {}, "Dé lancé")).state
    state = game.reduce(state, Secret(2.0, "quatre")).state
    text = "Je crois que c'est le métier de pompier"
    step = game.reduce(state, Said(3.0, "Ana", "CDT-P001", {"metier": "pompier"}, text))
    assert step.state.lives == 2
    assert step.state.pile == 7
    assert step.state.cards[6] == top.turned()
    assert step.state.jobs != top.jobs
    told = [event.data for event in step.events if event.name == "c_etait_les_deux"]
    assert told == [{"n": 4, "metier": top.jobs[3]}]
