"""The journal: on disk before speech, cut off cleanly, never another file's ruin; and the game rebuilt from it."""

from __future__ import annotations

import errno
import inspect
import os
import random
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.referee.small_game import SmallGame
from tests.referee.table_top import Record, play
from voiceref.games.engine import Table
from voiceref.referee import journal, replay
from voiceref.referee.clock import GameClock, continued
from voiceref.referee.journal import DiskError, Journal, JournalError

PLAYERS = ("Ana", "Bruno", "Chloé")
EVENING = """
1 Ana Cul : six
2 Bruno Pas mou le caillou !
3 Ana Je sirote !
4 @ secret mot = terme
5 ? Annule
6 ? Pause
"""
CRIES = (
    "Cul : six",
    "Pas mou le caillou !",
    "Je sirote !",
    "Ajoute dix points à Bruno",
    "Annule",
    "Pause",
    "On reprend",
)


def begun(path: Path) -> Journal:
    return journal.create(path, replay.header("cul-de-chouette", Table(PLAYERS), "0", "2026-01-01T20:00:00+00:00"))


def rebuilt(path: Path) -> replay.Replayed:
    return replay.replay(journal.read(path), lambda name: SmallGame())


def random_table(seed: int, lines: int = 14) -> str:
    """A table of random cries, throws, corrections, pauses and undos."""
    chance = random.Random(seed)
    t, table = 0.0, ""
    for _ in range(lines):
        t += chance.choice([0.4, 1.7, 6.0, 11.0])
        table += f"{t:.2f} {chance.choice([*PLAYERS, '?'])} {chance.choice(CRIES)}\n"
    return table + f"{t + 30:.2f} @ tick\n"


def test_live_state_and_replayed_state_are_one(tmp_path: Path) -> None:
    for seed in range(40):
        path = tmp_path / f"{seed}.jsonl"
        keeper = begun(path)
        top = play(random_table(seed), journal=keeper)
        keeper.close()
        assert rebuilt(path).course.state == top.desk.course.state
        assert rebuilt(path).course.marks == top.desk.course.marks


def test_every_prefix_is_the_game_at_that_moment(tmp_path: Path) -> None:
    path, cut = tmp_path / "game.jsonl", tmp_path / "cut.jsonl"
    states: list[Any] = []
    keeper = begun(path)
    play(EVENING, journal=keeper, watch=lambda live: states.append(live.state))
    keeper.close()
    whole = path.read_bytes().splitlines(keepends=True)
    assert len(whole) == len(states) + 1
    for count, state in enumerate(states, 2):
        cut.write_bytes(b"".join(whole[:count]))
        assert rebuilt(cut).course.state == state


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_kill_at_every_event_loses_nothing(tmp_path: Path) -> None:
    """SIGKILL right after each record of 200 random games: what is on disk is the live game of that moment."""
    kills = 0
    for seed in range(200):
        table, states = random_table(seed, lines=4), []
        keeper = begun(tmp_path / f"{seed}.jsonl")
        play(table, journal=keeper, watch=lambda live, states=states: states.append(live.state))  # type: ignore[misc]
        keeper.close()
        for at, state in enumerate(states):
            path = tmp_path / f"{seed}-{at}.jsonl"
            child = os.fork()
            if child == 0:
                _play_and_die(path, table, at)
            assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
            assert rebuilt(path).course.state == state
            kills += 1
    assert kills > 300


def _play_and_die(path: Path, table: str, at: int) -> None:
    """Play in this process and die when record number `at` is kept."""
    left = iter(range(at, -1, -1))

    def die(live: object) -> None:
        if next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    try:
        play(table, journal=begun(path), watch=die)
    finally:
        os._exit(1)


def test_a_torn_tail_is_set_aside_and_named(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    keeper = begun(path)
    play(EVENING, journal=keeper)
    keeper.close()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"seq": 99, "kind": "sa')
    recorded = journal.read(path)
    assert recorded.torn
    again, aside = journal.reopen(recorded)
    assert again.append("pause", {"t": 1.0})
    again.close()
    assert aside is not None
    assert aside.read_bytes() == b'{"seq": 99, "kind": "sa'
    assert path.read_bytes().startswith(whole)
    assert not journal.read(path).torn


def test_a_cut_anywhere_leaves_a_game(tmp_path: Path) -> None:
    path, cut = tmp_path / "game.jsonl", tmp_path / "cut.jsonl"
    keeper = begun(path)
    play(EVENING, journal=keeper)
    keeper.close()
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(first, len(whole)):
        cut.write_bytes(whole[:length])
        assert rebuilt(cut).table.players == PLAYERS


def test_an_altered_record_ends_the_sound_part(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    keeper = begun(path)
    play(EVENING, journal=keeper)
    keeper.close()
    path.write_bytes(path.read_bytes().replace(b'"Bruno", "t"', b'"Chloe", "t"', 1))
    recorded = journal.read(path)
    assert recorded.torn
    assert len(recorded.records) == 2


@pytest.mark.parametrize("content", [b"", b"hello\n", b'{"a": 1}\n', b"\xff\xfe\x00", b"[1, 2]\n"])
def test_another_file_is_named_and_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "autre.jsonl"
    path.write_bytes(content)
    with pytest.raises(JournalError, match="autre.jsonl"):
        journal.read(path)
    assert path.read_bytes() == content


def test_a_game_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    begun(path).close()
    with pytest.raises(JournalError, match="existe déjà"):
        begun(path)


def test_a_game_has_one_referee(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    first = begun(path)
    with pytest.raises(JournalError, match="déjà en cours"):
        journal.reopen(journal.read(path))
    first.close()
    journal.reopen(journal.read(path))[0].close()


def test_no_folder_is_a_matter_of_the_disk(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(DiskError):
        begun(tmp_path / "file" / "game.jsonl")


def test_a_full_disk_is_told_once_and_the_game_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    begun(path).close()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "no space")

    keeper = Journal(path, path.open("r+b", buffering=0), 1, sync=full)
    top = play("1 Ana Je sirote !\n2 Ana Je sirote !\n", journal=keeper)
    keeper.close()
    assert top.scores["Ana"] == 8
    assert top.record.texts.count("journal_perdu") == 1


def test_the_record_is_on_disk_before_anything_is_told(tmp_path: Path) -> None:
    told: list[int] = []
    record = Record()
    keeper = begun(tmp_path / "game.jsonl")
    play("1 Ana Je sirote !\n", journal=keeper, record=record, watch=lambda live: told.append(len(record.events)))
    assert told == [0]
    assert len(record.events) == 1


def test_each_record_is_on_the_disk_before_append_returns(tmp_path: Path) -> None:
    """B69: by the system's own call, after the whole record was written, once for each."""
    path, on_disk = tmp_path / "game.jsonl", []
    begun(path).close()
    with path.open("r+b", buffering=0) as stream:
        stream.seek(0, os.SEEK_END)
        keeper = Journal(path, stream, 1, sync=lambda fd: on_disk.append((fd, path.stat().st_size)))
        for turn in range(3):
            keeper.append("say", {"t": turn})
            assert on_disk[-1] == (stream.fileno(), path.stat().st_size)
        assert len(on_disk) == 3
    assert inspect.signature(Journal).parameters["sync"].default is os.fsync


def test_the_newest_game_is_resumed(tmp_path: Path) -> None:
    for name, age in (("a", 30), ("b", 10), ("c", 20)):
        begun(tmp_path / f"{name}.jsonl").close()
        stamp = 1_000_000_000 - age
        os.utime(tmp_path / f"{name}.jsonl", (stamp, stamp))
    assert journal.newest(tmp_path).path.name == "b.jsonl"
    with pytest.raises(JournalError, match="pas de partie"):
        journal.newest(tmp_path / "nowhere")


def test_a_resumed_hourglass_goes_on_from_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    keeper = begun(path)
    play("1 Ana Cul : six\n", journal=keeper)
    keeper.close()
    found = rebuilt(path)
    clock = continued(found.t, 0.0)
    in_time = play("7.5 Bruno Pas mou le caillou !\n", begun=found.course, clock=clock)
    too_late = play("8.5 Bruno Pas mou le caillou !\n", begun=found.course, clock=clock)
    assert in_time.scores["Bruno"] == 32
    assert too_late.scores["Ana"] == -1


def test_a_table_that_goes_on_with_its_own_times_is_not_shifted() -> None:
    assert continued(5.0, 6.2) == GameClock()
    assert continued(5.0, 0.0).game_time(1.0) == 6.0
