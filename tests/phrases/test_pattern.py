"""The template language: what each construct reads, and what a wrong template says."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from voiceref.phrases.pattern import TemplateError
from voiceref.phrases.slots import Context, Line, Listed, SlotType, Vocabulary
from voiceref.phrases.template import compile_template, with_common_shapes

CONTEXT = Context(("Ana", "Bruno", "Maëlle-Rose"))
LISTED: Mapping[str, SlotType] = {
    "fruit": Listed(Vocabulary.of({"pomme": ("pomme", "golden"), "pomme_de_terre": ("pomme de terre", "patate")}))
}


def read(template: str, text: str) -> list[dict[str, object]]:
    """The slots of every reading of `text`."""
    compiled = compile_template(template, LISTED)
    return [dict(reading.slots) for reading in compiled.readings(compiled.chart(Line.of(text), CONTEXT))]


@pytest.mark.parametrize(
    ("template", "text", "slots"),
    [
        ("bon jour", "Bonjour", None),
        ("bon jour", "bon jour", {}),
        ("bon jour", "bon jour Ana", None),
        ("bon jour", "ah bon jour", None),
        ("[le] cul", "cul", {}),
        ("[le] cul", "le cul", {}),
        ("[le] cul", "le le cul", None),
        ("(a|b [c]|[d] e)", "b c", {}),
        ("(a|b [c]|[d] e)", "e", {}),
        ("(a|b [c]|[d] e)", "a b", None),
        ("d'accord", "daccord", {}),
        ("d'accord", "d accord", {}),
        ("d'accord", "d’accord", {}),
        ("qu'est-ce que", "qu est ce que", {}),
        ("cul <de>", "cul six", {"de": 6}),
        ("cul <de>", "cul 6", {"de": 6}),
        ("cul <de>", "cul sept", None),
        ("cul <face:de>", "cul une", {"face": 1}),
        ("<a:de> et <b:de>", "un et deux", {"a": 1, "b": 2}),
        ("<a:de> et <a:de>", "un et deux", {"a": (1, 2)}),
        ("<a:de> [et <a:de>]", "un", {"a": (1,)}),
        ("les deux <a:de*2>", "les deux quatre", {"a": (4, 4)}),
        ("les deux <a:de*2> [et le <a:de>]", "les deux quatre et le un", {"a": (4, 4, 1)}),
        ("(sloubi <n:compte 1..228>)+", "sloubi un, sloubi deux, sloubi vingt et un", {"n": (1, 2, 21)}),
        ("(sloubi <n:compte 1..228>)+", "sloubi un, deux", None),
        ("(<t:joueur> <t:de>)+", "Ana deux, Bruno trois", {"t": (("Ana", 2), ("Bruno", 3))}),
        ("<t:joueur> <t:de> [(et <t:joueur> <t:de>)+]", "Ana deux", {"t": (("Ana", 2),)}),
        (
            "<joueur> (arrive {sens=vers} | part {sens=loin} {fois=2})",
            "ana part",
            {"joueur": "Ana", "sens": "loin", "fois": 2},
        ),
        ("rien {g=()}", "rien", {"g": ()}),
        ("vrai {g=true}", "vrai", {"g": True}),
        ("une <fruit>", "une golden", {"fruit": "pomme"}),
        ("une <fruit>", "une pomme de terre", {"fruit": "pomme_de_terre"}),
        ("une <fruit> [de <joueur>]", "une pomme de Ana", {"fruit": "pomme", "joueur": "Ana"}),
        ("<joueur> dort", "MAELLE rose dort", {"joueur": "Maëlle-Rose"}),
        ("mot <m:libre>", "mot Pomme-de-Terre !", {"m": "Pomme-de-Terre"}),
        ("[ma] réponse [est] <m:libre>", "ma réponse est patate", {"m": "patate"}),
        ("mot <m:mot>", "mot deux mots", None),
        ("lettre <lettre>", "lettre bé", {"lettre": "B"}),
        ("lettre <lettre>", "lettre B comme Bruno", {"lettre": "B"}),
        ("lettre <lettre>", "lettre B comme Paul", None),
        ("lettre <lettre>", "lettre double vé", {"lettre": "W"}),
        ("lettre <lettre>", "lettre i grec", {"lettre": "Y"}),
        ("lettres <l:lettre> [<l:lettre>]", "lettres D, A", {"l": ("D", "A")}),
        ("je m'appelle <joueur:nom>", "je m'appelle nora", {"joueur": "Nora"}),
        ("je m'appelle <joueur:nom>", "je m'appelle Jean-Loup d'Orval", {"joueur": "Jean-Loup d'Orval"}),
        ("<points:1..343> points", "quatre vingt dix neuf points", {"points": 99}),
        ("<points:1..343> points", "quatre cents points", None),
        ("<points:1..343> points", "zéro points", None),
    ],
)
def test_readings(template: str, text: str, slots: dict[str, object] | None) -> None:
    assert read(template, text) == ([] if slots is None else [slots])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("cet points", 7),
        ("cette points", 7),
        ("d'eux points", 2),
        ("deux sang points", 200),
        ("vin points", 20),
        ("sans points", 100),
        ("dis points", 10),
        ("cis points", 6),
        ("hein points", 1),
    ],
)
def test_homophones_count_inside_a_number_slot(text: str, value: int) -> None:
    assert read("<n:1..343> points", text) == [{"n": value}]


@pytest.mark.parametrize("text", ["cet", "d'eux", "sang", "cent", "sans"])
def test_homophones_are_plain_words_elsewhere(text: str) -> None:
    assert read("sept [joueurs]", text) == []
    assert read("deux [joueurs]", text) == []


def test_two_values_for_the_same_words_are_both_told() -> None:
    assert read("<a:1..99> [<b:1..99>]", "vingt deux") == [{"a": 22}, {"a": 20, "b": 2}]


def test_fewest_free_words_win() -> None:
    assert read("(<m:libre>|une <fruit>)", "une pomme") == [{"fruit": "pomme"}]


def test_a_slot_is_a_tuple_in_all_templates_of_a_phrase_or_in_none() -> None:
    one, two, none = with_common_shapes(
        compile_template(text, LISTED) for text in ("garde <g:de>", "garde <g:de> <g:de>", "garde rien {g=tout}")
    )
    assert [dict(r.slots) for r in one.readings(one.chart(Line.of("garde six"), CONTEXT))] == [{"g": (6,)}]
    assert [dict(r.slots) for r in two.readings(two.chart(Line.of("garde six un"), CONTEXT))] == [{"g": (6, 1)}]
    assert [dict(r.slots) for r in none.readings(none.chart(Line.of("garde rien"), CONTEXT))] == [{"g": "tout"}]


def test_how_far_a_template_got() -> None:
    template = compile_template("tichette de <t:11..66>", LISTED)
    at, expected = template.furthest(template.chart(Line.of("tichette de deux quatre"), CONTEXT))
    assert at == 2
    assert len(expected) == 1
    assert template.furthest(template.chart(Line.of("bonjour"), CONTEXT)) == (0, frozenset())


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("[le cul", "« [ » sans « ] »"),
        ("(le cul]", "« ( » sans « ) »"),
        ("le cul]", "de trop"),
        ("a | ]", "de trop"),
        ("cul <de", "sans son pendant"),
        ("cul de>", "sans son pendant"),
        ("cul {x=1", "sans son pendant"),
        ("<>", "case illisible"),
        ("<a:b:c>", "case illisible"),
        ("<a:dragon>", "type de case inconnu « dragon »"),
        ("<1..6>", "il faut un nom à la case"),
        ("<a:6..1>", "du plus petit au plus grand"),
        ("<a:0..1000>", "entre 0 et 999"),
        ("cul {x}", "valeur illisible"),
        ("+ a", "« + » doit suivre"),
        ("a +", "« + » doit suivre"),
        ("([a])+ b", "ne peut pas être vide"),
        ("", "aucun mot obligatoire"),
        ("[a] [b]", "aucun mot obligatoire"),
        ("!?", "aucun mot obligatoire"),
        ("(a|)", "aucun mot obligatoire"),
        ("{x=1}", "aucun mot obligatoire"),
        ("(<a:de> [<a:de>])+", "le même nombre de fois"),
    ],
)
def test_wrong_templates_say_why(template: str, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        compile_template(template, LISTED)
    assert message in str(caught.value)
