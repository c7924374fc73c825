"""The table settled before the game, word by word."""

from __future__ import annotations

from voiceref import resources
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context
from voiceref.referee.welcome import LEGAL, Step, Welcome, answered, question

CATALOGUE = catalogues.load(resources.grammars() / "welcome.toml")
CONTEXT = Context(("Ana", "Bruno", "Chloé"))


def after(*said: str, start: Welcome | None = None) -> tuple[Welcome, list[str]]:
    state = start or Welcome()
    told: list[str] = []
    for words in said:
        legal = tuple(name for name, phrase in CATALOGUE.phrases.items() if phrase.command in LEGAL[state.step])
        found = match(words, CATALOGUE, CONTEXT, legal)
        assert isinstance(found, Match), words
        state, lines = answered(state, found)
        told = [line.name for line in lines]
    return state, told


def test_a_whole_table() -> None:
    state, _ = after("on joue au cul de chouette", "Ana", "et Bruno", "c'est tout", "niveau deux", "oui")
    assert state == Welcome(Step.PLAY, "cul-de-chouette", ("Ana", "Bruno"), 2)
    assert state.over


def test_only_one_game_has_levels() -> None:
    state, told = after("cachamot", "Ana", "Bruno", "c'est tout")
    assert state.step is Step.AGREEMENT
    assert told == ["accueil_table", "accueil_accord"]


def test_the_four_games_by_name() -> None:
    for said, game in {
        "le cul de chouette": "cul-de-chouette",
        "on joue à cachamot": "cachamot",
        "jouons au casque chèque chat": "casque-cheque-chat",
        "une partie de chasseur de tête": "chasseur-de-tete",
    }.items():
        assert after(said)[0].game == game


def test_no_takes_back_the_last_name() -> None:
    state, told = after("cachamot", "Ana", "Bruno", "non")
    assert state.players == ("Ana",)
    assert told == ["accueil_retire", "accueil_suivant"]


def test_no_at_the_end_begins_the_names_again() -> None:
    state, _ = after("cachamot", "Ana", "Bruno", "c'est tout", "non")
    assert state == Welcome(Step.PLAYERS, "cachamot")


def test_nobody_sits_twice_and_nobody_plays_alone() -> None:
    assert after("cachamot", "Ana", "Ana")[1][0] == "accueil_deja"
    state, told = after("cachamot", "Ana", "c'est tout")
    assert state.step is Step.PLAYERS
    assert told[0] == "accueil_trop_peu"


def test_players_of_the_command_line_are_not_asked_for() -> None:
    state, told = after("cachamot", start=Welcome(players=("Ana", "Bruno")))
    assert state.step is Step.AGREEMENT
    assert told == ["accueil_table", "accueil_accord"]


def test_words_out_of_place_change_nothing() -> None:
    assert after("oui") == (Welcome(), [])
    assert after("on reprend")[0].step is Step.RESUME
    assert after("stop")[0].step is Step.LEAVE


def test_every_step_has_a_question() -> None:
    assert all(question(Welcome(step, "cachamot", ("Ana", "Bruno"))) for step in LEGAL)
