"""The screen as text: a person who does not know the rules reads who has what, whose turn it is and what was heard."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceref.board.lines import (
    Tone,
    clock,
    columns,
    cut,
    entry_lines,
    now_lines,
    score_lines,
    score_sentence,
    screen,
    text_of,
)
from voiceref.board.view import Entry, Kind, Seat, View

ANA = Seat("Ana", 220, tokens=("grelottine",), to_play=True)
BRUNO = Seat("Bruno", -10, change=-10, tokens=("civet", "immunité"))
CHLOE = Seat("Chloé", 36)
VIEW = View("Le Cul de chouette", (ANA, BRUNO, CHLOE), 343, "Ana lance le cul", ("Velutée !", "Salsifi !"), 8.4)
LOG = (
    Entry(3.2, Kind.HEARD, "Chouettes : quatre et deux", "Ana"),
    Entry(5.0, Kind.SHOWN, "Ana a fait une Suite"),
    Entry(65.0, Kind.REFUSED, "Velutée !", None, "trop tôt"),
    Entry(66.0, Kind.SAID, "Bruno perd dix points."),
)


def texts(view: View, width: int = 80, height: int = 24) -> list[str]:
    return [text_of(line) for line in screen(view, width, height)]


def test_a_whole_screen() -> None:
    assert texts(replace(VIEW, log=LOG, footer="espace : pause")) == [
        "Le Cul de chouette",
        "",
        "> Ana        220         encore 123   grelottine",
        "  Bruno      -10 (-10)   encore 353   civet, immunité",
        "  Chloé       36         encore 307",
        "",
        "  Ana lance le cul",
        "  sablier  0:08",
        "  à dire   Velutée ! · Salsifi !",
        "",
        "  0:03  Ana        « Chouettes : quatre et deux »",
        "  0:05             Ana a fait une Suite",
        "  1:05  quelqu'un  « Velutée ! » non compté : trop tôt",
        "  1:06  arbitre    Bruno perd dix points.",
        "espace : pause",
    ]


def test_the_end_names_the_winners_and_offers_nothing_to_say() -> None:
    over = replace(VIEW, over=True, seats=(replace(ANA, to_play=False, won=True), replace(BRUNO, won=True), CHLOE))
    lines = texts(over)
    assert "  partie finie  gagne : Ana et Bruno" in lines
    assert lines[2].startswith("* Ana")
    assert not any("à dire" in line or "sablier" in line or "encore" in line for line in lines)


def test_a_game_without_goal_shows_no_missing_points() -> None:
    assert not any("encore" in text_of(line) for line in score_lines(replace(VIEW, goal=None)))


def test_many_phrases_are_counted_and_point_to_the_help() -> None:
    (line,) = now_lines(View("x", may_say=tuple("abcdefghi")), 80)
    assert text_of(line) == "  à dire   a · b · c · d · e · f · et 3 autres (dites « aide »)"


def test_one_line_for_output_that_cannot_be_redrawn() -> None:
    assert score_sentence(VIEW) == "Ana 220 · Bruno -10 · Chloé 36 ; à suivre : Ana"
    assert score_sentence(replace(VIEW, over=True)).endswith("; partie finie")
    won = replace(VIEW, over=True, seats=(replace(ANA, won=True),))
    assert score_sentence(won) == "Ana 220 ; gagné par Ana"


@pytest.mark.parametrize(("height", "players"), [(24, 16), (12, 4), (10, 2)])
def test_a_small_terminal_keeps_scores_and_the_newest_line(height: int, players: int) -> None:
    seats = tuple(Seat(f"Joueur {letter}", 0) for letter in "ABCDEFGHIJKLMNOP"[:players])
    lines = texts(replace(VIEW, seats=seats, log=LOG), 60, height)
    assert len(lines) <= height
    assert sum("Joueur" in line for line in lines) == players
    assert "Bruno perd dix points." in lines[-1]


def test_long_sentences_are_broken_and_nothing_is_lost() -> None:
    words = " ".join(f"mot{place}" for place in range(30))
    lines = entry_lines(Entry(0.0, Kind.SAID, words), 8, 50)
    assert all(columns(text_of(line)) <= 50 for line in lines)
    assert " ".join(text_of(line)[18:] for line in lines).split() == words.split()


def test_no_capitals_but_those_of_names_and_sentences() -> None:
    assert not any(word.isupper() and len(word) > 1 for line in texts(replace(VIEW, log=LOG)) for word in line.split())


def test_clock_never_goes_below_zero() -> None:
    assert [clock(seconds) for seconds in (-3.0, 0.0, 59.9, 60.0, 3725.0)] == ["0:00", "0:00", "0:59", "1:00", "62:05"]


def test_wide_and_combining_letters_take_their_columns() -> None:
    assert (columns("Zoé"), columns("Zoe\u0301"), columns("佐藤")) == (3, 3, 4)


@given(st.lists(st.tuples(st.text(max_size=12), st.sampled_from(Tone))), st.integers(2, 30))
def test_a_cut_line_fits(spans: list[tuple[str, Tone]], width: int) -> None:
    line = cut(tuple(spans), width)
    assert sum(columns(text) for text, _ in line) <= width
    if sum(columns(text) for text, _ in spans) <= width:
        assert line == tuple(spans)
