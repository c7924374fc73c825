"""The journal of a game: append-only JSON lines, numbered, each with a checksum, on disk before the referee speaks.

One record a line: `{"seq": 3, "kind": "said", …, "sum": "9a0b1c2d"}`, where `sum` is the CRC-32 of the line without it.
The first record, kind `game`, holds the versions and the table. A torn tail is cut off and set aside beside the file.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

FORMAT = 1

Record = Mapping[str, Any]


class JournalError(Exception):
    """A journal that cannot be used; the message is one French sentence with the remedy."""


class DiskError(JournalError):
    """A disk that does not take the journal: the game can go on without."""


@dataclass(frozen=True)
class Recorded:
    """What a journal file holds: its sound records, how many bytes they take, and whether a torn tail follows."""

    path: Path
    records: tuple[Record, ...]
    length: int
    torn: bool

    @property
    def header(self) -> Record:
        """The first record: versions and table."""
        return self.records[0]


class Journal:
    """An open journal. `append` returns once the record is on disk; after a failed write it is `lost`."""

    def __init__(self, path: Path, stream: BinaryIO, seq: int, sync: Callable[[int], None] = os.fsync) -> None:
        self.path = path
        self._stream = stream
        self._seq = seq
        self._sync = sync
        self.lost = False

    def append(self, kind: str, content: Mapping[str, Any]) -> bool:
        """Write one record and wait for the disk. False when the disk refused; nothing more is then written."""
        if self.lost:
            return False
        try:
            record = line(self._seq, kind, content)
            if self._stream.write(record) != len(record):
                raise OSError("short write")
            self._sync(self._stream.fileno())
        except OSError:
            self.lost = True
            return False
        self._seq += 1
        return True

    def close(self) -> None:
        """Release the file, and with it the lock."""
        try:
            self._stream.close()
        except OSError:
            self.lost = True


def line(seq: int, kind: str, content: Mapping[str, Any]) -> bytes:
    """One record as a line of the file."""
    body = {"seq": seq, "kind": kind, **content}
    text = json.dumps(body, ensure_ascii=False, sort_keys=True)
    return f'{text[:-1]}, "sum": "{_checksum(text)}"}}\n'.encode()


def create(path: Path, header: Mapping[str, Any]) -> Journal:
    """A new journal at `path`, which must not exist yet. Raises JournalError; DiskError when it is the disk."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DiskError(f"Le dossier {path.parent} ne peut pas être créé ({_reason(error)}).") from error
    try:
        stream = path.open("xb", buffering=0)
    except FileExistsError:
        raise JournalError(
            f"Le fichier {path} existe déjà : choisissez un autre nom, "
            "ou reprenez cette partie avec « voiceref resume »."
        ) from None
    except OSError as error:
        raise DiskError(f"La partie ne peut pas être enregistrée dans {path} ({_reason(error)}).") from error
    _lock(stream, path)
    journal = Journal(path, stream, 0)
    if not journal.append("game", {"format": FORMAT, **header}):
        journal.close()
        raise DiskError(f"La partie ne peut pas être enregistrée dans {path} (le disque est plein).")
    return journal


def reopen(recorded: Recorded) -> tuple[Journal, Path | None]:
    """The journal ready for more records; a torn tail is first moved to a file beside it, whose path is returned."""
    try:
        stream = recorded.path.open("r+b", buffering=0)
    except OSError as error:
        raise JournalError(f"La partie {recorded.path} ne peut pas être continuée ({_reason(error)}).") from error
    _lock(stream, recorded.path)
    aside = _set_aside(stream, recorded) if recorded.torn else None
    stream.seek(recorded.length)
    return Journal(recorded.path, stream, len(recorded.records)), aside


def read(path: Path) -> Recorded:
    """The sound records of `path`, up to the first torn or altered line. Raises JournalError for what is no journal."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise JournalError(f"Il n'y a pas de partie enregistrée dans {path}.") from None
    except OSError as error:
        raise JournalError(f"Le fichier {path} est illisible ({_reason(error)}).") from error
    if not data:
        raise JournalError(f"Le fichier {path} est vide : ce n'est pas une partie enregistrée.")
    records: list[Record] = []
    length = 0
    for raw, record in _sound_records(data):
        records.append(record)
        length += len(raw)
    if not records or records[0].get("kind") != "game":
        raise JournalError(f"Le fichier {path} n'est pas une partie de VoiceRef : il n'a pas été touché.")
    if records[0].get("format") != FORMAT:
        raise JournalError(f"La partie {path} vient d'une autre version de VoiceRef : elle n'a pas été touchée.")
    return Recorded(path, tuple(records), length, torn=length < len(data))


def newest(folder: Path) -> Recorded:
    """The game of `folder` written to last; what is no sound game is passed over. Raises JournalError without any."""
    wrong: JournalError | None = None
    for path in _by_age(folder):
        try:
            return read(path)
        except JournalError as error:
            wrong = wrong or error
    raise wrong or JournalError(f"Il n'y a pas de partie à reprendre dans {folder}.")


def passed_over(path: Path) -> tuple[Path, ...]:
    """The files beside the game `path` that were written to later and are no sound games: `newest` passed over them."""
    beside = _by_age(path.parent)
    return tuple(beside[: beside.index(path)]) if path in beside else ()


def _by_age(folder: Path) -> list[Path]:
    try:
        return sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError as error:
        raise JournalError(f"Le dossier {folder} est illisible ({_reason(error)}).") from error


def hold(path: Path) -> Callable[[], None]:
    """Hold `path` for this process alone; call the result to let it go. Raises JournalError when another has it.

    A folder that cannot be written to holds nobody back.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("ab", buffering=0)
    except OSError:
        return lambda: None
    try:
        _lock_file(stream.fileno())
    except OSError:
        stream.close()
        raise JournalError("Un autre VoiceRef écoute déjà ce micro : fermez-le d'abord.") from None
    return stream.close


def busy(path: Path) -> bool:
    """Whether another VoiceRef has `path` open."""
    try:
        with path.open("r+b", buffering=0) as stream:
            _lock_file(stream.fileno())
    except OSError as error:
        return isinstance(error, BlockingIOError)
    return False


def _sound_records(data: bytes) -> Iterator[tuple[bytes, Record]]:
    """Lines of `data` with their records, until one is torn, altered or out of order."""
    for place, raw in enumerate(data.splitlines(keepends=True)):
        record = _parsed(raw) if raw.endswith(b"\n") else None
        if record is None or record.get("seq") != place:
            return
        yield raw, record


def _parsed(raw: bytes) -> Record | None:
    try:
        body = json.loads(raw)
    except ValueError:
        return None
    if not isinstance(body, dict) or "sum" not in body:
        return None
    given = body.pop("sum")
    return body if given == _checksum(json.dumps(body, ensure_ascii=False, sort_keys=True)) else None


def _checksum(text: str) -> str:
    return f"{zlib.crc32(text.encode()):08x}"


def _set_aside(stream: BinaryIO, recorded: Recorded) -> Path:
    stream.seek(recorded.length)
    tail = stream.read()
    aside = _free_name(recorded.path)
    aside.write_bytes(tail)
    stream.truncate(recorded.length)
    os.fsync(stream.fileno())
    return aside


def _free_name(path: Path) -> Path:
    for number in range(1, 1000):
        name = path.with_name(f"{path.name}.abime{number}")
        if not name.exists():
            return name
    raise JournalError(f"Trop de restes abîmés à côté de {path} : faites le ménage dans ce dossier.")


def _lock(stream: BinaryIO, path: Path) -> None:
    """Hold the file for this process alone, as long as it is open. Raises JournalError when another one holds it."""
    try:
        _lock_file(stream.fileno())
    except OSError:
        stream.close()
        raise JournalError(f"La partie {path} est déjà en cours dans un autre VoiceRef : fermez-le d'abord.") from None


if os.name == "nt":
    import msvcrt

    def _lock_file(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
else:
    import fcntl

    def _lock_file(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _reason(error: OSError) -> str:
    reasons: Sequence[tuple[type[OSError], str]] = (
        (PermissionError, "accès refusé"),
        (IsADirectoryError, "c'est un dossier"),
        (NotADirectoryError, "ce n'est pas un dossier"),
        (FileExistsError, "ce n'est pas un dossier"),
        (FileNotFoundError, "introuvable"),
    )
    named = [text for kind, text in reasons if isinstance(error, kind)]
    return named[0] if named else error.strerror or "erreur du disque"
