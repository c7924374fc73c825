"""A phrase, and the TOML file it is read from: checked, with a French sentence for every mistake.

Keys of a `[[phrase]]`: `id`, `text` (as printed), `pattern` and `variants` (templates of what is said; without
`pattern` the text is one), `spellings` (templates of what a typist or recogniser may write for the same sounds: read,
but not given to the ear), `says` (table: word -> how it is pronounced), `who`, `kind`, `rule`, `window`, `command`,
`inside` (true: its open words count in the middle of other talk too).
`[types.NAME]` lists a closed slot type: id -> ways to say it. See `pattern.py` for the template language.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from voiceref.phrases.normalise import tokens
from voiceref.phrases.pattern import NOTHING, Node, TemplateError, read_part
from voiceref.phrases.slots import Listed, SlotType, Vocabulary
from voiceref.phrases.template import Template, compile_template, with_common_shapes

RACES = ("race-first", "race-last", "tie-break")
"""Kinds of phrases that several players cry at once."""
KINDS = (*RACES, "bet", "single", "report", "command")
ADDRESS = "[[hé|eh|ho|dis|dites|dis moi] [monsieur|madame] [l'] arbitre]"
PLEASE = "[s'il te plaît|s'il vous plaît] [[l'] arbitre]"
"""What may come before and after any command."""

Around = tuple[Node, Node]
"""What may come before and after a template."""
_TEXT_KEYS = ("id", "text", "who", "kind", "rule", "window", "command")
_LIST_KEYS = ("pattern", "variants", "spellings")
_PHRASE_KEYS = (*_TEXT_KEYS, *_LIST_KEYS, "says", "inside")
_HEADER = re.compile(r"^\s*\[\[\s*phrase\s*\]\]")


class PhraseFileError(ValueError):
    """A phrase file that cannot be used: one French sentence with the file, the line and the remedy."""


@dataclass(frozen=True, eq=False)
class Phrase:
    """One phrase. `command` names what the session does with it; it is None for phrases that belong to the rules.

    `templates` are what is said; `spellings` are other ways to write it. `before` and `after` may come around every
    template (« Arbitre, … s'il te plaît »). `inside`: heard in running talk too, with the words that are sought.
    """

    id: str
    text: str
    templates: tuple[Template, ...]
    says: Mapping[str, str] = field(default_factory=dict)
    who: str = ""
    kind: str = "single"
    rule: str = ""
    window: str = ""
    command: str | None = None
    before: Node = NOTHING
    after: Node = NOTHING
    spellings: tuple[Template, ...] = ()
    inside: bool = False

    @property
    def readable(self) -> tuple[Template, ...]:
        """Every template that words are read by."""
        return self.templates + self.spellings

    @property
    def raced(self) -> bool:
        """Whether several players cry it at once."""
        return self.kind in RACES

    @property
    def has_slots(self) -> bool:
        """Whether any template has a slot."""
        return any(template.shapes for template in self.readable)


def read_file(path: Path) -> dict[str, Phrase]:
    """The phrases of a TOML file by id, in its order. Raises PhraseFileError."""
    return dict(_phrases(path, _read_text(path)))


@lru_cache(maxsize=16)
def _phrases(path: Path, text: str) -> Mapping[str, Phrase]:
    """Compiling the templates takes 0.2 s: a file that says the same is compiled once in a process."""
    reader, document = _parsed(path, text)
    return reader.phrases(document)


def opened(path: Path) -> tuple[PhraseReader, Mapping[str, object]]:
    """A TOML file as a document, with what turns its parts into phrases. Raises PhraseFileError."""
    return _parsed(path, _read_text(path))


def _parsed(path: Path, text: str) -> tuple[PhraseReader, Mapping[str, object]]:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"line (\d+), column (\d+)", str(error))
        place = (
            f"ligne {where[1]}, colonne {where[2]}" if where else f"ligne {text.count(chr(10)) + 1} (fin du fichier)"
        )
        raise PhraseFileError(
            f"{path}, {place} : TOML mal formé ; vérifiez les guillemets, les crochets et les doublons."
        ) from None
    return PhraseReader(path, text.splitlines()), document


def _read_text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError:
        raise PhraseFileError(f"{path} : fichier de phrases introuvable ou illisible ; vérifiez le chemin.") from None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise PhraseFileError(
            f"{path}, ligne {line} : le fichier n'est pas en UTF-8 ; enregistrez-le en UTF-8."
        ) from None
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n"))


@dataclass(frozen=True)
class PhraseReader:
    """Turns a parsed TOML document into phrases; knows the lines of the file for its messages."""

    path: Path
    lines: list[str]

    def phrases(self, document: Mapping[str, object]) -> dict[str, Phrase]:
        for key in document:
            if key not in ("phrase", "types"):
                raise self.error(
                    self.line_of(key, 0), f"clé inconnue « {key} » ; il faut des [[phrase]] ou des [types.NOM]"
                )
        listed = self.types(document)
        found: dict[str, Phrase] = {}
        for entry, start in self.entries(document):
            phrase = self.phrase(entry, start, listed)
            if phrase.id in found:
                raise self.error(
                    self.line_of("id", start), f"l'identifiant « {phrase.id} » est déjà pris ; choisissez-en un autre"
                )
            found[phrase.id] = phrase
        if not found:
            raise self.error(None, "aucune phrase ; il faut au moins une [[phrase]] avec « id » et « text »")
        return found

    def entries(self, document: Mapping[str, object]) -> Iterator[tuple[Mapping[str, object], int]]:
        """Each `[[phrase]]` with the number of its line, from 0."""
        found = document.get("phrase", [])
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            raise self.error(self.line_of("phrase", 0), "« phrase » doit s'écrire [[phrase]]")
        headers = [number for number, line in enumerate(self.lines) if _HEADER.match(line)]
        yield from zip(found, headers if len(headers) == len(found) else [0] * len(found), strict=True)

    def types(self, document: Mapping[str, object]) -> dict[str, SlotType]:
        """The `[types.NAME]` of the file."""
        section = document.get("types", {})
        if not isinstance(section, dict):
            raise self.error(self.line_of("types", 0), "« types » doit s'écrire [types.NOM]")
        found: dict[str, SlotType] = {}
        for name, values in section.items():
            start = next(
                (n for n, line in enumerate(self.lines) if re.match(rf"\s*\[types\.{re.escape(name)}\]", line)), 0
            )
            if not isinstance(values, dict) or not values:
                raise self.error(start, f'le type « {name} » doit donner des listes : valeur = ["façon de dire", …]')
            for value, ways in values.items():
                if (
                    not isinstance(ways, list)
                    or not ways
                    or not all(isinstance(way, str) and tokens(way) for way in ways)
                ):
                    raise self.error(
                        self.line_of(value, start),
                        f"« {value} » doit être une liste de façons de dire, entre guillemets",
                    )
            found[name] = Listed(Vocabulary.of(values))
        return found

    def phrase(self, entry: Mapping[str, object], start: int, listed: Mapping[str, SlotType]) -> Phrase:
        """The phrase of an entry that begins at line `start`."""
        for key, value in entry.items():
            line = self.line_of(key, start)
            if key not in _PHRASE_KEYS:
                raise self.error(line, f"clé inconnue « {key} » ; clés possibles : {', '.join(_PHRASE_KEYS)}")
            if key in _TEXT_KEYS and not (isinstance(value, str) and value.strip()):
                raise self.error(line, f"« {key} » doit être un texte entre guillemets, non vide")
            if key in _LIST_KEYS and not (
                isinstance(value, list) and value and all(isinstance(item, str) for item in value)
            ):
                raise self.error(line, f"« {key} » doit être une liste de textes entre crochets, non vide")
            if key == "inside" and not isinstance(value, bool):
                raise self.error(line, "« inside » doit être true ou false")
        for key in ("id", "text"):
            if key not in entry:
                raise self.error(start, f"il manque « {key} » à cette phrase")
        says = entry.get("says", {})
        if not isinstance(says, dict) or not all(isinstance(value, str) and value.strip() for value in says.values()):
            raise self.error(self.line_of("says", start), '« says » doit donner mot = "prononciation"')
        texts = {key: str(entry[key]).strip() for key in _TEXT_KEYS if key in entry}
        if texts.get("kind", KINDS[0]) not in KINDS:
            raise self.error(
                self.line_of("kind", start),
                f"genre inconnu « {texts['kind']} » ; genres possibles : {', '.join(KINDS)}",
            )
        around = _AROUND_COMMANDS if texts.get("kind") == "command" else (NOTHING, NOTHING)
        said_keys = ("pattern" if "pattern" in entry else "text", "variants")
        said = self.templates(entry, said_keys, start, listed, around)
        written = self.templates(entry, ("spellings",), start, listed, around)
        templates = with_common_shapes([*said, *written])
        return Phrase(
            id=texts["id"],
            text=texts["text"],
            templates=templates[: len(said)],
            says=says,
            who=texts.get("who", ""),
            kind=texts.get("kind", "single"),
            rule=texts.get("rule", ""),
            window=texts.get("window", ""),
            command=texts.get("command"),
            before=around[0],
            after=around[1],
            spellings=templates[len(said) :],
            inside=entry.get("inside") is True,
        )

    def templates(
        self,
        entry: Mapping[str, object],
        keys: Iterable[str],
        start: int,
        listed: Mapping[str, SlotType],
        around: Around,
    ) -> list[Template]:
        """The templates in these keys of an entry; `around`: what may come before and after each."""
        found = []
        for key in keys:
            given = entry.get(key, [])
            for source in given if isinstance(given, list) else [given]:
                try:
                    found.append(compile_template(str(source), listed, *around))
                except TemplateError as error:
                    raise self.error(self.line_of(str(source), start), f"{error}") from None
        return found

    def line_of(self, wanted: str, start: int) -> int:
        """The first line from `start` on that holds `wanted`; `start` itself when none does."""
        return next((n for n in range(start, len(self.lines)) if wanted in self.lines[n]), start)

    def error(self, line: int | None, message: str) -> PhraseFileError:
        """A fault at a line, from 0."""
        place = f"{self.path}, ligne {line + 1}" if line is not None else f"{self.path}"
        return PhraseFileError(f"{place} : {message}.")


_AROUND_COMMANDS: Around = (read_part(ADDRESS, {}), read_part(PLEASE, {}))
