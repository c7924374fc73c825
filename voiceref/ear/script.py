"""Hearing without sound: a text table, one utterance a line, `SECONDS SPEAKER TEXT`, whose clock is that of the file.

Speaker `?` is unknown; `@ tick` is the clock alone; `@ secret WORD = SYNONYM = …` is typed, not said; `#` comments.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from voiceref.ear.hypothesis import Clock, Hypothesis, Utterance


class ScriptError(ValueError):
    """A text table that cannot be read; one French sentence with file, line and remedy."""


@dataclass(frozen=True)
class Typed:
    """A word or expression typed in secret at `t` seconds."""

    t: float
    text: str
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScriptHearing:
    """The lines of a text table as the ear would deliver them, in the order of their times."""

    lines: tuple[Hypothesis | Clock | Typed, ...]

    def expect(
        self, graph: object, legal: Collection[str] | None = None, meaning: Callable[[str], Hashable] | None = None
    ) -> None:
        """Text is heard whatever is expected."""

    def events(self) -> Iterator[Hypothesis | Clock | Typed]:
        """Each line after the watermark that it implies, and the last watermark at the end."""
        for line in self.lines:
            yield Clock(moment(line))
            if not isinstance(line, Clock):
                yield line
        if self.lines:
            yield Clock(moment(self.lines[-1]))

    def mute(self, start: float, end: float) -> None:
        """Text does not hear the referee."""

    def close(self) -> None:
        """Nothing to let go."""


def moment(line: Hypothesis | Clock | Typed) -> float:
    """When a line of the table is said, in seconds."""
    return line.onset if isinstance(line, Hypothesis) else line.t


def load(path: Path, names: Iterable[str] = ()) -> ScriptHearing:
    """The text table of `path`; `names` are players, which helps where a name has several words. Raises ScriptError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise ScriptError(f"{path} n'est pas en UTF-8 : enregistrez-le en UTF-8.") from None
    except OSError:
        raise ScriptError(f"{path} ne peut pas être lu : vérifiez qu'il existe et qu'il est lisible.") from None
    return parse(text, str(path), names)


def parse(text: str, where: str, names: Iterable[str] = ()) -> ScriptHearing:
    """The table in `text`; `where` names it in errors. Raises ScriptError."""
    known = [name.split() for name in names]
    lines = [
        _line(raw.strip(), f"{where}, ligne {number}", known)
        for number, raw in enumerate(unicodedata.normalize("NFC", text).splitlines(), 1)
        if raw.strip() and not raw.lstrip().startswith("#")
    ]
    return ScriptHearing(tuple(sorted(lines, key=moment)))


def _line(line: str, where: str, known: list[list[str]]) -> Hypothesis | Clock | Typed:
    words = line.split()
    try:
        t = float(words[0])
    except ValueError:
        t = math.nan
    if not (math.isfinite(t) and t >= 0):
        raise ScriptError(f"{where} : « {words[0]} » n'est pas un temps en secondes (il faut SECONDES JOUEUR PAROLES).")
    speaker = next((name for name in known if _starts(words[1:], name)), words[1:2])
    said = " ".join(words[1 + len(speaker) :])
    if not speaker or not said:
        raise ScriptError(f"{where} : il manque le joueur ou les paroles (il faut SECONDES JOUEUR PAROLES).")
    if speaker == ["@"]:
        return _clock_line(t, said, where)
    name = None if speaker == ["?"] else " ".join(speaker)
    return Hypothesis(Utterance(t, t, 0.0), t, said, score=1.0, accepted=True, reason="texte", speaker=name)


def _clock_line(t: float, said: str, where: str) -> Clock | Typed:
    if said == "tick":
        return Clock(t)
    order, _, secret = said.partition(" ")
    word, *synonyms = (part.strip() for part in secret.split("="))
    if order != "secret" or not word or not all(synonyms):
        raise ScriptError(f"{where} : après @ il faut « tick » ou « secret MOT = SYNONYME ».")
    return Typed(t, word, tuple(synonyms))


def _starts(words: list[str], name: list[str]) -> bool:
    return bool(name) and [word.casefold() for word in words[: len(name)]] == [word.casefold() for word in name]
