"""The free words that the ear is told to be ready for, and the French that the rules ask about."""

from __future__ import annotations

from pathlib import Path

import pytest

from voiceref.games.cachamot import Cachamot
from voiceref.games.casque_cheque_chat import CasqueChequeChat
from voiceref.games.chasseur_de_tete import ChasseurDeTete
from voiceref.games.engine import OpenWords, Said, Secret, Table
from voiceref.referee import roster, tongue

LEXICON = Path(__file__).parents[2] / "models" / "fr" / "lexicon.tsv"
PLAYERS = ("Ana", "Bruno", "Chloé", "David")


def test_cachamot_listens_for_the_word_its_list_and_decoys_while_a_glass_runs() -> None:
    game = Cachamot(near=lambda word: (word[1:],), beginning=lambda letters: (f"{letters}oire",))
    assert isinstance(game, OpenWords)
    state = game.start(Table(PLAYERS)).state
    state = game.reduce(state, Secret(1.0, "Patate", ("pomme de terre",))).state
    assert game.words(state) == {}
    state = game.reduce(state, Said(2.0, "Ana", "CACH-Q005", {}, "Sablier !")).state
    spoken = ("patate", "pomme de terre", "atate", "omme de terre", "poire")
    assert game.words(state) == {"mot": spoken, "libre": spoken}


def test_cachamot_listens_for_the_words_of_the_cards_before_the_glass() -> None:
    deck = '[[carte]]\nnumero = 1\nmots = ["Panda", "moulin"]\n[[carte]]\nnumero = 2\nmots = ["neige", "panda"]\n'
    game = Cachamot()
    assert isinstance(game, OpenWords)
    state = game.start(Table(PLAYERS, settings={"deck": deck})).state
    assert game.words(state) == {"libre": ("panda", "moulin", "neige")}


def test_casque_listens_for_the_expression_from_the_choice_on() -> None:
    game = CasqueChequeChat(near=lambda word: (word + "s",))
    state = game.start(Table(PLAYERS)).state
    assert game.words(state) == {}
    state = game.reduce(state, Secret(1.0, "Le Chat botté")).state
    assert game.words(state) == {"libre": ("le chat botté", "chat", "botté", "chats", "bottés")}
    state = game.reduce(state, Said(2.0, None, "CCC-Q004", {"equipe": "bleu"}, "Ardoise bleue")).state
    assert game.words(state) == {"libre": ("le chat botté", "chat", "botté", "chats", "bottés")}


def test_chasseur_listens_for_the_typed_job() -> None:
    game = ChasseurDeTete()
    state = game.start(Table(PLAYERS)).state
    assert game.words(state) == {}
    state = game.reduce(state, Secret(1.0, "4", ("pompier",))).state
    assert game.words(state) == {"metier": ("pompier",), "mot": ("pompier",)}


def test_what_answers_counts_inside_talk_while_it_may_be_said() -> None:
    cachamot = Cachamot(near=lambda word: (word[:-1],))
    state = cachamot.start(Table(PLAYERS)).state
    state = cachamot.reduce(state, Secret(1.0, "Patate", ("pomme de terre",))).state
    assert cachamot.sought(state) == {}
    state = cachamot.reduce(state, Said(2.0, "Ana", "CACH-Q005", {}, "Sablier !")).state
    assert cachamot.sought(state) == dict.fromkeys(("mot", "libre"), ("patate", "pomme de terre"))

    casque = CasqueChequeChat()
    talk = casque.start(Table(PLAYERS)).state
    talk = casque.reduce(talk, Secret(1.0, "Le Chat botté et le chien")).state
    assert casque.sought(talk) == {}, "before the first slate the givers still talk about it"
    talk = casque.reduce(talk, Said(2.0, None, "CCC-Q004", {"equipe": "bleu"}, "Ardoise bleue")).state
    assert casque.sought(talk) == {"libre": ("le chat botté et le chien", "chat botté et chien")}

    chasseur = ChasseurDeTete()
    turn = chasseur.reduce(chasseur.start(Table(PLAYERS)).state, Secret(1.0, "4", ("pompier",))).state
    assert chasseur.sought(turn) == chasseur.words(turn)


def test_inflections_of_the_word_are_no_decoys() -> None:
    game = Cachamot(near=lambda word: ("joueuses", "joueur", "jouet"))
    state = game.reduce(game.start(Table(PLAYERS)).state, Secret(1.0, "Joueur")).state
    state = game.reduce(state, Said(2.0, "Ana", "CACH-Q005", {}, "Sablier !")).state
    assert game.words(state)["mot"] == ("joueur", "jouet")


@pytest.mark.skipif(not LEXICON.exists(), reason="needs models/fr/lexicon.tsv")
def test_words_that_some_region_says_alike_are_no_decoys_and_words_that_hold_it_are() -> None:
    near = tongue.aids(("near",))["near"]
    assert not {"cloches", "cloche"} & set(near("cloche"))
    assert not {"pommes", "paume"} & set(near("pomme"))
    assert "parapluies" not in near("pluie")
    assert "parapluie" in near("pluie")


@pytest.mark.skipif(not LEXICON.exists(), reason="needs models/fr/lexicon.tsv")
def test_the_language_of_the_shipped_lexicon() -> None:
    aids = tongue.aids(("pronounce", "knows", "sounds_alike", "near", "beginning"))
    assert aids["pronounce"]("chat") == ("ʃ", "a")
    assert aids["knows"]("oeuf")
    assert not aids["knows"]("bzouing")
    assert aids["sounds_alike"]("le sceau", "le seau")
    assert not aids["sounds_alike"]("pâte", "patate")
    near = aids["near"]("patate")
    assert "patte" in near
    assert "patate" not in near
    assert "patates" not in near
    assert all(word.startswith("p") for word in aids["beginning"]("P"))


def test_without_a_lexicon_the_rules_do_with_spelling(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("VOICEREF_MODELS", str(tmp_path))
    assert tongue.aids(("knows", "near")) == {}
    game = roster.GAMES["cachamot"].load()
    assert game.start(Table(PLAYERS)).events
