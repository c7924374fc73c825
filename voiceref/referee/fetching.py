"""`voiceref models fetch`: an official Vosk model, downloaded because a person asked for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from voiceref import resources
from voiceref.ear import official
from voiceref.ear.posteriors import ModelError
from voiceref.referee.outlets import write_line

if TYPE_CHECKING:
    from voiceref.referee.play import Streams

_STEP = 0.1
"""Share of the download after which progress is told again."""


def home() -> Path:
    """Where fetched models are kept."""
    return resources.data_home() / "vosk"


def fetch(name: str | None, url: str | None, streams: Streams) -> int:
    """Fetch a model by its name and say where it is. Raises ModelError."""
    if name is None:
        raise ModelError(f"Quel modèle ? Par exemple : voiceref models fetch {next(iter(official.KNOWN))}.")
    told = 0.0

    def progress(held: int, size: int) -> None:
        nonlocal told
        if held >= size or held / size >= told + _STEP:
            told = held / size
            write_line(streams.err, f"{held / 1e6:.1f} Mo sur {size / 1e6:.1f}")

    folder = official.fetch(official.wanted(name, url), home(), progress)
    write_line(streams.out, f"{folder} : pour s'en servir, ajoutez --model {name}.")
    return 0
