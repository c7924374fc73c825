"""The rule options that can be asked for by voice before a game, and the settings that each stands for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

TEAM = 2
"""Players in a team of Doublette."""

_CHOUETTE, _CACHAMOT = ("cul-de-chouette",), ("cachamot",)
_CASQUE, _CHASSEUR = ("casque-cheque-chat",), ("chasseur-de-tete",)
_ALL = (*_CHOUETTE, *_CACHAMOT, *_CASQUE, *_CHASSEUR)


@dataclass(frozen=True)
class Option:
    """An option of `games`; `settings` are as `--set` takes them, `{n}` being the number that was said."""

    games: Sequence[str]
    settings: Mapping[str, str] = field(default_factory=dict)
    numbers: range = range(0)
    """The numbers that may be said with it; none when it has no number."""


OPTIONS: Mapping[str, Option] = {
    "sans_negatifs": Option(_CHOUETTE, {"negative": "false"}),
    "avec_negatifs": Option(_CHOUETTE, {"negative": "true"}),
    "bevue_stricte": Option(_CHOUETTE, {"bevue.mode": "strict"}),
    "bevue_reclamee": Option(_CHOUETTE, {"bevue.mode": "claim"}),
    "sans_bevue": Option(_CHOUETTE, {"bevue.mode": "off"}),
    "bevue_a_dix": Option(_CHOUETTE, {"bevue.points": "10"}),
    "aquitaine": Option(_CHOUETTE, {"aquitaine": "true"}),
    "sans_aquitaine": Option(_CHOUETTE, {"aquitaine": "false"}),
    "doublette": Option(_CHOUETTE),
    "temps_pour_crier": Option(_CHOUETTE, {"race.timeout_s": "{n}"}, range(2, 61)),
    "egalite_serree": Option((*_CHOUETTE, *_CACHAMOT, *_CASQUE), {"race.tie_window_ms": "50"}),
    "defis": Option(_CACHAMOT, {"cachamot.challenges": "true"}),
    "expert": Option(_CACHAMOT, {"cachamot.expert": "true"}),
    "reponses_strictes": Option(_CACHAMOT, {"cachamot.accept": "strict"}),
    "reponses_cool": Option(_CACHAMOT, {"cachamot.accept": "cool"}),
    "double_tour": Option(_CACHAMOT, {"cachamot.double_turn": "true"}),
    "silence_de_dix": Option(_CASQUE, {"ccc.silence_s": "10"}),
    "silence_de_quinze": Option(_CASQUE, {"ccc.silence_s": "15"}),
    "accent_du_midi": Option(_CASQUE, {"ccc.accent": "midi"}),
    "vies": Option(_CHASSEUR, {"cdt.lives": "{n}"}, range(1, 4)),
    "marathon": Option(_CHASSEUR, {"cdt.marathon": "true"}),
    "sans_points": Option(_ALL, {"points": "false"}),
    "nombres_belges": Option(_ALL, {"voice.region": "be"}),
    "nombres_suisses": Option(_ALL, {"voice.region": "ch"}),
    "voix_lente": Option(_ALL, {"voice.pace": "lente"}),
}
"""Every option by its name in `grammars/welcome.toml`; its sentence is the row `option_…` of the wording."""


def chosen(name: str, game: str, players: Sequence[str], number: int | None) -> Mapping[str, str] | None:
    """The settings of the option `name` in `game`; None when it has no such option or not with these players."""
    option = OPTIONS[name]
    if game not in option.games or (option.numbers and number not in option.numbers):
        return None
    if name == "doublette":
        return facing_teams(players)
    return {key: value.format(n=number) for key, value in option.settings.items()}


def facing_teams(players: Sequence[str]) -> Mapping[str, str] | None:
    """Teams of two who sit opposite one another (CDC-285); None when the players do not come in pairs."""
    pairs = len(players) // TEAM
    if len(players) % TEAM or pairs < TEAM:
        return None
    return {"teams": ",".join(f"{players[seat]}+{players[seat + pairs]}" for seat in range(pairs))}


def of_game(game: str) -> tuple[str, ...]:
    """The names of the options that `game` has."""
    return tuple(name for name, option in OPTIONS.items() if game in option.games)
