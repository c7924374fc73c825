"""`voiceref privacy`: all that is kept is listed and goes; no command opens a connection or writes elsewhere."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from voiceref.audio.source import EAR_RATE
from voiceref.audio.wave_file import write_wave
from voiceref.cli import main
from voiceref.referee import journal
from voiceref.resources import models

GAMES = ("cul-de-chouette", "cachamot", "casque-cheque-chat", "chasseur-de-tete")
WATCHED = (*GAMES, "heard", "listen", "race", "enroll", "resume", "doctor", "privacy")
WATCH = """
import os, sys
allowed = tuple(os.path.realpath(folder) for folder in sys.argv[1].split(os.pathsep))
home = os.path.realpath(os.environ["HOME"])
def watch(name, args):
    if name.startswith("socket."):
        os.write(2, ("SOCKET " + name + chr(10)).encode())
    if name == "open" and isinstance(args[0], (str, bytes)) and isinstance(args[2], int):
        path = os.path.realpath(os.fsdecode(args[0]))
        if args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and not path.startswith((*allowed, "/dev/", "/proc/")):
            os.write(2, ("WROTE " + path + chr(10)).encode())
sys.addaudithook(watch)
from voiceref.cli import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture(autouse=True)
def homes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    return tmp_path


def filled(homes: Path) -> tuple[Path, Path]:
    """A game and a voice, as playing and enrolling leave them."""
    game, voice = homes / "state/voiceref/parties/soir.jsonl", homes / "data/voiceref/voix/ana.json"
    for path in (game, voice):
        path.parent.mkdir(parents=True)
        path.write_bytes(b"x" * 2500)
    return game, voice


def test_everything_kept_is_listed(homes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, voice = filled(homes)
    (homes / "state/voiceref/micro.lock").write_bytes(b"")
    assert main(["privacy"]) == 0
    listed = capsys.readouterr().out
    assert str(game) in listed
    assert str(voice) in listed
    assert "micro.lock" in listed
    assert "2,5 ko" in listed
    assert game.exists()


def test_one_kind_goes_and_the_other_stays(homes: Path) -> None:
    game, voice = filled(homes)
    assert main(["privacy", "--delete", "voix", "--yes"]) == 0
    assert game.exists()
    assert not voice.exists()


def test_all_goes(homes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, voice = filled(homes)
    assert main(["privacy", "--delete", "tout", "--yes"]) == 0
    assert not game.exists()
    assert not voice.exists()
    assert main(["privacy", "--delete", "tout", "--yes"]) == 0
    assert "rien à effacer" in capsys.readouterr().out


@pytest.mark.parametrize(("answer", "gone"), [("oui\n", True), ("non\n", False), ("", False)])
def test_without_yes_it_asks(homes: Path, monkeypatch: pytest.MonkeyPatch, answer: str, gone: bool) -> None:
    game, _ = filled(homes)
    monkeypatch.setattr(sys, "stdin", io.StringIO(answer))
    assert main(["privacy", "--delete", "parties"]) == int(not gone)
    assert game.exists() is not gone


def test_a_game_under_way_stays(homes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = homes / "state/voiceref/parties/soir.jsonl"
    keeper = journal.create(path, {"game": "cachamot"})
    assert main(["privacy", "--delete", "parties", "--yes"]) == 1
    assert path.exists()
    assert "soir.jsonl" in capsys.readouterr().err
    keeper.close()
    assert main(["privacy", "--delete", "parties", "--yes"]) == 0


def test_a_foreign_file_reached_by_a_link_stays(homes: Path) -> None:
    filled(homes)
    mine = homes / "mine.txt"
    mine.write_text("précieux", encoding="utf-8")
    (homes / "state/voiceref/parties/lien.jsonl").symlink_to(mine)
    main(["privacy", "--delete", "tout", "--yes"])
    assert mine.exists()


def commands(homes: Path) -> dict[str, list[str]]:
    """Every command that plays or listens, on files in `homes`."""
    sound, table = homes / "table.wav", homes / "table.txt"
    shouts = np.random.default_rng(0).normal(0.0, 1e-3, 12 * EAR_RATE).astype(np.float32)
    for second in range(1, 11, 2):
        tone = np.sin(np.arange(EAR_RATE // 2) * 0.1 * np.sin(np.arange(EAR_RATE // 2) * 1e-3))
        shouts[second * EAR_RATE : second * EAR_RATE + len(tone)] += 0.2 * tone.astype(np.float32)
    write_wave(sound, shouts, EAR_RATE)
    table.write_text("3.0 Ana Scores\n9.0 @ tick\n", encoding="utf-8")
    players = ["--players", "Ana,Bruno,Chloé,David"]
    return {
        **{game: ["play", game, *players, "--input", str(table), "--output", str(homes / "v.wav")] for game in GAMES},
        "heard": ["play", GAMES[0], *players, "--input", str(sound), "--output", "none"],
        "listen": ["listen", "--input", str(sound)],
        "race": ["race", str(sound), "--players", "Ana,Bruno"],
        "enroll": ["enroll", "--players", "Ana", "--input", str(sound)],
        "resume": ["resume", "--input", str(table), "--output", "none"],
        "doctor": ["doctor"],
        "privacy": ["privacy"],
    }


@pytest.mark.skipif(not (models() / "judge" / "judge.onnx").exists(), reason="the ear's models are not here")
@pytest.mark.parametrize("name", WATCHED)
def test_no_connection_and_nothing_written_elsewhere(homes: Path, name: str) -> None:
    wanted = commands(homes)
    if name == "resume":
        assert main(wanted["cachamot"]) == 0
    environment = os.environ | {"HOME": str(homes / "home"), "PYTHONDONTWRITEBYTECODE": "1"}
    (homes / "home").mkdir()
    allowed = os.pathsep.join(str(homes / part) for part in ("state", "data", "temporary", "v.wav"))
    done = subprocess.run(
        [sys.executable, "-c", WATCH, allowed, *wanted[name]],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    assert "SOCKET" not in done.stderr
    assert "WROTE" not in done.stderr
    assert "Traceback" not in done.stderr
    assert not list((homes / "home").rglob("*"))
