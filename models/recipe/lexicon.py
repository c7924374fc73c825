"""Step `lexicon`: models/fr/lexicon.tsv (word, phones, kind of pronunciation) and models/fr/first_names.txt."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from . import paths
from .phones import INDEX, VOWELS, pronounce
from .words import LETTERS, common_words, first_names, number

LIAISON = 600  # so many of the commonest words get their liaison
_OBSTRUENTS = set("ptkbdɡfvszʃʒ")
_LINK = {"s": "z", "x": "z", "z": "z", "t": "t", "d": "t", "n": "n", "p": "p", "r": "ʁ"}
_NASALS = {"ɑ̃", "ɔ̃", "ɛ̃"}
_CLITICS = {"je", "de", "le", "ne", "me", "te", "se", "ce", "que"}


def _reduced() -> Iterator[tuple[str, list[str]]]:
    """Spoken forms that no rule gives: word, TAB, phones."""
    for line in (paths.HERE / "texts" / "spoken_forms.txt").read_text(encoding="utf-8").splitlines():
        word, phones = line.split("\t")
        yield word, phones.split(" ")


def schwa_variants(word: str, phones: list[str]) -> Iterator[list[str]]:
    """A mute final e sounded, a schwa inside dropped, a final cluster simplified (autre -> aut'), a final è closed."""
    mute = re.search(r"[^aeiouyéèêâîôû](e|es|ent)$", word) and phones[-1] not in VOWELS
    if mute:
        yield [*phones, "ə"]
        if len(phones) > 2 and phones[-1] in {"ʁ", "l"} and phones[-2] in _OBSTRUENTS:
            yield phones[:-1]
    for i, phone in enumerate(phones):
        inside = 0 < i < len(phones) - 1 and phones[i - 1] not in VOWELS and phones[i + 1] not in VOWELS
        if phone == "ə" and inside and (i == 1 or phones[i - 2] in VOWELS):
            yield phones[:i] + phones[i + 1 :]
    if word in _CLITICS:
        yield phones[:-1]
    if len(phones) > 1 and phones[-1] == "ɛ":
        yield [*phones[:-1], "e"]


def liaison(word: str, phones: list[str]) -> list[str] | None:
    """The word before a vowel, when its last letter wakes up."""
    link = _LINK.get(word[-1])
    if link is None or (phones[-1] not in VOWELS and word[-1] not in "sx") or phones[-1] in {link, "s"}:
        return None
    if link == "n" and phones[-1] not in _NASALS:
        return None
    closed = [*phones[:-1], "ɛ"] if word.endswith("er") and phones[-1] == "e" else phones
    return [*closed, link]


def phrase_words() -> list[str]:
    """Every word of the phrases, hyphenated words also in parts."""
    text = re.sub(r"\{\w+\}|\d+", " ", (paths.HERE / "texts" / "phrases.txt").read_text(encoding="utf-8"))
    return split_words(text)


def split_words(text: str) -> list[str]:
    tokens = [token.strip("'-") if token.endswith("-") else token for token in re.findall(r"[\w'’-]+", text.lower())]
    tokens = [token.replace("’", "'") for token in tokens if re.search(r"\w", token)]
    return tokens + [part for token in tokens if "-" in token for part in token.split("-") if part]


def vocabulary() -> dict[str, str]:
    """Lower-case word -> the spelling to pronounce."""
    numbers = [word for n in range(1000) for regional in (False, True) for word in split_words(number(n, regional))]
    numbers += split_words("octante octante-et-un un une mille")
    words = [*common_words(), *phrase_words(), *numbers, *LETTERS.values()]
    spoken = {name.lower(): name for name in first_names()} | {word: word for word in words}
    return {unicodedata.normalize("NFC", word): spelling for word, spelling in spoken.items()}


def entries() -> list[tuple[str, str, str]]:
    """(word, phones separated by spaces, kind), each pronunciation once, the usual one first."""
    found: dict[tuple[str, str], str] = {}

    def add(word: str, phones: list[str] | None, kind: str) -> None:
        if phones:
            found.setdefault((word, " ".join(phones)), kind)

    commonest = {*common_words()[:LIAISON], *split_words(" ".join(number(n) for n in range(100))), *phrase_words()}
    for word, spelling in vocabulary().items():
        phones = pronounce(spelling)
        if not phones:
            continue
        add(word, phones, "usual")
        for variant in schwa_variants(word, phones):
            add(word, variant, "schwa")
        if word in commonest:
            add(word, liaison(word, phones), "liaison")
    for letter, name in LETTERS.items():
        add(letter, pronounce(name), "letter")
    add("w", ["d", "u", "b", "l", "v", "e"], "letter")
    for word, phones in _reduced():
        add(word, phones, "reduced")
    assert all(phone in INDEX for _, phones in found for phone in phones.split())
    order = {"usual": 0, "letter": 1, "schwa": 2, "liaison": 3, "reduced": 4}
    rows = [(word, phones, kind) for (word, phones), kind in found.items()]
    return sorted(rows, key=lambda row: (row[0], order[row[2]]))


def run() -> None:
    target = paths.MODELS / "fr"
    target.mkdir(exist_ok=True)
    rows = entries()
    lines = "".join("\t".join(row) + "\n" for row in rows)
    (target / "lexicon.tsv").write_text(lines, encoding="utf-8")
    (target / "first_names.txt").write_text("\n".join(first_names()) + "\n", encoding="utf-8")
    print(
        f"lexicon: {len({row[0] for row in rows})} words, {len(rows)} pronunciations, {len(first_names())} first names"
    )
