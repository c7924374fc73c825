"""French numbers in words, as said in France, Belgium and Switzerland."""

from __future__ import annotations

from typing import Literal, get_args

Region = Literal["fr", "be", "ch"]
"""Whose tens are used: `fr` soixante-dix, quatre-vingts, quatre-vingt-dix; `be` septante, quatre-vingts, nonante;
`ch` septante, huitante, nonante."""

REGIONS: tuple[Region, ...] = get_args(Region)
LARGEST = 999_999

# fmt: off
_SMALL = (
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
)
# fmt: on
_TENS = {2: "vingt", 3: "trente", 4: "quarante", 5: "cinquante", 6: "soixante"}
_REGIONAL_TENS: dict[Region, dict[int, str]] = {
    "fr": {},
    "be": {7: "septante", 9: "nonante"},
    "ch": {7: "septante", 8: "huitante", 9: "nonante"},
}
_ORDINAL_ENDINGS = (("un", "unième"), ("cinq", "cinquième"), ("neuf", "neuvième"), ("vingts", "vingtième"))


def cardinal(number: int, region: Region = "fr", *, feminine: bool = False) -> str:
    """`number` in words in the traditional spelling, e.g. -21 -> « moins vingt et un » (« une » if feminine).

    Raises ValueError outside ±999 999.
    """
    if abs(number) > LARGEST:
        raise ValueError(f"nombre trop grand pour être dit : {number}")
    words = _up_to_a_million(abs(number), region)
    if feminine and words.split("-")[-1].split()[-1] == "un":
        words += "e"
    return f"moins {words}" if number < 0 else words


def ordinal(number: int, region: Region = "fr", *, feminine: bool = False) -> str:
    """`number` as a rank: « premier », « première », « deuxième », « vingt et unième ». Raises ValueError below 1."""
    if number < 1:
        raise ValueError(f"un rang commence à un, pas à {number}")
    if number == 1:
        return "première" if feminine else "premier"
    words = cardinal(number, region)
    for ending, rank in _ORDINAL_ENDINGS:
        if words.endswith(ending):
            return words.removesuffix(ending) + rank
    return words.removesuffix("s" if words.endswith("cents") else "e") + "ième"


def _up_to_a_million(number: int, region: Region) -> str:
    thousands, rest = divmod(number, 1000)
    if not thousands:
        return _up_to_a_thousand(rest, region)
    head = "mille" if thousands == 1 else f"{_without_plural(_up_to_a_thousand(thousands, region))} mille"
    return head if not rest else f"{head} {_up_to_a_thousand(rest, region)}"


def _up_to_a_thousand(number: int, region: Region) -> str:
    hundreds, rest = divmod(number, 100)
    if not hundreds:
        return _up_to_a_hundred(rest, region)
    head = "cent" if hundreds == 1 else f"{_SMALL[hundreds]} cent"
    if rest:
        return f"{head} {_up_to_a_hundred(rest, region)}"
    return head if hundreds == 1 else f"{head}s"


def _up_to_a_hundred(number: int, region: Region) -> str:
    if number < 20:
        return _SMALL[number]
    tens, unit = divmod(number, 10)
    name = (_TENS | _REGIONAL_TENS[region]).get(tens)
    if name is not None:
        return name if not unit else f"{name} et un" if unit == 1 else f"{name}-{_SMALL[unit]}"
    if tens == 7:
        return "soixante et onze" if unit == 1 else f"soixante-{_SMALL[10 + unit]}"
    above_eighty = number - 80
    return "quatre-vingts" if not above_eighty else f"quatre-vingt-{_SMALL[above_eighty]}"


def _without_plural(words: str) -> str:
    """« quatre-vingts » and « deux cents » lose their s before « mille »."""
    return words.removesuffix("s") if words.endswith(("vingts", "cents")) else words
