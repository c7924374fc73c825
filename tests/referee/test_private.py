"""Private cards: read to a headset, or aloud once no guesser listens; never shown, printed or repeated."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

from voiceref import cli
from voiceref.audio.wave_file import read_wave
from voiceref.games.engine import Event, Refusal, Summary
from voiceref.referee.telling import Teller
from voiceref.voice.style import Weight
from voiceref.voice.wording import Wording

DECK = """
[[carte]]
theme = "à la maison"
A = "le bain moussant"
B = "la machine à laver"
C = "le fauteuil à bascule"
"""
SECRET = ("moussant", "laver", "bascule")
ASKED = """
3.0 ? Premier groupe : Ana
5.0 Ana Arbitre, lis les expressions
"""
CONFIRMED = """
8.0 Bruno On n'écoute pas
9.0 Ana On n'écoute pas
11.0 Chloé Je me bouche les oreilles
15.0 ? Répète
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "paquet.toml").write_text(DECK, encoding="utf-8")
    return tmp_path


def played(folder: Path, table: str, *more: str) -> tuple[str, str, int]:
    """Standard output, standard error and exit code of a table."""
    file = folder / "table.txt"
    file.write_text(table + "40.0 @ tick\n", encoding="utf-8")
    game = ["play", "casque-cheque-chat", "--players", "Ana,Bruno,Chloé,David", "--deck", str(folder / "paquet.toml")]
    journal = folder / f"j{len(list(folder.glob('j*')))}"
    ends = ["--input", str(file), "--json", "--journal", str(journal)]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.main([*game, *ends, *more])
    return out.getvalue(), err.getvalue(), code


def events(out: str) -> list[str]:
    return [line["event"] for line in map(json.loads, out.splitlines()) if line["type"] == "event"]


def speech_s(file: Path) -> float:
    """Seconds that are not silent."""
    samples, rate = read_wave(file)
    return float((abs(samples) > 0.02).sum()) / rate


def nothing_is_shown(out: str, err: str) -> bool:
    return not any(word in text for word in SECRET for text in (out, err))


def test_without_a_headset_every_guesser_must_confirm(folder: Path) -> None:
    out, err, code = played(folder, ASKED + "8.0 Bruno On n'écoute pas\n", "--output", "none")
    assert code == 0
    assert "demande_oreilles" in events(out)
    assert "expressions_prive" not in events(out)


def test_then_the_room_hears_it_and_nobody_reads_it(folder: Path) -> None:
    aloud, quiet = folder / "salle.wav", folder / "muet.wav"
    out, err, code = played(folder, ASKED + CONFIRMED, "--output", str(aloud))
    assert code == 0
    assert "expressions_prive" in events(out)
    assert nothing_is_shown(out, err)
    assert "c'est à bruno et à chloé de le dire" in out.lower()
    played(folder, ASKED, "--output", str(quiet))
    assert speech_s(aloud) > speech_s(quiet) + 1.5


def test_a_voice_nobody_knows_speaks_for_all_guessers(folder: Path) -> None:
    out, _, _ = played(folder, ASKED + "8.0 ? On ne regarde pas\n", "--output", "none")
    assert "carte_lue" in events(out)


def test_a_guesser_may_not_ask_and_a_minute_is_the_limit(folder: Path) -> None:
    out, _, _ = played(folder, "3.0 ? Premier groupe : Ana\n5.0 Bruno Lis les expressions\n", "--output", "none")
    assert "demande_oreilles" not in events(out)
    out, _, _ = played(folder, ASKED + "8.0 Bruno On n'écoute pas\n66.0 Chloé On n'écoute pas\n", "--output", "none")
    assert "expressions_prive" not in events(out)


def test_the_headset_hears_at_once_and_the_room_does_not(folder: Path) -> None:
    room, headset, quiet = folder / "salle.wav", folder / "casque.wav", folder / "muet.wav"
    out, err, code = played(folder, ASKED, "--output", str(room), "--private", str(headset))
    assert code == 0
    assert "demande_oreilles" not in events(out)
    assert nothing_is_shown(out, err)
    assert speech_s(headset) > 1.5
    played(folder, "3.0 ? Premier groupe : Ana\n", "--output", str(quiet))
    assert speech_s(room) == pytest.approx(speech_s(quiet), abs=0.4)


def test_a_game_resumed_without_its_headset_does_not_say_it_aloud(folder: Path) -> None:
    played(folder, "3.0 ? Premier groupe : Ana\n", "--output", "none", "--private", str(folder / "casque.wav"))
    file = folder / "suite.txt"
    file.write_text("5.0 Ana Lis les expressions\n9.0 @ tick\n", encoding="utf-8")
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        cli.main(["resume", str(folder / "j0"), "--input", str(file), "--output", str(folder / "salle.wav"), "--json"])
    assert "L'écouteur manque" in err.getvalue()
    assert nothing_is_shown(out.getvalue(), err.getvalue())
    assert "expressions_prive" in events(out.getvalue())


def test_other_games_have_no_private_cards(folder: Path) -> None:
    file = folder / "t.txt"
    file.write_text("1.0 @ tick\n", encoding="utf-8")
    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        given = ["play", "cachamot", "--players", "Ana,Bruno", "--input", str(file), "--output", "none"]
        assert cli.main([*given, "--private", "casque.wav"]) != 0
    assert "retirez --private" in err.getvalue()


class Heard:
    """An outlet that keeps what it is told."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.data: list[object] = []

    def say(self, t: float, text: str, weight: Weight) -> None:
        self.said.append(text)

    def event(self, t: float, event: Event) -> None:
        self.data.append(dict(event.data))

    def heard(self, t: float, speaker: str | None, text: str) -> None:
        pass

    def refused(self, t: float, refusal: Refusal, *, aloud: bool) -> None:
        pass

    def table(self, summary: Summary) -> None:
        pass

    def close(self, game: str, summary: Summary) -> None:
        pass


def test_the_teller_keeps_a_confidence() -> None:
    public, confidant = Heard(), Heard()
    teller = Teller("casque-cheque-chat", Wording.load(), (public,))
    card = {"premiere": "un", "deuxieme": "deux", "troisieme": "trois"}
    teller.events(1.0, (Event(1.0, "CCC-013", "expressions_prive", card),), 0.0)
    teller.confide(confidant)
    teller.events(1.0, (Event(1.0, "CCC-013", "expressions_prive", card), Event(1.0, "CCC-013", "carte_lue")), 0.0)
    teller.repeat(2.0)
    assert confidant.said == ["A, un.", "B, deux.", "C, trois."]
    assert public.data == [{}, {}, {}]
    assert public.said == ["La carte est lue, tout le monde peut écouter."] * 2
