"""The phrases of a game with those of the table, by id, and indexed for the matcher."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from voiceref.phrases.pattern import wordings
from voiceref.phrases.phrase_file import Phrase, PhraseFileError, read_file
from voiceref.phrases.template import Template

__all__ = ["GAMES", "Catalogue", "Phrase", "PhraseFileError", "grammar_folder", "load"]

GAMES: Mapping[str, str] = {
    "cul-de-chouette": "cul_de_chouette.toml",
    "cachamot": "cachamot.toml",
    "casque-cheque-chat": "casque_cheque_chat.toml",
    "chasseur-de-tete": "chasseur_de_tete.toml",
}
TABLE_FILE = "table.toml"
LONG_WORDS = 3
LONG_LETTERS = 10
"""A cry is long when it has so many words or so many letters (about eight phones)."""


@dataclass(frozen=True)
class Catalogue:
    """The phrases of one game with those of the table, by id, in the order of the files."""

    name: str
    phrases: Mapping[str, Phrase]

    @cached_property
    def by_first_key(self) -> Mapping[str, tuple[tuple[Phrase, Template], ...]]:
        """The templates that may begin with each word key."""
        found: dict[str, list[tuple[Phrase, Template]]] = {}
        for phrase in self.phrases.values():
            for template in phrase.readable:
                for key in template.first_keys:
                    found.setdefault(key, []).append((phrase, template))
        return {key: tuple(entries) for key, entries in found.items()}

    @cached_property
    def slot_first(self) -> tuple[tuple[Phrase, Template], ...]:
        """The templates that may begin with a slot."""
        return tuple(
            (p, template) for p in self.phrases.values() for template in p.readable if template.begins_with_slot
        )

    @cached_property
    def long_cries(self) -> tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]:
        """(id, wordings as keys) of the cries without slots that are long enough to be recognised when a little off."""
        return tuple(
            (phrase.id, found)
            for phrase in self.phrases.values()
            if phrase.kind not in ("command", "report") and not phrase.has_slots
            if (found := tuple(keys for t in phrase.readable for keys in wordings(t.node) if _is_long(keys)))
        )

    def candidates(self, key: str) -> Iterable[tuple[Phrase, Template]]:
        """The templates worth trying on an utterance whose first word has this key."""
        first = self.by_first_key.get(key, ())
        yield from first
        taken = {id(template) for _, template in first}
        yield from (entry for entry in self.slot_first if id(entry[1]) not in taken)

    def commands(self) -> tuple[str, ...]:
        """The ids of the phrases that the session handles itself; they may be said at any time."""
        return tuple(phrase.id for phrase in self.phrases.values() if phrase.command is not None)


def _is_long(keys: tuple[str, ...]) -> bool:
    return len(keys) >= LONG_WORDS or sum(map(len, keys)) >= LONG_LETTERS


def grammar_folder() -> Path:
    """Where the grammars are: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "grammars"
    return inside if inside.is_dir() else package.parent / "grammars"


def load(source: str | Path | Sequence[Path]) -> Catalogue:
    """The catalogue of a game by its name (`cul-de-chouette`, …, with the table commands), or of phrase files.

    Raises PhraseFileError with one French sentence.
    """
    if isinstance(source, str):
        if source not in GAMES:
            raise PhraseFileError(f"Jeu inconnu « {source} » ; jeux possibles : {', '.join(GAMES)}.")
        game = read_file(grammar_folder() / GAMES[source])
        table = read_file(grammar_folder() / TABLE_FILE)
        return Catalogue(source, _with_table(game, table))
    paths = [source] if isinstance(source, Path) else list(source)
    phrases: dict[str, Phrase] = {}
    for path in paths:
        for phrase in read_file(path).values():
            if phrase.id in phrases:
                raise PhraseFileError(
                    f"{path} : l'identifiant « {phrase.id} » est déjà dans un autre fichier ; changez l'un des deux."
                )
            phrases[phrase.id] = phrase
    return Catalogue("+".join(path.stem for path in paths), phrases)


def _with_table(game: Mapping[str, Phrase], table: Mapping[str, Phrase]) -> dict[str, Phrase]:
    """The game's phrases, then the table's. A game phrase with a table phrase's command takes over its templates."""
    merged = dict(game)
    for phrase in table.values():
        same = next((p for p in game.values() if p.command == phrase.command), None)
        if phrase.id in game:
            raise PhraseFileError(
                f"L'identifiant « {phrase.id} » est pris par le jeu et par {TABLE_FILE} ; changez l'un des deux."
            )
        if same is None:
            merged[phrase.id] = phrase
        else:
            own = merged[same.id]
            merged[same.id] = replace(
                own, templates=own.templates + phrase.templates, spellings=own.spellings + phrase.spellings
            )
    return merged
