"""Why words did not count is told in French words on the screen, never as a code of the program."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from voiceref import games
from voiceref.voice.wording import Wording

FOLDER = Path(games.__file__).parent
CODES = re.compile(r'refuse\w*\((?:[^()]|\([^()]*\))*?"([a-z_]+)"|return "([a-z_]+)", "[A-Z]+-\d+')
PLAIN = frozenset({"trop_tard", "pas_maintenant"})
"""Codes whose words are French as they stand."""


@pytest.mark.parametrize("game", ["cul-de-chouette", "cachamot", "casque-cheque-chat", "chasseur-de-tete"])
def test_every_reason_has_french_words(game: str) -> None:
    wording = Wording.load()
    files = sorted((FOLDER / game.replace("-", "_")).rglob("*.py"))
    codes = {first or second for file in files for first, second in CODES.findall(file.read_text("utf-8"))} - PLAIN
    assert len(codes) > 3
    assert [code for code in sorted(codes) if wording.label(game, code) == code.replace("_", " ")] == []
