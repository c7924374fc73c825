"""Official Vosk models: fetched once on request, resumed, verified, unpacked whole; then found by name or by path.

This is the only place of VoiceRef that opens a network connection, and only `voiceref models fetch` comes here.
"""

from __future__ import annotations

import hashlib
import shutil
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from voiceref.ear.posteriors import ModelError

_CHUNK = 1 << 16
_TIMEOUT_S = 30.0
_NEEDED = ("am/final.mdl", "conf/model.conf")
"""Files by which the folder of a Vosk model is known; older ones keep them at the top and are not supported."""


@dataclass(frozen=True)
class Official:
    """A published model: where it is, its size in bytes and its MD5 sum (as the publisher's list gives them)."""

    name: str
    url: str
    size: int
    md5: str


KNOWN: Mapping[str, Official] = {
    "vosk-model-small-fr-0.22": Official(
        "vosk-model-small-fr-0.22",
        "https://alphacephei.com/vosk/models/vosk-model-small-fr-0.22.zip",
        42_233_323,
        "8873b1234503f6edd55f54bfff31cf3e",
    ),
}


def find(given: str, home: Path) -> Path:
    """The folder of a model by its path, or by the name of one fetched into `home`. Raises ModelError."""
    for folder in (Path(given), home / given):
        if _is_model(folder):
            return folder
    if given in KNOWN:
        raise ModelError(f"Le modèle {given} n'est pas encore là : lancez « voiceref models fetch {given} ».")
    raise ModelError(f"« {given} » n'est pas un modèle Vosk : il faut son dossier, ou l'un de ces noms : {_names()}.")


def _is_model(folder: Path) -> bool:
    return all((folder / name).is_file() for name in _NEEDED)


def _names() -> str:
    return ", ".join(KNOWN)


def wanted(name: str, url: str | None = None) -> Official:
    """The model of that name, from another address if `url` is given. Raises ModelError for an unknown name."""
    if name not in KNOWN:
        raise ModelError(f"Le modèle « {name} » n'est pas connu ; il y a : {_names()}.")
    known = KNOWN[name]
    return known if url is None else Official(known.name, url, known.size, known.md5)


def fetch(model: Official, home: Path, progress: Callable[[int, int], None]) -> Path:
    """Download into `home` and unpack; the folder of the model. `progress` gets bytes so far and in all.

    What is there already is kept; a download that broke off goes on where it was. Raises ModelError.
    """
    folder = home / model.name
    if _is_model(folder):
        return folder
    try:
        home.mkdir(parents=True, exist_ok=True)
        packed = home / f"{model.name}.zip.part"
        _download(model, packed, progress)
        _verify(model, packed)
        _unpack(packed, folder)
        packed.unlink()
    except OSError as error:
        raise ModelError(
            f"Le modèle {model.name} n'a pas pu être rangé dans {home} ({error.strerror or error}) : "
            "vérifiez la place et les droits, puis relancez."
        ) from error
    return folder


def _download(model: Official, packed: Path, progress: Callable[[int, int], None]) -> None:
    held = packed.stat().st_size if packed.exists() else 0
    if held >= model.size:
        return
    request = urllib.request.Request(model.url, headers={"Range": f"bytes={held}-"} if held else {})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
            resumed = held > 0 and answer.status == 206
            held = held if resumed else 0
            with packed.open("ab" if resumed else "wb") as file:
                while chunk := answer.read(_CHUNK):
                    file.write(chunk)
                    held += len(chunk)
                    progress(held, model.size)
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        raise ModelError(
            f"Le modèle {model.name} n'a pas pu être téléchargé ({getattr(error, 'reason', error)}) : "
            "vérifiez la connexion, puis relancez ; ce qui est arrivé est gardé."
        ) from error
    if held < model.size:
        raise ModelError(f"Le téléchargement de {model.name} s'est arrêté trop tôt : relancez, il reprendra là.")


def _verify(model: Official, packed: Path) -> None:
    digest = hashlib.md5(usedforsecurity=False)
    with packed.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    if packed.stat().st_size != model.size or digest.hexdigest() != model.md5:
        packed.unlink()
        raise ModelError(f"Le fichier reçu pour {model.name} n'est pas le bon (somme MD5) : relancez.")


def _unpack(packed: Path, folder: Path) -> None:
    """All or nothing: into a folder beside, then renamed. The archive may hold one folder around everything."""
    beside = folder.with_name(f"{folder.name}.unpacking")
    shutil.rmtree(beside, ignore_errors=True)
    try:
        with zipfile.ZipFile(packed) as archive:
            for member in archive.infolist():
                parts = PurePosixPath(member.filename).parts
                if ".." in parts or member.filename.startswith("/") or "\\" in member.filename:
                    raise zipfile.BadZipFile(member.filename)
            archive.extractall(beside)
    except zipfile.BadZipFile as error:
        shutil.rmtree(beside, ignore_errors=True)
        packed.unlink()
        raise ModelError(f"L'archive de {folder.name} est abîmée : relancez le téléchargement.") from error
    inside = [path.parent.parent for path in beside.rglob("am/final.mdl")]
    if not inside or not _is_model(inside[0]):
        shutil.rmtree(beside, ignore_errors=True)
        raise ModelError(f"L'archive de {folder.name} ne contient pas de modèle Vosk : choisissez-en un autre.")
    shutil.rmtree(folder, ignore_errors=True)
    inside[0].replace(folder)
    shutil.rmtree(beside, ignore_errors=True)
