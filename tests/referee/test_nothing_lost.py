"""Nothing is lost in the four real games (B69, B70): killed at every event, on a full disk, among foreign files."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.games.cul_de_chouette.random_play import any_table
from tests.games.cul_de_chouette.random_play import play as play_cul_de_chouette
from tests.games.test_random_small_games import moves, rigs
from voiceref.audio.wave_file import write_wave
from voiceref.cli import main
from voiceref.games.engine import Input, Table
from voiceref.referee import course as courses
from voiceref.referee import journal, replay, roster
from voiceref.referee.course import Course

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
SMALL = {rig.game.name: rig for rig in rigs()}


def real_games(name: str, count: int) -> Iterator[tuple[Table, list[Input]]]:
    """Random games of the real rules."""
    for seed in range(count):
        rng = random.Random(seed)
        if name == "cul-de-chouette":
            record = play_cul_de_chouette(any_table(rng), rng, 12)
            yield record.table, list(record.inputs)
        else:
            yield SMALL[name].table, moves(SMALL[name], rng, 12)


def begun(name: str, table: Table) -> Course:
    return courses.begin(roster.GAMES[name].load(), table)[0]


def _play_and_die(path: Path, name: str, table: Table, inputs: list[Input], at: int) -> None:
    """In a child: play, keep each change, and die by SIGKILL right after record number `at`."""
    try:
        keeper = journal.create(path, replay.header(name, table, "0", "2026-01-01T20:00:00+00:00"))
        live, kept = begun(name, table), 0
        for given in inputs:
            after, _ = courses.advance(live, given)
            if after is not live:
                keeper.append(*replay.recorded_input(given))
                kept += 1
            live = after
            if kept == at:
                os.kill(os.getpid(), signal.SIGKILL)
    finally:
        os._exit(1)


@pytest.mark.parametrize("name", list(roster.GAMES))
def test_b69_kill_at_every_event_of_the_real_games(name: str, tmp_path: Path) -> None:
    kills = 0
    for number, (table, inputs) in enumerate(real_games(name, 12)):
        live, states = begun(name, table), []
        for given in inputs:
            after, _ = courses.advance(live, given)
            if after is not live:
                states.append(after.state)
            live = after
        for at, state in enumerate(states, 1):
            path = tmp_path / f"{number}-{at}.jsonl"
            child = os.fork()
            if child == 0:
                _play_and_die(path, name, table, inputs, at)
            assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
            found = replay.replay(journal.read(path), lambda game: roster.GAMES[game].load())
            assert found.course.state == state
            kills += 1
    assert kills > 15


TABLE = "".join(f"{n}.0 ? ajoute {n} points à Ana\n" for n in range(1, 21))
PLAY = ["play", "cul-de-chouette", "--players", "Ana,Bruno", "--output", "none", "--json"]


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "table.txt"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def small_files() -> None:
    """The system takes no file beyond 1500 bytes; writing on gives an error, not a death."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))


def test_b70_the_system_takes_no_more_and_the_game_goes_on(tmp_path: Path, table: str) -> None:
    kept = tmp_path / "soir.jsonl"
    argv = [sys.executable, "-m", "voiceref", *PLAY, "--input", table, "--journal", str(kept)]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, preexec_fn=small_files)
    assert done.returncode == 0
    assert done.stdout.count("ne s'enregistre plus") == 1
    assert f'"Ana": {sum(range(1, 21))}' in done.stdout
    assert journal.read(kept).records


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="mounting needs root")
def test_b70_a_disk_that_is_really_full(tmp_path: Path, table: str) -> None:
    """A disk of sixteen pages, nearly full; then there is room again and the kept part is resumed."""
    disk = tmp_path / "disque"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no mounting here")
    try:
        (disk / "photos").write_bytes(b"x" * 60_000)
        lines = "".join(f"{n}.0 ? ajoute un point à Ana\n" for n in range(1, 60))
        Path(table).write_text(lines, encoding="utf-8")
        kept = disk / "soir.jsonl"
        argv = [sys.executable, "-m", "voiceref", *PLAY, "--input", table, "--journal", str(kept)]
        done = subprocess.run(argv, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("ne s'enregistre plus") == 1
        (disk / "photos").unlink()
        (tmp_path / "rest.txt").write_text("1.0 Ana Scores\n", encoding="utf-8")
        again = ["resume", str(kept), "--input", str(tmp_path / "rest.txt"), "--output", "none"]
        assert subprocess.run([sys.executable, "-m", "voiceref", *again], timeout=60).returncode == 0
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@pytest.mark.parametrize("content", [b"", b"bonjour\n", b'{"seq": 0'])
def test_b70_a_bad_file_does_not_stand_before_the_last_game(
    tmp_path: Path, table: str, content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*PLAY, "--input", table]) == 0
    bad = tmp_path / "state" / "voiceref" / "parties" / "zzz.jsonl"
    bad.write_bytes(content)
    os.utime(bad, (4_000_000_000, 4_000_000_000))
    (tmp_path / "rest.txt").write_text("40.0 Ana Scores\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["resume", "--input", str(tmp_path / "rest.txt"), "--output", "none"]) == 0
    assert "zzz.jsonl" in capsys.readouterr().err
    assert bad.read_bytes() == content


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
def test_b70_a_folder_that_is_read_only(tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "state").mkdir(mode=0o500)
    assert main([*PLAY, "--input", table]) == 0
    assert "ne s'enregistre plus" in capsys.readouterr().out


def test_two_on_one_game(tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "soir.jsonl"
    keeper = journal.create(kept, replay.header("cachamot", Table(("Ana", "Bruno")), "0", "2026"))
    assert main(["resume", str(kept), "--input", table, "--output", "none"]) == 1
    assert "déjà en cours" in capsys.readouterr().err
    keeper.close()


def test_two_on_one_microphone(tmp_path: Path) -> None:
    let_go = journal.hold(tmp_path / "micro.lock")
    with pytest.raises(journal.JournalError, match="déjà ce micro"):
        journal.hold(tmp_path / "micro.lock")
    let_go()
    journal.hold(tmp_path / "micro.lock")()


def test_a_huge_table_of_words(tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.txt"
    lines = "".join(f"{1 + n / 10:.1f} ? bla bla {n}\n" for n in range(1_500))
    path.write_text(f"{lines}300.0 ? ajoute dix points à Ana\n", encoding="utf-8")
    assert main([*PLAY, "--input", str(path)]) == 0
    assert '"Ana": 10' in capsys.readouterr().out


def test_sound_of_44100_hz_in_stereo(tmp_path: Path, table: str) -> None:
    path = tmp_path / "stereo.wav"
    write_wave(path, np.random.default_rng(0).normal(0, 1e-3, (3 * 44_100, 2)).astype(np.float32), 44_100)
    assert main([*PLAY[:3], "Ana,Bruno,Chloé", *PLAY[4:], "--input", str(path)]) == 0
