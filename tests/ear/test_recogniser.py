"""Vosk loads what we write and says only whole phrases; every trap is kept shut (B03, B11, B17)."""

from __future__ import annotations

import struct
import threading
from pathlib import Path

import numpy as np
import pytest

from tests.ear.speech import lexicon
from tests.ear.toy_model import SELF_LOOP, write_toy_model
from voiceref.ear.fst import Fst
from voiceref.ear.posteriors import ModelError
from voiceref.ear.recogniser import Opinion, ScriptedRecogniser, VoskRecogniser
from voiceref.ear.vosk_graph import UNKNOWN, GraphCosts, self_loop, write_graph
from voiceref.ear.word_graph import PhraseList

PHRASES = PhraseList.of([("A", "pas mou le caillou"), ("B", "grelotte ça picote"), ("C", "ça chouette")])
TEXTS = {"pas mou le caillou", "grelotte ça picote", "ça chouette", ""}


def _noise(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(0, 0.1, 24_000).astype(np.float32)


def test_vosk_hears_whole_phrases_only_and_always_the_same(tmp_path: Path) -> None:
    model = write_toy_model(tmp_path / "modèle été")
    ear = VoskRecogniser(model, PHRASES, lexicon(), GraphCosts(unknown=50.0))
    first = [ear.hear(_noise(seed)) for seed in range(6)]
    assert {opinion.text for opinion in first} <= TEXTS
    assert any(opinion.text for opinion in first)
    assert all(0.0 <= opinion.confidence <= 1.0 for opinion in first)
    assert [ear.hear(_noise(seed)) for seed in range(6)] == first


def test_unknown_talk_can_win(tmp_path: Path) -> None:
    ear = VoskRecogniser(write_toy_model(tmp_path), PHRASES, lexicon(), GraphCosts(unknown=-200.0))
    assert [ear.hear(_noise(seed)).text for seed in range(3)] == ["", "", ""]


def test_nothing_but_zeros_is_no_trouble(tmp_path: Path) -> None:
    ear = VoskRecogniser(write_toy_model(tmp_path), PHRASES, lexicon())
    assert ear.hear(np.zeros(0, np.float32)).text in TEXTS


def test_one_thread_owns_the_recogniser(tmp_path: Path) -> None:
    ear = VoskRecogniser(write_toy_model(tmp_path), PHRASES, lexicon())
    caught: list[Exception] = []

    def use() -> None:
        try:
            ear.hear(_noise(0))
        except RuntimeError as error:
            caught.append(error)

    thread = threading.Thread(target=use)
    thread.start()
    thread.join()
    assert len(caught) == 1


@pytest.mark.parametrize("broken", ["am/final.mdl", "conf/mfcc.conf", "conf/model.conf", "hmm.toml"])
def test_a_missing_or_damaged_model_is_one_french_sentence(tmp_path: Path, broken: str) -> None:
    model = write_toy_model(tmp_path)
    (model / broken).write_bytes(b"")
    with pytest.raises(ModelError, match="réinstallez"):
        VoskRecogniser(model, PHRASES, lexicon())
    (model / broken).unlink()
    with pytest.raises(ModelError, match="incomplet"):
        VoskRecogniser(model, PHRASES, lexicon())


def test_an_empty_graph_is_refused_before_vosk_sees_it(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="Aucune phrase"):
        VoskRecogniser(write_toy_model(tmp_path), PhraseList.of([]), lexicon())


def test_the_graph_holds_real_utf8_in_nfc_and_every_word(tmp_path: Path) -> None:
    write_graph(tmp_path, PHRASES, lexicon(), SELF_LOOP)
    grammar = (tmp_path / "graph" / "Gr.fst").read_bytes()
    for word in ("ça", "caillou", "picote", UNKNOWN):
        assert struct.pack("<i", len(word.encode())) + word.encode() in grammar
    assert b"\\u" not in grammar
    boundary = (tmp_path / "graph" / "phones" / "word_boundary.int").read_text().splitlines()
    assert len(boundary) == 141
    assert boundary[:3] == ["1 nonword", "2 begin", "3 end"]


def test_self_loop_is_read_from_the_model(tmp_path: Path) -> None:
    assert self_loop(write_toy_model(tmp_path)) == SELF_LOOP


def test_arcs_are_sorted_by_what_they_write() -> None:
    fst = Fst()
    fst.arc(0, fst.state(), 1, 9)
    fst.arc(0, 1, 1, 2, 0.5)
    data = fst.encode()
    assert data.index(struct.pack("<iifi", 1, 2, 0.5, 1)) < data.index(struct.pack("<iifi", 1, 9, 0.0, 1))


def test_the_fake_recogniser_notices_misuse() -> None:
    ear = ScriptedRecogniser([Opinion("oui", 1.0)])
    assert ear.hear(_noise(0)).text == "oui"
    assert ear.hear(_noise(0)).text == ""
    ear.close()
    with pytest.raises(RuntimeError):
        ear.hear(_noise(0))
