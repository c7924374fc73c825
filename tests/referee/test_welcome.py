"""The table settled before the game, word by word."""

from __future__ import annotations

import re

from voiceref import resources
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context
from voiceref.referee.comfort import SCHEMA
from voiceref.referee.options import OPTIONS, of_game
from voiceref.referee.roster import GAMES
from voiceref.referee.welcome import LEGAL, Step, Welcome, answered, question
from voiceref.table import Wishes, checked
from voiceref.voice.wording import Wording

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


def settled(
    *said: str, game: str = "le cul de chouette", players: tuple[str, ...] = ("Ana", "Bruno", "Chloé")
) -> Welcome:
    return after(game, *said, start=Welcome(players=players))[0]


def test_options_become_settings_and_the_last_word_holds() -> None:
    state = settled("niveau deux", "sans scores négatifs", "bévue stricte", "sans bévue", "sablier de dix secondes")
    assert state.settings == {"negative": "false", "bevue.mode": "off", "race.timeout_s": "10"}
    assert settled("niveau deux", "aquitaine", "les règles habituelles").settings == {}


def test_every_option_can_be_said_and_is_a_setting_of_its_games() -> None:
    text = (resources.grammars() / "welcome.toml").read_text(encoding="utf-8")
    said = set(re.findall(r"\{option=(\w+)\}", text))
    assert said == set(OPTIONS)
    for option in OPTIONS.values():
        for game in option.games:
            number = option.numbers[-1] if option.numbers else None
            wanted = {key: value.format(n=number) for key, value in option.settings.items()}
            checked(Wishes(("Ana", "Bruno", "Chloé", "David"), settings=wanted), {**GAMES[game].schema(), **SCHEMA})


def test_doublette_seats_team_mates_opposite_one_another() -> None:
    four = settled("niveau deux", "en doublette", players=("Ana", "Bruno", "Chloé", "David"))
    assert four.settings == {"teams": "Ana+Chloé,Bruno+David"}
    state, told = after(
        "le cul de chouette", "niveau deux", "en doublette", start=Welcome(players=("Ana", "Bruno", "Chloé"))
    )
    assert not state.settings
    assert told[0] == "accueil_pas_ici"


def test_an_option_of_another_game_is_told_so() -> None:
    state, told = after("cachamot", "aquitaine", start=Welcome(players=("Ana", "Bruno")))
    assert not state.settings
    assert told == ["accueil_pas_ici", "accueil_encore"]


def test_who_begins_and_who_sits_where() -> None:
    assert settled("niveau deux", "Bruno commence").first == "Bruno"
    assert settled("niveau deux", "dans l'ordre Ana Chloé et Bruno").players == ("Ana", "Chloé", "Bruno")
    assert settled("niveau deux", "dans l'ordre Ana Chloé et Ana").players == ("Ana", "Bruno", "Chloé")
    assert settled("niveau deux", "on tourne dans l'autre sens").players == ("Ana", "Chloé", "Bruno")
    assert settled("niveau deux", "Ana et Chloé échangent").players == ("Chloé", "Bruno", "Ana")


def test_the_options_are_listed_on_request() -> None:
    _, told = after("chasseur de tête", "quelles options", start=Welcome(players=("Ana", "Bruno")))
    assert told == ["accueil_options", *(f"option_{name}" for name in of_game("chasseur-de-tete")), "accueil_encore"]


def test_every_option_has_its_sentence() -> None:
    wording = Wording.load()
    for name in OPTIONS:
        assert wording.render("table", f"option_{name}", {"n": 2})
