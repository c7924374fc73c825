"""House phrases: what one group of players says its own way, read from a TOML file that they write.

`[[phrase]]` with the `id` of a phrase of the game or the table and `variants`: more ways to say it. `[[phrase]]` with
an `id` of its own, `text` and `command`: one more way to give an order of the table. `[says]` lists words and `[names]`
players with how they are pronounced. Templates, `says` in a phrase and `[types.NAME]` are as in `phrase_file.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.normalise import tokens
from voiceref.phrases.pattern import spoken, wordings
from voiceref.phrases.phrase_file import Phrase, PhraseFileError, PhraseReader, opened
from voiceref.phrases.slots import SlotType
from voiceref.phrases.template import Template, with_common_shapes

__all__ = ["House", "PhraseFileError", "pronounced", "read"]

_PARTS = ("phrase", "types", "says", "names")
_KEYS = ("id", "text", "variants", "says", "command")


@dataclass(frozen=True)
class House:
    """A catalogue with the phrases of the house. `own`: (phrase id, wording) of each that was added.

    `says`: words with how they are pronounced, those of names included.
    """

    catalogue: Catalogue
    own: tuple[tuple[str, str], ...]
    says: Mapping[str, str]


def read(path: Path, catalogue: Catalogue) -> House:
    """The phrases of a file added to those of a game. Raises PhraseFileError with file and line."""
    reader, document = opened(path)
    for key in document:
        if key not in _PARTS:
            raise reader.error(
                reader.line_of(key, 0),
                f"clé inconnue « {key} » ; il faut des [[phrase]], [says], [names] ou [types.NOM]",
            )
    listed = reader.types(document)
    phrases = dict(catalogue.phrases)
    own: list[tuple[str, str]] = []
    for entry, start in reader.entries(document):
        added = _added(reader, entry, start, listed, catalogue)
        known = phrases.get(added.id)
        for template in added.templates:
            _refuse_taken(reader, template, added.id, phrases, start)
            own += [(added.id, text) for text in spoken(template.node)]
        phrases[added.id] = added if known is None else _joined(known, added)
    says = {**_said(reader, document, "names"), **_said(reader, document, "says")}
    return House(pronounced(replace(catalogue, phrases=phrases), says), tuple(own), says)


def pronounced(catalogue: Catalogue, says: Mapping[str, str]) -> Catalogue:
    """The same phrases, where these words and names are pronounced so. A name of several words is given as many."""
    by_word: dict[str, str] = {}
    for text, way in says.items():
        words, ways = [token.text for token in tokens(text)], way.split()
        by_word |= dict(zip(words, ways, strict=True)) if len(words) > 1 else dict.fromkeys(words, way)
    if not by_word:
        return catalogue
    phrases = {name: replace(phrase, says={**by_word, **phrase.says}) for name, phrase in catalogue.phrases.items()}
    return replace(catalogue, phrases=phrases)


def _added(
    reader: PhraseReader,
    entry: Mapping[str, object],
    start: int,
    listed: Mapping[str, SlotType],
    catalogue: Catalogue,
) -> Phrase:
    """What an entry adds: the templates of a known phrase, or an order with its own id."""
    for key in entry:
        if key not in _KEYS:
            raise reader.error(
                reader.line_of(key, start), f"clé inconnue « {key} » ; clés possibles : {', '.join(_KEYS)}"
            )
    known = catalogue.phrases.get(str(entry.get("id", "")))
    if known is None:
        return _order(reader, entry, start, listed, catalogue)
    if "variants" not in entry or "command" in entry:
        raise reader.error(
            start, f"« {known.id} » est une phrase du jeu : donnez-lui « variants », et pas de « command »"
        )
    usual = {"id": known.id, "text": known.text, "kind": known.kind, "pattern": entry["variants"]}
    added = reader.phrase(usual | {key: entry[key] for key in entry if key == "says"}, start, listed)
    fillings = {frozenset(template.shapes) for template in known.readable}
    for template in added.templates:
        if frozenset(template.shapes) not in fillings:
            wanted = " ou ".join(
                sorted(", ".join(f"<{name}>" for name in sorted(names)) or "aucune" for names in fillings)
            )
            raise reader.error(
                reader.line_of(template.source, start),
                f"« {template.source} » n'a pas les cases de la phrase ({wanted})",
            )
    return added


def _order(
    reader: PhraseReader,
    entry: Mapping[str, object],
    start: int,
    listed: Mapping[str, SlotType],
    catalogue: Catalogue,
) -> Phrase:
    orders = {
        phrase.command
        for phrase in catalogue.phrases.values()
        if phrase.command and any(not template.shapes for template in phrase.templates)
    }
    command = entry.get("command")
    if command not in orders:
        raise reader.error(
            reader.line_of("command", start) if "command" in entry else start,
            f"« {entry.get('id', '?')} » n'est pas une phrase du jeu ; une phrase nouvelle donne un ordre avec "
            f"« command » : {', '.join(sorted(orders))}",
        )
    phrase = reader.phrase({**entry, "kind": "command"}, start, listed)
    if phrase.has_slots:
        raise reader.error(start, f"« {phrase.id} » est un ordre : il se dit sans case à remplir")
    return phrase


def _refuse_taken(
    reader: PhraseReader, template: Template, owner: str, phrases: Mapping[str, Phrase], start: int
) -> None:
    """Raise where words that mean another phrase already would be ambiguous from now on."""
    mine = dict(zip(wordings(template.node), spoken(template.node), strict=True))
    for name, phrase in phrases.items():
        if name == owner:
            continue
        for other in phrase.readable:
            taken = next((words for words in wordings(other.node) if words in mine), None)
            if taken is not None:
                raise reader.error(
                    reader.line_of(template.source, start),
                    f"« {mine[taken]} » se dit déjà pour « {phrase.text} » ({name}) ; choisissez d'autres mots",
                )


def _joined(known: Phrase, added: Phrase) -> Phrase:
    count = len(known.templates) + len(added.templates)
    templates = with_common_shapes([*known.templates, *added.templates, *known.spellings])
    return replace(known, templates=templates[:count], spellings=templates[count:], says={**known.says, **added.says})


def _said(reader: PhraseReader, document: Mapping[str, object], section: str) -> dict[str, str]:
    """`word = "how it is said"` of a section."""
    found = document.get(section, {})
    start = reader.line_of(f"[{section}]", 0)
    if not isinstance(found, dict):
        raise reader.error(start, f'« {section} » doit s\'écrire [{section}], puis mot = "prononciation"')
    for word, way in found.items():
        line = reader.line_of(word, start)
        if not (isinstance(way, str) and way.strip() and tokens(word)):
            raise reader.error(line, f"« {word} » doit avoir sa prononciation entre guillemets")
        count = len(tokens(word))
        if count > 1 and len(way.split()) != count:
            raise reader.error(line, f"« {word} » a {count} mots : donnez une prononciation de {count} mots")
    return {str(word): str(way).strip() for word, way in found.items()}
