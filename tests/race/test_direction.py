"""A pair of microphones: delays from enrolment, the first of two by direction, and the places kept on disk."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.race.table_sounds import RATE, Sound, voice
from voiceref.audio.wave_file import write_wave
from voiceref.cli import main
from voiceref.race.attribution import SURE, Listeners, first_voice
from voiceref.race.direction import agreement, calibrated, pairs
from voiceref.race.overlap import FakeOverlap
from voiceref.race.profiles import Places
from voiceref.race.voice_print import FakeEncoder
from voiceref.referee import voices
from voiceref.referee.doctor import State, who_is_known

LATE = {"Ana": -6, "Bruno": 0, "Chloé": 5}
"""Samples by which each player's voice reaches the first microphone later."""
SAME = 170.0
"""Everybody has the same pitch: only the direction tells them apart."""
LISTENERS = Listeners(FakeEncoder(), FakeOverlap())


def pair(*shouts: tuple[float, str, int], seconds: float = 3.0) -> Sound:
    """(n, 2): each shout (second, player, seed) from its player's seat, in faint noise."""
    mix = np.random.default_rng(2).normal(0, 3e-4, (round(seconds * RATE), 2)).astype(np.float32)
    for at, name, seed in shouts:
        for channel, late in ((0, max(LATE[name], 0)), (1, max(-LATE[name], 0))):
            begin, said = round(at * RATE) + late, voice(SAME, seed=seed)
            mix[begin : begin + len(said), channel] += said[: len(mix) - begin]
    return mix


def enrolment(name: str) -> list[Sound]:
    return [pair((0.0, name, seed), seconds=1.0) for seed in range(3)]


def test_delays_are_those_of_the_seat() -> None:
    for name, late in LATE.items():
        assert calibrated(enrolment(name)) == pytest.approx([late / RATE], abs=1e-5)
    assert pairs(3) == ((0, 1), (0, 2), (1, 2))


def test_delays_need_two_channels_of_the_same_number() -> None:
    with pytest.raises(ValueError, match="two channels"):
        calibrated([voice(200)[:, None]])
    with pytest.raises(ValueError, match="two channels"):
        calibrated([])
    with pytest.raises(ValueError, match="another number"):
        agreement(pair((0.0, "Ana", 1)), 0.0, 0.1, {"Ana": (0.0, 0.0, 0.0)})


@pytest.mark.parametrize("first", sorted(LATE))
@pytest.mark.parametrize("gap", [0.1, 0.2, 0.4])
def test_the_first_of_two_equal_voices_is_told_by_direction(first: str, gap: float) -> None:
    """Overlapping identical phrases in the same voice."""
    second = next(name for name in LATE if name != first)
    seats = {name: calibrated(enrolment(name)) for name in LATE}
    prints = {name: FakeEncoder().embed(voice(SAME, seed=1)) for name in LATE}
    found = first_voice(pair((0.3, first, 4), (0.3 + gap, second, 4)), 0.3, prints, LISTENERS, seats)
    assert found.player == first
    assert found.confidence >= SURE


def test_places_are_kept_apart_and_only_for_their_microphones(tmp_path: Path) -> None:
    places = Places(tmp_path / "places.json")
    assert places.load(["Ana"], 2) is None
    places.save("Ana", 2, (1e-4,))
    places.save("BRUNO", 2, (-1e-4,))
    assert places.load(["ana", "Bruno"], 2) == {"ana": (1e-4,), "Bruno": (-1e-4,)}
    assert places.load(["Ana", "Chloé"], 2) is None
    assert places.load(["Ana"], 3) is None
    places.delete("Bruno")
    places.delete("Bruno")
    assert places.load(["Bruno"], 2) is None
    places.save("Chloé", 3, (0.0, 1e-4, 2e-4))
    assert places.load(["Ana"], 2) is None
    (tmp_path / "places.json").write_text('{"channels": 2, "delays": {"ana": ["x"]}}', encoding="utf-8")
    assert places.load(["Ana"], 2) is None


def test_enrolling_and_judging_with_a_pair(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr(voices, "listeners", lambda: LISTENERS)
    for name in LATE:
        shouts = pair(*((1.0 + 2.5 * seed, name, seed) for seed in range(3)), seconds=9.0)
        write_wave(tmp_path / f"{name}.wav", shouts, RATE)
    files = [str(tmp_path / f"{name}.wav") for name in LATE]
    assert main(["enroll", "--players", ",".join(LATE), "--input", *files]) == 0
    assert who_is_known(tuple(LATE))[0] is State.GOOD
    assert "avec 2 micros, par les voix et la direction" in who_is_known(tuple(LATE))[1]
    capsys.readouterr()
    write_wave(tmp_path / "course.wav", pair((1.2, "Chloé", 4), (1.35, "Ana", 4)), RATE)
    assert main(["race", str(tmp_path / "course.wav"), "--players", ",".join(LATE), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["first"] == "Chloé"
    assert main(["enroll", "--delete", "Ana"]) == 0
    assert voices.places().load(["Ana"], 2) is None
