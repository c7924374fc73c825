"""« La vidéo » of a race as an SVG drawing: each channel's level with onsets, names, uncertainty and tie window.

Claps and hits on the table near the cries are dashed lines; they decide nothing.
"""

from __future__ import annotations

from html import escape

import numpy as np

from voiceref.audio.source import EAR_RATE, Samples
from voiceref.race.knocks import near
from voiceref.race.onset import HOP_S, levels
from voiceref.race.verdict import Claim, Verdict

_WIDTH, _HEIGHT, _MARGIN = 1000, 140, 30
"""Pixels: of the drawing, of one channel, around."""
_RANGE_DB = 60.0
_BEFORE_S, _AFTER_S = 0.4, 1.2
"""Drawn before the first and after the last onset."""


def picture(samples: Samples, verdict: Verdict, tie_window_s: float) -> str:
    """The SVG text of a race heard in `samples` (n, channels) at 16 kHz; whole recording when nobody shouted."""
    length = len(samples) / EAR_RATE
    onsets = [claim.onset for claim in verdict.order]
    begin = max(0.0, min(onsets, default=0.0) - _BEFORE_S)
    end = min(length, max(onsets, default=length) + _AFTER_S)
    frame = _Frame(begin, max(end, begin + HOP_S))
    height = _MARGIN * 2 + _HEIGHT * samples.shape[1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" '
        f'font-size="13"><rect width="{_WIDTH}" height="{height}" fill="white"/>'
    ]
    if onsets:
        first = min(onsets)
        parts.append(
            f'<rect x="{frame.x(first):.1f}" y="{_MARGIN}" width="{frame.wide(tie_window_s):.1f}" '
            f'height="{height - 2 * _MARGIN}" fill="#fff2b3"><title>égalité</title></rect>'
        )
    for channel in range(samples.shape[1]):
        parts.append(_channel(samples[:, channel], channel, frame))
    for place, claim in enumerate(verdict.order, 1):
        parts.append(_claim(claim, place, frame, samples.shape[1]))
    parts.extend(_knock(knock.t, frame, height) for knock in near(samples, onsets))
    parts.extend(_axis(frame, height))
    return "\n".join([*parts, "</svg>", ""])


class _Frame:
    """Seconds to pixels."""

    def __init__(self, begin: float, end: float) -> None:
        self.begin, self.end = begin, end
        self._scale = (_WIDTH - 2 * _MARGIN) / (end - begin)

    def x(self, t: float) -> float:
        """Where second `t` lies, kept inside the drawing."""
        return min(max(_MARGIN + (t - self.begin) * self._scale, _MARGIN), _WIDTH - _MARGIN)

    def wide(self, seconds: float) -> float:
        """How many pixels that is."""
        return seconds * self._scale


def _channel(sound: Samples, channel: int, frame: _Frame) -> str:
    """The outline of one channel's level, from its loudest down 60 dB."""
    level = levels(sound)
    base = _MARGIN + (channel + 1) * _HEIGHT
    first, last = round(frame.begin / HOP_S), round(frame.end / HOP_S)
    shown = level[first:last]
    high = np.clip((shown - (level.max(initial=0.0) - _RANGE_DB)) / _RANGE_DB, 0.0, 1.0) * (_HEIGHT - 25)
    points = " ".join(f"{frame.x((first + k) * HOP_S):.1f},{base - value:.1f}" for k, value in enumerate(high))
    name = f'<text x="{_MARGIN + 4}" y="{base - _HEIGHT + 16}" fill="#555">micro {channel + 1}</text>'
    return f'<polyline points="{points}" fill="none" stroke="#3366aa" stroke-width="1"/>{name}'


def _claim(claim: Claim, place: int, frame: _Frame, channels: int) -> str:
    """One onset with its interval and name, on its own channel or over all."""
    top = _MARGIN + (claim.channel or 0) * _HEIGHT
    height = _HEIGHT if claim.channel is not None else _HEIGHT * channels
    left, right = frame.x(claim.onset - claim.uncertainty), frame.x(claim.onset + claim.uncertainty)
    x, who = frame.x(claim.onset), escape(claim.player or "?")
    return (
        f'<rect x="{left:.1f}" y="{top}" width="{max(right - left, 1):.1f}" height="{height}" fill="#cc3333" '
        f'fill-opacity="0.15"/><line x1="{x:.1f}" y1="{top}" x2="{x:.1f}" y2="{top + height}" stroke="#cc3333"/>'
        f'<text x="{x + 4:.1f}" y="{top + 16 + 16 * place}" fill="#cc3333">{place}. {who}</text>'
    )


def _knock(t: float, frame: _Frame, height: int) -> str:
    """A clap or a hit, over all channels."""
    x = frame.x(t)
    return (
        f'<line x1="{x:.1f}" y1="{_MARGIN}" x2="{x:.1f}" y2="{height - _MARGIN}" stroke="#338833" '
        f'stroke-dasharray="4 3"/><text x="{x + 3:.1f}" y="{_MARGIN - 6}" fill="#338833">coup</text>'
    )


def _axis(frame: _Frame, height: int) -> list[str]:
    """A mark each tenth of a second, a number each half."""
    marks = []
    for tenth in range(int(np.ceil(frame.begin * 10)), int(frame.end * 10) + 1):
        x, long = frame.x(tenth / 10), tenth % 5 == 0
        below = height - _MARGIN + (8 if long else 4)
        marks.append(f'<line x1="{x:.1f}" y1="{height - _MARGIN}" x2="{x:.1f}" y2="{below}" stroke="#555"/>')
        if long:
            label = f"{tenth / 10:.1f} s".replace(".", ",")
            marks.append(f'<text x="{x:.1f}" y="{height - 8}" text-anchor="middle">{label}</text>')
    return marks
