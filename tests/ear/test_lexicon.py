"""Pronunciations: listed, overridden, elided, guessed; and the audit of the vocabulary."""

from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.ear.speech import lexicon
from voiceref.ear.espeak import Espeak, FixedSpeller
from voiceref.ear.lexicon import Lexicon, LexiconError
from voiceref.ear.phones import from_ipa, spell
from voiceref.ear.vocabulary import audit_phrases, audit_words


def test_words_are_found_in_any_case_and_normal_form() -> None:
    words = lexicon()
    for spelling in ("Ça", "ça", unicodedata.normalize("NFD", "ÇA")):
        assert [spell(form) for form in words.pronunciations(spelling)] == ["s a"]
        assert words.knows(spelling)


def test_elisions_are_pronounced_with_the_next_word() -> None:
    words = lexicon()
    assert [spell(form) for form in words.pronunciations("d'oui")] == ["d w i"]
    assert [spell(form) for form in words.pronunciations("qu’oui")] == ["k w i"]
    assert [spell(form) for form in words.pronunciations("j'")] == ["ʒ", "ʃ"]


def test_unknown_words_are_guessed_with_variants() -> None:
    words = lexicon()
    assert not words.knows("zorg")
    assert [spell(form) for form in words.pronunciations("zorg")] == ["z ɔ ʁ ɡ", "z ɔ ʁ ɡ ə"]
    assert words.pronunciations("%%") == ()
    quatr = Lexicon({}, FixedSpeller({"x": "s ə k a t ʁ"}))
    assert [spell(form) for form in quatr.pronunciations("x")] == [
        "s ə k a t ʁ",
        "s ə k a t ʁ ə",
        "s ə k a t",
        "s k a t ʁ",
    ]


def test_spoken_forms_override() -> None:
    words = lexicon()
    words.override("Kev", "chouette")
    words.override("JB", "/ʒ i b e/")
    assert [spell(form) for form in words.pronunciations("kev")] == ["ʃ w ɛ t"]
    assert [spell(form) for form in words.pronunciations("jb")] == ["ʒ i b e"]
    with pytest.raises(LexiconError, match="aucun son"):
        words.override("Kev", "%")


@pytest.mark.parametrize("content", [None, "mot sans tabulation\n", "mot\tp a Q\tusual\n", b"\xff\xfe"])
def test_a_broken_lexicon_is_one_french_sentence(tmp_path: Path, content: str | bytes | None) -> None:
    path = tmp_path / "lexicon.tsv"
    if isinstance(content, str):
        path.write_text(content, encoding="utf-8")
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(LexiconError, match="réinstallez"):
        Lexicon.load(path)


def test_espeak_speaks_french() -> None:
    assert spell(Espeak().pronounce("grelotte")) == "ɡ ʁ ə l ɔ t"
    assert spell(Espeak().pronounce("maëlle-rose")).startswith("m a ɛ l")
    assert Espeak().pronounce("!") == ()


def test_many_ears_share_one_espeak() -> None:
    words = ["maëlle", "pryzbylski", "grelottine", "zbradaraldjan"]
    first = [Espeak().pronounce(word) for word in words]
    with ThreadPoolExecutor(4) as pool:
        again = list(pool.map(lambda word: Espeak().pronounce(word), words * 50))
    assert again == first * 50


def test_ipa_is_mapped_onto_the_phones() -> None:
    assert spell(from_ipa("bɔ̃ʒˈuʁ")) == "b ɔ̃ ʒ u ʁ"
    assert spell(from_ipa("œ̃ (en)gɹiːn(fr)")) == "ɛ̃ ɡ ʁ i n"


def test_audit_names_mute_and_guessed_words() -> None:
    mute, guessed = audit_words(["chouette", "zorg", "brrr"], lexicon())
    assert mute.grave
    assert "brrr" in mute.message
    assert not guessed.grave
    assert "z ɔ ʁ ɡ" in guessed.message


def test_audit_names_phrases_that_sound_alike_only_when_legal_together() -> None:
    phrases = {"V": "velute", "VV": "velutée", "C": "chouette", "M": "brrr"}
    (close,) = audit_phrases(phrases, lexicon(), [("V", "VV", "C", "M"), ("V", "VV")])
    assert "« velute » et « velutée »" in close.message
    assert audit_phrases(phrases, lexicon(), [("V", "C"), ("VV", "C")]) == ()
