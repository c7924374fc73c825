"""From words to one phrase: legality, homonyms, near misses, reasons; nothing by luck (B15 to B38)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceref.phrases.catalogue import load
from voiceref.phrases.matcher import Match, Rejection, match
from voiceref.phrases.numbers import spellings
from voiceref.phrases.slots import Context

CDC = load("cul-de-chouette")
CACHAMOT = load("cachamot")
CONTEXT = Context(("Ana", "Bruno", "Chloé"), spoken={"Bruno": ("Nono", "le grand")})
ALL = tuple(CDC.phrases)


def understood(text: str, legal: Sequence[str] = ALL) -> tuple[str, dict[str, object]] | str:
    """(id, slots) of a match, or the reason of the rejection."""
    found = match(text, CDC, CONTEXT, legal)
    return (found.phrase_id, dict(found.slots)) if isinstance(found, Match) else found.reason


@pytest.mark.parametrize(
    ("text", "phrase_id", "slots"),
    [
        ("Chouettes : quatre et deux", "CDC-Q001", {"des": (4, 2)}),
        ("les chouettes font quatre deux", "CDC-Q001", {"des": (4, 2)}),
        ("deux quatre", "CDC-Q001", {"des": (2, 4)}),
        ("double six", "CDC-Q001", {"des": (6, 6)}),
        ("et le cul six", "CDC-Q002", {"de": 6}),
        ("quatre, deux… et six", "CDC-Q003", {"des": (4, 2, 6)}),
        ("un, un, quatre", "CDC-Q003", {"des": (1, 1, 4)}),
        ("j'ai fait six deux quatre", "CDC-Q003", {"des": (6, 2, 4)}),
        ("et c'est un trois", "CDC-Q004", {"de": 3}),
        ("c'est un un", "CDC-Q004", {"de": 1}),
        ("j'ai fait un quatre", "CDC-Q004", {"de": 4}),
        ("La relance : un, cinq, six, total douze", "CDC-Q005", {"des": (1, 5, 6), "total": 12}),
        ("Je garde les deux quatre", "CDC-Q006", {"garde": (4, 4)}),
        ("Je garde un six", "CDC-Q006", {"garde": (6,)}),
        ("je garde tout", "CDC-Q006", {"garde": "tout"}),
        ("Je relance tout", "CDC-Q006", {"garde": ()}),
        ("sur un cul de chouette max", "CDC-Q007", {"combinaison": "cul_de_chouette", "points": "max"}),
        ("vingt points sur une Chouette-Velute", "CDC-Q007", {"combinaison": "chouette_velute", "points": 20}),
        ("Ana deux, Bruno cinq", "CDC-Q008", {"lancers": (("Ana", 2), ("Bruno", 5))}),
        ("Nono a fait cinq", "CDC-Q008", {"lancers": (("Bruno", 5),)}),
        ("Bévue d'Ana", "CDC-Q010", {"joueur": "Ana"}),
        ("Elle n'a pas levé le doigt !", "CDC-Q012", {"geste": "doigt"}),
        ("C'est Ana qui a le dé", "CDC-Q013", {"joueur": "Ana", "objet": "de"}),
        ("Grelottine Bruno", "CDC-P019", {"joueur": "Bruno"}),
        ("Grelottine contre Bruno", "CDC-P019", {"joueur": "Bruno"}),
        (
            "Grelottine Chloé sur une Velute de vingt points",
            "CDC-P019",
            {"joueur": "Chloé", "combinaison": "velute", "points": 20},
        ),
        ("Chante-Sloubi ! Je m'appelle Nora", "CDC-P069", {"joueur": "Nora"}),
        (
            "Trois gorgées : deux pour Ana, une pour Chloé",
            "CDC-Q025",
            {"total": 3, "gorgees": ((2, "Ana"), (1, "Chloé"))},
        ),
        ("Enlève vingt et un points à Bruno", "CDC-Q024", {"signe": "enleve", "points": 21, "joueur": "Bruno"}),
        ("Bruno a seize points, pas dix", "TABLE-015", {"joueur": "Bruno", "points": 16, "ancien": 10}),
        ("On joue à trois : Ana, Bruno, Chloé", "CDC-Q019", {"nombre": 3, "joueurs": ("Ana", "Bruno", "Chloé")}),
        ("Bichette de cinq cent vingt-deux !", "CDC-P061", {"tiche": 522}),
        ("Tichette de quarante-quatre !", "CDC-P060", {"tiche": 44}),
    ],
)
def test_natural_ways_to_say_it(text: str, phrase_id: str, slots: dict[str, object]) -> None:
    assert understood(text) == (phrase_id, slots)


def test_the_whole_song() -> None:
    song = ", ".join(f"Sloubi {' '.join(spellings(n)[-1])}" for n in range(1, 229))
    assert understood(song) == ("CDC-P070", {"sloubis": tuple(range(1, 229))})
    assert understood("Sloubi un, Sloubi deux, Sloubi quatre") == ("CDC-P070", {"sloubis": (1, 2, 4)})


@given(st.lists(st.integers(1, 228), min_size=1, max_size=30))
def test_any_sloubis_in_any_spelling(song: list[int]) -> None:
    said = ", ".join(f"sloubi {' '.join(spellings(n)[-1 if i % 2 else 0])}" for i, n in enumerate(song))
    assert understood(said) == ("CDC-P070", {"sloubis": tuple(song)})


@given(st.integers(1, 343), st.sampled_from(CONTEXT.players), st.sampled_from(["ajoute", "enlève"]), st.data())
def test_points_are_what_was_said(points: int, player: str, verb: str, data: st.DataObject) -> None:
    words = data.draw(st.sampled_from(spellings(points)))
    expected = {"signe": "enleve" if verb == "enlève" else "ajoute", "points": points, "joueur": player}
    assert understood(f"{verb} {'-'.join(words)} points à {player}") == ("CDC-Q024", expected)


# --- legality and homonyms -------------------------------------------------------------------------------------------


def test_the_order_of_legal_phrases_decides_between_homonyms() -> None:
    for legal in (("CDC-Q003", "CDC-Q009"), ("CDC-Q009", "CDC-Q003")):
        found = match("Les dés : quatre, quatre, deux", CDC, CONTEXT, legal)
        assert isinstance(found, Match)
        assert (found.phrase_id, [other.phrase_id for other in found.alternatives]) == (legal[0], [legal[1]])
        assert found.runner_up == legal[1]


def test_a_legal_phrase_goes_before_a_command_of_the_same_words() -> None:
    for legal, expected in ((("CACH-Q009",), ("CACH-Q009", None)), ((), ("TABLE-024", "no"))):
        found = match("non", CACHAMOT, CONTEXT, legal)
        assert isinstance(found, Match)
        assert (found.phrase_id, found.command) == expected


def test_a_phrase_out_of_place_is_returned_as_such() -> None:
    found = match("Pas mou le caillou !", CDC, CONTEXT, ("CDC-P002",))
    assert isinstance(found, Match)
    assert (found.phrase_id, found.legal, found.alternatives) == ("CDC-P001", False, ())


def test_commands_are_always_legal() -> None:
    found = match("annule", CDC, CONTEXT, ())
    assert isinstance(found, Match)
    assert (found.command, found.legal) == ("undo", True)


def test_free_words_are_an_answer_only_while_answers_are_asked_for() -> None:
    assert isinstance(match("patate", CACHAMOT, CONTEXT, ("CACH-Q006",)), Match)
    found = match("un zigoto", CACHAMOT, CONTEXT, ())
    assert found == Rejection("unknown", "un zigoto")


def test_a_command_goes_before_a_free_answer() -> None:
    found = match("pause", CACHAMOT, CONTEXT, ("CACH-Q006",))
    assert isinstance(found, Match)
    assert found.command == "pause"
    found = match("Ma réponse : pause", CACHAMOT, CONTEXT, ("CACH-Q006",))
    assert isinstance(found, Match)
    assert (found.phrase_id, found.slots) == ("CACH-Q006", {"mot": "pause"})


def test_a_template_may_name_another_command() -> None:
    found = match("reprends", CACHAMOT, CONTEXT, ("CACH-Q015",))
    assert isinstance(found, Match)
    assert (found.phrase_id, found.command, found.slots) == ("CACH-Q015", "resume", {})


# --- nearly a phrase -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "phrase_id"),
    [
        ("sans fin est la moississure du bières bretonnes", "CDC-P003"),
        ("sans fin et la moisissure des bières bretonnes", "CDC-P003"),
        ("fort heureusement je tiens à préciser que l'incident n'a fait aucun victime", "CDC-P018"),
        ("fort heureusement je tien à précisé que incident n'a fait aucune victime", "CDC-P018"),
        ("j'apprécie les fruit au siro", "CDC-P037"),
        ("je siffle le cul de chouette en interval païens", "CDC-P045"),
        ("un petit intervalle diminuer de temps en temps", "CDC-P047"),
        ("zbradaradjan", "CDC-P014"),
    ],
)
def test_a_long_cry_may_be_a_little_off(text: str, phrase_id: str) -> None:
    found = match(text, CDC, CONTEXT, (phrase_id,))
    assert isinstance(found, Match), found
    assert (found.phrase_id, found.reason, found.legal) == (phrase_id, "close", True)
    assert 0.85 <= found.score < 1.0


@pytest.mark.parametrize(
    ("text", "reason", "nearest"),
    [
        ("Sans fin est la moisissure des bières", "incomplete", "CDC-P003"),
        ("Grelotte", "incomplete", "CDC-P002"),
        ("je mange pas de graines", "near", "CDC-P068"),
        ("je mange des graines", "near", "CDC-P068"),
        ("un grand intervalle diminué de temps en temps", "near", "CDC-P047"),
        ("Tichette de deux quatre", "number", "CDC-P060"),
        ("Je relance de trente", "number", "CDC-P011"),
        ("Grelottine Zoé", "name", "CDC-P019"),
        ("Bévue Zoé", "name", "CDC-Q010"),
        ("pause café", "unknown", None),
        ("", "empty", None),
        ("… !", "empty", None),
        ("[unk]", "unknown", None),
        ("x", "unknown", None),
        ("Grelotte \ufffda picote", "mojibake", None),
    ],
)
def test_rejections_say_why(text: str, reason: str, nearest: str | None) -> None:
    found = match(text, CDC, CONTEXT, ALL)
    assert isinstance(found, Rejection), found
    assert (found.reason, found.nearest) == (reason, nearest)


@pytest.mark.parametrize(
    "heard",
    [
        "et donc tout le monde rentre",
        "c'est l'heure de la pause café",
        "il y en a plus que deux",
        "plus un peu de sauce",
        "plus seize",
        "moins six",
        "plus six",
        "on",
        "un",
        "non mais",
        "annule tou",
        "score de merde",
        "le scores est bon",
        "paus",
        "stopp la",
        "repete ca pour voir",
    ],
)
def test_what_a_fuzzy_matcher_takes_for_an_order(heard: str) -> None:
    assert isinstance(understood(heard), str)


@pytest.mark.parametrize(
    "order", ["stop", "pause", "annule", "fin de partie", "oui", "non", "dors", "scores", "silence", "aide"]
)
@pytest.mark.parametrize(
    "around", ["{} maintenant les enfants", "il a dit {}", "mais {} alors", "{} {} {}", "{}-moi ça", "un {}"]
)
def test_an_order_inside_a_sentence_is_nothing(order: str, around: str) -> None:
    assert isinstance(understood(around.replace("{}", order)), str)


@pytest.mark.parametrize("one", range(1, 25))
def test_no_number_is_taken_for_another(one: int) -> None:
    for words in spellings(one):
        assert understood(f"je relance de {' '.join(words)}") == ("CDC-P011", {"points": one})


@pytest.mark.parametrize(
    "text", ["je relance de seixe", "je relance de treise", "je relance de disse", "je relance de cinc"]
)
def test_no_number_is_guessed(text: str) -> None:
    assert isinstance(understood(text), str)


# --- encodings and names ---------------------------------------------------------------------------------------------


def test_mojibake_that_can_be_undone_is_understood_and_shown_right() -> None:
    found = match("À Kadoc !".encode().decode("cp1252"), CDC, CONTEXT, ALL)
    assert isinstance(found, Match)
    assert (found.phrase_id, found.text) == ("CDC-P015", "À Kadoc !")


def test_names_typed_on_different_systems_are_one_player() -> None:
    for form in ("NFC", "NFD"):
        context = Context((unicodedata.normalize(form, "Chloé"), "Ana"))
        for said in ("Chloé", "chloe", "CHLOÉ", unicodedata.normalize("NFD", "Chloé")):
            found = match(f"Grelottine {said}", CDC, context, ALL)
            assert isinstance(found, Match)
            assert found.slots == {"joueur": context.players[0]}


def test_spoken_forms_mean_the_player() -> None:
    assert understood("Grelottine le grand") == ("CDC-P019", {"joueur": "Bruno"})


def test_two_players_with_one_sound_are_not_guessed() -> None:
    found = match("Grelottine Ana", CDC, Context(("Ana", "Anna")), ("CDC-P019",))
    assert found == Rejection("ambiguous", "Grelottine Ana", "CDC-P019")


def test_articles_and_apostrophes_may_be_lost() -> None:
    for text in ("qu'est-ce que le score", "qu est ce que le score", "qu’est ce que le score"):
        assert understood(text) == ("CDC-Q022", {})
    for text in ("j'achète", "j achète", "jachète", "J’ACHÈTE !"):
        assert understood(text) == ("CDC-P048", {})


def test_a_group_of_open_words_is_one_word() -> None:
    """« Pomme de terre » and « chou-fleur » fill a slot of one word when the table is ready for them."""
    groups = ("pomme de terre", "chou fleur", "patate")
    ready = Context(("Ana",), words={"mot": groups, "libre": groups})
    cachamot, legal = load("cachamot"), ("CACH-Q006",)
    for text, word in (
        ("Pomme de terre !", "Pomme de terre"),
        ("C'est une pomme de terre", "pomme de terre"),
        ("chou-fleur", "chou-fleur"),
    ):
        found = match(text, cachamot, ready, legal)
        assert isinstance(found, Match)
        assert (found.phrase_id, found.slots["mot"]) == ("CACH-Q006", word)
    assert not isinstance(match("une pomme de pin", cachamot, ready, legal), Match)


@pytest.mark.parametrize("text", ["Le Cachamot est Zoé", "Zoé est le Cachamot", "Trouvé par Zoé", "Zoé a trouvé"])
def test_a_phrase_with_a_name_that_nobody_has_is_told_apart_from_talk(text: str) -> None:
    found = match(text, CACHAMOT, CONTEXT, tuple(CACHAMOT.phrases))
    assert isinstance(found, Rejection)
    assert found.reason == "name"


@pytest.mark.parametrize("text", ["Zut", "Zoé", "zoé a trouvé", "Demain Zoé a encore trouvé le pain"])
def test_other_words_are_talk_still(text: str) -> None:
    found = match(text, CACHAMOT, CONTEXT, ("CACH-Q001", "CACH-Q011"))
    assert not isinstance(found, Rejection) or found.reason != "name"
