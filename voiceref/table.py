"""From what a person typed, or a settings file, to a checked `Table`: who plays, where, and by which rules."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from voiceref.games.engine import Table

TOKENS = ("grelottine", "immunite", "civet", "civet-filoche", "jarret", "jarret-sifflet", "flan")
LEVELS = range(1, 5)
SCORES = range(-9999, 10000)
_SEPARATORS = set("=:+,@?#\n\t")


class TableError(ValueError):
    """A table that cannot be played; the message is one French sentence with the remedy."""


@dataclass(frozen=True)
class Wishes:
    """A table as asked for, unchecked: the words of the command line or of a settings file.

    `names`: names of players with how they are pronounced.
    """

    players: tuple[str, ...] = ()
    level: int | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, str] = field(default_factory=dict)
    tokens: tuple[tuple[str, str], ...] = ()
    turn: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)


def fold(name: str) -> str:
    """A name as it is compared: NFC, without regard to case or spaces around."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold()).strip()


def find(names: Iterable[str], given: str) -> str | None:
    """The one of `names` that is the same name as `given`, or None."""
    return next((name for name in names if fold(name) == fold(given)), None)


def checked(
    wishes: Wishes, schema: Mapping[str, Sequence[str] | range], *, score_keys: tuple[str, ...] | None = None
) -> Table:
    """The table asked for. `schema` holds the game's settings with their allowed values; scores are by player, or by
    `score_keys` where the game counts otherwise. Raises TableError."""
    players = _players(wishes.players)
    settings = {key: _setting(key, value, schema) for key, value in wishes.settings.items() if key != "teams"}
    level = max(LEVELS) if wishes.level is None else wishes.level
    if level not in LEVELS:
        raise TableError(f"Le niveau va de 1 à 4, pas {level}.")
    return Table(
        players=players,
        level=level,
        settings=settings,
        scores=_scores(wishes.scores, score_keys or players),
        tokens=_tokens(wishes.tokens, players),
        turn=None if wishes.turn is None else _known(wishes.turn, players, "--turn"),
        teams=_teams(wishes.settings.get("teams", ""), players),
    )


def wishes(
    *,
    file: Path | None = None,
    players: str | None = None,
    level: int | None = None,
    settings: Sequence[str] = (),
    scores: str = "",
    tokens: str = "",
    turn: str | None = None,
) -> Wishes:
    """What the options of the command line ask for, on top of a settings file. Raises TableError."""
    base = Wishes() if file is None else load(file)
    return Wishes(
        players=base.players if players is None else names(players),
        level=base.level if level is None else level,
        settings={**base.settings, **dict(_setting_pair(text) for text in settings)},
        scores={**base.scores, **dict(pairs(scores, "--scores"))},
        tokens=(*base.tokens, *pairs(tokens, "--tokens", ":")),
        turn=base.turn if turn is None else unicodedata.normalize("NFC", turn),
        names=base.names,
    )


def _setting_pair(text: str) -> tuple[str, str]:
    key, mark, value = unicodedata.normalize("NFC", text).partition("=")
    if not (mark and key.strip() and value.strip()):
        raise TableError(f"« {text} » : il faut --set sous la forme clé=valeur.")
    return key.strip(), value.strip()


def pairs(text: str, option: str, mark: str = "=") -> tuple[tuple[str, str], ...]:
    """`A=220,B=124` as pairs. Raises TableError naming `option`."""
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        key, found_mark, value = part.partition(mark)
        if not (found_mark and key.strip() and value.strip()):
            raise TableError(f"« {part} » : il faut {option} sous la forme Nom{mark}valeur.")
        found.append((key.strip(), value.strip()))
    return tuple(found)


def names(text: str) -> tuple[str, ...]:
    """`Ana,Bruno` as names; a doubled or final comma is a name left empty, which `checked` refuses."""
    return tuple(unicodedata.normalize("NFC", part).strip() for part in text.split(",")) if text.strip() else ()


def load(path: Path) -> Wishes:
    """The wishes in a TOML settings file: `players`, `level`, `turn`, `[settings]`, `[scores]`, `[tokens]`,
    `[names]`.

    Raises TableError with the file's name for what cannot be read.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise TableError(f"{path} n'est pas en UTF-8 : enregistrez-le en UTF-8.") from None
    except OSError:
        raise TableError(f"{path} ne peut pas être lu : vérifiez qu'il existe et qu'il est lisible.") from None
    except tomllib.TOMLDecodeError as error:
        where = re.search(r"line (\d+)", str(error))
        line = f"ligne {where[1]}" if where else "à la fin"
        raise TableError(f"{path}, {line} : TOML incorrect, vérifiez guillemets et crochets.") from None
    unknown = sorted(set(content) - {"players", "level", "turn", "settings", "scores", "tokens", "names"})
    if unknown:
        raise TableError(f"{path} : la clé « {unknown[0]} » est inconnue.")
    try:
        return _wishes(content)
    except (AttributeError, TypeError, ValueError):
        raise TableError(f"{path} : une valeur n'a pas la bonne forme (voyez l'exemple du README).") from None


def _wishes(content: Mapping[str, Any]) -> Wishes:
    players = content.get("players", [])
    if isinstance(players, str) or not all(isinstance(name, str) for name in players):
        raise TypeError("players")
    held = {name: _list(tokens) for name, tokens in content.get("tokens", {}).items()}
    turn = content.get("turn")
    if turn is not None and not isinstance(turn, str):
        raise TypeError("turn")
    return Wishes(
        players=tuple(unicodedata.normalize("NFC", name).strip() for name in players),
        level=_whole(content["level"]) if "level" in content else None,
        settings={key: _as_text(value) for key, value in _flat(content.get("settings", {}))},
        scores={name: str(_whole(points)) for name, points in content.get("scores", {}).items()},
        tokens=tuple((name, str(token)) for name, tokens in held.items() for token in tokens),
        turn=None if turn is None else unicodedata.normalize("NFC", turn),
        names={name: _spoken(way) for name, way in content.get("names", {}).items()},
    )


def _whole(value: object) -> int:
    """A whole number as TOML writes it, or in quotes; neither 2.5 nor true."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise TypeError("number")
    return int(value)


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("list")
    return value


def _spoken(way: object) -> str:
    if not isinstance(way, str) or not way.strip():
        raise TypeError("names")
    return unicodedata.normalize("NFC", way).strip()


def _flat(settings: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, Any]]:
    """Dotted keys: TOML reads `bevue.points = 10` as a table in a table."""
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def _as_text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _players(given: tuple[str, ...]) -> tuple[str, ...]:
    if not given:
        raise TableError("Il n'y a pas de joueurs : donnez leurs noms, par exemple --players Ana,Bruno.")
    seen: dict[str, str] = {}
    for name in given:
        if not any(letter.isalpha() for letter in name) or _SEPARATORS & set(name):
            raise TableError(f"« {name} » n'est pas un nom de joueur : il faut des lettres, sans signe = : + @ ? #.")
        if fold(name) in seen:
            raise TableError(f"Deux joueurs ont le même nom, « {name} » : donnez-leur des noms différents.")
        seen[fold(name)] = name
    return given


def _known(given: str, players: tuple[str, ...], option: str) -> str:
    name = find(players, given)
    if name is None:
        raise TableError(f"{option} : « {given} » n'est pas dans la partie ({', '.join(players)}).")
    return name


def _setting(key: str, value: str, schema: Mapping[str, Sequence[str] | range]) -> str:
    if key not in schema:
        raise TableError(f"Le réglage « {key} » n'existe pas dans ce jeu ; il y a : {', '.join(sorted(schema))}.")
    allowed = schema[key]
    if isinstance(allowed, range):
        if not (value.lstrip("-").isdecimal() and int(value) in allowed):
            raise TableError(f"Le réglage {key} va de {allowed.start} à {allowed[-1]}, pas « {value} ».")
    elif value not in allowed:
        raise TableError(f"Le réglage {key} ne peut pas être « {value} » ; choisissez : {', '.join(allowed)}.")
    return value


def _scores(given: Mapping[str, str], keys: tuple[str, ...]) -> dict[str, int]:
    scores: dict[str, int] = {}
    for name, points in given.items():
        key = _known(name, keys, "--scores")
        try:
            scores[key] = int(points)
        except ValueError:
            raise TableError(f"--scores : « {points} » n'est pas un nombre de points pour {key}.") from None
        if scores[key] not in SCORES:
            raise TableError(f"--scores : un score va de {SCORES[0]} à {SCORES[-1]}, donnez-en un autre à {key}.")
    return scores


def _tokens(given: tuple[tuple[str, str], ...], players: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    held: dict[str, tuple[str, ...]] = {}
    for name, token in given:
        if token not in TOKENS:
            raise TableError(f"--tokens : « {token} » n'existe pas ; il y a : {', '.join(TOKENS)}.")
        player = _known(name, players, "--tokens")
        held[player] = (*held.get(player, ()), token)
    return held


def _teams(given: str, players: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    if not given:
        return ()
    teams = tuple(
        tuple(_known(name, players, "--set teams") for name in team.split("+") if name.strip())
        for team in given.split(",")
    )
    members = [name for team in teams for name in team]
    if len(teams) < 2 or not all(teams) or sorted(members) != sorted(players):
        raise TableError(
            "--set teams : chaque joueur doit être dans une seule équipe, par exemple Ana+Chloé,Bruno+David."
        )
    return teams
