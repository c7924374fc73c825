"""`voiceref play` and `resume` as people call them: text tables in, JSON out, one French sentence for each fault."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from voiceref.cli import main
from voiceref.games.engine import Table
from voiceref.referee import journal, replay
from voiceref.referee.doctor import Finding, State

TABLE = """
3.0 ? Cachamot : Ana
6.0 Ana Le mot imposé est fromage
16.0 Ana Bulle : R. Coquille : P
19.0 @ secret patate = pomme de terre
22.0 Ana C'est prêt
25.0 Ana Sablier !
45.0 Bruno Ma réponse : pomme de terre
60.0 @ tick
"""
PLAY = ["play", "cachamot", "--players", "Ana,Bruno,Chloé", "--output", "none"]


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "table.txt"
    path.write_text(TABLE, encoding="utf-8")
    return str(path)


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_every_line_is_json_and_the_last_is_the_state(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PLAY, "--input", table, "--json"]) == 0
    printed = lines(capsys.readouterr().out)
    assert {line["type"] for line in printed} == {"say", "event", "state"}
    assert printed[-1] == {
        "type": "state",
        "game": "cachamot",
        "scores": {"Ana": 0, "Bruno": 1, "Chloé": 0},
        "turn": "Bruno",
        "phase": printed[-1]["phase"],
        "tokens": {"Ana": [], "Bruno": [], "Chloé": []},
        "over": False,
        "winners": [],
    }


def test_without_json_people_see_the_scores(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PLAY, "--input", table]) == 0
    assert "Bruno 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "word"),
    [
        (["play", "monopoly", "--players", "Ana,Bruno"], "monopoly"),
        (["play", "cachamot"], "joueurs"),
        (["play", "cachamot", "--players", ""], "joueurs"),
        (["play", "cachamot", "--players", "Ana,,Bruno"], "nom"),
        (["play", "cachamot", "--players", "Ana,ana"], "même nom"),
        (["play", "cachamot", "--players", "Léa,Le\u0301a"], "même nom"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--level", "9"], "niveau"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--set", "rien=1"], "rien"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--set", "cachamot.secret=zut"], "zut"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--set", "rien"], "clé=valeur"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--scores", "Zoé=3"], "Zoé"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--scores", "Ana=x"], "points"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--scores", "Ana"], "--scores"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--tokens", "Ana:or"], "jetons"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--turn", "Zoé"], "Zoé"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--set", "teams=Ana+Zoé,Bruno"], "Zoé"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--input", "rien.txt"], "rien.txt"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--input", "rien.wav"], "rien.wav"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--input", "rien.mp3"], "rien.mp3"),
        (["play", "cachamot", "--players", "Ana,Bruno", "--table", "rien.toml"], "rien.toml"),
        (["play"], "JEU"),
        (["dance"], "dance"),
        (["--input", "rien.txt"], "rien.txt"),
        (["play", "cachamot", "--level", "deux"], "deux"),
        (["resume"], "partie"),
        (["resume", "rien.jsonl"], "rien.jsonl"),
        (["replay", "rien.jsonl"], "rien.jsonl"),
        (["replay"], "FICHIER"),
        (["listen", "--phrases", "rien.toml"], "rien.toml"),
        (["listen", "--game", "monopoly"], "monopoly"),
        (["rules", "CDC-999"], "CDC-999"),
    ],
)
def test_a_fault_is_one_french_sentence(argv: list[str], word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(argv) != 0
    said = capsys.readouterr()
    assert not said.out
    assert said.err.count("\n") == 1
    assert word in said.err
    assert "Traceback" not in said.err
    assert "Error" not in said.err


def test_nothing_is_left_behind_by_a_game_that_cannot_begin(own_state: Path) -> None:
    main(["play", "cachamot", "--players", "Ana,Bruno", "--input", "rien.txt"])
    assert not list(own_state.rglob("*.jsonl"))


def test_a_malformed_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("# fine\n3.0 Ana C'est prêt\nbientôt Ana C'est prêt\n", encoding="utf-8")
    assert main([*PLAY, "--input", str(path)]) == 1
    assert "bad.txt, ligne 3" in capsys.readouterr().err


def test_a_table_in_another_encoding_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("3.0 Ana C'est prêt\n".encode("cp1252"))
    assert main([*PLAY, "--input", str(path)]) == 1
    assert "UTF-8" in capsys.readouterr().err


def test_a_table_with_a_byte_order_mark_and_windows_lines(tmp_path: Path) -> None:
    path = tmp_path / "windows.txt"
    path.write_bytes(b"\xef\xbb\xbf" + TABLE.strip().replace("\n", "\r\n").encode())
    assert main([*PLAY, "--input", str(path), "--json"]) == 0


def test_players_and_settings_from_a_file(tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "soir.toml"
    path.write_text('players = ["Ana", "Bruno"]\n[settings]\ncachamot.double_turn = true\n[scores]\nAna = 2\n', "utf-8")
    assert main(["play", "cachamot", "--table", str(path), "--input", table, "--output", "none", "--json"]) == 0
    assert lines(capsys.readouterr().out)[-1]["scores"] == {"Ana": 2, "Bruno": 1}


def test_a_journal_is_kept_and_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, kept = tmp_path / "one.txt", tmp_path / "two.txt", tmp_path / "soir.jsonl"
    whole = TABLE.strip().splitlines(keepends=True)
    first.write_text("".join(whole[:6]), encoding="utf-8")
    second.write_text("".join(whole[6:]), encoding="utf-8")
    assert main([*PLAY, "--input", str(first), "--journal", str(kept), "--json"]) == 0
    assert main(["resume", str(kept), "--input", str(second), "--output", "none", "--json"]) == 0
    assert lines(capsys.readouterr().out)[-1]["scores"] == {"Ana": 0, "Bruno": 1, "Chloé": 0}


def test_lines_that_do_not_replay_are_counted(tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "soir.jsonl"
    assert main([*PLAY, "--input", table, "--journal", str(kept)]) == 0
    more = {"t": 61.0, "slots": {}, "text": "?"}
    count = kept.read_bytes().count(b"\n")
    strange = [{"phrase": "CACH-X", "speaker": "Ana"}, {"phrase": "CACH-Q011", "speaker": "Zoé"}]
    with kept.open("ab") as file:
        for place, content in enumerate(strange, count):
            file.write(journal.line(place, "said", {**more, **content}))
    assert main(["resume", str(kept), "--input", table, "--output", "none"]) == 0
    assert "a 2 lignes qui ne se rejouent pas" in capsys.readouterr().err
    kept.write_bytes(b"".join(kept.read_bytes().splitlines(keepends=True)[:count]))
    assert main(["resume", str(kept), "--input", table, "--output", "none"]) == 0
    assert "rejoue" not in capsys.readouterr().err


def test_players_of_a_journal_are_a_list(tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "soir.jsonl"
    content = replay.header("cachamot", Table(("Ana", "Bruno")), "0", "2026-01-01T20:00:00+00:00")
    content["table"]["players"] = "Ana"
    journal.create(kept, content).close()
    assert main(["resume", str(kept), "--input", table, "--output", "none"]) == 1
    assert "ne peut pas être rejouée" in capsys.readouterr().err


def test_a_voice_file_is_a_wave_file(tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PLAY[:-1], str(tmp_path / "voix.mp3"), "--input", table]) == 1
    assert "un fichier .wav" in capsys.readouterr().err
    assert not (tmp_path / "voix.mp3").exists()


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("VoiceRef ")


@pytest.mark.parametrize(("text", "place"), [("players = [\n", "à la fin"), ("level = 1\nlevel = 2\n", "ligne 2")])
def test_a_broken_settings_file_is_told_in_french(
    tmp_path: Path, text: str, place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "soir.toml"
    path.write_text(text, encoding="utf-8")
    assert main(["play", "cachamot", "--table", str(path)]) == 1
    assert capsys.readouterr().err == f"{path}, {place} : TOML incorrect, vérifiez guillemets et crochets.\n"


def test_the_last_game_is_found_by_itself(table: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PLAY, "--input", table, "--json"]) == 0
    assert main(["resume", "--input", table, "--output", "none", "--json"]) == 0
    assert lines(capsys.readouterr().out)[-1]["game"] == "cachamot"


def test_a_game_is_told_again(tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "soir.jsonl"
    assert main([*PLAY, "--input", table, "--journal", str(kept), "--json"]) == 0
    played = lines(capsys.readouterr().out)
    assert main(["replay", str(kept), "--json"]) == 0
    told = lines(capsys.readouterr().out)
    assert told[-1] == played[-1]
    assert [line for line in told if line["type"] == "event" and line["deltas"]] == [
        line for line in played if line["type"] == "event" and line["deltas"]
    ]
    assert main(["replay", str(kept)]) == 0
    assert "Bruno : « Ma réponse : pomme de terre »" in capsys.readouterr().out


def test_missing_models_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VOICEREF_MODELS", str(tmp_path / "modèles"))
    assert main(["models"]) == 1
    assert "judge.onnx  absent" in capsys.readouterr().out
    assert main(["doctor"]) == 1
    assert "en panne" in capsys.readouterr().out


def test_the_doctor_fails_where_the_referee_cannot_hear_or_speak(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(*broken: str) -> Callable[..., Iterator[Finding]]:
        parts = ("micro", "haut-parleur", "modèle")
        state = {part: State.BAD if part in broken else State.GOOD for part in parts}
        return lambda players, micro: (Finding(part, state[part], "…", essential=True) for part in parts)

    for broken, code, last in (
        ((), 0, "L'arbitre peut jouer."),
        (("micro",), 1, "L'arbitre ne joue que par fichiers ou au clavier ; en panne : micro."),
        (("micro", "modèle"), 1, "Il manque l'essentiel : voyez ci-dessus."),
    ):
        monkeypatch.setattr("voiceref.referee.doctor.findings", found(*broken))
        assert main(["doctor"]) == code
        assert capsys.readouterr().out.splitlines()[-1] == last


def test_an_existing_file_is_not_overwritten(tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]) -> None:
    kept = tmp_path / "soir.jsonl"
    kept.write_text("précieux", encoding="utf-8")
    assert main([*PLAY, "--input", table, "--journal", str(kept)]) == 1
    assert kept.read_text(encoding="utf-8") == "précieux"
    assert "soir.jsonl" in capsys.readouterr().err


def test_a_folder_that_takes_nothing_is_said_and_the_game_goes_on(
    tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "state").write_text("not a folder", encoding="utf-8")
    assert main([*PLAY, "--input", table, "--json"]) == 0
    printed = lines(capsys.readouterr().out)
    assert any("ne s'enregistre plus" in str(line.get("text")) for line in printed)
    assert printed[-1]["scores"] == {"Ana": 0, "Bruno": 1, "Chloé": 0}


# --- as a process of its own ------------------------------------------------------------------------------------------


def voiceref(*argv: str, **more: object) -> subprocess.Popen[bytes]:
    options: dict[str, object] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL}
    return subprocess.Popen([sys.executable, "-m", "voiceref", *argv], **(options | more))  # type: ignore[call-overload, no-any-return]


@pytest.mark.parametrize(
    "environment",
    [
        {"PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"},
        {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"},
    ],
)
@pytest.mark.parametrize("json_lines", [True, False])
def test_old_code_pages_lose_no_game(table: str, environment: dict[str, str], json_lines: bool) -> None:
    argv = [*PLAY, "--input", table, *(["--json"] if json_lines else [])]
    done = voiceref(*argv, env=os.environ | environment)
    out, err = done.communicate(timeout=30)
    assert done.returncode == 0, err.decode("latin-1")
    assert b"Traceback" not in err
    if json_lines:
        assert json.loads(out.splitlines()[-1])["scores"] == {"Ana": 0, "Bruno": 1, "Chloé": 0}


def test_closed_standard_output_ends_nothing(tmp_path: Path, table: str) -> None:
    kept = tmp_path / "soir.jsonl"
    command = f'"{sys.executable}" -m voiceref {" ".join(PLAY)} --input "{table}" --journal "{kept}" --json >&-'
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=30, check=False)
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert len(kept.read_bytes().splitlines()) > 5


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("argv", [["rules"], [*PLAY, "--json"]])
def test_a_full_disk_behind_standard_output_is_told(argv: list[str], table: str) -> None:
    more = ["--input", table] if argv[0] == "play" else []
    with Path("/dev/full").open("wb") as full:
        done = voiceref(*argv, *more, stdout=full)
        _, err = done.communicate(timeout=30)
    assert done.returncode == 1
    assert err.decode().count("La sortie n'a pas pu être écrite") == 1
    assert b"Traceback" not in err


def test_a_closed_keyboard_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "soir.jsonl"
    command = f'"{sys.executable}" -m voiceref {" ".join(PLAY)} --input clavier --journal "{kept}" <&-'
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, timeout=30, check=False)
    assert done.returncode == 1
    assert done.stderr.decode().startswith("Le clavier est fermé")
    assert done.stderr.count(b"\n") == 1
    assert not kept.exists()


def test_a_reader_that_leaves_ends_nothing(table: str) -> None:
    done = voiceref(*PLAY, "--input", table, "--json")
    assert done.stdout is not None
    done.stdout.close()
    assert done.wait(timeout=30) == 0
    assert done.stderr is not None
    assert b"Traceback" not in done.stderr.read()
    done.stderr.close()


def test_playing_opens_no_connection(tmp_path: Path, table: str) -> None:
    """Privacy: not one socket, with the voice and the wave file written too."""
    watch = (
        "import sys; sys.addaudithook(lambda name, args: name.startswith('socket.') and sys.exit('socket: ' + name));"
        "from voiceref.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    argv = [*PLAY[:-1], str(tmp_path / "voix.wav"), "--input", table]
    done = subprocess.run([sys.executable, "-c", watch, *argv], capture_output=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "voix.wav").stat().st_size > 100_000


def test_ctrl_c_saves_and_ends_within_two_seconds(tmp_path: Path) -> None:
    kept = tmp_path / "soir.jsonl"

    def heeding() -> None:
        """Also where the tests run in the background, which ignores Ctrl-C."""
        signal.signal(signal.SIGINT, signal.default_int_handler)

    argv = [*PLAY, "--input", "clavier", "--journal", str(kept)]
    done = voiceref(*argv, stdin=subprocess.PIPE, preexec_fn=heeding)
    assert done.stdin is not None
    done.stdin.write("Ana Le mot imposé est fromage\n".encode())
    done.stdin.flush()
    _wait_for(lambda: kept.exists() and kept.read_bytes().count(b"\n") == 2)
    asked = time.monotonic()
    done.send_signal(signal.SIGINT)
    _, err = done.communicate(timeout=10)
    assert time.monotonic() - asked < 2.0
    assert done.returncode == 130
    assert b"Traceback" not in err
    assert "soir.jsonl" in err.decode()


def test_killed_at_any_moment_the_game_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, rest = tmp_path / "soir.jsonl", tmp_path / "rest.txt"
    done = voiceref(*PLAY, "--input", "clavier", "--journal", str(kept), stdin=subprocess.PIPE)
    assert done.stdin is not None
    done.stdin.write("Ana Le mot imposé est fromage\nAna Bulle : R. Coquille : P\n".encode())
    done.stdin.flush()
    _wait_for(lambda: kept.exists() and kept.read_bytes().count(b"\n") == 3)
    done.kill()
    done.communicate()
    rest.write_text("".join(TABLE.strip().splitlines(keepends=True)[3:]), encoding="utf-8")
    assert main(["resume", str(kept), "--input", str(rest), "--output", "none", "--json"]) == 0
    assert lines(capsys.readouterr().out)[-1]["scores"] == {"Ana": 0, "Bruno": 1, "Chloé": 0}


def _wait_for(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.02)
