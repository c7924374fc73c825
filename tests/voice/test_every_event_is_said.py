"""Every event and refusal of every worked example of the four games fills its row, in words, within six seconds."""

from __future__ import annotations

import contextlib
import functools
import io
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from voiceref import cli
from voiceref.phrases import catalogue
from voiceref.referee import rulebook
from voiceref.voice.wording import LONGEST_S, Wording, WordingError, seconds

GAMES_FOLDER = Path(__file__).parents[1] / "games"
FILES = sorted(GAMES_FOLDER.glob("*/**/*.toml"))


def cases(file: Path) -> list[dict[str, Any]]:
    return list(tomllib.loads(file.read_text("utf-8"))["case"])


def game_of(file: Path) -> str:
    return file.relative_to(GAMES_FOLDER).parts[0].replace("_", "-")


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{game_of(file)}-{file.stem}")
def test_events_of_the_examples(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wording = Wording.load()
    monkeypatch.setattr(Wording, "load", lambda: wording)
    monkeypatch.setattr(catalogue, "load", functools.cache(catalogue.load))
    monkeypatch.setattr(rulebook, "load", functools.cache(rulebook.load))
    troubles: list[str] = []

    def strict(self: Wording, game: str, name: str, data: Mapping[str, object]) -> tuple[str, ...]:
        try:
            said = wording.render(game, name, data)
            shown = wording.notice(game, name, data)
        except WordingError as error:
            troubles.append(str(error))
            return ()
        troubles.extend(f"{name}: too long: {sentence}" for sentence in said if seconds(sentence) > LONGEST_S)
        troubles.extend(f"{name}: digits: {sentence}" for sentence in said if any(map(str.isdigit, sentence)))
        troubles.extend(f"{name}: not filled: {shown}" for _ in range(shown is not None and "{" in shown))
        return said

    monkeypatch.setattr(Wording, "sentences", strict)
    table = tmp_path / "table.txt"
    for case in cases(file):
        table.write_text(case["table"], encoding="utf-8")
        journal = str(tmp_path / f"{case['id']}.journal")
        given = ["play", game_of(file), *case["args"], "--input", str(table), "--output", "none", "--journal", journal]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            cli.main(given)
    assert sorted(set(troubles)) == []
