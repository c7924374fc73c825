"""Voices of the system: each fault of pyttsx3 in the field reports, from a process that has it; and the real one."""

import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from voiceref.voice.synthesis import Manner, VoiceError
from voiceref.voice.system_voice import SystemVoice, SystemVoiceInfo, choose, read_saved

FRANCE = SystemVoiceInfo("roa/fr", "French (France)", ("fr-fr",))
BELGIUM = SystemVoiceInfo("roa/fr-be", "French (Belgium)", ("fr-be",))
AMELIE = SystemVoiceInfo("com.apple.voice.amelie", "Amélie", ("fr_CA",))
HORTENSE = SystemVoiceInfo("HKEY\\TTS_MS_FR-FR_HORTENSE_11.0", "Microsoft Hortense Desktop - French", ())
FRISIAN = SystemVoiceInfo("gmw/fy", "Frisian", ("fy",))


def voice(mode: str, wanted: str | None = None) -> SystemVoice:
    worker = (sys.executable, str(Path(__file__).with_name("fake_worker.py")), mode)
    return SystemVoice(wanted, worker, speak_s=0.7)


def running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]


def test_every_sentence_once_and_in_order() -> None:
    speaker = voice("ok")
    lengths = [speaker.speak("a" * size).seconds for size in (10, 20, 30, 40, 50)]
    assert lengths == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5], abs=0.11)
    assert lengths == sorted(lengths)
    speaker.close()


def test_a_hang_is_ended_and_the_next_sentence_is_spoken() -> None:
    """B53: never wait for ever; the watchdog starts the voice anew."""
    speaker = voice("hang")
    began = time.monotonic()
    with pytest.raises(VoiceError, match="ne répond pas"):
        speaker.speak("je pends")
    assert time.monotonic() - began < 3.0
    assert speaker.speak("encore là").seconds > 0.0
    speaker.close()


def test_a_death_is_told_and_the_next_sentence_is_spoken() -> None:
    speaker = voice("die")
    with pytest.raises(VoiceError, match="arrêtée"):
        speaker.speak("je meurs")
    assert speaker.speak("encore là").seconds > 0.0
    speaker.close()


@pytest.mark.parametrize("mode", ["nothing", "empty"])
def test_success_without_sound_is_no_success(mode: str) -> None:
    """B61: pyttsx3 reports success although nothing was made."""
    speaker = voice(mode)
    with pytest.raises(VoiceError, match="rien produit"):
        speaker.speak("Ana marque seize points.")
    speaker.close()


def test_another_voice_than_asked_for_is_noticed() -> None:
    """B59: an unknown voice is accepted and another one speaks."""
    speaker = voice("english")
    with pytest.raises(VoiceError, match="remplacée par gmw/en"):
        speaker.speak("Bonjour")
    speaker.close()


@pytest.mark.parametrize(
    ("mode", "wanted", "complaint"),
    [
        ("ok", "zz", "« zz » n'existe pas ici ; il y a : French"),
        ("no_french", None, "Aucune voix française"),
        ("none", None, "Aucune voix française"),
        ("broken", None, "no espeak"),
    ],
)
def test_a_voice_that_is_not_there_is_told_at_once(mode: str, wanted: str | None, complaint: str) -> None:
    """B59, B61."""
    with pytest.raises(VoiceError, match=complaint):
        voice(mode, wanted)


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for the process in /proc")
def test_close_leaves_no_process() -> None:
    speaker = voice("hang")
    process = speaker._process
    assert process is not None
    speaker.close()
    speaker.close()
    assert not running(process.pid)


def test_three_threads_at_once_all_get_their_sentence() -> None:
    """B54: the announcer has one thread, but a second user must not be stuck either."""
    speaker = voice("ok")
    lengths: dict[int, float] = {}

    def speak(size: int) -> None:
        lengths[size] = speaker.speak("a" * size).seconds

    threads = [threading.Thread(target=speak, args=(size,)) for size in (50, 100, 150)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=5.0)
    assert lengths == pytest.approx({50: 0.5, 100: 1.0, 150: 1.5}, abs=0.11)
    speaker.close()


@pytest.mark.parametrize(
    ("voices", "wanted", "chosen"),
    [
        ((FRISIAN, BELGIUM, FRANCE), None, FRANCE),
        ((FRISIAN, AMELIE), None, AMELIE),
        ((FRISIAN, HORTENSE), None, HORTENSE),
        ((FRANCE, BELGIUM), "belgium", BELGIUM),
        ((FRANCE, BELGIUM), "ROA/FR-BE", BELGIUM),
        ((FRANCE, AMELIE), "Ame\u0301lie", AMELIE),
    ],
)
def test_choice(voices: tuple[SystemVoiceInfo, ...], wanted: str | None, chosen: SystemVoiceInfo) -> None:
    assert choose(voices, wanted) == chosen


@pytest.mark.parametrize("kind", [b"NONE", b"sowt"])
def test_an_aiff_file_called_wav_is_read(tmp_path: Path, kind: bytes) -> None:
    """macOS saves AIFF whatever the name says."""
    order = "<" if kind == b"sowt" else ">"
    body = np.array([0, 8192, 16384, -16384], f"{order}i2").tobytes()
    rate = struct.pack(">hQ", 16383 + 14, 22_050 << 49)
    common = struct.pack(">hIh", 1, 4, 16) + rate + (kind + b"\x00\x00" if kind == b"sowt" else b"")
    sound = struct.pack(">II", 0, 0) + body
    chunks = b"".join(name + struct.pack(">I", len(x)) + x for name, x in ((b"COMM", common), (b"SSND", sound)))
    form = b"AIFC" if kind == b"sowt" else b"AIFF"
    path = tmp_path / "sentence.wav"
    path.write_bytes(b"FORM" + struct.pack(">I", 4 + len(chunks)) + form + chunks)
    read = read_saved(path)
    assert read.rate_hz == 22_050
    assert read.samples.tolist() == [0.0, 0.25, 0.5, -0.5]


def test_a_cut_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "sentence.wav"
    path.write_bytes(b"FORM\x00\x00")
    with pytest.raises(VoiceError):
        read_saved(path)


@pytest.fixture(scope="module")
def real() -> SystemVoice:
    try:
        return SystemVoice()
    except VoiceError as error:
        pytest.skip(f"no system voice here: {error}")


def test_the_real_voice_says_five_sentences(real: SystemVoice) -> None:
    """B53 with pyttsx3 itself: two in a row lose none, and each has its own length."""
    sentences = ("Un.", "Ana marque seize points.", "Bruno perd dix points, et Chloé gagne.", "Qui a crié ?", "Non.")
    lengths = [real.speak(sentence).seconds for sentence in sentences]
    assert all(length > 0.15 for length in lengths)
    assert lengths[2] > lengths[1] > lengths[3] > lengths[4]
    assert real.speak(sentences[1]).seconds == pytest.approx(lengths[1], rel=0.05)
    assert "fr" in real.name.casefold()


def test_the_real_voice_heeds_every_change_of_rate(real: SystemVoice) -> None:
    """espeak takes a new rate a little later and then forgets it, unless one waits for it."""
    lengths = [real.speak("Ana marque seize points.", Manner(rate=rate)).seconds for rate in (0.7, 1.4, 1.0) * 3]
    for slow, fast, normal in zip(lengths[::3], lengths[1::3], lengths[2::3], strict=True):
        assert slow > 1.2 * normal > 1.3 * fast


def test_the_worker_ends_with_its_input() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "voiceref.voice.system_worker"],
        input="nonsense\n",
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert done.returncode == 0
    assert '"ok": false' in done.stdout
