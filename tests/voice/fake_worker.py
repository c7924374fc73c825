"""A stand-in for `voiceref.voice.system_worker`, whose faults are those of the field reports. Mode: first argument."""

import json
import sys
import time
import wave

FRENCH = {"id": "roa/fr", "name": "French (France)", "languages": ["fr-fr"]}
ENGLISH = {"id": "gmw/en", "name": "English (Great Britain)", "languages": ["en-gb"]}


def save(path: str, seconds: float) -> None:
    with wave.open(path, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(22_050)
        file.writeframes(b"\x00\x40" * round(seconds * 22_050))


def answer(content: dict[str, object]) -> None:
    print(json.dumps(content), flush=True)


def main(mode: str) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "voices":
            voices = {"no_french": [ENGLISH], "none": []}.get(mode, [ENGLISH, FRENCH])
            answer({"ok": True, "voices": voices} if mode != "broken" else {"ok": False, "error": "no espeak"})
            continue
        if mode == "hang" and "pends" in request["text"]:
            time.sleep(60)
        if mode == "die" and "meurs" in request["text"]:
            sys.exit(1)
        if mode != "nothing":
            save(request["path"], 0.0 if mode == "empty" else 0.01 * len(request["text"]))
        answer({"ok": True, "voice": ENGLISH["id"] if mode == "english" else request["voice"]})


main(sys.argv[1])
