"""Where the files that ship with the program are, and where a person's own files go."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def shipped(name: str) -> Path:
    """The folder `name` (`grammars`, `models/fr`, …): inside the wheel, or beside the package in a checkout."""
    inside = PACKAGE / name
    return inside if inside.is_dir() else PACKAGE.parent / name


def grammars() -> Path:
    """The folder of phrase files."""
    return shipped("grammars")


def models(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder that holds `fr/` and `judge/`: `VOICEREF_MODELS` if set, else what ships."""
    chosen = environ.get("VOICEREF_MODELS")
    return Path(chosen) if chosen else shipped("models")


def state_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Where games are kept: `voiceref` under `XDG_STATE_HOME`, `LOCALAPPDATA` on Windows, else `~/.local/state`."""
    chosen = environ.get("XDG_STATE_HOME") or environ.get("LOCALAPPDATA")
    return (Path(chosen) if chosen else Path.home() / ".local" / "state") / "voiceref"


def data_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Where voices are kept: `voiceref` under `XDG_DATA_HOME`, `LOCALAPPDATA` on Windows, else `~/.local/share`."""
    chosen = environ.get("XDG_DATA_HOME") or environ.get("LOCALAPPDATA")
    return (Path(chosen) if chosen else Path.home() / ".local" / "share") / "voiceref"
