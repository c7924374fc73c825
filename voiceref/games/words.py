"""French words as the rules compare them: normal form, articles, inflections, families, sounds."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from rapidfuzz import fuzz

Knows = Callable[[str], bool]
"""Whether a single word, in `spelled` form, is a known French word."""

WordsFor = Callable[[str], tuple[str, ...]]
"""Words of the language for one: those said almost like it, or those that begin so."""

SoundsAlike = Callable[[str, str], bool]
"""Whether two words or groups of words are said alike."""


def no_words(word: str) -> tuple[str, ...]:
    """The `WordsFor` of a game that knows no language: none."""
    return ()


def word_set(line: str) -> frozenset[str]:
    """The words of `line`."""
    return frozenset(line.split())


ARTICLES = word_set("le la les l un une des du de d au aux")
"""Articles and their contractions, in normal form (the elided ones stand alone once the apostrophe is gone)."""

_LIGATURES = str.maketrans({"œ": "oe", "æ": "ae"})


def spelled(text: str) -> str:
    """Lower case with accents kept; ligatures opened; everything but letters and digits becomes one space."""
    lowered = unicodedata.normalize("NFC", text).casefold().translate(_LIGATURES)
    return " ".join(re.findall(r"[^\W_]+", lowered))


def folded(text: str) -> str:
    """As `spelled`, without accents."""
    bare = unicodedata.normalize("NFD", spelled(text))
    return "".join(letter for letter in bare if not unicodedata.combining(letter))


# fmt: off
_UNITS = (
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
)
# fmt: on
_TENS = {20: "vingt", 30: "trente", 40: "quarante", 50: "cinquante", 60: "soixante", 80: "quatre-vingt"}


def number_words(n: int) -> str:
    """`n` from 0 to 999 as said in France, without plural s: 101 is « cent un », 71 « soixante et onze »."""
    if n >= 100:
        hundreds = "cent" if n < 200 else f"{_UNITS[n // 100]} cent"
        return hundreds if n % 100 == 0 else f"{hundreds} {number_words(n % 100)}"
    if n < 20:
        return _UNITS[n]
    tens = n - n % 10 if n < 60 else 60 if n < 80 else 80
    if n == tens:
        return _TENS[tens]
    joined = " et " if (n - tens) in (1, 11) and tens != 80 else " "
    return f"{_TENS[tens]}{joined}{_UNITS[n - tens]}"


def numbers_spelled(text: str) -> str:
    """`text` with its numbers in digits, of three figures at most, put into words: « les 40 voleurs »."""
    return re.sub(r"(?<!\d)\d{1,3}(?!\d)", lambda found: number_words(int(found.group())), text)


def letters(text: str) -> str:
    """The letters of `text` alone, accents kept, lower case: « Château d'eau » -> « châteaudeau »."""
    return spelled(text).replace(" ", "")


def without_article(text: str) -> str:
    """`text` in folded form without the articles it begins with (never the last word)."""
    return _after_articles(folded(text))


def bare(text: str) -> str:
    """`text` as spelled, without the articles it begins with (never the last word)."""
    return _after_articles(spelled(text))


def _after_articles(line: str) -> str:
    parts = line.split()
    while len(parts) > 1 and parts[0] in ARTICLES:
        parts = parts[1:]
    return " ".join(parts)


def content(text: str) -> tuple[str, ...]:
    """The words of `text` in folded form, articles left out (kept when nothing else is there)."""
    parts = folded(text).split()
    return tuple(part for part in parts if part not in ARTICLES) or tuple(parts)


# --- inflections -----------------------------------------------------------------------------------------------------

_PLURALS = (("eaux", "eau"), ("oux", "ou"), ("eux", "eu"), ("aux", "al"), ("aux", "ail"), ("aux", "au"))
_FEMININES = (
    ("euse", "eur"),
    ("euse", "eux"),
    ("trice", "teur"),
    ("eresse", "eur"),
    ("esse", "e"),
    ("ere", "er"),
    ("enne", "en"),
    ("onne", "on"),
    ("anne", "an"),
    ("elle", "el"),
    ("elle", "eau"),
    ("olle", "ou"),
    ("ette", "et"),
    ("atte", "at"),
    ("otte", "ot"),
    ("ive", "if"),
    ("ouve", "oup"),
    ("ee", "e"),
    ("ouse", "oux"),
    ("che", "c"),
    ("gue", "g"),
    ("que", "c"),
)
_SHORT_FEMININES = {"louve": "loup", "folle": "fou", "molle": "mou", "neuve": "neuf", "ourse": "ours"}
"""Feminines too short, or too much their own, for an ending to tell."""
_PLAIN_E = {"ant": 6, "ent": 6} | dict.fromkeys(word_set("in ain ais ois ard and ond al il it at un"), 5)
"""Endings of masculine words that take a bare -e, with the least length of the masculine (port/porte stay apart)."""


def _masculines(word: str) -> set[str]:
    found = {word} | ({_SHORT_FEMININES[word]} if word in _SHORT_FEMININES else set())
    for feminine, masculine in _FEMININES:
        if word.endswith(feminine) and len(word) - len(feminine) >= 2:
            found.add(word[: -len(feminine)] + masculine)
    for ending, least in _PLAIN_E.items():
        if word.endswith(ending + "e") and len(word) > least:
            found.add(word[:-1])
    return found


def base_forms(word: str) -> frozenset[str]:
    """What `word` (one word) may be an inflection of, in folded form: itself, its singular, its masculine."""
    plain = folded(word)
    singulars = {plain}
    if len(plain) > 3 and plain[-1] in "sx":
        singulars.add(plain[:-1])
    for plural, singular in _PLURALS:
        if plain.endswith(plural) and len(plain) > len(plural):
            singulars.add(plain[: -len(plural)] + singular)
    return frozenset(base for singular in singulars for base in _masculines(singular))


def same_inflected(one: str, other: str) -> bool:
    """Whether the two are the same words but for gender, number, article, accents and hyphens (D-104)."""
    left, right = without_article(one).split(), without_article(other).split()
    return len(left) == len(right) and all(
        not base_forms(a).isdisjoint(base_forms(b)) for a, b in zip(left, right, strict=True)
    )


# --- families --------------------------------------------------------------------------------------------------------

_SUFFIXES = sorted(
    word_set(
        "ations ation itions ition utions ution ements ement ments ment ateurs ateur atrices atrice eurs eur euses "
        "euse ables able ibles ible ages age ures ure ants ant antes ante ents ent ances ance ences ence istes iste "
        "ismes isme ites ite oirs oir oires oire eries erie iers ier ieres iere ees ee es e er ez ai ais ait aient "
        "erait erons eront era erez ons ont ir is it issons issez issent issant ions iez ras ra s x ies ie ettes "
        "ette ets et on ins in iques ique ifs if ives ive aux al ales ale els el elles elle eaux eau"
    ),
    key=lambda suffix: (-len(suffix), suffix),
)


def stem(word: str, least: int = 4) -> str:
    """`word` in folded form without its longest known ending, at least `least` letters kept."""
    plain = folded(word).replace(" ", "")
    for suffix in _SUFFIXES:
        if plain.endswith(suffix) and len(plain) - len(suffix) >= least:
            return plain[: -len(suffix)]
    return plain


def same_family(one: str, other: str) -> bool:
    """Whether two single words look like one family: habiter, habitation, habitant (not habille)."""
    left, right = stem(one), stem(other)
    return left == right or same_inflected(one, other)


# --- sounds ----------------------------------------------------------------------------------------------------------

_NASAL = r"(?![aeiouyéèêëàâîïôöûünmhə])"
_SOUNDS = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"^h|(?<=[cnrt])(?<!c)h", ""),
        (r"cueil", "kEY"),
        (r"choeur|^chr|^chl", "kEr"),
        (r"sch|sh|ch", "S"),
        (r"ph", "f"),
        (r"gn", "N"),
        (r"qu|q", "k"),
        (r"gu(?=[eiyéèêə])", "g"),
        (r"ge(?=[aouâôû])", "j"),
        (r"g(?=[eiyéèêîə])", "j"),
        (r"sc(?=[eiyéèêîə])|c(?=[eiyéèêîə])|ç", "s"),
        (r"cc?", "k"),
        (r"x(?=[aeiouyéè])", "ks"),
        (r"(?<=[aeiouyéèêâîôû])s(?=[aeiouyéèêâîôûə])", "z"),
        (r"(?<=[aeou])ill(?=[eaouéə])|(?<=[aeou])il$", "Y"),
        (r"(?<=[^aeou])ill(?=[eaouéə])", "iY"),
        (r"ien" + _NASAL, "i5"),
        (r"oin" + _NASAL, "w5"),
        (r"(?:aim|ain|ein|yn|ym|in|im|un|um)" + _NASAL, "5"),
        (r"(?:an|am|en|em)" + _NASAL, "A"),
        (r"(?:on|om)" + _NASAL, "O"),
        (r"eau|au", "o"),
        (r"oeu|eu", "E"),
        (r"ou|où|oû", "U"),
        (r"oi|oî|oy", "wa"),
        (r"ai|ei|è|ê|ë|aî|é", "e"),
        (r"ô|ò|ö", "o"),
        (r"â|à|ä", "a"),
        (r"î|ï|y", "i"),
        (r"û|ù|ü", "u"),
        (r"Opt", "Ot"),
        (r"ə", ""),
        (r"(.)\1+", r"\1"),
    )
)
_MUTE_END = re.compile(r"(?<=..)es?$|(?<=....)ent$")
_SPOKEN_E = re.compile(r"(?:(?<=..[^aeiouyéèê])(?:er|ez)|(?<=[^aeiouyéèê])et|és?|(?:ais|ait|aient|ai|aid|aie))$")
_MUTE_CONSONANTS = re.compile(r"(?<=.)(?:(?<=r)[cg]|(?<=[nm])[cgb]|(?<=[aou])ps|[tdsxzp])+$")


def _word_sounds(word: str) -> str:
    text = _SPOKEN_E.sub("é", word)
    if text == word:
        text = _MUTE_END.sub("ə", word)
    if text == word:
        text = _MUTE_CONSONANTS.sub("", word)
    for pattern, sound in _SOUNDS:
        text = pattern.sub(sound, text)
    return text


def sounds(text: str) -> str:
    """A rough phonetic key of `text`, made from spelling alone: sot, seau and saut have the same one."""
    return "".join(_word_sounds(part) for part in spelled(text).split())


def sound_alike(one: str, other: str) -> bool:
    """Whether the two have the same rough phonetic key, articles aside."""
    left, right = sounds(bare(one)), sounds(bare(other))
    return bool(left) and left == right


def near(one: str, other: str) -> float:
    """How alike two words are in writing, 0 to 100, articles and accents aside."""
    return fuzz.ratio(without_article(one), without_article(other))
