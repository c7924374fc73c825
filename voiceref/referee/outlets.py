"""Where the referee's words go besides the voice: JSON lines on standard output, plain French on standard error."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol, TextIO

from voiceref.games.engine import Event, Refusal, Summary
from voiceref.voice.style import Weight


class Outlet(Protocol):
    """One place for what happens. Times are seconds of the capture clock."""

    def say(self, t: float, text: str, weight: Weight) -> None:
        """One announced sentence."""

    def event(self, t: float, event: Event) -> None:
        """Something the rules did."""

    def refused(self, t: float, refusal: Refusal) -> None:
        """Words that changed nothing."""

    def table(self, summary: Summary) -> None:
        """Scores, turn and tokens after a change."""

    def close(self, game: str, summary: Summary) -> None:
        """The end of the play, with the last state."""


class SafeStream:
    """A text stream that never stops the game: closed, or unable to show a letter, it loses that text only."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream

    @property
    def unicode(self) -> bool:
        """Whether the stream can show every letter."""
        encoding = getattr(self._stream, "encoding", None) or "ascii"
        return encoding.lower().replace("-", "").startswith("utf")

    def line(self, text: str) -> None:
        """Write `text` as one line; letters that the stream cannot show become « ? »."""
        if self._stream is None:
            return
        if not self.unicode:
            encoding = self._stream.encoding or "ascii"
            text = text.encode(encoding, "replace").decode(encoding)
        try:
            self._stream.write(text + "\n")
            self._stream.flush()
        except (OSError, ValueError):
            self._stream = None


class JsonOutlet:
    """One JSON object a line, as programs read them."""

    def __init__(self, stream: SafeStream) -> None:
        self._stream = stream

    def say(self, t: float, text: str, weight: Weight) -> None:
        self._line("say", t, text=text)

    def event(self, t: float, event: Event) -> None:
        self._line("event", t, rule=event.rule, event=event.name, deltas=event.deltas, data=event.data)

    def refused(self, t: float, refusal: Refusal) -> None:
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
        self._stream.line(json.dumps(content, ensure_ascii=not self._stream.unicode, default=plain))


class TextOutlet:
    """What a person reads: each sentence with its time, and the scores at the end."""

    def __init__(self, stream: SafeStream) -> None:
        self._stream = stream

    def say(self, t: float, text: str, weight: Weight) -> None:
        self._stream.line(f"{clock(t)}  {text}")

    def event(self, t: float, event: Event) -> None:
        pass

    def refused(self, t: float, refusal: Refusal) -> None:
        self._stream.line(f"{clock(t)}  (refusé : « {refusal.text} », {refusal.reason})")

    def table(self, summary: Summary) -> None:
        pass

    def close(self, game: str, summary: Summary) -> None:
        scores = " · ".join(f"{name} {points}" for name, points in summary.scores.items())
        self._stream.line(f"Scores : {scores}" if scores else "Pas de score.")


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
