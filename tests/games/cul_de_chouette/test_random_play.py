"""Random games: no crash, no dead end, points that add up, replay equal to live play, and fast enough."""

from __future__ import annotations

import random
import sys
import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from random_play import GAME, Record, any_table, next_input, play, slots

from voiceref.games.cul_de_chouette import cries
from voiceref.games.engine import Said, Tick

MOST = 250
GAMES_A_MINUTE = 1000
"""The floor for whole random games on one core."""
MOVED_BETWEEN = ("defi_reussi", "defi_rate", "soufflette_reussie", "soufflette_ratee")
"""Events in which one player's gain is another's loss."""

OUT_OF_PLACE = {"hors_fenetre", "hors_niveau", "rien_a_rapporter", "bretonnes"}

seeds = st.integers(min_value=0, max_value=2**32 - 1)
several = settings(max_examples=40, deadline=None)


def game(seed: int) -> Record:
    rng = random.Random(seed)
    return play(any_table(rng), rng, MOST)


@several
@given(seeds)
def test_scores_are_start_and_changes(seed: int) -> None:
    record = game(seed)
    total = {player: record.table.scores.get(player, 0) for player in record.state.scores}
    for event in record.events:
        for player, change in event.deltas.items():
            total[player] += change
    assert total == dict(record.state.scores)


@several
@given(seeds)
def test_replay_is_live_play(seed: int) -> None:
    record = game(seed)
    state = GAME.start(record.table).state
    events = list(GAME.start(record.table).events)
    for said in record.inputs:
        step = GAME.reduce(state, said)
        state = step.state
        events.extend(step.events)
    assert state == record.state
    assert tuple(events) == record.events


@several
@given(seeds)
def test_there_is_always_something_to_say(seed: int) -> None:
    state = game(seed).state
    assert state.over or GAME.openings(state)
    while (due := GAME.deadline(state)) is not None:
        after = GAME.reduce(state, Tick(due)).state
        assert GAME.deadline(after) != due or after.items != state.items
        state = after
    assert state.over or GAME.openings(state)
    assert all(item.until is None for item in state.items)


@several
@given(seeds)
def test_what_is_open_is_not_out_of_place(seed: int) -> None:
    rng = random.Random(seed)
    state, t = GAME.start(any_table(rng)).state, 1.0
    for _ in range(60):
        if state.over:
            return
        given_now = next_input(rng, state, t + rng.choice((0.05, 0.3, 2.0)))
        t = given_now.t
        state = GAME.reduce(state, Tick(t)).state
        if state.over:
            return
        opening = rng.choice(GAME.openings(state))
        speaker = rng.choice(sorted(opening.who)) if opening.who else None
        said = Said(t, speaker, opening.phrase, slots(rng, opening.phrase, state, ()), "")
        if opening.phrase != cries.PLUS_JEUNE or "joueur" in said.slots:
            reasons = {refusal.reason for refusal in GAME.reduce(state, said).refusals}
            assert not reasons & OUT_OF_PLACE, opening
        state = GAME.reduce(state, given_now).state


@several
@given(seeds)
@example(3750)  # a team made by voice of players whose scores differed
def test_limits_hold(seed: int) -> None:
    state = game(seed).state
    most = 6 if state.rules.aquitaine else 1
    for player, bag in state.bags.items():
        assert bag.grelottines <= most, player
    for team in state.rules.teams:
        assert len({state.scores[player] for player in team}) == 1
    if not state.rules.negative and not state.rules.aquitaine:
        assert min(state.scores.values()) >= 0


@several
@given(seeds)
def test_challenges_move_points_between_players(seed: int) -> None:
    record = game(seed)
    if not record.state.rules.negative or record.state.rules.teams:
        return
    for event in record.events:
        if event.name in MOVED_BETWEEN and event.data.get("souffleur", "") is not None:
            assert sum(event.deltas.values()) == 0


@pytest.mark.skipif(sys.gettrace() is not None, reason="a tracer (coverage) is slower than the game")
def test_a_thousand_random_games_a_minute() -> None:
    games = 40
    begun = time.process_time()
    for seed in range(games):
        rng = random.Random(seed)
        play(any_table(rng), rng, 400)
    assert (time.process_time() - begun) / games < 60 / GAMES_A_MINUTE
