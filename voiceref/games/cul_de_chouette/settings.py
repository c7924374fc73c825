"""The switches of the rules: what `--set` may say, and the rules of one game read from a `Table`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from voiceref.games.cul_de_chouette.aquitaine import EXCALIBUR_PLAYERS
from voiceref.games.cul_de_chouette.cries import FAMILIES, LEVEL
from voiceref.games.cul_de_chouette.dice import Combination, in_play

SWITCHED = frozenset(combination.value for combination in Combination) & frozenset(FAMILIES)
"""Families that are combinations: out of play, their dice fall back to the plain class (D-66)."""

YES_NO = ("true", "false")
NO_YES = ("false", "true")

SCHEMA: Mapping[str, tuple[str, ...] | range] = {
    "negative": YES_NO,  # CDC-009
    "aquitaine": NO_YES,  # CDC-290
    "aquitaine.unit": ("gorgées d'eau", "gorgées"),  # D-81
    "artichette.silent": ("0", "16"),  # D-14
    "bets.match": ("exact", "inclusive"),  # D-30
    "bevue.mode": ("claim", "strict", "off"),  # D-70
    "bevue.points": ("5", "10"),  # D-01
    "bleu_rouge.duplicate": ("refuse", "bevue"),  # D-20
    "cdc_double.confirm": YES_NO,  # D-43
    "civet.bleu_rouge_needs_relance": YES_NO,  # D-40
    "civet.count_sirop": YES_NO,  # D-41
    "contre_sirop.blocked_by": ("matching", "claimed"),  # D-35
    "end.check": ("sequence", "immediate"),  # D-60
    "filoche.race_value": ("nominal", "thrower"),  # D-73
    "floor.redistribute_excess": NO_YES,  # D-61
    "gesture.required": ("trust", "contest"),  # D-13
    "grelottine.chouette_rate": ("1/3", "33/100"),  # D-02
    "grelottine.target_spends": NO_YES,  # D-27
    "immunity.tokens": ("1", "2"),  # D-32
    "jarret.also_grelottine": NO_YES,  # D-21
    "neant_souffle.roller_auto": NO_YES,  # D-25
    "pelican.bettor_must_be_tied": NO_YES,  # D-23
    "preventive": YES_NO,  # D-68
    "race.tie_window_ms": range(1, 1001),  # D-12
    "race.timeout_s": range(2, 61),  # D-10
    "sirop.bet_deadline": ("fallen", "thrown"),  # D-04
    "sirop.failed_same_chouette": ("lose", "lose_then_gain"),  # D-34
    "sirop.illegal_keeps_chouette": YES_NO,  # D-82
    "sloubi.round": ("floor", "ceil"),  # D-55
    "sloubi.turns": ("rounds", "player_turns"),  # D-57
    "soufflette.final_sirop": YES_NO,  # D-18
    "soufflette.strict_floor": NO_YES,  # D-17
    "suite_velutee.auto_velute": NO_YES,  # D-06
    "tichette.explain_bevue": YES_NO,  # D-51
    "tichette.zero_sum": NO_YES,  # D-48
    "turn.direction": ("right", "left"),  # D-69
    **{f"rule.{family}": YES_NO for family in FAMILIES},  # D-66
}
"""Every setting with its allowed values, the default first; for the two numbers of a race, see `NUMBERS`.

`rule.<family>=false` takes one rule out of play, whatever the level (CDC-008).
"""

NUMBERS = {"race.tie_window_ms": 150, "race.timeout_s": 8}
"""Defaults of the settings that are numbers."""


def default(key: str) -> str:
    """The value of a setting that nobody set."""
    allowed = SCHEMA[key]
    return str(NUMBERS[key]) if isinstance(allowed, range) else allowed[0]


@dataclass(frozen=True)
class Rules:
    """The rules in play at this table."""

    level: int
    settings: Mapping[str, str]
    negative: bool
    aquitaine: bool
    teams: tuple[tuple[str, ...], ...]
    strict: bool
    bevue: int
    tie_s: float
    race_s: float
    combinations: frozenset[Combination]
    without: frozenset[str] = frozenset()
    """Phrases of the rules that are switched off."""

    def get(self, key: str) -> str:
        """The value of a setting."""
        return self.settings.get(key, default(key))

    def on(self, key: str) -> bool:
        """Whether a yes-or-no setting says yes."""
        return self.get(key) == "true"

    @property
    def unit(self) -> str:
        """What follows « gorgées » in the referee's mouth (D-81)."""
        return self.get("aquitaine.unit").removeprefix("gorgées")

    def plays(self, phrase: str) -> bool:
        """Whether a phrase belongs to the level in play (CDC-008)."""
        return LEVEL.get(phrase, 1) <= self.level and phrase not in self.without

    def team(self, player: str) -> tuple[str, ...]:
        """The player and his team-mates (CDC-285)."""
        return next((team for team in self.teams if player in team), (player,))


def rules(level: int, settings: Mapping[str, str], teams: tuple[tuple[str, ...], ...], players: int) -> Rules:
    """The rules for this level and these settings, `players` at the table."""
    get = {key: settings.get(key, default(key)) for key in SCHEMA}
    aquitaine = get["aquitaine"] == "true"
    off = [family for family in FAMILIES if get[f"rule.{family}"] == "false"]
    combinations = in_play(level, (Combination(name) for name in off if name in SWITCHED))
    if aquitaine and players >= EXCALIBUR_PLAYERS:
        combinations |= {Combination.EXCALIBUR}  # CDC-294
    return Rules(
        level=level,
        settings=get,
        negative=get["negative"] == "true",
        aquitaine=aquitaine,
        teams=teams,
        strict=get["bevue.mode"] == "strict",
        bevue=int(get["bevue.points"]),
        tie_s=int(get["race.tie_window_ms"]) / 1000,
        race_s=float(get["race.timeout_s"]),
        combinations=combinations,
        without=frozenset(phrase for family in off for phrase in FAMILIES[family]),
    )
