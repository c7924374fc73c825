"""The formatter: every form, what the loader refuses, how sentences are cut, what is said when data are wrong."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voiceref.voice.wording import LONGEST_S, Wording, WordingError, seconds, split

HEAD = """
[grammaire]
masculins = ["points"]
feminins = ["gorgées", "minutes", "secondes"]
aspires = ["Harold"]
[noms]
velute = "une Velute"
cul_de_chouette = "un Cul de Chouette"
[table]
repli = "De la table."
muet = ""
"""


def wording(tmp_path: Path, rows: str, region: str = "fr") -> Wording:
    path = tmp_path / "wording.toml"
    path.write_text(f"{HEAD}\n[jeu_d_essai]\n{rows}\n", encoding="utf-8")
    return Wording.load(path, region)  # type: ignore[arg-type]


def said(tmp_path: Path, template: str, **data: object) -> str:
    (sentence,) = wording(tmp_path, f'ligne = "{template}"').render("jeu-d-essai", "ligne", data)
    return sentence


@pytest.mark.parametrize(
    ("template", "value", "sentence"),
    [
        ("{x}.", "Ana", "Ana."),
        ("Oui {x}.", 21, "Oui vingt et un."),
        ("{x}.", ("Ana", "Bruno", "Chloé"), "Ana, Bruno et Chloé."),
        ("Par {x}.", None, "Par quelqu'un."),
        ("{x:mots}.", -1, "Moins un."),
        ("{x:mots_f}.", 31, "Trente et une."),
        ("{x:points}.", 16, "Seize points."),
        ("{x:points}.", 0, "Zéro point."),
        ("{x:points}.", -1, "Moins un point."),
        ("{x:points}.", 71, "Soixante et onze points."),
        ("{x:points}.", 80, "Quatre-vingts points."),
        ("{x:gorgées}.", 1, "Une gorgée."),
        ("{x:gorgées}.", 2, "Deux gorgées."),
        ("{x:gorgées}.", 21, "Vingt et une gorgées."),
        ("Ana {x:gagne}.", 16, "Ana gagne seize points."),
        ("Ana {x:gagne}.", -1, "Ana perd un point."),
        ("Ana {x:gagne}.", 0, "Ana ne gagne rien."),
        ("Ana {x:perd}.", 5, "Ana perd cinq points."),
        ("Ana {x:perd}.", 0, "Ana ne perd rien."),
        ("Ils {x:gagnent}.", -5, "Ils perdent cinq points."),
        ("{x:et} {x:crie|crient}.", ["Ana"], "Ana crie."),
        ("{x:et} {x:crie|crient}.", ["Ana", "Bruno"], "Ana et Bruno crient."),
        ("Il {x:reste|restent}.", 2, "Il restent."),
        ("{x:ordinal}.", 2, "Deuxième."),
        ("{x:ordinale}.", 1, "Première."),
        ("{x:durée}.", 90, "Une minute et trente secondes."),
        ("{x:durée}.", 8.2, "Huit secondes."),
        ("{x:dés}.", (4, 2, 1), "Quatre, deux et un."),
        ("{x:ou} ?", ["Ana", "Bruno"], "Ana ou Bruno ?"),
        ("Dites {x:cités}.", ["Velutée !", "Salsifi !"], "Dites « Velutée ! » ou « Salsifi ! »."),
        ("Le tour {x:de}.", "Ana", "Le tour d'Ana."),
        ("Le tour {x:de}.", "Harold", "Le tour de Harold."),
        ("Le tour {x:de}.", ["Bruno", "Ana"], "Le tour de Bruno et d'Ana."),
        ("{x:à} de jouer.", "Ana", "À Ana de jouer."),
        ("Plus {x:que}.", "Ana", "Plus qu'Ana."),
        ("Sur {x:un}.", "velute", "Sur une Velute."),
        ("Sur {x:un}.", ("velute", "cul_de_chouette"), "Sur une Velute et un Cul de Chouette."),
        ("{x:le}.", "cul_de_chouette", "Le Cul de Chouette."),
        ("Gain {x:du}.", "cul_de_chouette", "Gain du Cul de Chouette."),
        ("{x:scores}.", {"Ana": 16, "Bruno": -1}, "Ana, seize points ; Bruno, moins un point."),
        ("J'annule : {x}.", "Velutée !", "J'annule : Velutée !"),
        ("J'annule : {x}.", "", "J'annule."),
    ],
)
def test_forms(tmp_path: Path, template: str, value: object, sentence: str) -> None:
    assert said(tmp_path, template, x=value) == sentence


@pytest.mark.parametrize(
    ("region", "sentence"), [("fr", "Quatre-vingt-onze."), ("be", "Nonante et un."), ("ch", "Nonante et un.")]
)
def test_region(tmp_path: Path, region: str, sentence: str) -> None:
    assert wording(tmp_path, 'ligne = "{x}."', region).render("jeu-d-essai", "ligne", {"x": 91}) == (sentence,)


def test_list_rows_silent_rows_and_the_table_as_fallback(tmp_path: Path) -> None:
    table = wording(tmp_path, 'deux = ["Un.", "{x}."]')
    assert table.render("jeu-d-essai", "deux", {"x": "Ana"}) == ("Un.", "Ana.")
    assert table.render("jeu-d-essai", "repli", {}) == ("De la table.",)
    assert table.render("jeu-d-essai", "muet", {}) == ()


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ('ligne = "{x:ponts}"', "forme inconnue"),
        ('ligne = "{x"', "accolades"),
        ('ligne = "{x.y}"', "champ"),
        ('ligne = "16 points"', "chiffre"),
        ("ligne = 3", "phrase"),
        ("ligne = ", "illisible"),
    ],
)
def test_the_loader_refuses(tmp_path: Path, rows: str, complaint: str) -> None:
    with pytest.raises(WordingError, match=complaint):
        wording(tmp_path, rows)


def test_a_missing_file_and_an_unknown_region_are_told(tmp_path: Path) -> None:
    with pytest.raises(WordingError, match="illisible"):
        Wording.load(tmp_path / "nothing.toml")
    with pytest.raises(WordingError, match="région"):
        Wording.load(region="qc")  # type: ignore[arg-type]


def test_a_file_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "wording.toml"
    path.write_text(f"{HEAD}\n[jeu]\nligne = 'Égalité.'", encoding="utf-8-sig")
    assert Wording.load(path).render("jeu", "ligne", {}) == ("Égalité.",)


@pytest.mark.parametrize(
    ("name", "data"),
    [("inconnu", {}), ("ligne", {}), ("ligne", {"x": "seize"}), ("ligne", {"x": True}), ("ligne", {"x": 10**9})],
)
def test_wrong_data_fail_in_tests_and_are_said_plainly_at_the_table(
    tmp_path: Path, name: str, data: dict[str, object]
) -> None:
    table = wording(tmp_path, 'ligne = "{x:points}."')
    with pytest.raises(WordingError, match="jeu_d_essai"):
        table.render("jeu-d-essai", name, data)
    assert table.sentences("jeu-d-essai", name, data) == (f"{name.capitalize()}.",)
    assert table.sentences("jeu-d-essai", name, {**data, "joueur": "Ana"}) == (f"{name.capitalize()} : Ana.",)


@pytest.mark.parametrize(
    ("code", "label"),
    [
        ("incomplete", "phrase inachevée"),
        ("attends", "pas encore, il reste quelque chose à régler"),
        ("pas_ton_tour", "pas ton tour"),
        ("code_sans_ligne", "code sans ligne"),
        ("pas_en_pause", "la partie n'est pas en pause"),
    ],
)
def test_labels_for_the_screen(code: str, label: str) -> None:
    assert Wording.load().label("cul-de-chouette", code) == label


def test_notices_are_for_the_screen_only() -> None:
    wording = Wording.load()
    shown = wording.notice("cul-de-chouette", "sirop", {"joueur": "Ana", "joueurs": ("Bruno", "Chloé")})
    assert shown == "Ana sirote : Bruno et Chloé misent avant que le dé tombe"
    assert wording.render("cul-de-chouette", "sirop", {}) == ()
    assert wording.notice("cul-de-chouette", "chouette", {}) is None
    with pytest.raises(WordingError, match="joueurs"):
        wording.notice("cul-de-chouette", "sirop", {"joueur": "Ana"})


def test_sixteen_scores_are_cut_into_short_sentences() -> None:
    scores = {f"Joueuse numéro {letter}": -99 - place for place, letter in enumerate("ABCDEFGHIJKLMNOP")}
    sentences = Wording.load().render("cul-de-chouette", "scores", {"scores": scores})
    assert len(sentences) > 5
    assert all(seconds(sentence) <= LONGEST_S for sentence in sentences)
    words = " ".join(sentences).replace(".", "").replace(" ;", "").split()
    assert [word for word in words if len(word) == 1 and word.isupper()] == []
    assert sum(word.startswith("points") for word in words) == 16


def test_a_cut_never_opens_a_quotation() -> None:
    long = (
        "Il faut que l'un des joueurs crie maintenant « Pas mou le caillou ! Grelotte ! Velutée ! » avant les autres."
    )
    parts = split(long)
    assert len(parts) > 1
    assert all(part.count("«") == part.count("»") for part in parts)


@given(st.lists(st.text("abcdé' -", min_size=1, max_size=12), min_size=1, max_size=60).map(", ".join))
def test_a_cut_loses_no_word(sentence: str) -> None:
    kept = " ".join(split(sentence))
    letters = [letter for letter in kept.casefold() if letter.isalpha()]
    assert letters == [letter for letter in sentence.casefold() if letter.isalpha()]
