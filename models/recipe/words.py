"""French words to speak and to list: the commonest words, nouns by gender, first names, numbers, letters.

Sources: PyPI `wordfreq` (frequencies), Debian `hunspell-fr-classical` (what is French, grammar, first names),
PyPI `faker` (first names); licences in ../fr/ORIGIN.md.
"""

from __future__ import annotations

import functools
import re
import subprocess
from pathlib import Path

DICTIONARY = Path("/usr/share/hunspell/fr.dic")
LETTERS = dict(
    zip(
        "abcdefghijklmnopqrstuvwxyz",
        [
            "a",
            "bé",
            "cé",
            "dé",
            "e",
            "effe",
            "gé",
            "ache",
            "i",
            "ji",
            "ka",
            "elle",
            "emme",
            "enne",
            "o",
            "pé",
            "ku",
            "erre",
            "esse",
            "té",
            "u",
            "vé",
            "double-vé",
            "ixe",
            "i-grec",
            "zède",
        ],
        strict=True,
    )
)
_UNITS = [
    "zéro",
    "un",
    "deux",
    "trois",
    "quatre",
    "cinq",
    "six",
    "sept",
    "huit",
    "neuf",
    "dix",
    "onze",
    "douze",
    "treize",
    "quatorze",
    "quinze",
    "seize",
    "dix-sept",
    "dix-huit",
    "dix-neuf",
]
_TENS = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante"}
_REGIONAL = {70: "septante", 80: "huitante", 90: "nonante"}


def number(n: int, regional: bool = False) -> str:
    """0..999 in words, French or (regional) Swiss and Belgian, as it is spoken."""
    if n >= 100:
        hundreds = ("" if n < 200 else _UNITS[n // 100] + " ") + ("cents" if n >= 200 and n % 100 == 0 else "cent")
        return hundreds + ("" if n % 100 == 0 else " " + number(n % 100, regional))
    if n < 20:
        return _UNITS[n]
    tens = n // 10 * 10
    names = _TENS | _REGIONAL if regional else _TENS
    if tens in names:
        unit = n % 10
        return names[tens] + ("" if unit == 0 else " et un" if unit == 1 else "-" + _UNITS[unit])
    if n < 80:
        return "soixante" + (" et onze" if n == 71 else "-" + _UNITS[n - 60])
    return "quatre-vingts" if n == 80 else "quatre-vingt-" + _UNITS[n - 80]


@functools.cache
def _entries() -> list[tuple[str, str]]:
    """(word, grammar) of the dictionary."""
    lines = DICTIONARY.read_text(encoding="utf-8").splitlines()[1:]
    pairs = (line.partition(" ") for line in lines)
    return [(word.partition("/")[0], grammar) for word, _, grammar in pairs]


@functools.cache
def _frequency(word: str) -> float:
    from wordfreq import zipf_frequency

    return zipf_frequency(word, "fr")


@functools.cache
def first_names(count: int = 2000) -> list[str]:
    """The commonest first names, commonest first."""
    from faker.providers.person import fr_BE, fr_CH, fr_FR

    known = {word for word, grammar in _entries() if "po:prn" in grammar}
    usual = {name for country in (fr_FR, fr_CH, fr_BE) for name in country.Provider.first_names}
    known |= usual
    plain = {name for name in known if re.fullmatch(r"[A-ZÀÂÉÈÊËÎÏÔÖÙÛÜÇŒ][\w'-]+", name) and "_" not in name}
    return sorted(plain, key=lambda name: (-_frequency(name) - (name in usual), name))[:count]


@functools.cache
def common_words(count: int = 20_000) -> list[str]:
    """The commonest words that the spelling dictionary accepts, commonest first, lower case unless always capital."""
    from wordfreq import top_n_list

    candidates = [word for word in top_n_list("fr", 60_000) if re.fullmatch(r"[a-zàâäéèêëîïôöùûüçœæ'’-]+", word)]
    command = ["hunspell", "-l", "-d", "fr", "-i", "utf-8"]
    checked = subprocess.run(command, input="\n".join(candidates), capture_output=True, text=True, check=True)
    unknown = set(checked.stdout.split("\n"))
    words = [word for word in candidates if word not in unknown and (len(word) > 1 or word in "aày")]
    return words[:count]


def _known(part: str, *features: str, least: float = 3.0, ends: tuple[str, ...] = ("",)) -> list[str]:
    """Simple dictionary words of one part of speech that people really use."""
    return sorted(
        {
            word
            for word, grammar in _entries()
            if part in grammar and all(feature in grammar for feature in features)
            if word.isalpha() and word.islower() and len(word) > 1 and word.endswith(ends) and _frequency(word) >= least
        }
    )


@functools.cache
def slot_words() -> dict[str, list[str]]:
    """Slot name of the templates -> its words."""
    masculine, feminine = _known("po:nom", "is:mas"), _known("po:nom", "is:fem")
    return {
        "nm": masculine,
        "nf": feminine,
        "np": [f"{word}s" for word in masculine + feminine if not word.endswith(("s", "x", "z", "u", "al"))],
        "adj": _known("po:adj"),
        "inf": _known("po:v", ends=("er", "ir", "re")),
        "verb": [word for word in common_words(8000) if word.endswith(("ait", "era"))],
        "word": common_words(),
        "name": first_names(),
        "d": ["un", "deux", "trois", "quatre", "cinq", "six"],
        "letter": list(LETTERS.values()),
        "comb": ["une chouette", "une velute", "une chouette velute", "un cul de chouette", "une suite", "un sirop"],
    }
