"""From wishes to a checked table."""

from __future__ import annotations

from pathlib import Path

import pytest

from voiceref.table import TableError, Wishes, checked, find, load, names, wishes

SCHEMA = {"bevue.points": ("5", "10"), "race.timeout_s": range(2, 61)}


def test_a_whole_table() -> None:
    asked = wishes(
        players="Ana,Bruno,Chloé,David",
        level=2,
        settings=["bevue.points=10", "race.timeout_s=12", "teams=Ana+Chloé,bruno+David"],
        scores="ana=-4,Bruno=12",
        tokens="Ana:grelottine,Ana:civet,Bruno:flan",
        turn="DAVID",
    )
    table = checked(asked, SCHEMA)
    assert table.players == ("Ana", "Bruno", "Chloé", "David")
    assert table.settings == {"bevue.points": "10", "race.timeout_s": "12"}
    assert table.teams == (("Ana", "Chloé"), ("Bruno", "David"))
    assert table.scores == {"Ana": -4, "Bruno": 12}
    assert table.tokens == {"Ana": ("grelottine", "civet"), "Bruno": ("flan",)}
    assert table.turn == "David"


@pytest.mark.parametrize("value", ["1", "61", "x", "", "1.5"])
def test_a_number_out_of_range(value: str) -> None:
    with pytest.raises(TableError, match="race.timeout_s"):
        checked(Wishes(("Ana", "Bruno"), settings={"race.timeout_s": value}), SCHEMA)


@pytest.mark.parametrize("name", ["", "?", "@", "7", "A=B", "A:B", "Ana+Bob", "#"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(TableError):
        checked(Wishes(("Ana", name)), SCHEMA)


def test_one_name_in_two_forms_is_one_player() -> None:
    with pytest.raises(TableError, match="même nom"):
        checked(Wishes(("Zoë", "zoe\u0308")), SCHEMA)
    assert find(["Zoë"], "ZOE\u0308") == "Zoë"
    assert names("Zoe\u0308, Ana") == ("Zoë", "Ana")


@pytest.mark.parametrize("teams", ["Ana", "Ana+Bruno", "Ana,Ana", "Ana+Bruno,", "Ana,Bruno+Ana"])
def test_teams_must_share_out_everybody(teams: str) -> None:
    with pytest.raises(TableError, match="teams"):
        checked(Wishes(("Ana", "Bruno"), settings={"teams": teams}), SCHEMA)


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"players = [", "TOML"),
        (b"joueurs = []", "joueurs"),
        (b'players = "Ana"', "forme"),
        (b"players = [1, 2]", "forme"),
        (b"settings = 3", "forme"),
        ("players = ['Zoë']".encode("cp1252"), "UTF-8"),
    ],
)
def test_a_settings_file_that_cannot_be_used(tmp_path: Path, content: bytes, word: str) -> None:
    path = tmp_path / "soir.toml"
    path.write_bytes(content)
    with pytest.raises(TableError, match=word) as raised:
        load(path)
    assert "soir.toml" in str(raised.value)


@pytest.mark.parametrize(
    "line",
    [
        "level = 2.5",
        "level = true",
        "turn = 3",
        "scores.Ana = 1.5",
        "scores.Ana = true",
        'tokens.Ana = "grelottine"',
        "players = [1, 2]",
    ],
)
def test_a_value_of_another_kind_is_refused_not_rounded(tmp_path: Path, line: str) -> None:
    path = tmp_path / "soir.toml"
    path.write_text(line + "\n")
    with pytest.raises(TableError, match="bonne forme"):
        load(path)


def test_a_score_nobody_can_have_is_refused() -> None:
    with pytest.raises(TableError, match="de -9999 à 9999"):
        checked(Wishes(players=("Ana", "Bruno"), scores={"Ana": "99999999999999999999999"}), {})
