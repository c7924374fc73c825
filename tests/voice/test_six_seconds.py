"""No sentence lasts over six seconds, measured on the sound of the voice that ships, long tables and names included."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import pytest

from voiceref.voice.spoken import spoken
from voiceref.voice.synthesis import PicoVoice, VoiceError
from voiceref.voice.wording import LONGEST_S, Wording, split

PLAYERS = ["Anne-Sophie", "Jean-Baptiste", "Marie-Françoise", "Maximilien", "Emmanuelle", "Christophe", "Bernadette"]
FORMS: Mapping[str, object] = {
    "et": PLAYERS,
    "ou": PLAYERS[:4],
    "cités": ["Grelotte ça picote !", "Sans fin est la moisissure des bières bretonnes !", "Pas mou le caillou !"],
    "scores": dict.fromkeys(PLAYERS, -298),
    "cartes": 97,
    "dés": [4, 2, 1],
    "ordinal": 3,
    "ordinale": 3,
    "durée": 754,
    "de": PLAYERS[1],
    "à": PLAYERS[1],
    "que": PLAYERS[1],
    "un": "chouette_velute",
    "le": "chouette_velute",
    "nom": "chouette_velute",
    "du": "chouette_velute",
    "au": "chouette_velute",
    "": "Marie-Françoise",
}
UNSAID = ("affiche_", "ecran", "sans_points")


def _data(template: str, form_of_scores: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, form in re.findall(r"\{(\w+)(?::([^}]*))?\}", template):
        whole = name == "scores" and form in ("cartes", "manches", "points")
        found[name] = FORMS[form_of_scores] if whole else FORMS.get(form, -297)
    return found


def _sentences() -> Iterator[tuple[str, str]]:
    wording = Wording.load()
    for table, rows in wording.templates.items():
        if table.startswith(UNSAID):
            continue
        for row, templates in rows.items():
            data = {key: value for template in templates for key, value in _data(template, "scores").items()}
            for said in wording.render(table, row, data):
                yield f"{table}.{row}", said


@pytest.fixture(scope="module")
def pico() -> PicoVoice:
    try:
        return PicoVoice()
    except VoiceError as error:
        pytest.skip(str(error))


def test_every_sentence_of_the_wording(pico: PicoVoice) -> None:
    measured = {}
    for row, said in _sentences():
        measured[f"{row} {said}"] = pico.speak(spoken(said)).seconds
    assert len(measured) > 300
    assert not {said: seconds for said, seconds in measured.items() if seconds > LONGEST_S}


def test_what_would_last_longer_is_split(pico: PicoVoice) -> None:
    long = "Voici les scores : " + " ; ".join(
        f"{name}, moins deux cent quatre-vingt-dix-sept points" for name in PLAYERS
    )
    assert pico.speak(spoken(long)).seconds > 3 * LONGEST_S
    parts = split(long)
    assert len(parts) > 4
    assert all(pico.speak(spoken(part)).seconds <= LONGEST_S for part in parts)
    words = re.findall(r"[\w'-]+", " ".join(parts).casefold())
    assert words == re.findall(r"[\w'-]+", long.casefold())
