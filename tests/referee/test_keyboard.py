"""The keyboard beside the voice."""

from __future__ import annotations

import io
import threading

from voiceref.phrases import catalogue
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context
from voiceref.referee.keyboard import KEYS, Keyboard, KeyboardHearing

PLAYERS = ("Ana", "Anatole", "Marie Lou")


def typed(text: str) -> list[tuple[str | None, str]]:
    keyboard = Keyboard(io.StringIO(text), PLAYERS)
    while not keyboard.closed:
        threading.Event().wait(0.01)
    return [(line.speaker, line.text) for line in keyboard.typed(3.0)]


def test_a_line_is_said_by_the_player_whose_name_begins_it() -> None:
    assert typed("Ana Je prends\nanatole : Je sirote !\nMarie Lou Pas mou le caillou\n") == [
        ("Ana", "Je prends"),
        ("Anatole", "Je sirote !"),
        ("Marie Lou", "Pas mou le caillou"),
    ]


def test_a_lone_name_is_an_answer() -> None:
    assert typed("Ana\nAnabelle rentre\n\n") == [(None, "Ana"), (None, "Anabelle rentre")]


def test_keys_stand_for_orders() -> None:
    assert typed("s\nAna o\n") == [(None, "scores"), ("Ana", "oui")]


def test_every_key_is_an_order_of_every_game() -> None:
    for game in catalogue.GAMES:
        phrases = catalogue.load(game)
        for words in KEYS.values():
            found = match(words, phrases, Context(PLAYERS))
            assert isinstance(found, Match), (game, words)
            assert found.command is not None, (game, words)


def test_without_sound_there_is_still_a_clock() -> None:
    keyboard = Keyboard(io.StringIO("s\n"), PLAYERS)
    times = [clock.t for clock in KeyboardHearing(keyboard).events()]
    assert times == sorted(times)
    assert times
