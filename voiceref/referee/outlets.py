"""Where the referee's words go besides the voice: JSON lines on standard output, plain French on standard error."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from voiceref.board.stream import GuardedStream
from voiceref.games.engine import Event, Refusal, Summary
from voiceref.voice.style import Weight

SPEAKERS = "speakers"
"""The `--output` that is heard in this room."""


class Outlet(Protocol):
    """One place for what happens. Times are seconds of the capture clock."""

    def say(self, t: float, text: str, weight: Weight) -> None:
        """One announced sentence."""

    def event(self, t: float, event: Event) -> None:
        """Something the rules did."""

    def heard(self, t: float, speaker: str | None, text: str) -> None:
        """A whole phrase or order that was understood."""

    def refused(self, t: float, refusal: Refusal, *, aloud: bool) -> None:
        """Words that changed nothing; `aloud` when players are told why."""

    def table(self, summary: Summary) -> None:
        """Scores, turn and tokens after a change."""

    def close(self, game: str, summary: Summary) -> None:
        """The end of the play, with the last state."""


class JsonOutlet:
    """One JSON object a line, as programs read them."""

    def __init__(self, stream: GuardedStream) -> None:
        self._stream = stream

    def say(self, t: float, text: str, weight: Weight) -> None:
        self._line("say", t, text=text)

    def event(self, t: float, event: Event) -> None:
        self._line("event", t, rule=event.rule, event=event.name, deltas=event.deltas, data=event.data)

    def heard(self, t: float, speaker: str | None, text: str) -> None:
        pass

    def refused(self, t: float, refusal: Refusal, *, aloud: bool) -> None:
        self._line("refused", t, text=refusal.text, reason=refusal.reason, rule=refusal.rule, speaker=refusal.speaker)

    def table(self, summary: Summary) -> None:
        pass

    def close(self, game: str, summary: Summary) -> None:
        self._write(
            {
                "type": "state",
                "game": game,
                "scores": summary.scores,
                "turn": summary.turn,
                "phase": summary.phase,
                "tokens": summary.tokens,
                "over": summary.over,
                "winners": summary.winners,
            }
        )

    def _line(self, kind: str, t: float, **content: object) -> None:
        self._write({"type": kind, "t": round(t, 3), **content})

    def _write(self, content: Mapping[str, object]) -> None:
        write_line(self._stream, json.dumps(content, ensure_ascii=not self._stream.shows_everything, default=plain))


class TextOutlet:
    """What a person reads: each phrase and sentence with its time, and the scores at the end."""

    def __init__(self, stream: GuardedStream, reason: Callable[[str], str]) -> None:
        """`reason`: a refusal's reason code in a few French words."""
        self._stream = stream
        self._reason = reason

    def say(self, t: float, text: str, weight: Weight) -> None:
        write_line(self._stream, f"{clock(t)}  {text}")

    def event(self, t: float, event: Event) -> None:
        pass

    def heard(self, t: float, speaker: str | None, text: str) -> None:
        write_line(self._stream, f"{clock(t)}  {speaker or '?'} : « {text} »")

    def refused(self, t: float, refusal: Refusal, *, aloud: bool) -> None:
        if not refusal.text:
            return
        reason = " : ".join(filter(None, (self._reason(refusal.reason), str(refusal.data.get("detail", "")))))
        write_line(self._stream, f"{clock(t)}  (refusé : « {refusal.text} », {reason})")

    def table(self, summary: Summary) -> None:
        pass

    def close(self, game: str, summary: Summary) -> None:
        scores = " · ".join(f"{name} {points}" for name, points in summary.scores.items())
        write_line(self._stream, f"Scores : {scores}" if scores else "Pas de score.")


def write_line(stream: GuardedStream, text: str) -> None:
    """One line, seen at once."""
    stream.write(f"{text}\n")
    stream.flush()


def clock(t: float) -> str:
    """Seconds as `12:34.5`."""
    minutes, seconds = divmod(t, 60)
    return f"{int(minutes):02d}:{seconds:04.1f}"


def plain(value: Any) -> Any:
    """What JSON cannot hold, as it can: sets as sorted lists, mappings as objects, anything else as its text."""
    if isinstance(value, frozenset | set):
        return sorted(value, key=str)
    if isinstance(value, Mapping):
        return dict(value)
    return str(value)
