"""Plays text tables through the whole program and compares the end, for the tests of the three small games."""

from __future__ import annotations

import contextlib
import io
import json
import re
import tomllib
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from voiceref import cli


def cases(folder: Path) -> list[Any]:
    """The `[[case]]` tables of every TOML file in `folder`."""
    return [case for file in sorted(folder.glob("*.toml")) for case in tomllib.loads(file.read_text("utf-8"))["case"]]


def play(game: str, args: list[str], table: str, folder: Path) -> list[dict[str, Any]]:
    """Play one text table; the JSON lines of the program."""
    file = folder / "table.txt"
    file.write_text(table, encoding="utf-8")
    given = ["play", game, *args, "--input", str(file), "--output", "none", "--json", "--journal", str(folder / "j")]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.main(given)
    assert code == 0, err.getvalue()
    return [json.loads(line) for line in out.getvalue().splitlines()]


def fold(text: str) -> str:
    """Lower case, no accents, everything else one space."""
    bare = unicodedata.normalize("NFD", text.lower())
    return " ".join(re.findall(r"[a-z0-9]+", "".join(c for c in bare if not unicodedata.combining(c))))


def differences(expect: Mapping[str, Any], lines: list[dict[str, Any]]) -> list[str]:
    """What is not as expected. `silent` and `accepted` are words that must not be said, or not be refused."""
    state = lines[-1]
    said = [fold(line["text"]) for line in lines if line["type"] == "say"]
    refused = [fold(line["text"]) for line in lines if line["type"] == "refused"]
    rules = {line["rule"] for line in lines if line["type"] == "event"}
    faults = []
    for key, wanted in expect.items():
        if key in ("scores", "over", "turn", "phase", "winners", "tokens"):
            if state[key] != wanted:
                faults.append(f"{key}: {state[key]}, not {wanted}")
        elif key in ("says", "silent"):
            faults += [f"{key}: {w} in {said}" for w in wanted if any(fold(w) in s for s in said) != (key == "says")]
        elif key in ("refused", "accepted"):
            within = key == "refused"
            faults += [f"{key}: {w} in {refused}" for w in wanted if any(fold(w) in s for s in refused) != within]
        elif key == "events":
            faults += [f"event {rule} missing" for rule in wanted if rule not in rules]
        elif key != "before":
            faults.append(f"unknown key {key}")
    return faults + _unexplained(expect.get("before", {}), lines)


def _unexplained(before: Mapping[str, int], lines: list[dict[str, Any]]) -> list[str]:
    """Scores that the changes of the events do not add up to."""
    total = {name: before.get(name, 0) for name in lines[-1]["scores"]}
    for line in lines:
        for name, change in line.get("deltas", {}).items():
            total[name] += change
    return [] if total == lines[-1]["scores"] else [f"the changes give {total}, not {lines[-1]['scores']}"]
