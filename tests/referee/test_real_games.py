"""Every game through the whole program with random words: nothing fails, and the journal tells the game again."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from voiceref.cli import main
from voiceref.phrases import catalogue
from voiceref.referee import journal, replay, roster

PLAYERS = ("Ana", "Bruno", "Chloé", "David")


def random_table(game: str, seed: int, lines: int = 60) -> str:
    """Phrases of the game as printed, and orders, by anybody at any time; another game would have its own journal."""
    chance = random.Random(seed)
    said = [phrase for phrase in catalogue.load(game).phrases.values() if phrase.command != "again"]
    phrases = [phrase.text.replace("Bob", "Bruno") for phrase in said]
    t, table = 0.0, ""
    for _ in range(lines):
        t += chance.choice([0.1, 0.6, 2.0, 9.0])
        text = chance.choice(phrases) if chance.random() < 0.6 else _throw(chance)
        table += f"{t:.2f} {chance.choice([*PLAYERS, '?'])} {text}\n"
    return table + f"{t + 60:.2f} @ tick\n"


def _throw(chance: random.Random) -> str:
    dice = [chance.choice(("un", "deux", "trois", "quatre", "cinq", "six")) for _ in range(3)]
    return chance.choice(
        [f"Chouettes : {dice[0]} et {dice[1]}", f"Cul : {dice[2]}", f"{dice[0]}, {dice[1]} et {dice[2]}"]
    )


@pytest.mark.parametrize("game", roster.GAMES)
@pytest.mark.parametrize("seed", range(5))
def test_any_words_play_and_replay(game: str, seed: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, kept = tmp_path / "table.txt", tmp_path / "soir.jsonl"
    table.write_text(random_table(game, seed), encoding="utf-8")
    argv = ["play", game, "--players", ",".join(PLAYERS), "--input", str(table), "--output", "none"]
    assert main([*argv, "--journal", str(kept), "--json"]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    state = printed[-1]
    assert not [line for line in printed if line.get("reason") == "erreur_interne"]

    again = replay.replay(journal.read(kept), lambda name: roster.GAMES[name].load())
    summary = again.course.game.summary(again.course.state)
    assert dict(summary.scores) == state["scores"]
    assert summary.phase == state["phase"]
    assert summary.turn == state["turn"]

    for name, points in state["scores"].items():
        assert sum(line["deltas"].get(name, 0) for line in printed if line["type"] == "event") == points
