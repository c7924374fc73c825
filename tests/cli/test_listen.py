"""`voiceref listen`: what was heard, the phrase it would be, and why it is none."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from voiceref.audio.source import Trouble
from voiceref.board.stream import GuardedStream
from voiceref.cli import main
from voiceref.ear.hypothesis import Clock, Hypothesis, Utterance
from voiceref.referee import listening
from voiceref.referee.hearings import Ear

PLAYERS = ("Ana", "Bruno")


class ListEar:
    """Gives out a list of events."""

    def __init__(self, events: list[Hypothesis | Clock | Trouble]) -> None:
        self._events = events
        self.told = 0

    def expect(self, graph: object, legal: object = None, meaning: object = None) -> None:
        self.told += 1

    def events(self) -> object:
        yield from self._events

    def mute(self, start: float, end: float) -> None:
        pass


def said(text: str, *, accepted: bool = True, channel: int | None = None) -> Hypothesis:
    reason = "entendu" if accepted else "douteux"
    return Hypothesis(Utterance(1.0, 2.0, -20.0), 1.25, text, 0.9, accepted, reason, channel=channel)


def listened(monkeypatch: pytest.MonkeyPatch, events: list[Hypothesis | Clock | Trouble], *, as_json: bool) -> str:
    ear = ListEar(events)
    monkeypatch.setattr(listening, "open_ear", lambda *given, **more: Ear(ear, float, float, by_sound=True))  # type: ignore[arg-type]
    out, err = io.StringIO(), io.StringIO()
    wanted = listening.Wanted("mic", None, None, PLAYERS, as_json)
    assert listening.listen(wanted, GuardedStream(out), GuardedStream(err)) == 0
    assert ear.told == 1
    return out.getvalue() + err.getvalue()


def test_a_phrase_with_its_slots_and_the_player_of_its_microphone(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = listened(monkeypatch, [said("cul six", channel=1), Clock(3.0)], as_json=True)
    line = json.loads(printed)
    assert (line["phrase"], line["slots"], line["speaker"]) == ("CDC-Q002", {"de": 6}, "Bruno")
    assert (line["start"], line["end"]) == (1.25, 2.0)


@pytest.mark.parametrize(
    ("heard", "reason"), [(said("cul six", accepted=False), "douteux"), (said("passe le sel"), "inconnu")]
)
def test_what_is_no_phrase_says_why(monkeypatch: pytest.MonkeyPatch, heard: Hypothesis, reason: str) -> None:
    line = json.loads(listened(monkeypatch, [heard], as_json=True))
    assert line["phrase"] is None
    assert line["reason"]
    if not heard.accepted:
        assert line["reason"] == reason


def test_as_text_and_troubles_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    events = [said("cul six"), said("", accepted=False), Trouble(3.0, "micro_muet", "Le micro ne répond plus.")]
    printed = listened(monkeypatch, events, as_json=False)
    assert "« cul six »  CDC-Q002" in printed
    assert "(rien de compris)" in printed
    assert "Le micro ne répond plus." in printed


def test_from_a_text_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.txt"
    path.write_text("1.0 ? Cul : six\n", encoding="utf-8")
    assert main(["listen", "--input", str(path), "--game", "cul-de-chouette"]) == 0
    assert "CDC-Q002" in capsys.readouterr().out
