"""From a sentence on the screen to what a speech engine is given: words only, no digits, signs or markup (B57, B58)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from voiceref.voice.number_words import LARGEST, Region, cardinal, ordinal

_NUMBER = re.compile(r"(?P<sign>(?<!\w)[+-]\s?)?(?P<digits>\d+)(?P<rank>(?:ère|er|re|ème|e)\b)?")
_SAID_SIGNS = {"&": " et ", "%": " pour cent ", "+": " plus ", "=": " égale ", "€": " euros ", "’": "'", "−": "-"}
_KEPT_MARKS = frozenset(" .,;:!?'-…")


def spoken(sentence: str, names: Mapping[str, str] | None = None, region: Region = "fr") -> str:
    """What to hand to an engine for `sentence`.

    `names` maps words (usually players' names) to a spelling that the engine says well, e.g. Lea -> Léa; whole words
    only, in any case. The result is NFC and holds letters, spaces and stops only, so that no engine can read a sign its
    own way or take it for markup.
    """
    text = unicodedata.normalize("NFC", sentence)
    forms = {_key(written): said for written, said in (names or {}).items()}
    if forms:
        any_name = "|".join(re.escape(name) for name in sorted(forms, key=len, reverse=True))
        text = re.sub(rf"(?<!\w)(?:{any_name})(?!\w)", lambda found: forms[_key(found[0])], text, flags=re.IGNORECASE)
    text = unicodedata.normalize("NFC", text)
    text = _NUMBER.sub(lambda found: _in_words(found, region), text.replace("−", "-"))
    text = "".join(_SAID_SIGNS.get(letter, letter) for letter in text)
    text = "".join(letter if letter.isalpha() or letter in _KEPT_MARKS else " " for letter in text)
    text = re.sub(r"(?<!\w)-|-(?!\w)", " ", text)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r" ([,.])", r"\1", text).strip()


def _in_words(found: re.Match[str], region: Region) -> str:
    sign = {"+": "plus ", "-": "moins "}.get((found["sign"] or "").strip(), "")
    number = int(found["digits"])
    if number > LARGEST:
        words = " ".join(cardinal(int(digit), region) for digit in found["digits"])
    elif found["rank"] and number > 0:
        words = ordinal(number, region, feminine=found["rank"] in ("re", "ère"))
    else:
        words = cardinal(number, region)
    return f" {sign}{words} "


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
