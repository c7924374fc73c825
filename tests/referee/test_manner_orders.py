"""Pitch and talk level by voice: « plus grave », « parle court », « seulement sur demande », « dis tout »."""

from __future__ import annotations

import pytest

from voiceref.phrases import catalogue
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context
from voiceref.referee.keyboard import FOOTER, KEYS
from voiceref.referee.orders import MANNERS
from voiceref.voice.style import Style, Talk, Weight

SAID = {
    "Plus grave": "lower",
    "parle un peu plus aigu": "higher",
    "Parle court": "short",
    "parle moins": "short",
    "Seulement sur demande": "on_request",
    "Dis tout": "talk",
}


@pytest.mark.parametrize("text", SAID)
def test_orders_are_understood_in_every_game(text: str) -> None:
    for game in catalogue.GAMES:
        found = match(text, catalogue.load(game), Context(("Ana", "Bruno")))
        assert isinstance(found, Match)
        assert found.command == SAID[text]
        assert found.command in MANNERS


def test_every_key_says_an_order_and_is_in_the_footer() -> None:
    phrases = catalogue.load("cul-de-chouette")
    for key, words in KEYS.items():
        found = match(words, phrases, Context(("Ana", "Bruno")))
        assert isinstance(found, Match)
        assert found.command is not None
        assert f"{key} {words}" in FOOTER


def test_pitch_moves_and_short_talk_leaves_details_out() -> None:
    assert Style().higher().manner.pitch > 1.0 > Style().lower().manner.pitch
    short = Style(talk=Talk.SHORT)
    assert short.speaks(Weight.RESULT)
    assert not short.speaks(Weight.DETAIL)
