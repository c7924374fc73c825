"""The 180 worked examples of the rules and further cases, as text tables played through the whole program.

`examples/*.toml` holds them by family of rules (`E…` the worked examples). Keys of `expect`:
`scores` (all players), `tokens` (as sets, for the players named), `turn`, `over`, `winners`, `events` (rule ids that
must occur), `says` and `says_not` (parts of announcements), `refused` (parts of refused utterances).
"""

from __future__ import annotations

import functools
import json
import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from voiceref import cli
from voiceref.phrases import catalogue, matcher
from voiceref.phrases.slots import Context
from voiceref.referee.understanding import sentences

FOLDER = Path(__file__).parent / "examples"
CASES = [case for file in sorted(FOLDER.glob("*.toml")) for case in tomllib.loads(file.read_text("utf-8"))["case"]]
NO_PHRASE = (
    "Tichette de deux quatre",
    "On joue à dix-sept",
    "Pas mou",
    "Sans fin est la moisissure",
    "il fait beau ce soir",
    "Super",
    "Je sirote ! Non, attends, je réfléchis.",
    "Bon, je sirote… et c'est un trois",
)
"""Words that are no phrase at all, in the cases that are about them."""


@pytest.fixture(scope="module", autouse=True)
def phrases_read_once() -> Iterator[None]:
    """The phrase files are read for the first case only."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(catalogue, "load", functools.cache(catalogue.load))
        yield


def folded(text: str) -> str:
    """Letters and digits only, lower case without accents, one space between words."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))
    return " ".join(re.findall(r"[a-z0-9]+", bare.replace("œ", "oe")))


def faults(expect: Mapping[str, Any], lines: list[dict[str, Any]]) -> list[str]:
    """What the printed lines lack."""
    found = []
    state = lines[-1]
    for key in ("scores", "turn", "over"):
        if key in expect and expect[key] != state[key]:
            found.append(f"{key}: wanted {expect[key]}, got {state[key]}")
    if sorted(expect.get("winners", state["winners"])) != sorted(state["winners"]):
        found.append(f"winners: wanted {expect['winners']}, got {state['winners']}")
    for player, tokens in expect.get("tokens", {}).items():
        held = state["tokens"].get(player, [])
        if set(tokens) != set(held):
            found.append(f"tokens of {player}: wanted {tokens}, got {held}")
    seen = {line["rule"] for line in lines if line["type"] == "event"}
    found += [f"no event of {rule}" for rule in expect.get("events", []) if rule not in seen]
    said = [folded(line["text"]) for line in lines if line["type"] == "say"]
    refused = [folded(line["text"]) for line in lines if line["type"] == "refused"]
    found += [f"not said: {part}" for part in expect.get("says", []) if not any(folded(part) in s for s in said)]
    found += [f"said: {part}" for part in expect.get("says_not", []) if any(folded(part) in s for s in said)]
    found += [
        f"not refused: {item['text']}"
        for item in expect.get("refused", [])
        if not any(folded(item["text"]) in text for text in refused)
    ]
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_example(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    table = tmp_path / "table.txt"
    table.write_text(case["table"], encoding="utf-8")
    argv = ["play", "cul-de-chouette", *case["args"], "--input", str(table), "--output", "none", "--json"]
    assert cli.main(argv) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[-1]["type"] == "state"
    assert faults(case["expect"], lines) == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_line_can_be_read(case: dict[str, Any]) -> None:
    names = case["args"][case["args"].index("--players") + 1].split(",")
    book = catalogue.load("cul-de-chouette")
    context = Context(players=(*names, "Nora"))
    for line in case["table"].strip().splitlines():
        _, speaker, text = line.split(" ", 2)
        if speaker == "@" or text.rstrip(" !") in NO_PHRASE:
            continue
        for part in sentences(text, book, context, tuple(book.phrases)):
            assert isinstance(matcher.match(part, book, context), matcher.Match), text


def test_all_examples_are_there() -> None:
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids))
    assert len([name for name in ids if re.fullmatch(r"E\d{3}", name)]) == 180
