"""`voiceref privacy`: everything that VoiceRef keeps on this machine, and how to be rid of it."""

from __future__ import annotations

import datetime
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from voiceref import resources
from voiceref.board.stream import GuardedStream
from voiceref.referee import footage, journal
from voiceref.referee.outlets import write_line
from voiceref.referee.play import games_folder
from voiceref.referee.voices import voices_folder

GAMES, VOICES, RACES, REST, ALL = "parties", "voix", "courses", "reste", "tout"
KINDS: Mapping[str, str] = {
    GAMES: "noms, phrases et scores des parties",
    VOICES: "empreintes des voix apprises, jamais de son",
    RACES: "son des dernières courses, s'il a été demandé de le garder (--keep-races)",
    REST: "réglages, verrous et restes de travail",
}
_LEFT_BEHIND_S = 86_400.0
"""A working folder this old (s) belongs to no VoiceRef that still runs."""


class PrivacyError(Exception):
    """Something that cannot be deleted; one French sentence with the remedy."""


@dataclass(frozen=True)
class Kept:
    """A file that VoiceRef wrote. `changed`: seconds since 1970."""

    kind: str
    path: Path
    size: int
    changed: float


def kept() -> tuple[Kept, ...]:
    """Every file in the folders of VoiceRef, and what broken-off work left in the folder for temporary files."""
    found = {path: kind for path, kind in _places() if path.is_file() and not path.is_symlink()}
    return tuple(
        Kept(kind, path, path.stat().st_size, path.stat().st_mtime)
        for path, kind in sorted(found.items(), key=lambda item: (list(KINDS).index(item[1]), item[0]))
    )


def _places() -> Iterator[tuple[Path, str]]:
    for home in dict.fromkeys((resources.state_home(), resources.data_home())):
        for path in home.rglob("*"):
            inside = [kind for kind, folder in _folders().items() if folder in path.parents]
            yield path, inside[0] if inside else REST
    for folder in Path(tempfile.gettempdir()).glob("voiceref-*"):
        if folder.is_dir() and time.time() - folder.stat().st_mtime > _LEFT_BEHIND_S:
            for path in folder.rglob("*"):
                yield path, REST


def _folders() -> Mapping[str, Path]:
    return {GAMES: games_folder(), VOICES: voices_folder(), RACES: footage.home()}


def show(out: GuardedStream) -> int:
    """Print what is kept, by kind, with size and date."""
    found = kept()
    for kind, meaning in KINDS.items():
        own = [item for item in found if item.kind == kind]
        total = sum(item.size for item in own)
        write_line(out, f"{kind} ({meaning}) : {_files(len(own))}, {_size(total)}")
        for item in own:
            when = datetime.datetime.fromtimestamp(item.changed)
            write_line(out, f"  {when:%d/%m/%Y %H:%M}  {_size(item.size):>9}  {item.path}")
    write_line(out, "Rien d'autre n'est gardé, et rien ne quitte cette machine.")
    write_line(out, "Pour effacer : --delete parties|voix|courses|tout.")
    return 0


def delete(kind: str, agreed: Callable[[str], bool], out: GuardedStream) -> int:
    """Delete what is kept of `kind`, or of every kind, once `agreed` to the question; 1 when it was not.

    Raises PrivacyError for a file that stays, after deleting the others.
    """
    chosen = [item for item in kept() if kind in (item.kind, ALL)]
    if not chosen:
        write_line(out, "Il n'y a rien à effacer.")
        return 0
    if not agreed(f"Effacer pour toujours {_files(len(chosen))} ({kind}) ? (oui/non) "):
        write_line(out, "Rien n'a été effacé.")
        return 1
    stayed = [item.path for item in chosen if not _gone(item.path)]
    write_line(out, f"{_files(len(chosen) - len(stayed))} en moins.")
    if stayed:
        names = ", ".join(str(path) for path in stayed)
        raise PrivacyError(f"N'a pas pu être effacé, fermez d'abord la partie en cours : {names}.")
    return 0


def without_asking(question: str) -> bool:
    """The answer of somebody who said « --yes »."""
    return True


def asked(out: GuardedStream, answers: TextIO | None) -> Callable[[str], bool]:
    """Asks on `out` and reads the answer; no answer is a no."""

    def agreed(question: str) -> bool:
        write_line(out, question)
        return answers is not None and answers.readline().strip().casefold() in ("oui", "o")

    return agreed


def _gone(path: Path) -> bool:
    if journal.busy(path):
        return False
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _files(count: int) -> str:
    return f"{count} fichier{'s' if count > 1 else ''}"


def _size(count: int) -> str:
    return f"{count} octets" if count < 1000 else f"{count / 1000:.1f} ko".replace(".", ",")
