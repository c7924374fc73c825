"""Numbers of a region, a slower pace that is kept, and a table that plays without points."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from voiceref.cli import main
from voiceref.referee.comfort import Comfort, keep_style, kept_style, style_file
from voiceref.referee.speech import _CUES, Speech
from voiceref.voice.announcer import DirectAnnouncer
from voiceref.voice.earcons import Cue
from voiceref.voice.style import Style
from voiceref.voice.wording import Wording

GAME = (
    "1 Ana Chouettes : quatre et deux\n2 Ana Cul : six\n20 ? scores\n22 ? combien il manque\n24 ? annule\n30 @ tick\n"
)


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def said(tmp_path: Path, capsys: pytest.CaptureFixture[str], *settings: str, text: str = GAME) -> list[str]:
    path = tmp_path / "table.txt"
    path.write_text(text, encoding="utf-8")
    options = [part for setting in settings for part in ("--set", setting)]
    ends = ["--input", str(path), "--output", "none", "--json"]
    assert main(["play", "cul-de-chouette", "--players", "Ana,Bruno", "--level", "1", *ends, *options]) == 0
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    return [line["text"] for line in lines if line["type"] == "say"]


@pytest.mark.parametrize(
    ("region", "words"), [("fr", "soixante-douze"), ("be", "septante-deux"), ("ch", "septante-deux")]
)
def test_numbers_of_the_region(tmp_path: Path, capsys: pytest.CaptureFixture[str], region: str, words: str) -> None:
    assert f"Velute de six : Ana gagne {words} points." in said(tmp_path, capsys, f"voice.region={region}")


def test_every_region_is_heard_whatever_is_spoken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(
        f"{t} ? ajoute {number} points à Ana\n"
        for t, number in enumerate(("septante-deux", "huitante", "nonante et un", "octante", "soixante-dix"), 1)
    )
    told = said(tmp_path, capsys, text=text + "9 ? scores\n20 @ tick\n")
    assert any("trois cent quatre-vingt-treize points" in line for line in told)


def test_without_points_nobody_hears_a_score_or_a_gain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = said(tmp_path, capsys, "points=false")
    assert "Velute de six : Ana gagne." in told
    assert "On joue sans compter les points." in told
    assert not any("point " in line or "soixante" in line or "trois cent" in line for line in told)


def test_without_points_no_gain_is_told_in_any_row() -> None:
    wording = Comfort(points=False).wording()
    stakes = {"mise_grelottine", "civet", "civet_double", "filoche", "filoche_double", "confirme_correction"}
    for row, sentences in wording.templates["cul_de_chouette"].items():
        told = [text for text in sentences if "{points:points}" in text]
        assert not told or row in stakes, row


def test_the_screen_and_the_page_of_a_table_without_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.txt"
    path.write_text(GAME, encoding="utf-8")
    page = tmp_path / "tableau.html"
    ends = ["--input", str(path), "--output", "none", "--board", str(page), "--set", "points=false"]
    assert main(["play", "cul-de-chouette", "--players", "Ana,Bruno", *ends]) == 0
    for shown in (capsys.readouterr().out, page.read_text(encoding="utf-8")):
        assert "Ana" in shown
        assert "72" not in shown
        assert "encore" not in shown


def test_a_wrong_region_is_refused_with_what_there_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.txt"
    path.write_text(GAME, encoding="utf-8")
    assert main(["play", "cachamot", "--players", "Ana,Bruno", "--input", str(path), "--set", "voice.region=qc"]) == 1
    assert "choisissez : fr, be, ch" in capsys.readouterr().err


class FakeAnnouncer:
    """Only a style, and the cues it was given."""

    def __init__(self) -> None:
        self.style = Style()
        self.cues: list[Cue] = []

    def cue(self, at: float, cue: Cue) -> None:
        self.cues.append(cue)


def test_more_slowly_holds_until_the_next_evening() -> None:
    announcer = FakeAnnouncer()
    Speech(announcer, keep_style).adjust("slower")  # type: ignore[arg-type]
    assert announcer.style.manner.rate < 1.0
    assert kept_style() == announcer.style
    assert Comfort.of({}).style(kept_style()) == announcer.style
    assert Comfort.of({"voice.pace": "vive"}).style(kept_style()).manner.rate > 1.0


def test_the_loudest_is_the_loudest() -> None:
    announcer = FakeAnnouncer()
    speech = Speech(announcer, keep_style)  # type: ignore[arg-type]
    changed = [speech.adjust("louder") for _ in range(10)]
    assert changed[0]
    assert not changed[-1]
    assert changed == sorted(changed, reverse=True)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"rate": "x"}', '{"rate": 1}'])
def test_a_broken_file_is_as_if_it_were_not_there(text: str) -> None:
    style_file().parent.mkdir(parents=True)
    style_file().write_text(text, encoding="utf-8")
    assert kept_style() == Style()


def test_every_cue_belongs_to_something_that_happens() -> None:
    wording = Wording.load()
    events = {row for table in wording.templates.values() for row in table}
    assert set(_CUES) <= events
    assert {*_CUES.values(), Cue.REFUSED} == set(Cue)


def test_the_hourglass_of_cachamot_sounds_when_it_starts_and_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[float, Cue]] = []
    monkeypatch.setattr(DirectAnnouncer, "cue", lambda self, at, cue: heard.append((at, cue)))
    path = tmp_path / "t.txt"
    prepared = "1 ? Cachamot : Ana\n3 @ secret pomme\n6 Ana Bulle : B, A. Coquille : P\n"
    text = f"{prepared}10 Ana sablier\n20 Ana C'est parti\n90 @ tick\n"
    path.write_text(text, encoding="utf-8")
    ends = ["--input", str(path), "--output", str(tmp_path / "a.wav"), "--json", "--voice", "silence"]
    assert main(["play", "cachamot", "--players", "Ana,Bruno,Chloé", *ends]) == 0
    assert Cue.HOURGLASS_START in [cue for _, cue in heard], capsys.readouterr().out
    assert Cue.HOURGLASS_END in [cue for _, cue in heard]


def test_tokens_phase_and_phrases_of_the_screen_are_said_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.txt"
    path.write_text("1 ? quels jetons\n3 ? qu'est-ce qu'on attend\n5 ? aide\n9 @ tick\n", encoding="utf-8")
    ends = ["--input", str(path), "--output", "none", "--json", "--tokens", "Ana:grelottine,Ana:jarret"]
    assert main(["play", "cul-de-chouette", "--players", "Ana,Bruno", *ends]) == 0
    told = [line["text"] for line in map(json.loads, capsys.readouterr().out.splitlines()) if line["type"] == "say"]
    assert "Ana a une Grelottine et un Jarret." in told
    assert any(line.startswith("Pour l'instant, ") for line in told)
    assert sum(line.count("«") for line in told) == 6
