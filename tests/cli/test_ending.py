"""Ctrl-C, SIGTERM and a closed terminal at any moment (B51, B69, B71): two seconds, the game kept, no process left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from voiceref.cli import main
from voiceref.ending import Ending
from voiceref.referee import journal

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
SPEAKING = """
import sys, time
from voiceref.audio.player import ListPlayer
from voiceref.referee import speech
speech._speakers = lambda room, trouble: ListPlayer()
from voiceref.voice import voices
{more}
from voiceref import cli
cli.entry()
"""
"""A referee whose loudspeakers play to nobody, in real time."""
SLOW_VOICE = """
from voiceref.voice.synthesis import SilentVoice
class Slow(SilentVoice):
    def speak(self, text, manner=None):
        print("speaking", flush=True)
        time.sleep(60)
speech.open_voice = lambda wanted=None: voices.OpenedVoice(Slow())
"""
HELD_UP = """
import hashlib
from voiceref.referee import play
def stuck(*given):
    print("stuck", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 100_000_000)
play.listen = stuck
"""
"""The main thread sits in native code that heeds no signal for a minute."""


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path / "state"


def started(kept: Path, *, output: str = "none", more: str = "", game: str = "cachamot") -> subprocess.Popen[bytes]:
    """A game typed at the keyboard, in a process group of its own so that what it leaves behind can be found."""
    argv = ["play", game, "--players", "Ana,Bruno,Chloé", "--input", "clavier", "--output", output]
    return subprocess.Popen(
        [sys.executable, "-c", SPEAKING.format(more=more), *argv, "--journal", str(kept), "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=heeding,
    )


def heeding() -> None:
    """Signals as in a terminal, also where the tests run in the background."""
    for name in SIGNALS:
        signal.signal(getattr(signal, name), signal.SIG_DFL)


def typed(process: subprocess.Popen[bytes], text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{text}\n".encode())
    process.stdin.flush()


def wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 40
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)


def records(kept: Path) -> int:
    return kept.read_bytes().count(b"\n") if kept.exists() else 0


def ends(process: subprocess.Popen[bytes], name: str) -> bytes:
    """Ask it to end; what it wrote to standard error. Within two seconds, with nothing of its session left."""
    number = getattr(signal, name)
    asked = time.monotonic()
    process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert time.monotonic() - asked < 2.5
    assert process.returncode == 128 + number, err
    assert b"Traceback" not in err
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    return err


@pytest.mark.parametrize("name", SIGNALS)
def test_in_a_quiet_moment(tmp_path: Path, name: str) -> None:
    kept = tmp_path / "soir.jsonl"
    process = started(kept)
    typed(process, "Ana Le mot imposé est fromage")
    wait_for(lambda: records(kept) == 2)
    assert "soir.jsonl" in ends(process, name).decode()
    assert len(journal.read(kept).records) == 2
    assert main(["resume", str(kept), "--input", "rien.txt"]) == 1


@pytest.mark.parametrize("name", SIGNALS)
def test_while_the_referee_speaks(tmp_path: Path, name: str) -> None:
    """What is waiting to be said is not said first."""
    kept = tmp_path / "soir.jsonl"
    process = started(kept, output="speakers")
    for _ in range(6):
        typed(process, "aide")
    typed(process, "Ana Le mot imposé est fromage")
    wait_for(lambda: records(kept) == 2)
    time.sleep(0.3)
    ends(process, name)


def test_while_the_voice_hangs(tmp_path: Path) -> None:
    kept = tmp_path / "soir.jsonl"
    process = started(kept, output="speakers", more=SLOW_VOICE)
    typed(process, "aide")
    assert process.stdout is not None
    wait_for(lambda: b"speaking" in process.stdout.readline())  # type: ignore[union-attr]
    ends(process, "SIGINT")


def test_while_a_question_is_open(tmp_path: Path) -> None:
    kept = tmp_path / "soir.jsonl"
    process = started(kept, game="cul-de-chouette")
    typed(process, "chouettes quatre et quatre")
    wait_for(lambda: records(kept) == 2)
    typed(process, "pas mou le caillou")
    time.sleep(0.5)
    ends(process, "SIGTERM")
    assert not journal.read(kept).torn


def test_while_an_hourglass_runs(tmp_path: Path) -> None:
    kept = tmp_path / "soir.jsonl"
    process = started(kept)
    for line in ("Ana Le mot imposé est fromage", "Ana Bulle : R. Coquille : P", "Ana C'est prêt", "Ana Sablier !"):
        typed(process, line)
        time.sleep(0.2)
    wait_for(lambda: records(kept) >= 4)
    ends(process, "SIGHUP")


@pytest.mark.parametrize("delay", [0.02, 0.1, 0.25, 0.5, 0.8, 1.2])
def test_while_it_starts(tmp_path: Path, delay: float) -> None:
    """Before the program has heard of signals the system itself ends it; no moment leaves a process."""
    process = started(tmp_path / "soir.jsonl", output="speakers")
    time.sleep(delay)
    asked = time.monotonic()
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    assert time.monotonic() - asked < 2.5
    assert process.returncode in (-signal.SIGTERM, 128 + signal.SIGTERM)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


@pytest.mark.parametrize("name", SIGNALS)
def test_while_native_code_holds_the_main_thread(tmp_path: Path, name: str) -> None:
    process = started(tmp_path / "soir.jsonl", more=HELD_UP)
    assert process.stdout is not None
    wait_for(lambda: b"stuck" in process.stdout.readline())  # type: ignore[union-attr]
    ends(process, name)


def test_asked_twice_it_ends_once(tmp_path: Path) -> None:
    kept = tmp_path / "soir.jsonl"
    process = started(kept, output="speakers")
    wait_for(lambda: records(kept) == 1)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Traceback" not in err


@pytest.mark.parametrize("seed", range(5))
def test_b69_kill_9_at_a_moment_nobody_chose(tmp_path: Path, seed: int) -> None:
    """The real thing: SIGKILL while lines pour in; the journal reads, and the game goes on."""
    kept = tmp_path / "soir.jsonl"
    process = started(kept, game="cul-de-chouette")
    wait_for(lambda: records(kept) >= 1)
    for turn in range(36):
        typed(process, f"ajoute {turn + 1} points à {('Ana', 'Bruno', 'Chloé')[turn % 3]}")
    wait_for(lambda: records(kept) >= 2 + 3 * seed)
    process.kill()
    process.communicate()
    recorded = journal.read(kept)
    assert len(recorded.records) >= 2 + 3 * seed
    rest = tmp_path / "rest.txt"
    rest.write_text("1.0 Ana Scores\n", encoding="utf-8")
    assert main(["resume", str(kept), "--input", str(rest), "--output", "none"]) == 0
    assert not journal.read(kept).torn


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for the process in /proc")
def test_a_hung_voice_process_does_not_outlive_a_killed_referee(tmp_path: Path) -> None:
    worker = (
        "import time; from voiceref.voice import system_worker;"
        "system_worker._save = system_worker._voices = lambda *given: time.sleep(60); system_worker.main()"
    )
    reading, writing = os.pipe()
    process = subprocess.Popen([sys.executable, "-c", worker], stdin=reading, stdout=subprocess.DEVNULL)
    os.close(reading)
    os.write(writing, b'{"do": "voices"}\n')
    time.sleep(1.0)
    assert process.poll() is None
    os.close(writing)
    assert process.wait(timeout=8) is not None


def test_a_signal_that_was_ignored_stays_ignored() -> None:
    """As `nohup voiceref …` wants it."""
    code = (
        "import signal, os; from voiceref.ending import Ending; signal.signal(signal.SIGHUP, signal.SIG_IGN);"
        "Ending().watch(); os.kill(os.getpid(), signal.SIGHUP); print('still here')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.stdout.strip() == "still here"


def test_without_a_signal_the_exit_code_is_the_programs() -> None:
    assert Ending().finish(3) == 3
