"""B62: what the referee says is never an order, should the ear hear it in spite of being closed."""

from __future__ import annotations

import re

import pytest

from tests.referee.own_sentences import sentences
from voiceref.phrases import catalogue
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context

ANSWERS = {"name", "yes", "no", "nobody"}
"""Orders that mean something only after a question."""


@pytest.mark.parametrize("game", catalogue.GAMES)
def test_no_sentence_and_no_part_of_one_is_an_order(game: str) -> None:
    phrases, context = catalogue.load(game), Context(("Ana", "Bruno", "Chloé"))
    obeyed = []
    for row, sentence in sentences(game):
        for part in (sentence, *re.split(r"(?<=[.!?;:])\s+", sentence)):
            found = match(part, phrases, context)
            if isinstance(found, Match) and found.command not in (None, *ANSWERS):
                obeyed.append((row, part, found.command))
    assert not obeyed
