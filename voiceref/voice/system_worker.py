"""The process that owns pyttsx3: one engine, one thread, one request a line (JSON) on standard input.

Kept apart because pyttsx3 can hang for ever or bring the process down; `system_voice` watches over it.
Requests: {"do": "voices"} and {"do": "save", "text", "voice", "rate", "pitch", "path"}. Each gets one line back:
{"ok": true, …} or {"ok": false, "error": "…"}. It ends when its input does, even in the middle of a sentence that
hangs: nobody is left to end it when the referee was killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TextIO

_WORDS_A_MINUTE = 175
_MIDDLE_PITCH = 50
_SETTLE_S = 0.05
_TRIES = 3
_HEADER_BYTES = 44
_LAST_S = 1.5


def main() -> None:
    """Answer requests until standard input closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = _own_output()
    requests: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests,), name="requests", daemon=True).start()
    engine: Any = None
    adopted: tuple[object, ...] = ()
    for line in iter(requests.get, ""):
        try:
            request = json.loads(line)
            if engine is None:
                import pyttsx3

                engine, adopted = pyttsx3.init(), ()
            if request["do"] == "voices":
                answer = _voices(engine)
            else:
                wanted = (request["voice"], request["rate"], request["pitch"])
                if wanted != adopted:
                    _adopt(engine, *wanted, request["path"])
                    adopted = wanted
                answer = _save(engine, request)
        except Exception as error:  # whatever a driver raises must reach the parent as one line
            engine = None
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}".splitlines()[0]}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _read(requests: queue.SimpleQueue[str]) -> None:
    """Pass requests on; once there are no more, the process has a little time left for the last one."""
    for line in sys.stdin:
        requests.put(line)
    requests.put("")
    time.sleep(_LAST_S)
    os._exit(1)


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
    """One sentence to one file. espeak now and then hands over no samples at all: then once more."""
    path = Path(request["path"])
    for _ in range(_TRIES):
        path.unlink(missing_ok=True)
        engine.save_to_file(request["text"], request["path"])
        engine.runAndWait()
        if path.exists() and path.stat().st_size > _HEADER_BYTES:
            break
    return {"ok": True, "voice": str(engine.getProperty("voice"))}


def _adopt(engine: Any, voice: str, rate: float, pitch: float, path: str) -> None:
    """Set voice, rate and pitch so that they hold: espeak applies them later, and may lose the first of them.

    So they are set, a word is made, and they are set again, with a pause after each.
    """
    for _ in range(2):
        engine.setProperty("voice", voice)
        time.sleep(_SETTLE_S)
        engine.setProperty("rate", round(_WORDS_A_MINUTE * rate))
        with contextlib.suppress(KeyError, ValueError):  # some drivers have no pitch
            engine.setProperty("pitch", min(99, max(0, round(_MIDDLE_PITCH * pitch))))
        time.sleep(_SETTLE_S)
        engine.save_to_file("un", path)
        engine.runAndWait()


def _text(tag: object) -> str:
    """Some drivers give language tags as bytes with a leading control byte."""
    text = tag.decode("utf-8", errors="ignore") if isinstance(tag, bytes) else str(tag)
    return "".join(letter for letter in text if letter.isprintable())


if __name__ == "__main__":
    main()
