"""Phrase files: what is accepted, and one French sentence with file, line and remedy for what is not (B01, B72)."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from voiceref.phrases.catalogue import PhraseFileError, load
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context

GOOD = '[[phrase]]\nid = "A"\ntext = "Vive la reine !"\n'


def write(folder: Path, content: str | bytes, name: str = "maison.toml") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return path


def test_a_house_file(tmp_path: Path) -> None:
    content = """
[types.bete]
chien = ["chien", "toutou"]

[[phrase]]
id = "A"
text = "Vive la reine !"
variants = ["vive le roi"]
says = { reine = "rène" }

[[phrase]]
id = "B"
text = "Le chien de Bob"
pattern = ["le <bete> de <joueur>"]
who = "all"
kind = "bet"
rule = "CDC-001"
window = "any"
"""
    catalogue = load(write(tmp_path, content))
    assert list(catalogue.phrases) == ["A", "B"]
    assert catalogue.phrases["A"].says == {"reine": "rène"}
    found = match("Le toutou de Bob", catalogue, Context(("Bob",)))
    assert isinstance(found, Match)
    assert (found.phrase_id, found.slots) == ("B", {"bete": "chien", "joueur": "Bob"})


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        unicodedata.normalize("NFD", GOOD.replace("reine", "reine aînée")).encode(),
    ],
    ids=["BOM", "CRLF", "NFD"],
)
def test_files_from_other_systems(tmp_path: Path, content: bytes) -> None:
    catalogue = load(write(tmp_path, content))
    text = catalogue.phrases["A"].text
    assert text == unicodedata.normalize("NFC", text)
    assert isinstance(match(text, catalogue, Context()), Match)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", None, "aucune phrase"),
        ('[[phrase]]\nid = "A"\n', 1, "il manque « text »"),
        ('[[phrase]]\ntext = "A"\n', 1, "il manque « id »"),
        (GOOD + '\n[[phrase]]\nid = "A"\ntext = "Autre"\n', 6, "« A » est déjà pris"),
        ('[[phrase]]\nid = "A"\ntxt = "A"\n', 3, "clé inconnue « txt »"),
        ('[[phrase]]\nid = "A"\ntext = ""\n', 3, "« text » doit être un texte"),
        ('[[phrase]]\nid = "A"\ntext = 12\n', 3, "« text » doit être un texte"),
        ('[[phrase]]\nid = "A"\ntext = "!!!"\n', 3, "aucun mot obligatoire"),
        (GOOD + 'variants = "x"\n', 4, "« variants » doit être une liste"),
        (GOOD + "variants = []\n", 4, "« variants » doit être une liste"),
        (GOOD + 'variants = ["a", "b <dragon>"]\n', 4, "type de case inconnu « dragon »"),
        (GOOD + 'variants = [\n  "a",\n  "b [c",\n]\n', 6, "« [ » sans « ] »"),
        (GOOD + 'kind = "cri"\n', 4, "genre inconnu « cri »"),
        (GOOD + 'says = "rène"\n', 4, "« says » doit donner"),
        (GOOD + "says = { reine = 3 }\n", 4, "« says » doit donner"),
        (GOOD + 'inside = "oui"\n', 4, "« inside » doit être true ou false"),
        (GOOD + "\n[phrases]\na = 1\n", 5, "clé inconnue « phrases »"),
        ('[phrase]\nid = "A"\n', 1, "doit s'écrire [[phrase]]"),
        ("types = 3\n" + GOOD, 1, "doit s'écrire [types.NOM]"),
        (GOOD + "\n[types.bete]\n", 5, "doit donner des listes"),
        (GOOD + '\n[types.bete]\nchien = "chien"\n', 6, "liste de façons de dire"),
        (GOOD + '\n[types.bete]\nchien = ["?"]\n', 6, "liste de façons de dire"),
        (GOOD + "\n[[phrase]\n", 5, "TOML mal formé"),
        ('[[phrase]]\nid = "A\ntext = "B"\n', 2, "TOML mal formé"),
        ('[[phrase]]\nid = "A"\nid = "B"\n', 3, "TOML mal formé"),
    ],
)
def test_mistakes_name_file_and_line(tmp_path: Path, content: str, line: int | None, words: str) -> None:
    path = write(tmp_path, content)
    with pytest.raises(PhraseFileError) as caught:
        load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}, ligne {line}" if line else f"{path} :"), message
    assert words in message
    assert message.endswith(".")
    assert "\n" not in message


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_wrong_encodings_are_named(tmp_path: Path, encoding: str) -> None:
    path = write(tmp_path, GOOD.replace("reine", "fée").encode(encoding))
    with pytest.raises(PhraseFileError, match=r"UTF-8") as caught:
        load(path)
    assert "ligne" in str(caught.value)


def test_cp1252_error_gives_the_line_of_the_accent(tmp_path: Path) -> None:
    path = write(tmp_path, GOOD.encode() + b'variants = [\n"a",\n"f\xe9e",\n]\n')
    with pytest.raises(PhraseFileError, match="ligne 6"):
        load(path)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.toml", tmp_path):
        with pytest.raises(PhraseFileError, match="introuvable ou illisible"):
            load(path)


def test_unknown_game() -> None:
    with pytest.raises(PhraseFileError, match="Jeu inconnu « belote » ; jeux possibles : cul-de-chouette"):
        load("belote")


def test_the_same_id_in_two_files(tmp_path: Path) -> None:
    paths = [write(tmp_path, GOOD, "a.toml"), write(tmp_path, GOOD, "b.toml")]
    with pytest.raises(PhraseFileError, match="« A » est déjà dans un autre fichier"):
        load(paths)


def test_several_files_make_one_catalogue(tmp_path: Path) -> None:
    paths = [write(tmp_path, GOOD, "a.toml"), write(tmp_path, GOOD.replace('"A"', '"B"'), "b.toml")]
    assert list(load(paths).phrases) == ["A", "B"]


def test_a_game_takes_over_the_commands_it_names() -> None:
    catalogue = load("cul-de-chouette")
    assert [phrase.id for phrase in catalogue.phrases.values() if phrase.command == "scores"] == ["CDC-Q022"]
    found = match("qui mène", catalogue, Context())
    assert isinstance(found, Match)
    assert (found.phrase_id, found.command) == ("CDC-Q022", "scores")
