"""Expected phrases inside talk: found where they lie, told from words that sound almost like them, never made up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from tests.ear.speech import heard, lexicon
from voiceref.ear.features import MARGIN
from voiceref.ear.phones import from_ipa
from voiceref.ear.search import Posteriors
from voiceref.ear.spotting import Broad, Fitness, Spotter, SpottingWeights, Talk, pieces, regional, score
from voiceref.ear.word_graph import PhraseList

LEAD = 20
FRAMES = 4
TALK = "bonjour oui bonjour pas mou"
TALK_PHONES = 5 + 2 + 5 + 2 + 2


def _graph(words: Iterable[str]) -> PhraseList:
    return PhraseList.of((word, word) for word in words)


def _talk(sought: str, *rivals: str) -> Talk:
    return Talk.of(_graph([sought]), _graph(rivals), lexicon())


def _posteriors(text: str) -> Posteriors:
    return Posteriors(heard(text, frames=FRAMES, lead=LEAD))


def test_a_word_inside_talk_is_found_where_it_lies() -> None:
    spotted = Spotter(lexicon()).spot(_posteriors(f"{TALK} grelotte {TALK}"), _talk("grelotte", "caillou"))
    assert spotted is not None
    assert (spotted.reading.text, spotted.reading.phrase) == ("grelotte", "grelotte")
    begin = round(MARGIN / 0.02) + LEAD + TALK_PHONES * FRAMES
    assert abs(spotted.piece.start - begin) <= 1
    assert abs(spotted.piece.end - (begin + 6 * FRAMES)) <= 1
    ((word, start, end),) = spotted.words()
    assert (word, start, end) == ("grelotte", spotted.piece.start, spotted.piece.end)
    assert spotted.score > 0.5
    assert spotted.fitness.outside > 0.5


def test_a_word_alone_is_more_probable_than_the_same_one_in_talk() -> None:
    spotter, talk = Spotter(lexicon()), _talk("grelotte", "caillou")
    alone, inside = spotter.spot(_posteriors("grelotte"), talk), spotter.spot(_posteriors(f"{TALK} grelotte"), talk)
    assert alone is not None
    assert inside is not None
    assert alone.score > inside.score


def test_talk_without_the_word_is_nothing() -> None:
    spotted = Spotter(lexicon()).spot(_posteriors(f"{TALK} caillou {TALK}"), _talk("grelotte", "caillou"))
    assert spotted is None or spotted.score < 0.1


def test_a_longer_rival_that_holds_the_word_takes_it() -> None:
    spotter, said = Spotter(lexicon()), _posteriors(f"{TALK} velutée {TALK}")
    taken, free = spotter.spot(said, _talk("velute", "velutée")), spotter.spot(said, _talk("velute", "caillou"))
    assert taken is not None
    assert free is not None
    assert taken.fitness.margin < 0 < free.fitness.margin
    assert taken.score < free.score


def test_a_rival_elsewhere_in_the_talk_is_none() -> None:
    spotter, said = Spotter(lexicon()), _posteriors(f"velutée {TALK} {TALK} {TALK} grelotte")
    spotted = spotter.spot(said, _talk("grelotte", "velutée"))
    assert spotted is not None
    assert spotted.fitness.margin == pytest.approx(spotted.fitness.gain)


def test_pieces_do_not_overlap_and_the_best_comes_first() -> None:
    sought = _talk("grelotte").sought
    found = pieces(_posteriors(f"grelotte {TALK} grelotte {TALK} grelotte"), sought, most=5)
    assert len(found) >= 3
    assert [piece.gain for piece in found] == sorted((piece.gain for piece in found), reverse=True)
    ordered = sorted(found, key=lambda piece: piece.start)
    assert all(one.end <= other.start for one, other in zip(ordered, ordered[1:], strict=False))


@pytest.mark.parametrize("sought", [[], ["zzz"]])
def test_nothing_sought_is_nothing_found(sought: list[str]) -> None:
    empty = Talk.of(PhraseList.of((word, "") for word in sought), _graph([]), lexicon())
    assert Spotter(lexicon()).spot(_posteriors(TALK), empty) is None


def test_open_and_closed_vowels_are_in_free_exchange() -> None:
    assert set(regional(from_ipa("k l ɔ ʃ"))) == {from_ipa("k l ɔ ʃ"), from_ipa("k l o ʃ")}
    assert regional(from_ipa("p a t")) == (from_ipa("p a t"),)
    assert len(regional(from_ipa("o e ø o e ø o e"))) <= 12
    assert Broad(lexicon()).pronunciations("grelotte")[0] == from_ipa("ɡ ʁ ə l ɔ t")
    assert from_ipa("ɡ ʁ ə l o t") in Broad(lexicon()).pronunciations("grelotte")


def test_a_closed_vowel_from_elsewhere_is_heard() -> None:
    said = heard("grelotte", frames=FRAMES, lead=LEAD)
    opened, closed = from_ipa("ɔ")[0], from_ipa("o")[0]
    said[:, [opened, closed]] = said[:, [closed, opened]]
    spotted = Spotter(lexicon()).spot(Posteriors(said), _talk("grelotte", "caillou"))
    assert spotted is not None
    assert spotted.score > 0.5


def test_each_piece_of_evidence_counts_in_its_direction() -> None:
    usual = Fitness(fit=-0.5, gain=20.0, margin=0.0, outside=0.2)
    better = [
        replace(usual, fit=-0.1),
        replace(usual, gain=30.0),
        replace(usual, margin=5.0),
        replace(usual, outside=0.0),
    ]
    assert all(score(one, SpottingWeights()) > score(usual, SpottingWeights()) for one in better)
    extreme = Fitness(fit=-90.0, gain=1e6, margin=-1e6, outside=1.0)
    assert 0.0 <= score(extreme, SpottingWeights()) <= 1.0
    assert np.isfinite(score(extreme, SpottingWeights()))
