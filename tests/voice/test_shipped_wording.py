"""The shipped sentences: typography, agreement with every kind of number and name, words only, French to espeak-ng."""

import re
import string
import tomllib
from importlib import resources

import pytest

from voiceref.voice.number_words import cardinal
from voiceref.voice.spoken import spoken
from voiceref.voice.wording import LONGEST_S, NOTICES, Wording, seconds

WORDING = Wording.load()
SPOKEN_ROWS = [
    (table, row, " ".join(templates))
    for table, rows in WORDING.templates.items()
    if table != "ecran" and not table.startswith(NOTICES)
    for row, templates in rows.items()
    if any(templates)
]
ALL_TEMPLATES = [
    (f"{table}.{row}", template)
    for table, rows in WORDING.templates.items()
    for row, templates in rows.items()
    for template in templates
]
NUMBERS = (-1, 0, 1, 2, 21, 71, 80, 91, 99, 343)
THINGS = {"un", "le", "du", "au", "nom"}
LISTS = {"et", "ou", "dés", "cités"}
NUMBER_FIELDS = {"n", "valeur", "total", "cul", "tiche", "maximum", "niveau"}
NUMERIC = {"mots", "mots_f", "gagne", "gagnent", "perd", "ordinal", "ordinale", "durée"}


def fields(template: str) -> dict[str, set[str]]:
    """Field name -> its forms."""
    found: dict[str, set[str]] = {}
    for _, name, form, _ in string.Formatter().parse(template):
        if name is not None:
            found.setdefault(name, set()).add(form or "")
    return found


def numeric(forms: set[str]) -> bool:
    return any(form in NUMERIC or form in WORDING.counted for form in forms)


def data_for(template: str, number: int, name: str) -> dict[str, object]:
    """Data that fill `template`: `number` wherever a number goes, `name` elsewhere."""
    data: dict[str, object] = {}
    for field, forms in fields(template).items():
        if numeric(forms) or (forms == {""} and field in NUMBER_FIELDS):
            data[field] = max(number, 1) if forms & {"ordinal", "ordinale"} else number
        elif forms & THINGS:
            data[field] = "artichette"
        elif "scores" in forms:
            data[field] = {name: number, "Bruno": 0}
        elif forms & LISTS or any("|" in form for form in forms):
            data[field] = (name, "Bruno") if "" not in forms else name
        else:
            data[field] = name
    return data


@pytest.mark.parametrize(("where", "template"), ALL_TEMPLATES, ids=[where for where, _ in ALL_TEMPLATES])
def test_typography(where: str, template: str) -> None:
    """Spaces before high stops and within guillemets, straight apostrophes, no doubled spaces, guillemets in pairs."""
    assert not re.search(r"[^\s][!?;:»]|«\S", re.sub(r"\{[^}]*\}", "x", template).replace("x'", "x"))
    assert not re.search(r"\s\s|\s[.,…]|^\s|\s$|[’“”−]|\.\.", template)
    assert template.count("«") == template.count("»")


@pytest.mark.parametrize(
    ("table", "row", "template"), SPOKEN_ROWS, ids=[f"{table}.{row}" for table, row, _ in SPOKEN_ROWS]
)
class TestSpoken:
    def test_is_a_sentence(self, table: str, row: str, template: str) -> None:
        assert template.endswith((".", "!", "?", "!»", "… »", "! »."))
        assert template[0].isupper() or template[0] in "{«"

    def test_every_number_is_said_in_words_and_right(self, table: str, row: str, template: str) -> None:
        """B57: −1, 1, 21, 71, 80, 91, 99 in every template."""
        wanted = [field for field, forms in fields(template).items() if forms & WORDING.counted.keys()]
        for number in NUMBERS:
            said = " ".join(WORDING.render(table, row, data_for(template, number, "Ana")))
            assert not any(letter.isdigit() for letter in said)
            assert not re.search(r"[{}<>\\+=]| -|- ", said)
            feminine = any(
                WORDING.counted[form] for f in wanted for form in fields(template)[f] & WORDING.counted.keys()
            )
            if wanted:
                assert cardinal(number, feminine=feminine) in said.lower()

    def test_every_sentence_is_short(self, table: str, row: str, template: str) -> None:
        said = WORDING.render(table, row, data_for(template, 343, "Marie-Antoinette"))
        assert all(seconds(sentence) <= LONGEST_S for sentence in said)

    def test_nothing_is_left_for_an_engine_to_read_its_own_way(self, table: str, row: str, template: str) -> None:
        for sentence in WORDING.render(table, row, data_for(template, 71, "Ana")):
            plain = re.sub(r"\s+", " ", re.sub("[«»]", "", sentence))
            assert spoken(sentence) == re.sub(r" ([.,])", r"\1", plain).strip()

    def test_names_with_a_vowel_and_without_are_joined_rightly(self, table: str, row: str, template: str) -> None:
        for name in ("Ana", "Bruno"):
            said = " ".join(WORDING.render(table, row, data_for(template, 2, name)))
            assert not re.search(r"\b(de|que|le|la|je|ne|se|ce) Ana", said, re.IGNORECASE)
            assert "d'Bruno" not in said


def test_game_tables_repeat_no_row_of_the_table_word_for_word() -> None:
    table = WORDING.templates["table"]
    twice = [
        f"{game}.{row}"
        for game, rows in WORDING.templates.items()
        if game not in ("table", "ecran")
        for row, sentences in rows.items()
        if table.get(row) == sentences
    ]
    assert twice == []


def test_the_region_changes_only_numbers() -> None:
    for region, words in (("fr", "quatre-vingt-onze"), ("be", "nonante et un"), ("ch", "nonante et un")):
        said = Wording.load(region=region).render("table", "manque", {"n": 91, "joueur": "Ana"})  # type: ignore[arg-type]
        assert said == (f"Il manque {words} points à Ana.",)


def test_the_file_has_no_row_twice_and_is_utf8() -> None:
    text = (resources.files("voiceref.voice") / "wording.toml").read_bytes().decode("utf-8")
    tomllib.loads(text)


@pytest.mark.parametrize("table", sorted(WORDING.templates.keys() - {"ecran"}))
def test_espeak_finds_nothing_foreign(table: str) -> None:
    """B59, B60: a word that espeak-ng takes for English (or spells out) would be said wrongly by that voice too."""
    library = _espeak()
    for row, templates in WORDING.templates[table].items():
        for sentence in WORDING.render(table, row, data_for(" ".join(templates), 2, "Anne")):
            assert "(en)" not in _phonemes(library, spoken(sentence)), sentence


def _espeak():  # type: ignore[no-untyped-def]
    import ctypes

    loader = pytest.importorskip("espeakng_loader")
    library = ctypes.CDLL(loader.get_library_path())
    if library.espeak_Initialize(2, 0, loader.get_data_path().encode(), 0) < 0:
        pytest.skip("espeak-ng does not start")
    library.espeak_SetVoiceByName(b"fr")
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_int, ctypes.c_int]
    return library


def _phonemes(library, sentence: str) -> str:  # type: ignore[no-untyped-def]
    import ctypes

    left = ctypes.c_char_p(sentence.encode())
    clauses = []
    while left.value:
        clauses.append(library.espeak_TextToPhonemes(ctypes.byref(left), 1, 2).decode())
    return " ".join(clauses)
