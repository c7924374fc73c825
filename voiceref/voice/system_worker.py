"""The process that owns pyttsx3: one engine, one thread, one request a line (JSON) on standard input.

Kept apart because pyttsx3 can hang for ever or bring the process down; `system_voice` watches over it.
Requests: {"do": "voices"} and {"do": "save", "text", "voice", "rate", "pitch", "path"}. Each gets one line back:
{"ok": true, …} or {"ok": false, "error": "…"}. It ends when its input does.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any, TextIO

_WORDS_A_MINUTE = 175
_MIDDLE_PITCH = 50


def main() -> None:
    """Answer requests until standard input closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = _own_output()
    engine: Any = None
    for line in sys.stdin:
        try:
            request = json.loads(line)
            if engine is None:
                import pyttsx3

                engine = pyttsx3.init()
            answer = _voices(engine) if request["do"] == "voices" else _save(engine, request)
        except Exception as error:  # whatever a driver raises must reach the parent as one line
            engine = None
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}".splitlines()[0]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _own_output() -> TextIO:
    """The real standard output; what drivers print goes to standard error from now on."""
    real = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return real


def _voices(engine: Any) -> dict[str, object]:
    voices = [
        {"id": str(voice.id), "name": str(voice.name), "languages": [_text(tag) for tag in voice.languages or []]}
        for voice in engine.getProperty("voices")
    ]
    return {"ok": True, "voices": voices}


def _save(engine: Any, request: Mapping[str, Any]) -> dict[str, object]:
    engine.setProperty("voice", request["voice"])
    engine.setProperty("rate", round(_WORDS_A_MINUTE * request["rate"]))
    if request["pitch"] != 1.0:
        engine.setProperty("pitch", min(99, max(0, round(_MIDDLE_PITCH * request["pitch"]))))
    engine.save_to_file(request["text"], request["path"])
    engine.runAndWait()
    return {"ok": True, "voice": str(engine.getProperty("voice"))}


def _text(tag: object) -> str:
    """Some drivers give language tags as bytes with a leading control byte."""
    text = tag.decode("utf-8", errors="ignore") if isinstance(tag, bytes) else str(tag)
    return "".join(letter for letter in text if letter.isprintable())


if __name__ == "__main__":
    main()
