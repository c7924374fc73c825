"""Where the words and phones of one reading lie, and how well each phone fits what was heard there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from voiceref.ear.lexicon import Pronouncing
from voiceref.ear.phones import SILENCE, Pronunciation
from voiceref.ear.search import SHORTEST, Floats, Posteriors


@dataclass(frozen=True)
class Segment:
    """A phone (or a silence between words) from frame `start` to before `end`; `word` is -1 for silence.

    `fit` is the mean log posterior of the phone less that of the best phone, a frame: 0 is perfect.
    """

    phone: int
    word: int
    start: int
    end: int
    fit: float


def align(posteriors: Posteriors, words: tuple[str, ...], lexicon: Pronouncing) -> tuple[Segment, ...]:
    """Phones in order, silences at both ends left out, by the best path of exactly these words in any pronunciation."""
    edge, silence = posteriors.edge, posteriors.silence
    at = np.full(posteriors.frames + 1, -1e9, np.float32)
    at[0] = 0.0
    starts: list[Floats] = []  # before each word, silence included
    raws: list[Floats] = []  # before each word, silence not included
    tried: list[list[tuple[Pronunciation, list[Floats]]]] = []
    for place, word in enumerate(words):
        sums = edge if place == 0 else silence
        raws.append(at)
        rested = np.maximum(at, np.maximum.accumulate(at - sums) + sums)
        starts.append(rested)
        forms = [(form, _chain(rested, form, posteriors)) for form in lexicon.pronunciations(word)]
        tried.append(forms)
        at = np.max([steps[-1] for _, steps in forms], axis=0)
    time = int(np.argmax(at + edge[-1] - edge))
    found: list[Segment] = []
    for place in range(len(words) - 1, -1, -1):
        form, steps = max(tried[place], key=lambda pair: float(pair[1][-1][time]))
        for step in range(len(form) - 1, -1, -1):
            before = starts[place] if step == 0 else steps[step - 1]
            start = _source(before, posteriors.sums[form[step]], time, SHORTEST)
            found.append(_segment(posteriors, form[step], place, start, time))
            time = start
        if place > 0 and raws[place][time] < starts[place][time]:
            start = _source(raws[place], silence, time, 1)
            found.append(_segment(posteriors, SILENCE, -1, start, time))
            time = start
    return tuple(reversed(found))


def _chain(before: Floats, form: Pronunciation, posteriors: Posteriors) -> list[Floats]:
    """Score of having finished each phone of a pronunciation by each time."""
    steps = []
    for phone in form:
        sums = posteriors.sums[phone]
        after = np.full_like(before, -1e9)
        after[SHORTEST:] = np.maximum.accumulate(before - sums)[:-SHORTEST] + sums[SHORTEST:]
        steps.append(after)
        before = after
    return steps


def _source(before: Floats, sums: Floats, time: int, shortest: int) -> int:
    """The best time to have entered a phone that ends at `time`."""
    last = max(time - shortest + 1, 1)
    return int(np.argmax(before[:last] - sums[:last]))


def _segment(posteriors: Posteriors, phone: int, word: int, start: int, end: int) -> Segment:
    fit = float((posteriors.logp[start:end, phone] - posteriors.best[start:end]).mean()) if end > start else 0.0
    return Segment(phone, word, start, end, fit)
