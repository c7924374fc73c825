"""Claps and hits on the table: timed within 5 ms beside a cry, shown and journalled, deciding nothing."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tests.race.table_sounds import RATE, Sound, table, voice
from voiceref.audio.wave_file import write_wave
from voiceref.cli import main
from voiceref.race.channels import own_onsets
from voiceref.race.knocks import UNCERTAINTY_S, knocks, near
from voiceref.race.onset import nearest_rise
from voiceref.race.verdict import Claim
from voiceref.referee.video import Video


def clap(rng: np.random.Generator) -> Sound:
    t = np.arange(round(0.06 * RATE)) / RATE
    return np.asarray(np.diff(rng.standard_normal(len(t) + 1)) * np.exp(-t / 0.006), np.float32)


def hit(rng: np.random.Generator) -> Sound:
    t = np.arange(round(0.12 * RATE)) / RATE
    modes = sum(np.sin(2 * np.pi * rng.uniform(90, 900) * t) * np.exp(-t / 0.012) for _ in range(6))
    return np.asarray(modes + rng.standard_normal(len(t)) * np.exp(-t / 0.002), np.float32)


def in_a_room(dry: Sound, rng: np.random.Generator, rt60_s: float = 0.4) -> Sound:
    """The direct sound and a tail of the same energy that falls by 60 dB in `rt60_s`."""
    t = np.arange(round(rt60_s * RATE)) / RATE
    tail = rng.standard_normal(len(t)) * 10 ** (-3 * t / rt60_s)
    tail[:80] = 0.0
    response = tail / np.sqrt((tail**2).sum())
    response[0] = 1.0
    return np.asarray(np.convolve(dry, response), np.float32)


def with_knock(sound: Sound, knock: Sound, at: float, peak: float = 0.3) -> Sound:
    """`sound` (n, channels) with `knock` on every channel."""
    begin = round(at * RATE)
    mixed = sound.copy()
    mixed[begin : begin + len(knock)] += (peak * knock / np.abs(knock).max())[: len(mixed) - begin, None]
    return mixed


@pytest.mark.parametrize(("make", "at"), [(clap, 0.5), (clap, 0.9), (clap, 1.0), (hit, 0.5), (hit, 0.9)])
@pytest.mark.parametrize("seed", range(4))
def test_a_knock_beside_a_cry_is_timed_within_five_milliseconds(make: object, at: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cry = in_a_room(voice(150, seed=seed), rng)
    sound = table([(0, 1.0, 0.2 * cry / np.abs(cry).max())], channels=1)
    found = knocks(with_knock(sound, in_a_room(make(rng), rng), at)[:, 0])  # type: ignore[operator]
    assert [knock for knock in found if abs(knock.t - at) <= UNCERTAINTY_S]


@pytest.mark.parametrize("seed", range(6))
def test_a_cry_is_no_knock(seed: int) -> None:
    rng = np.random.default_rng(seed)
    t = np.arange(RATE) / RATE
    vowel = np.sin(2 * np.pi * 180 * t) + 0.6 * np.sin(2 * np.pi * 900 * t) + 0.3 * rng.standard_normal(RATE)
    cry = in_a_room(np.asarray(vowel * np.clip(t / 0.008, 0, 1) * np.clip((1 - t) / 0.1, 0, 1), np.float32), rng)
    assert knocks(table([(0, 1.0, 0.1 * cry)], channels=1)[:, 0]) == ()


def test_silence_noise_and_the_shortest_sounds_hold_no_knock() -> None:
    noise = np.random.default_rng(0).normal(0, 0.01, 3 * RATE).astype(np.float32)
    for sound in (np.zeros(0, np.float32), np.zeros(900, np.float32), np.zeros(RATE, np.float32), noise):
        assert knocks(sound) == ()


def test_of_several_microphones_a_knock_is_given_once_and_only_near_a_cry() -> None:
    sound = table([], channels=3, seconds=6.0)
    rng = np.random.default_rng(1)
    for at in (1.2, 5.0):
        sound = with_knock(sound, clap(rng), at)
    assert [round(knock.t, 1) for knock in near(sound, [1.0])] == [1.2]
    assert near(sound, []) == ()


# --- as evidence -----------------------------------------------------------------------------------------------------


@pytest.fixture
def knocked() -> Sound:
    cries = table([(1, 1.0, voice(120, seed=2)), (0, 1.6, voice(210, seed=1))], channels=3, seconds=4.0)
    return with_knock(cries, clap(np.random.default_rng(3)), 0.7)


def test_race_tells_and_draws_knocks(knocked: Sound, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_wave(tmp_path / "r.wav", knocked, RATE)
    arguments = ["race", str(tmp_path / "r.wav"), "--players", "Ana,Bruno,Chloé"]
    assert main([*arguments, "--json", "--picture", str(tmp_path / "r.svg")]) == 0
    knock, verdict = map(json.loads, capsys.readouterr().out.splitlines())
    assert (knock["type"], knock["uncertainty"]) == ("knock", 0.005)
    assert knock["t"] == pytest.approx(0.7, abs=0.005)
    assert verdict["type"] == "verdict"
    root = ElementTree.fromstring((tmp_path / "r.svg").read_text(encoding="utf-8"))
    assert "coup" in [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert main(arguments) == 0
    assert "Coup (main ou table) à 0,70" in capsys.readouterr().out


class Tape:
    """A recording as the memory of the ear, which began at second 100."""

    def __init__(self, sound: Sound) -> None:
        self._sound = sound

    def sound(self, start: float, end: float) -> tuple[float, Sound]:
        first = max(0, round((start - 100) * RATE))
        return 100 + first / RATE, self._sound[first : round((end - 100) * RATE)]


def test_a_race_is_told_once_with_its_knocks(knocked: Sound) -> None:
    told = []
    video = Video(Tape(knocked), over=lambda clip: told.append(clip.knocks))
    video.cry(Claim("Bruno", 101.0, 0.01, phrase="P1"))
    video.clock(103.0)
    video.named(101.0, "Ana")
    video.close()
    assert len(told) == 1
    assert told[0] == (pytest.approx(100.7, abs=0.005),)


def test_the_journal_holds_knocks_and_the_game_is_the_same_without(knocked: Sound, tmp_path: Path) -> None:
    from tests.race.test_edge_cases import Play
    from voiceref.referee.journal import line
    from voiceref.referee.play import _knocked
    from voiceref.referee.replay import KNOCKS, given

    kept = []
    desk = Play().desk
    desk.keep = lambda kind, content, at: kept.append((kind, content))  # type: ignore[method-assign,assignment]
    video = Video(Tape(knocked), over=lambda clip: _knocked(desk, clip))
    video.cry(Claim("Bruno", 101.0, 0.01, phrase="CDC-P001"))
    video.clock(103.0)
    ((kind, content),) = kept
    assert (kind, content["phrase"], content["cry"]) == (KNOCKS, "CDC-P001", 101.0)
    assert content["knocks"] == [pytest.approx(100.7, abs=0.005)]
    assert given(json.loads(line(1, kind, content))) is None


# --- a hand is no cry ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [clap, hit])
def test_a_knock_before_a_cry_does_not_date_it(make: object) -> None:
    cry = table([(0, 1.0, voice(120, seed=2))], channels=1)
    for early in (0.1, 0.15, 0.2):
        sound = with_knock(cry, make(np.random.default_rng(3)), 1.0 - early)  # type: ignore[operator]
        found = nearest_rise(sound[:, 0], 1.02)
        assert found is not None
        assert found.t == pytest.approx(1.0, abs=0.015)


def test_a_cry_that_begins_with_a_knock_is_dated_there() -> None:
    cry = table([(0, 1.0, voice(120, seed=2))], channels=1)
    found = nearest_rise(with_knock(cry, clap(np.random.default_rng(3)), 1.0)[:, 0], 1.02)
    assert found is not None
    assert found.t == pytest.approx(1.0, abs=0.015)


@pytest.mark.parametrize("louder_at", [None, 0, 2])
def test_with_a_microphone_each_a_knock_names_nobody_first(knocked: Sound, louder_at: int | None) -> None:
    if louder_at is not None:
        hand = with_knock(np.zeros_like(knocked), clap(np.random.default_rng(3)), 0.7)
        knocked = knocked.copy()
        knocked[:, louder_at] += 3 * hand[:, louder_at]
    ana, bruno, chloe = own_onsets(knocked)
    assert ana is not None
    assert bruno is not None
    assert (ana.t, bruno.t) == (pytest.approx(1.6, abs=0.02), pytest.approx(1.0, abs=0.02))
    assert chloe is None
