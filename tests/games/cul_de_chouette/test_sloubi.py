"""Chante-Sloubi: the value, the limit, the song checked number by number, the roundings (CDC-275…280)."""

from __future__ import annotations

from voiceref.games.cul_de_chouette.sloubi import aquitaine_goal, begin, may_enter, sing, start_score, value


def test_value_of_the_example_and_roundings() -> None:
    assert value([150, 200], 7, "floor") == 35
    assert (value([10, 3, 1], 3, "floor"), value([10, 3, 1], 3, "ceil")) == (2, 3)
    assert value([50, 50, 20], 9, "floor") == 0


def test_start_scores() -> None:
    assert [start_score(35, sung, "floor") for sung in (True, False)] == [52, 35]
    assert start_score(35, True, "ceil") == 53
    assert start_score(-5, True, "floor") == -3


def test_limit() -> None:
    assert (may_enter(228), may_enter(229), aquitaine_goal(12), aquitaine_goal(300)) == (True, False, 12, 228)


def test_a_song_in_several_breaths() -> None:
    song = sing(sing(begin(5, 0.0), (1, 2, 3), 2.0), (4, 5), 9.0)
    assert (song.done, song.broken) == (True, False)


def test_a_wrong_number_breaks_the_song() -> None:
    for numbers in [(1, 3), (2,), (1, 1), (1, 2, 2)]:
        song = sing(begin(5, 0.0), numbers, 2.0)
        assert (song.done, song.broken) == (False, True)


def test_singing_on_after_the_goal_does_no_harm() -> None:
    # « to the value » (CDC-277): a song that goes on beyond it has reached it
    assert sing(begin(2, 0.0), (1, 2, 3), 1.0).done


def test_nothing_to_sing() -> None:
    assert begin(0, 0.0).done
    assert begin(-3, 0.0).done
