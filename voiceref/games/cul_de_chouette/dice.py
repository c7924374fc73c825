"""What three dice are: the classification of the 56 unordered triples (CDC-030…073, CDC-294, D-66)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum


class Combination(Enum):
    """Every combination by the id used in slots, events and wording.

    `TICHETTE`, `PELICAN` and `SIROP_GRELOT` are never the class of a plain throw: the first is an Artichette made by a
    Sirop (`after_sirop`), the second a relance of 18, the third a Cul de Chouette made by a Sirop in a challenge.
    """

    CHOUETTE = "chouette"
    VELUTE = "velute"
    CHOUETTE_VELUTE = "chouette_velute"
    CUL_DE_CHOUETTE = "cul_de_chouette"
    SUITE = "suite"
    SUITE_VELUTEE = "suite_velutee"
    ARTICHETTE = "artichette"
    TICHETTE = "tichette"
    SOUFFLETTE = "soufflette"
    BLEU_ROUGE = "bleu_rouge"
    PELICAN = "pelican"
    FLAN = "flan"
    NEANT = "neant"
    NEANT_SOUFFLE = "neant_souffle"
    SIROP_GRELOT = "sirop_grelot"
    EXCALIBUR = "excalibur"


C = Combination

LEVEL: dict[Combination, int] = {
    C.CHOUETTE: 1,
    C.VELUTE: 1,
    C.CHOUETTE_VELUTE: 1,
    C.CUL_DE_CHOUETTE: 1,
    C.SUITE: 1,
    C.NEANT: 1,
    C.SIROP_GRELOT: 1,
    C.SUITE_VELUTEE: 2,
    C.ARTICHETTE: 2,
    C.SOUFFLETTE: 2,
    C.BLEU_ROUGE: 3,
    C.PELICAN: 3,
    C.NEANT_SOUFFLE: 3,
    C.TICHETTE: 4,
    C.FLAN: 4,
}
"""The level (number of stars) from which a combination is in play (CDC-008)."""

RULE: dict[Combination, str] = {
    C.CHOUETTE: "CDC-030",
    C.VELUTE: "CDC-031",
    C.CHOUETTE_VELUTE: "CDC-033",
    C.CUL_DE_CHOUETTE: "CDC-035",
    C.SUITE: "CDC-036",
    C.SUITE_VELUTEE: "CDC-041",
    C.ARTICHETTE: "CDC-045",
    C.TICHETTE: "CDC-048",
    C.SOUFFLETTE: "CDC-052",
    C.BLEU_ROUGE: "CDC-057",
    C.PELICAN: "CDC-063",
    C.FLAN: "CDC-066",
    C.NEANT: "CDC-067",
    C.NEANT_SOUFFLE: "CDC-069",
    C.SIROP_GRELOT: "CDC-084",
    C.EXCALIBUR: "CDC-294",
}
"""The rule that says what the combination is."""

Dice = tuple[int, int, int]

SPECIAL: dict[Dice, Combination] = {
    (1, 2, 3): C.SUITE_VELUTEE,
    (3, 4, 4): C.ARTICHETTE,
    (3, 3, 4): C.BLEU_ROUGE,
    (1, 2, 4): C.SOUFFLETTE,
    (2, 5, 6): C.FLAN,
    (1, 4, 6): C.NEANT_SOUFFLE,
    (1, 3, 5): C.EXCALIBUR,
}
"""The triples with a rule of their own; out of play, they fall back to the plain class (D-66)."""

SUITE_POINTS = -10
ARTICHETTE_POINTS = 16


@dataclass(frozen=True)
class Triple:
    """Three dice without order: `dice` is sorted. Build it with `Triple.of`."""

    dice: Dice

    @classmethod
    def of(cls, dice: Iterable[int]) -> Triple:
        """The triple of any three faces; raises ValueError with a French sentence for anything else."""
        faces = tuple(sorted(dice))
        if len(faces) != 3 or not all(1 <= face <= 6 for face in faces):
            raise ValueError("Il faut trois dés, chacun de un à six.")
        return cls((faces[0], faces[1], faces[2]))

    @property
    def pair(self) -> int | None:
        """The face seen at least twice, or None."""
        face, times = Counter(self.dice).most_common(1)[0]
        return face if times >= 2 else None

    @property
    def odd(self) -> int | None:
        """The die that is sipped: the one outside the pair (D-78); None without a pair or with three equal dice."""
        if self.pair is None or len(set(self.dice)) == 1:
            return None
        return next(face for face in self.dice if face != self.pair)

    @property
    def velute(self) -> int | None:
        """The greatest die when it is the sum of the two others, or None (CDC-031)."""
        low, middle, high = self.dice
        return high if low + middle == high else None

    @property
    def total(self) -> int:
        """The sum of the faces: the value of a relance (CDC-059)."""
        return sum(self.dice)


@dataclass(frozen=True)
class Throw:
    """A triple, what it is under the rules in play, the face that gives its value and its nominal points.

    `value` is the face of the pair for a Chouette, Cul de Chouette, Artichette or Bleu-Rouge, the greatest die for a
    Velute, Chouette-Velute or Suite-Velutée, 0 elsewhere. `points` are what the combination moves for whoever gets it
    before any Flan, Jarret or Doublé: -10 for a Suite, 0 for what gives a token or a challenge (D-73).
    """

    triple: Triple
    combination: Combination
    value: int
    points: int

    @property
    def dice(self) -> Dice:
        """The sorted faces."""
        return self.triple.dice

    @property
    def rule(self) -> str:
        """The rule id of the combination."""
        return RULE[self.combination]


def chouette_points(value: int) -> int:
    """v² (CDC-030)."""
    return value * value


def velute_points(value: int) -> int:
    """2c² (CDC-031)."""
    return 2 * value * value


def cul_points(value: int) -> int:
    """40 + 10v (CDC-035)."""
    return 40 + 10 * value


def in_play(level: int, without: Iterable[Combination] = ()) -> frozenset[Combination]:
    """The combinations of a level less those switched off (CDC-008). Excalibur is added by the Aquitaine option."""
    return frozenset(c for c, stars in LEVEL.items() if stars <= level) - frozenset(without)


def classify(dice: Iterable[int], rules: frozenset[Combination]) -> Throw:
    """What three dice are when only `rules` are in play; a special triple out of play is what it is without it (D-66).

    Order of the tests: Cul de Chouette, Chouette-Velute, Suite-Velutée, Suite, the special triples, Velute, Chouette,
    Néant; only 1-2-3 belongs to two of them. Raises ValueError as `Triple.of`.
    """
    triple = Triple.of(dice)
    special = SPECIAL.get(triple.dice)
    if special is not None and special in rules:
        return _throw(triple, special)
    return _throw(triple, _plain(triple))


def after_sirop(dice: Iterable[int], rules: frozenset[Combination]) -> Throw:
    """What the dice are after a Sirop: as `classify`, an Artichette being a Tichette where that is played (CDC-048)."""
    throw = classify(dice, rules)
    if throw.combination is C.ARTICHETTE and C.TICHETTE in rules:
        return Throw(throw.triple, C.TICHETTE, throw.value, 0)
    return throw


def satisfies(throw: Throw, bet: Combination) -> bool:
    """Whether a throw is the combination named in a bet or challenge: exact, 1-2-3 being three things (D-30)."""
    if throw.dice == (1, 2, 3):
        return bet in (C.VELUTE, C.SUITE, C.SUITE_VELUTEE)
    return throw.combination is bet


def _plain(triple: Triple) -> Combination:
    """The class of a triple when no special rule is in play."""
    low, middle, high = triple.dice
    if low == high:
        return C.CUL_DE_CHOUETTE
    if triple.pair is not None:
        return C.CHOUETTE_VELUTE if triple.velute is not None else C.CHOUETTE
    if middle == low + 1 and high == low + 2:
        return C.SUITE
    return C.VELUTE if triple.velute is not None else C.NEANT


def _throw(triple: Triple, combination: Combination) -> Throw:
    """The throw with the value and the nominal points of its combination."""
    pair, velute = triple.pair or 0, triple.velute or 0
    match combination:
        case C.CHOUETTE | C.BLEU_ROUGE:
            return Throw(triple, combination, pair, chouette_points(pair))
        case C.ARTICHETTE:
            return Throw(triple, combination, pair, ARTICHETTE_POINTS)
        case C.CUL_DE_CHOUETTE:
            return Throw(triple, combination, pair, cul_points(pair))
        case C.VELUTE | C.CHOUETTE_VELUTE:
            return Throw(triple, combination, velute, velute_points(velute))
        case C.SUITE | C.SUITE_VELUTEE:
            return Throw(triple, combination, velute, SUITE_POINTS)
        case _:
            return Throw(triple, combination, 0, 0)
