"""What each rule says, by its id or by the name a player gives it: `grammars/rules_*.toml`, nothing but look-ups."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from voiceref import resources
from voiceref.phrases.normalise import fold
from voiceref.voice.wording import split

FILES: Mapping[str, tuple[str, str]] = {
    "cul-de-chouette": ("CDC", "rules_cul_de_chouette.toml"),
    "cachamot": ("CACH", "rules_cachamot.toml"),
    "casque-cheque-chat": ("CCC", "rules_casque_cheque_chat.toml"),
    "chasseur-de-tete": ("CDT", "rules_chasseur_de_tete.toml"),
}
"""Each game: how its rule ids begin, and its file."""

GOAL = "le but"
"""What is explained when no rule is named."""

LONGEST_S = 9.0
"""A rule may be read in longer sentences than an announcement (s)."""

_ID = re.compile(r"\s*([A-Za-z]+)[\s-]*(\d{1,3})\s*")
_ARTICLES = frozenset({"la", "le", "les", "l", "un", "une", "du", "des", "de", "d"})


class RuleError(ValueError):
    """A rule that is not in the books; one French sentence with the remedy."""


@dataclass(frozen=True)
class Rule:
    """One rule. `level`: 1 to 4 stars, None where the game has no levels. `names`: how a player may ask for it."""

    id: str
    title: str
    family: str
    text: str
    level: int | None = None
    names: tuple[str, ...] = ()

    @property
    def printed(self) -> str:
        """Two lines for the screen."""
        stars = f" {'★' * self.level}" if self.level else ""
        return f"{self.id} · {self.title}{stars}\n{self.text}"


@dataclass(frozen=True)
class Rulebook:
    """The rules of one game by id. `secret`: families not explained by name, with what is said instead."""

    rules: Mapping[str, Rule]
    secret: Mapping[str, str]

    def named(self, name: str) -> tuple[Rule, ...]:
        """The rules that answer to a spoken name (or its id in the grammar, `cul_de_chouette`), in the book's order."""
        wanted = _key(name or GOAL)
        return tuple(rule for rule in self.rules.values() if wanted in map(_key, rule.names))

    def explain(self, name: str) -> tuple[str, ...]:
        """What the referee says to « explique la Suite »: short sentences, none when nothing has that name."""
        found = self.named(name)
        warning = next((self.secret[rule.family] for rule in found if rule.family in self.secret), None)
        texts = (warning,) if warning else tuple(rule.text for rule in found)
        return tuple(part for text in texts for part in split(text, LONGEST_S))


def load(game: str, *, secrets: bool = True) -> Rulebook:
    """The rules of a game by its name on the command line. Raises RuleError when it has none or its file is damaged.

    `secrets`: whether the families that the book keeps secret are kept so (setting `tichette.explain_bevue`, D-51).
    """
    if game not in FILES:
        raise RuleError(f"Le jeu « {game} » n'existe pas ; il y a : {', '.join(FILES)}.")
    book = read(resources.grammars() / FILES[game][1])
    return book if secrets else replace(book, secret={})


def read(path: Path) -> Rulebook:
    """The rules in a file. Raises RuleError."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        rules = [Rule(**{**row, "names": tuple(row.get("names", ()))}) for row in content["rule"]]
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise RuleError(f"Le fichier de règles {path} est illisible ({error}) ; réinstallez VoiceRef.") from error
    return Rulebook({rule.id: rule for rule in rules}, content.get("secret", {}))


def find(wanted: str) -> Rule:
    """The rule of any game by its id, written « CDC-036 », « cdc 36 »… Raises RuleError."""
    shaped = _ID.fullmatch(wanted)
    prefixes = {prefix: game for game, (prefix, _) in FILES.items()}
    game = prefixes.get(shaped[1].upper()) if shaped else None
    if shaped is None or game is None:
        raise RuleError(f"« {wanted} » n'est pas un numéro de règle ; écrivez par exemple CDC-036.")
    rule_id = f"{shaped[1].upper()}-{int(shaped[2]):03d}"
    rules = load(game).rules
    if rule_id not in rules:
        raise RuleError(f"La règle {rule_id} n'existe pas ; les numéros vont de {min(rules)} à {max(rules)}.")
    return rules[rule_id]


def titles() -> list[str]:
    """One line for each rule of each game, after a line with the game's name. Raises RuleError."""
    lines = []
    for game in FILES:
        lines.append(game)
        for rule in load(game).rules.values():
            lines.append(f"  {rule.id} · {rule.title}{' ' + '★' * rule.level if rule.level else ''}")
    return lines


def _key(name: str) -> str:
    """A name without its article, case, accents and punctuation."""
    words = [fold(word) for word in re.findall(r"[^\W_]+", name)]
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return " ".join(words)
