"""The worker's requests and answers with an engine that has the ways of pyttsx3 (B53, B58, B59)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from voiceref.voice import system_worker


class Engine:
    """Forgets the first change of a property, as espeak may; writes a file of `size` bytes at the try that counts."""

    def __init__(self, works_at: int = 1) -> None:
        self.values: dict[str, object] = {"voice": "gmw/en"}
        self.saved: list[str] = []
        self._works_at = works_at
        self._path = Path()

    def getProperty(self, name: str) -> Any:  # noqa: N802
        if name == "voices":
            return [SimpleNamespace(id="roa/fr", name="French", languages=[b"\x05fr-fr"]), _nameless()]
        return self.values[name]

    def setProperty(self, name: str, value: object) -> None:  # noqa: N802
        if name == "pitch":
            raise KeyError(name)
        self.values[name] = value

    def save_to_file(self, text: str, path: str) -> None:
        self.saved.append(text)
        self._path = Path(path)

    def runAndWait(self) -> None:  # noqa: N802
        loud = len(self.saved) >= self._works_at
        self._path.write_bytes(b"x" * (2000 if loud else 44))


def _nameless() -> SimpleNamespace:
    return SimpleNamespace(id="x", name=None, languages=None)


def test_voices_are_listed_as_text() -> None:
    listed: Any = system_worker._voices(Engine())["voices"]
    assert listed[0] == {"id": "roa/fr", "name": "French", "languages": ["fr-fr"]}
    assert listed[1]["languages"] == []


@pytest.mark.parametrize(("works_at", "tries"), [(1, 1), (2, 2), (9, 3)])
def test_a_sentence_without_samples_is_tried_again_with_a_bound(tmp_path: Path, works_at: int, tries: int) -> None:
    engine = Engine(works_at)
    answer = system_worker._save(engine, {"text": "Ana gagne.", "path": str(tmp_path / "s.wav")})
    assert engine.saved == ["Ana gagne."] * tries
    assert answer == {"ok": True, "voice": "gmw/en"}


def test_voice_and_rate_are_set_though_the_driver_has_no_pitch(tmp_path: Path) -> None:
    engine = Engine()
    system_worker._adopt(engine, "roa/fr", 1.2, 1.0, str(tmp_path / "s.wav"))
    assert engine.values == {"voice": "roa/fr", "rate": 210}
