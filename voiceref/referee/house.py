"""House phrases in play: the phrases of a game with those that the players added, and the audit told before it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from voiceref import resources
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases import house as houses
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.house import House
from voiceref.phrases.normalise import normalise, tokens
from voiceref.phrases.pattern import spoken
from voiceref.table import TableError

_WORDINGS = 12
"""How many wordings of each phrase of the game a house phrase is compared with: its first ones, the usual ones."""


@dataclass(frozen=True)
class Manners:
    """What the players say their own way: their file of phrases, and names with how they are said."""

    phrases: Path | None = None
    names: Mapping[str, str] = field(default_factory=dict)


def catalogue(game: str, manners: Manners) -> Catalogue:
    """The phrases of a game at this table. Raises PhraseFileError with file and line, or TableError for a name."""
    return _house(game, manners).catalogue


def audited(game: str, manners: Manners) -> Iterator[str]:
    """What to know about the house phrases before the game, each one French sentence.

    Raises PhraseFileError, or LexiconError for a pronunciation without any sound.
    """
    house = _house(game, manners)
    if not (house.own or house.says):
        return
    from voiceref.ear.opening import EarModels
    from voiceref.ear.vocabulary import Likeness, audit_words, nearest

    lexicon = EarModels(resources.models()).lexicon()
    for phrase in house.catalogue.phrases.values():
        for word, way in phrase.says.items():
            lexicon.override(word, way)
    words = {word for _, text in house.own for word in text.replace("'", "' ").split()}
    yield from (finding.message for finding in audit_words(words, lexicon))
    usual = {
        name: tuple(dict.fromkeys(text for t in phrase.templates for text in islice(spoken(t.node), _WORDINGS)))
        for name, phrase in house.catalogue.phrases.items()
    }
    for name, text in house.own:
        order = house.catalogue.phrases[name].command
        others = {other: owner for owner, texts in usual.items() if owner != name for other in texts}
        if order is not None:
            others = {
                other: owner for other, owner in others.items() if house.catalogue.phrases[owner].command != order
            }
        found = nearest(text, others, lexicon)
        if found is None or not found.too_close:
            continue
        better = [way for way in _otherwise(house.catalogue, name, text) if way != text]
        clear = (way for way in better if not (nearest(way, others, lexicon) or Likeness("", 1.0)).too_close)
        advice = next((f"dites plutôt « {way} »" for way in clear), "allongez-la ou changez-la")
        yield (
            f"« {text} » ressemble trop à « {found.text} » ({others[found.text]}, {round(100 * found.distance)} % de "
            f"sons différents) : {advice}."
        )


def names_audited(game: str, players: Sequence[str], manners: Manners) -> Iterator[str]:
    """Names that the ear takes for one another or for a whole phrase of the game, each one French sentence.

    Raises PhraseFileError, or LexiconError for a pronunciation without any sound.
    """
    from voiceref.ear.opening import EarModels
    from voiceref.ear.vocabulary import nearest

    house = _house(game, manners)
    lexicon = EarModels(resources.models()).lexicon()
    for word, way in house.says.items():
        lexicon.override(word, way)
    words = {name: " ".join(token.text for token in tokens(name)) for name in players}
    templates = (each for phrase in house.catalogue.phrases.values() for each in phrase.templates)
    usual = {text for each in templates for text in islice(spoken(each.node), _WORDINGS)}
    short = [text for text in usual if len(text.split()) == 1 and "<" not in text]
    for place, (name, said) in enumerate(words.items()):
        for other in players[:place]:
            found = nearest(said, [words[other]], lexicon)
            if found is not None and found.too_close:
                yield (
                    f"« {other} » et « {name} » se ressemblent trop à l'oreille : donnez un surnom à l'un des deux, "
                    "ou [names] dans --table."
                )
        found = nearest(said, short, lexicon)
        if found is not None and found.too_close:
            yield f"« {name} » ressemble trop à « {found.text} », qui se dit au jeu : donnez-lui un surnom."


def _otherwise(catalogue: Catalogue, name: str, text: str) -> Iterator[str]:
    """Other ways to say the same that may be told apart better: an order with « arbitre », a cry as printed."""
    phrase = catalogue.phrases[name]
    if phrase.command is not None:
        yield f"arbitre {text}"
    if not phrase.has_slots:
        yield normalise(phrase.text)


def _house(game: str, manners: Manners) -> House:
    plain = catalogues.load(game)
    house = houses.read(manners.phrases, plain) if manners.phrases is not None else House(plain, (), {})
    for name, way in manners.names.items():
        words = len(tokens(name))
        if words > 1 and len(way.split()) != words:
            raise TableError(f"[names] : « {name} » a {words} mots, donnez-lui une prononciation de {words} mots.")
    named = houses.pronounced(house.catalogue, manners.names)
    return House(named, house.own, {**house.says, **manners.names})
