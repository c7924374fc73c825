"""The N-best search is exact: it agrees with plain dynamic programming over every phrase."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from tests.ear.speech import WORDS, heard, lexicon
from voiceref.ear.alignment import align
from voiceref.ear.network import Network
from voiceref.ear.phones import PHONES, SILENCE, from_ipa
from voiceref.ear.search import Posteriors, Search, readings
from voiceref.ear.word_graph import PhraseList

PHRASES = {
    "P001": "pas mou le caillou",
    "P002": "grelotte ça picote",
    "V": "velute",
    "VV": "velutée",
    "CV": "chouette velute",
    "C": "chouette",
}


def _network(phrases: dict[str, str] = PHRASES) -> Network:
    return Network.compile(PhraseList.of(phrases.items()), lexicon())


def _plain(posteriors: Posteriors, text: str) -> float:
    """Best path of one phrase by the textbook: states with an optional silence before each word and at the end."""
    murmur = np.maximum(posteriors.logp[:, SILENCE], posteriors.best - 2.0)
    rows = [murmur]
    skippable = [True]
    for place, word in enumerate(text.split()):
        if place:
            rows.append(posteriors.logp[:, SILENCE])
            skippable.append(True)
        for phone in from_ipa(WORDS[word]):
            rows.append(posteriors.logp[:, phone])
            skippable.append(False)
    rows.append(murmur)
    skippable.append(True)
    scores = np.full(len(rows), -np.inf)
    for t in range(posteriors.frames):
        before = np.concatenate([scores, [-np.inf]])
        fresh = np.full(len(rows), -np.inf)
        for i in range(len(rows)):
            choices = [before[i]]
            if t == 0:
                choices.append(0.0 if i == 0 or (i == 1 and skippable[0]) else -np.inf)
            if i > 0:
                choices.append(before[i - 1])
            if i > 1 and skippable[i - 1]:
                choices.append(before[i - 2])
            fresh[i] = max(choices) + rows[i][t]
        scores = fresh
    return max(scores[-1], scores[-2])


@pytest.mark.parametrize("seed", range(5))
def test_every_score_is_that_of_plain_dynamic_programming(seed: int) -> None:
    rng = np.random.default_rng(seed)
    text = rng.choice(list(PHRASES.values()))
    posteriors = Posteriors(heard(str(text), frames=3, sharp=2.0, noise=1.0, seed=seed))
    found = list(readings(_network(), posteriors))
    assert [reading.score for reading in found] == sorted((reading.score for reading in found), reverse=True)
    assert found[0].text == text
    for reading in found:
        assert reading.score == pytest.approx(_plain(posteriors, reading.text), abs=0.02)
        assert PHRASES[reading.phrase] == reading.text


def test_a_prior_moves_a_phrase_down() -> None:
    posteriors = Posteriors(heard("chouette"))
    first, second = islice(readings(_network(), posteriors), 2)
    dear = dict.fromkeys([first.phrase], first.score - second.score + 1.0)
    assert next(readings(_network(), posteriors, dear)).phrase == second.phrase


def test_slots_compete_with_each_other() -> None:
    arcs = tuple((0, 1, word) for word in ("quatre", "cinq", "six")) + ((1, 2, "chouette"),)
    graph = PhraseList(arcs, {2: "Q"})
    best, runner_up = islice(readings(Network.compile(graph, lexicon()), Posteriors(heard("cinq chouette"))), 2)
    assert best.text == "cinq chouette"
    assert runner_up.text in ("quatre chouette", "six chouette")
    assert best.score - runner_up.score > 10


def test_pauses_and_murmurs_are_allowed() -> None:
    posteriors = Posteriors(heard("grelotte _ _ ça picote"))
    assert next(readings(_network(), posteriors)).phrase == "P002"


def test_nothing_fits_into_no_time() -> None:
    assert list(readings(_network(), Posteriors(heard("", lead=0, trail=0)[:3]))) == []


def test_alignment_finds_the_phones() -> None:
    posteriors = Posteriors(heard("grelotte _ ça picote", frames=5, lead=20))
    segments = align(posteriors, ("grelotte", "ça", "picote"), lexicon())
    spoken = [PHONES[segment.phone] for segment in segments if segment.phone != SILENCE]
    assert " ".join(spoken) == "ɡ ʁ ə l ɔ t s a p i k ɔ t"
    assert segments[0].start == 30
    assert all(a.end == b.start for a, b in zip(segments, segments[1:], strict=False))
    assert [(segment.word, segment.end - segment.start) for segment in segments if segment.phone == SILENCE] == [
        (-1, 5)
    ]
    assert all(segment.fit > -0.01 for segment in segments)


@pytest.mark.parametrize(
    ("spoken", "longer"),
    [("chouette", True), ("velute", True), ("velutée", False), ("chouette velute", False), ("bonjour", False)],
)
def test_knows_what_could_go_on(spoken: str, longer: bool) -> None:
    phones = tuple(phone for word in spoken.split() for phone in from_ipa(WORDS[word]))
    assert _network().continues(phones) is longer


def test_mute_words_cut_their_paths_and_cycles_are_refused() -> None:
    network = Network.compile(PhraseList.of([("A", "brrr chouette"), ("B", "chouette")]), lexicon())
    assert set(network.finals.values()) == {"B"}
    with pytest.raises(ValueError, match="cycle"):
        Network.compile(PhraseList(((0, 1, "oui"), (1, 2, "oui"), (2, 1, "oui")), {2: "X"}), lexicon())


@pytest.mark.parametrize("seed", range(40))
def test_any_small_graph_is_searched_as_if_each_of_its_phrases_were_tried(seed: int) -> None:
    """Words shared at both ends, several ways to one end, pauses: every text of the graph, scored one by one."""
    rng = np.random.default_rng(seed)
    states = int(rng.integers(3, 6))
    vocabulary = rng.choice(sorted(WORDS), 5, replace=False)
    arcs = []
    for target in range(1, states + 1):
        for _ in range(int(rng.integers(1, 4))):
            arcs.append((int(rng.integers(0, min(target, states - 1))), target, str(rng.choice(vocabulary))))
    graph = PhraseList(tuple(dict.fromkeys(arcs)), {states - 1: "A", states: "B"})
    texts = {" ".join(words) for words in _texts(graph, 0)}
    posteriors = Posteriors(heard(str(rng.choice(sorted(texts))), frames=3, sharp=3.0, noise=0.7, seed=seed))
    found = list(readings(Network.compile(graph, lexicon()), posteriors))
    every = {text: _plain(posteriors, text) for text in texts}
    assert found[0].score == pytest.approx(max(every.values()), abs=0.02)
    for reading in found:
        assert reading.score == pytest.approx(every[reading.text], abs=0.02)
    close = {text for text, score in every.items() if score > max(every.values()) - 15}
    assert close <= {reading.text for reading in found}


@pytest.mark.parametrize("seed", range(8))
def test_one_pass_serves_every_stretch_to_the_end(seed: int) -> None:
    rng = np.random.default_rng(seed)
    said = " _ ".join(rng.choice(list(PHRASES.values()), 3))
    logp = heard(said, frames=3, sharp=2.0, noise=1.0, seed=seed)
    whole = Posteriors(logp, rng.random(len(logp)) < 0.2)
    costs = {"P001": 3.0, "V": 1.0}
    search = Search(_network(), whole, costs)
    for first in (0, 1, int(rng.integers(2, len(logp) - 12)), len(logp) - 2):
        alone = list(readings(_network(), whole.since(first), costs))
        assert [(r.words, r.phrase) for r in search.readings(first)] == [(r.words, r.phrase) for r in alone]
        assert [r.score for r in search.readings(first)] == pytest.approx([r.score for r in alone], abs=0.01)


def test_only_the_most_promising_first_words_are_followed() -> None:
    """A hundred ways to begin, and the best readings are still those of a search through all of them."""
    forms = [(a, b) for a in range(1, 13) for b in range(15, 24)]
    logp = np.log(np.random.default_rng(3).dirichlet(np.ones(len(PHONES)), 20)).astype(np.float32)
    network = Network.compile(PhraseList.of((f"w{i}", f"w{i}") for i in range(len(forms))), _Spelled(forms))
    found = list(islice(readings(network, Posteriors(logp)), 12))
    alone = [
        next(readings(Network.compile(PhraseList.of([(f"w{i}", f"w{i}")]), _Spelled(forms)), Posteriors(logp)))
        for i in range(len(forms))
    ]
    alone.sort(key=lambda reading: -reading.score)
    assert [reading.score for reading in found] == pytest.approx([reading.score for reading in alone[:12]], abs=0.01)


class _Spelled:
    """Word « w7 » is said as the seventh form."""

    def __init__(self, forms: list[tuple[int, ...]]) -> None:
        self._forms = forms

    def pronunciations(self, word: str) -> tuple[tuple[int, ...], ...]:
        return (self._forms[int(word[1:])],)


def _texts(graph: PhraseList, state: int) -> list[tuple[str, ...]]:
    """All word sequences from `state` to an end."""
    ended: list[tuple[str, ...]] = [()] if state in graph.finals else []
    onwards = [(word, rest) for a, b, word in graph.arcs if a == state for rest in _texts(graph, b)]
    return ended + [(word, *rest) for word, rest in onwards]
