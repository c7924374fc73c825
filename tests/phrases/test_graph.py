"""The word graph for the ear: every path is a phrase that the matcher reads back, in a small graph made fast."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from random import Random

import pytest
from saying import CONTEXT

from voiceref.phrases.catalogue import GAMES, load
from voiceref.phrases.graph import WordGraph, word_graph
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.numbers import spellings
from voiceref.phrases.slots import Context

CDC = load("cul-de-chouette")
WORDS = dict.fromkeys(("libre", "mot", "nom", "metier", "personnage"), ("zigoto", "parapluie"))


def sentences(graph: WordGraph) -> dict[str, str]:
    """Every path of a small graph: words -> phrase id."""
    leaving = defaultdict(list)
    for source, target, word in graph.arcs:
        leaving[source].append((target, word))
    found: dict[str, str] = {}
    open_paths: list[tuple[int, tuple[str, ...]]] = [(graph.start, ())]
    while open_paths:
        state, words = open_paths.pop()
        if state in graph.finals:
            found[" ".join(words)] = graph.finals[state]
        open_paths += [(target, (*words, word)) for target, word in leaving[state]]
    return found


def some_path(graph: WordGraph, dice: Random) -> tuple[str, str]:
    """The words of a random path and the phrase it ends in."""
    leaving = defaultdict(list)
    for source, target, word in graph.arcs:
        leaving[source].append((target, word))
    state, words = graph.start, []
    while not (state in graph.finals and (not leaving[state] or dice.random() < 0.5)):
        state, word = dice.choice(leaving[state])
        words.append(word)
    return " ".join(words), graph.finals[state]


def test_a_small_graph_whole() -> None:
    graph = word_graph(CDC, Context(("Ana", "Bruno")), ("CDC-P048", "CDC-P006", "CDC-Q026"))
    assert sentences(graph) == {
        "j'achète": "CDC-P048",
        "j'achète le cul": "CDC-P048",
        **{f"raitournelle{name}": "CDC-P006" for name in ("", " ana", " bruno")},
        **{
            text.format(name): "CDC-Q026"
            for text in ("le roi c'est {}", "le roi est {}", "{} est roi", "{} est le roi", "c'est {} le roi")
            for name in ("ana", "bruno")
        },
    }


def test_ways_that_sound_alike_are_one_path(tmp_path: Path) -> None:
    path = tmp_path / "maison.toml"
    path.write_text(
        '[[phrase]]\nid = "A"\ntext = "(un|deux) (point|points) levé"\nvariants = ["un point levée"]\n', "utf-8"
    )
    said = sentences(word_graph(load(path), CONTEXT, ("A",)))
    assert sorted(words.split()[0] for words in said) == ["deux", "un"]


def test_mere_spellings_are_read_but_not_listened_for() -> None:
    assert set(sentences(word_graph(CDC, CONTEXT, ("CDC-P050",)))) == {"vert linette"}
    assert isinstance(match("vers linette", CDC, CONTEXT, ("CDC-P050",)), Match)


def test_an_elision_waits_for_a_vowel() -> None:
    said = sentences(word_graph(CDC, Context(("Ana", "Bruno")), ("CDC-Q010",)))
    assert "bévue d'ana" in said
    assert "bévue de bruno" in said
    assert "bévue d'bruno" not in said


def test_a_number_slot_holds_every_spelling_of_its_range_and_nothing_else() -> None:
    said = sentences(word_graph(CDC, CONTEXT, ("CDC-P059", "CDC-P060", "CDC-P061")))
    for cry, low, high in (("michette", 1, 9), ("tichette", 10, 99), ("bichette", 100, 999)):
        expected = {f"{cry} de {' '.join(words)}" for n in range(low, high + 1) for words in spellings(n)}
        assert {text for text in said if text.startswith(cry)} == expected


def test_the_song_counts_up_from_anywhere() -> None:
    graph = word_graph(CDC, CONTEXT, ("CDC-P070",))
    read = set()
    for seed in range(200):
        text, _ = some_path(graph, Random(seed))
        found = match(text, CDC, CONTEXT, ("CDC-P070",))
        assert isinstance(found, Match), text
        song = found.slots["sloubis"]
        assert isinstance(song, tuple)
        assert song == tuple(range(song[0], song[0] + len(song)))
        read.add(song[0])
    assert len(read) > 20


@pytest.mark.parametrize("game", GAMES)
def test_every_path_is_read_back_as_its_phrase(game: str) -> None:
    catalogue = load(game)
    context = Context(CONTEXT.players, CONTEXT.spoken, WORDS)
    for phrase in catalogue.phrases.values():
        graph = word_graph(catalogue, context, (phrase.id,))
        for seed in range(20):
            text, phrase_id = some_path(graph, Random(seed))
            found = match(text, catalogue, context, (phrase.id,))
            assert isinstance(found, Match), (text, phrase_id, found)
            assert found.phrase_id == phrase_id == phrase.id, (text, found)


@pytest.mark.parametrize("game", GAMES)
def test_arcs_go_up_and_every_state_is_of_use(game: str) -> None:
    catalogue = load(game)
    graph = word_graph(catalogue, CONTEXT, catalogue.phrases)
    assert all(source < target for source, target, _ in graph.arcs)
    assert all(word == word.strip() and word and not word.endswith("'") for word in graph.words)
    reached, useful = {graph.start}, set(graph.finals)
    for source, target, _ in sorted(graph.arcs):
        if source in reached:
            reached.add(target)
    for source, target, _ in sorted(graph.arcs, reverse=True):
        if target in useful:
            useful.add(source)
    states = {state for source, target, _ in graph.arcs for state in (source, target)}
    assert states == states & reached & useful


def test_free_words_are_left_out_without_a_lexicon() -> None:
    cachamot = load("cachamot")
    assert word_graph(cachamot, Context(("Ana",)), ("CACH-Q006",)).arcs == ()
    said = sentences(word_graph(cachamot, Context(("Ana",), words={"libre": ("patate",)}), ("CACH-Q006",)))
    assert "ma réponse est patate" in said


def test_pronunciations_go_along() -> None:
    assert word_graph(CDC, CONTEXT, ("CDC-P014",)).says == CDC.phrases["CDC-P014"].says


# --- inside talk -----------------------------------------------------------------------------------------------------

SEEKING = Context(
    ("Ana", "Bruno"),
    words={"mot": ("patate", "pâte"), "libre": ("patate", "pâte")},
    sought={"mot": ("patate",), "libre": ("patate",)},
)


def test_only_phrases_with_an_open_word_are_sought_inside_talk() -> None:
    """Score phrases, dice, orders and races are only heard when they stand alone."""
    marked = {game: {name for name, phrase in load(game).phrases.items() if phrase.inside} for game in GAMES}
    assert marked == {
        "cul-de-chouette": set(),
        "cachamot": {"CACH-Q006"},
        "casque-cheque-chat": {"CCC-P001", "CCC-Q007"},
        "chasseur-de-tete": {"CDT-P001"},
    }


def test_what_is_sought_and_its_rivals() -> None:
    inside = word_graph(load("cachamot"), SEEKING, ("CACH-Q006", "CACH-Q022", "CACH-Q008")).inside
    assert inside is not None
    sought, rivals = sentences(inside.sought), sentences(inside.rivals)
    assert {sought[text] for text in ("patate", "une patate", "c'est patate", "ma réponse patate")} == {"CACH-Q006"}
    assert "bruno dit patate" not in sought
    assert "j'accepte" not in sought
    assert {text.split()[-1] for text in sought} == {"patate"}
    assert {text.split()[-1] for text in rivals} == {"pâte"}


def test_a_template_without_an_open_word_is_not_sought() -> None:
    jobs = {"metier": ("pompier",), "mot": ("pompier",)}
    context = Context(("Ana",), words=jobs, sought=jobs)
    inside = word_graph(load("chasseur-de-tete"), context, ("CDT-P001",)).inside
    assert inside is not None
    found = sentences(inside.sought)
    assert "je crois que c'est le métier de pompier" in found
    assert not any("numéro" in text or text == "réponse trois" for text in found)
    assert sentences(inside.rivals) == {}


@pytest.mark.parametrize("sought", [{}, {"mot": ()}])
def test_where_nothing_is_sought_nothing_is_heard_inside_talk(sought: dict[str, tuple[str, ...]]) -> None:
    context = Context(("Ana",), words=SEEKING.words, sought=sought)
    assert word_graph(load("cachamot"), context, ("CACH-Q006",)).inside is None
