"""The referee's French: templates of `wording.toml`, checked when loaded and filled with the data of an event.

A template is text with fields, `{name}` or `{name:form}`. The forms:

| form | value | becomes |
|---|---|---|
| (none) | str, int, list | the text; the number in words; « Ana, Bruno et Chloé » |
| `mots`, `mots_f` | int | « vingt et un », « vingt et une » |
| `points`, `gorgées`, … | int | « seize points », « un point »; the noun must stand in `[grammaire]` |
| `gagne`, `gagnent` | int | « gagne seize points », « perd un point », « ne gagne rien » |
| `perd` | int | of a loss: « perd seize points », « ne perd rien » |
| `crie|crient`, `avec|sans` | int, list or bool | the first for zero, one or true, the second for several or false |
| `ordinal`, `ordinale` | int | « deuxième », « premier », « première » |
| `durée` | seconds | « une minute et trente secondes » |
| `dés` | list of int | « quatre, deux et un » |
| `et`, `ou` | str or list | « Ana, Bruno et Chloé » |
| `cités` | str or list | « « Velutée ! » ou « Salsifi ! » » |
| `de`, `à`, `que` | str or list | « d'Ana », « de Bruno et d'Ana »; « à Ana »; « qu'Ana » |
| `un`, `le`, `nom` | id or list of ids of `[noms]` | « une Velute », « l'Artichette », « Velute » |
| `du`, `au` | id or list of ids of `[noms]` | « du Cul de Chouette », « à la Suite » |
| `scores` | mapping of names to int | « Ana, seize points ; Bruno, moins un point » |
"""

from __future__ import annotations

import re
import string
import tomllib
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path

from voiceref.voice import french
from voiceref.voice.french import Noun
from voiceref.voice.number_words import REGIONS, Region, cardinal, ordinal

NOBODY_KNOWN = "quelqu'un"
"""What stands for a player who is not known (None)."""

NOTICES = "affiche_"
"""How the tables begin whose rows are for the screen only."""

UNCOUNTED = "sans_points"
"""How the tables begin whose rows replace others at a table without points."""

LONGEST_S = 6.0
_SPOKEN_LETTERS_A_SECOND = 17.0
_SPOKEN_HEAD_S = 0.4
_PAUSE_S = 0.22
_PAUSES = re.compile(r"[,;:.!?…](?= )")
_SECTIONS = ("grammaire", "noms")
_BREAKS = (". ", "! ", "? ", "… ", "; ", ": ", ", ", " ")


class WordingError(ValueError):
    """A template that cannot be read, or data that do not fill it. The message names the table and the row."""


Form = Callable[["Wording", object], str]


@dataclass(frozen=True)
class Wording:
    """All sentences of the referee. `templates[table][row]` holds the sentences of one event, in order."""

    templates: Mapping[str, Mapping[str, tuple[str, ...]]]
    nouns: Mapping[str, Noun]
    counted: Mapping[str, bool]
    """Counted nouns in the plural -> whether feminine."""
    aspirated: frozenset[str]
    """First words (bare letters) before which nothing is elided although they begin with h, e.g. « harold »."""
    region: Region = "fr"
    plain_gains: bool = False
    """Whether « gagne seize points » is only « gagne »."""

    @classmethod
    def load(cls, path: Path | None = None, region: Region = "fr") -> Wording:
        """The wording of `path`, or the one that ships. Raises WordingError on any row that could not be said."""
        if region not in REGIONS:
            raise WordingError(f"région inconnue : « {region} » (fr, be ou ch)")
        source = path if path is not None else resources.files("voiceref.voice") / "wording.toml"
        try:
            text = unicodedata.normalize("NFC", source.read_text(encoding="utf-8-sig"))
            tables = tomllib.loads(text)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise WordingError(f"le fichier de phrases {source} est illisible : {error}") from error
        return _checked(tables, region)

    def render(self, game: str, name: str, data: Mapping[str, object]) -> tuple[str, ...]:
        """The sentences of event or refusal `name` of `game` (command-line name), each about six seconds at most.

        A row missing from the game's table is looked for in `[table]`. An empty tuple means that nothing is said.
        Raises WordingError when the row is missing or `data` do not fill it: use it in tests, `sentences` at the table.
        """
        table = game.replace("-", "_")
        rows = self.templates.get(table, {}).get(name, self.templates.get("table", {}).get(name))
        if rows is None:
            raise WordingError(f"[{table}] {name} : aucune phrase pour cet évènement (ajoutez-la à wording.toml)")
        filled = self._filled(table, name, rows, data)
        return tuple(part for sentence in filled if sentence for part in split(french.capitalised(sentence)))

    def _filled(self, table: str, name: str, rows: Sequence[str], data: Mapping[str, object]) -> tuple[str, ...]:
        try:
            return tuple(_fill(self, row, data) for row in rows)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise WordingError(f"[{table}] {name} : {_reason(error)} dans {dict(data)}") from error

    def sentences(self, game: str, name: str, data: Mapping[str, object]) -> tuple[str, ...]:
        """As `render`, but words always come: what cannot be filled is said plainly from its name and players."""
        try:
            return self.render(game, name, data)
        except WordingError:
            who = [str(data[key]) for key in ("joueur", "joueurs") if isinstance(data.get(key), str)]
            plain = french.capitalised(name.replace("_", " "))
            return (f"{plain} : {french.listed(who)}." if who else f"{plain}.",)

    def notice(self, game: str, name: str, data: Mapping[str, object]) -> str | None:
        """What the screen shows for an event that is not spoken because players must cry now; None for most events.

        Raises WordingError when `data` do not fill the row.
        """
        table = f"{NOTICES}{game.replace('-', '_')}"
        rows = self.templates.get(table, {}).get(name)
        return None if rows is None else " ".join(self._filled(table, name, rows, data))

    def label(self, game: str, name: str) -> str:
        """A reason or phase in few words for the screen: from `[ecran]`, else what is said of it, else its code."""
        if name in self.templates.get("ecran", {}):
            return " ".join(self.templates["ecran"][name])
        table = self.templates.get(game.replace("-", "_"), {})
        sentence = " ".join(table.get(name, self.templates.get("table", {}).get(name, ())))
        plain = sentence and "{" not in sentence
        return sentence[0].lower() + sentence[1:].rstrip(".") if plain else name.replace("_", " ")

    def noun(self, thing: object) -> Noun:
        """The named thing with its gender. Raises KeyError when it is not in `[noms]`."""
        return self.nouns[str(thing)]


def without_points(wording: Wording) -> Wording:
    """The wording for a table that plays without points: no score and no gain is told, only who gains or loses.

    The tables `sans_points` (for every game) and `sans_points_GAME` hold the rows that are said otherwise.
    """
    everywhere = wording.templates.get(UNCOUNTED, {})
    templates = {
        table: {**rows, **everywhere, **wording.templates.get(f"{UNCOUNTED}_{table}", {})}
        for table, rows in wording.templates.items()
        if not table.startswith(UNCOUNTED)
    }
    return replace(wording, templates=templates, plain_gains=True)


def split(sentence: str, longest_s: float = LONGEST_S) -> tuple[str, ...]:
    """`sentence` cut at its stops, then at commas, into parts of at most about `longest_s` seconds of speech.

    No word is lost: a part that ended in a comma or semicolon ends in a full stop instead.
    """
    if seconds(sentence) <= longest_s:
        return (sentence,) if sentence.strip() else ()
    most = next(size for size in range(len(sentence), 0, -1) if size == 1 or seconds(sentence[:size]) <= longest_s)
    for mark in _BREAKS:
        place = _last_break(sentence, mark, most)
        if place > 0:
            head, tail = sentence[:place].rstrip(" ;:,"), sentence[place:].strip()
            return (_stopped(head), *split(french.capitalised(tail), longest_s))
    return (sentence,)


def seconds(sentence: str) -> float:
    """About how long `sentence` lasts at the normal rate, pauses included (measured on Pico, on the long side)."""
    pauses = len(_PAUSES.findall(sentence))
    return _SPOKEN_HEAD_S + len(sentence) / _SPOKEN_LETTERS_A_SECOND + pauses * _PAUSE_S


def _last_break(sentence: str, mark: str, most: int) -> int:
    """The last place after `mark` within `most` letters that is not inside « … »; 0 when there is none."""
    place = sentence.rfind(mark, 0, most)
    while place > 0:
        end = place + len(mark)
        if sentence.count("«", 0, end) == sentence.count("»", 0, end):
            return end
        place = sentence.rfind(mark, 0, place)
    return 0


def _stopped(part: str) -> str:
    return part if part.endswith((".", "!", "?", "…")) else f"{part}."


def _reason(error: Exception) -> str:
    return f"il manque {error}" if isinstance(error, KeyError) else str(error)


# --- loading ---------------------------------------------------------------------------------------------------------


def _checked(tables: Mapping[str, object], region: Region) -> Wording:
    grammar = _strings_table(tables, "grammaire", lists=True)
    try:
        nouns = {key: Noun.parse(value) for key, (value,) in _strings_table(tables, "noms", lists=False).items()}
    except ValueError as error:
        raise WordingError(f"[noms] : {error}") from error
    masculine, feminine = grammar.get("masculins", ()), grammar.get("feminins", ())
    counted = {noun: noun in feminine for noun in (*masculine, *feminine)}
    templates = {name: _strings_table(tables, name, lists=True) for name in tables if name not in _SECTIONS}
    wording = Wording(templates, nouns, counted, frozenset(map(french.bare, grammar.get("aspires", ()))), region)
    for table, rows in templates.items():
        for row, sentences in rows.items():
            for sentence in sentences:
                _check_template(wording, f"[{table}] {row}", sentence)
    return wording


def _strings_table(tables: Mapping[str, object], name: str, *, lists: bool) -> dict[str, tuple[str, ...]]:
    table = tables.get(name, {})
    if not isinstance(table, dict):
        raise WordingError(f"[{name}] doit être une table")
    found: dict[str, tuple[str, ...]] = {}
    for key, value in table.items():
        values = value if lists and isinstance(value, list) else [value]
        if not all(isinstance(item, str) for item in values):
            raise WordingError(f"[{name}] {key} : il faut une phrase, ou une liste de phrases")
        found[key] = tuple(values)
    return found


def _check_template(wording: Wording, where: str, template: str) -> None:
    try:
        parts = [(literal, name, form) for literal, name, form, _ in string.Formatter().parse(template)]
    except ValueError as error:
        raise WordingError(f"{where} : accolades mal fermées ({error})") from error
    for literal, name, form in parts:
        if any(letter.isdigit() for letter in literal):
            raise WordingError(f"{where} : un chiffre doit être écrit en lettres (« {template} »)")
        if name is not None and not name.isidentifier():
            raise WordingError(f"{where} : « {{{name}}} » n'est pas un nom de champ")
        if form and "|" not in form and form not in _FORMS and form not in wording.counted:
            raise WordingError(f"{where} : forme inconnue « {form} » (un nom compté s'ajoute à [grammaire])")


# --- filling ---------------------------------------------------------------------------------------------------------


def _fill(wording: Wording, template: str, data: Mapping[str, object]) -> str:
    parts: list[str] = []
    for literal, name, form, _ in string.Formatter().parse(template):
        parts.append(literal)
        if name is not None:
            parts.append(_formed(wording, form or "", data[name]))
    return _tidy(unicodedata.normalize("NFC", "".join(parts)))


def _tidy(sentence: str) -> str:
    """One space between words, one stop at the end, also where a field was empty or brought a stop of its own."""
    sentence = re.sub(r"\s+", " ", sentence).strip()
    sentence = re.sub(r"\s*[:,;]\s*([.!?])$", r"\1", sentence)
    return re.sub(r"([.!?…])\s*\.$", r"\1", sentence)


def _formed(wording: Wording, form: str, value: object) -> str:
    if "|" in form:
        one, _, many = form.partition("|")
        return one if value is True or (value is not False and french.is_singular(_count(value))) else many
    if form in wording.counted:
        if isinstance(value, Mapping):
            return _scores(wording, value, form)
        return _counted(wording, form, _number(value))
    return _FORMS[form](wording, value)


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"« {value} » n'est pas un nombre entier")
    return value


def _count(value: object) -> int:
    return _number(value) if isinstance(value, int) else len(_items(value))


def _items(value: object) -> list[object]:
    if isinstance(value, str) or not isinstance(value, Sequence | frozenset):
        return [value]
    return sorted(value, key=str) if isinstance(value, frozenset) else list(value)


def _word(wording: Wording, value: object) -> str:
    """One value as it is said: a number in words, a name as it is, an unknown player as « quelqu'un »."""
    if value is None:
        return NOBODY_KNOWN
    if isinstance(value, int):
        return cardinal(_number(value), wording.region)
    if not isinstance(value, str):
        raise TypeError(f"« {value!r} » ne se dit pas")
    return value


def _counted(wording: Wording, noun: str, number: int) -> str:
    words = cardinal(number, wording.region, feminine=wording.counted[noun])
    return f"{words} {french.singular(noun) if french.is_singular(number) else noun}"


def _plain(wording: Wording, value: object) -> str:
    return french.listed([_word(wording, item) for item in _items(value)])


def _choice(wording: Wording, value: object) -> str:
    return french.listed([_word(wording, item) for item in _items(value)], "ou")


def _quoted(wording: Wording, value: object) -> str:
    return french.listed([f"« {_word(wording, item)} »" for item in _items(value)], "ou")


def _before_each(little: str) -> Form:
    """« de », « que »: said again before each name, elided where French elides it."""

    def form(wording: Wording, value: object) -> str:
        words = [_word(wording, item) for item in _items(value)]
        return french.listed([french.with_little_word(little, word, wording.aspirated) for word in words])

    return form


def _to_each(wording: Wording, value: object) -> str:
    return french.listed([f"à {_word(wording, item)}" for item in _items(value)])


def _thing(article: Callable[[Noun], str]) -> Form:
    def form(wording: Wording, value: object) -> str:
        return french.listed([article(wording.noun(item)) for item in _items(value)])

    return form


def _gains(wins: str, loses: str, nothing: str) -> Form:
    def form(wording: Wording, value: object) -> str:
        points = _number(value)
        if not points:
            return nothing
        if wording.plain_gains:
            return wins if points > 0 else loses
        return f"{wins if points > 0 else loses} {_counted(wording, 'points', abs(points))}"

    return form


def _duration(wording: Wording, value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"« {value} » n'est pas une durée en secondes")
    minutes, rest = divmod(round(value), 60)
    parts = [_counted(wording, "minutes", minutes)] if minutes else []
    if rest or not parts:
        parts.append(_counted(wording, "secondes", rest))
    return french.listed(parts)


def _scores(wording: Wording, value: object, noun: str = "points") -> str:
    if not isinstance(value, Mapping):
        raise TypeError(f"« {value} » n'est pas un tableau de scores")
    return " ; ".join(f"{name}, {_counted(wording, noun, _number(held))}" for name, held in value.items())


_FORMS: Mapping[str, Form] = {
    "": _plain,
    "et": _plain,
    "dés": _plain,
    "ou": _choice,
    "cités": _quoted,
    "mots": lambda wording, value: cardinal(_number(value), wording.region),
    "mots_f": lambda wording, value: cardinal(_number(value), wording.region, feminine=True),
    "ordinal": lambda wording, value: ordinal(_number(value), wording.region),
    "ordinale": lambda wording, value: ordinal(_number(value), wording.region, feminine=True),
    "gagne": _gains("gagne", "perd", "ne gagne rien"),
    "perd": _gains("perd", "gagne", "ne perd rien"),
    "gagnent": _gains("gagnent", "perdent", "ne gagnent rien"),
    "durée": _duration,
    "de": _before_each("de"),
    "que": _before_each("que"),
    "à": _to_each,
    "un": _thing(french.indefinite),
    "le": _thing(french.definite),
    "du": _thing(french.of_definite),
    "au": _thing(french.to_definite),
    "nom": _thing(lambda noun: noun.name),
    "scores": _scores,
}
