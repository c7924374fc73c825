"""The second opinion of an official model, through a model of ours that plays the stranger."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from voiceref import resources
from voiceref.ear.official_recogniser import OfficialModel, Standins, standins
from voiceref.ear.opening import EarModels
from voiceref.ear.posteriors import ModelError
from voiceref.ear.vosk_graph import self_loop, write_graph
from voiceref.ear.word_graph import PhraseList

MODELS = EarModels(resources.models())


@pytest.fixture(scope="module")
def stranger(tmp_path_factory: pytest.TempPathFactory) -> OfficialModel:
    """A Vosk model that knows five words."""
    folder = tmp_path_factory.mktemp("stranger")
    for part in ("am", "conf"):
        shutil.copytree(MODELS.french / part, folder / part)
    words = PhraseList.of([("A", "pas mou le caillou"), ("B", "chouette")])
    write_graph(folder, words, MODELS.lexicon(), self_loop(MODELS.french))
    return OfficialModel(folder)


def test_missing_words_get_near_ones(stranger: OfficialModel) -> None:
    found = stranger.recogniser(PhraseList.of([("A", "mou les cailloux"), ("B", "chouettes")]), MODELS.lexicon())
    assert found.standins.by_word["mou"] == "mou"
    assert found.standins.missing["cailloux"] == "caillou"
    assert found.standins.missing["chouettes"] == "chouette"


def test_words_come_back_as_ours() -> None:
    chosen = Standins({"cailloux": "caillou", "mou": "mou"})
    assert chosen.back(["mou", "caillou"]) == "mou cailloux"


def test_nothing_is_missing_from_a_model_that_has_all() -> None:
    assert not standins(["un", "deux"], lambda word: True, MODELS.lexicon()).missing


def test_silence_is_no_phrase(stranger: OfficialModel) -> None:
    recogniser = stranger.recogniser(PhraseList.of([("A", "pas mou le caillou")]), MODELS.lexicon())
    assert recogniser.hear(np.zeros(16_000, np.float32)).text == ""
    assert recogniser.hear(np.zeros(16_000, np.float32)).text == ""


def test_a_folder_that_is_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="dossier"):
        OfficialModel(tmp_path)
