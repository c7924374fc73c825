"""Every worked example of Cachamot, Casque Chèque Chat and Chasseur de tête, played as a text table from end to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from play_table import cases, differences, play

GAMES = {"cachamot": "cachamot", "casque_cheque_chat": "casque-cheque-chat", "chasseur_de_tete": "chasseur-de-tete"}
ALL = [
    pytest.param(game, case, id=f"{game}: {case['id']}")
    for folder, game in GAMES.items()
    for case in cases(Path(__file__).parent / folder)
]


@pytest.mark.parametrize(("game", "case"), ALL)
def test_table(game: str, case: dict[str, Any], tmp_path: Path) -> None:
    lines = play(game, case["args"], case["table"], tmp_path)
    assert differences(case["expect"], lines) == []
