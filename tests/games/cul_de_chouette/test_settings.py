"""Every setting of the decisions makes the difference it is there for."""

from __future__ import annotations

import pytest
from spoken_table import GAME, play, table

from voiceref.games.cul_de_chouette import SCHEMA
from voiceref.games.cul_de_chouette.cries import FAMILIES
from voiceref.games.cul_de_chouette.settings import NUMBERS, default
from voiceref.games.engine import Table
from voiceref.referee import rulebook

PAS_MOU = "3 Ana deux, deux… et quatre\n"
SUITE = "3 Ana deux, trois… et quatre\n"
GRELOTTINES = {"Ana": ("grelottine",), "Bruno": ("grelottine",)}
SIROP = "3 Ana Chouettes : cinq et cinq\n5 Ana Cul : deux\n6 Ana Je sirote !\n"
SILENT = "40 @ tick"


def scores(lines: str, start: tuple[int, ...] = (50, 50), level: int = 4, **settings: str) -> tuple[int, ...]:
    names = ("Ana", "Bruno", "Chloé", "David")
    tokens = settings.pop("tokens", None)
    seats = table(dict(zip(names, start, strict=False)), level, tokens, **settings)
    return play(seats, lines).scores


def test_defaults_are_the_first_values() -> None:
    for key, allowed in SCHEMA.items():
        if isinstance(allowed, range):
            assert NUMBERS[key] in allowed
        else:
            assert default(key) == allowed[0]


@pytest.mark.parametrize(
    ("key", "value", "lines", "start", "plain", "changed"),
    [
        ("bevue.points", "10", "3 Ana Bévue, Bruno !", (50, 50), (50, 45), (50, 40)),
        ("bevue.mode", "off", "3 Ana Bévue, Bruno !", (50, 50), (50, 45), (50, 50)),
        ("bevue.mode", "strict", "3 Bruno Rigodon !", (50, 50), (50, 50), (50, 45)),
        ("artichette.silent", "16", "3 Ana quatre, trois… et quatre\n" + SILENT, (50, 50), (50, 50), (66, 50)),
        ("race.tie_window_ms", "700", PAS_MOU + "5 Bruno Pas mou le caillou !\n5.5 Ana Pas mou le caillou !\n" + SILENT,
         (50, 50), (50, 82), (18, 18)),
        ("suite_velutee.auto_velute", "true", "3 Ana un, deux… et trois\n4 Ana Grelotte ça picote !\n"
         "5 Bruno Grelotte ça picote !\n" + SILENT, (50, 50), (50, 40), (68, 40)),
        ("preventive", "false", "3 Ana Chouettes : deux et deux\n4 Bruno Pas mou le caillou !\n5 Ana Cul : quatre\n"
         + SILENT, (50, 50), (50, 82), (50, 50)),
        ("sirop.failed_same_chouette", "lose_then_gain", SIROP + "7 Bruno File-Sirop !\n9 Ana Le sirop fait trois\n"
         + SILENT, (50, 50), (25, 50), (50, 50)),
        ("sirop.bet_deadline", "thrown", SIROP + "16 Bruno Fauvette\n18 Ana Le sirop fait trois\n"
         "19 Bruno Sirop Gagnant !\n" + SILENT, (50, 50), (25, 75), (25, 50)),
        ("contre_sirop.blocked_by", "claimed", SIROP + "7 Bruno Fauvette\n7.5 Chloé File-Sirop !\n"
         "9 Ana Le sirop fait trois\n10 Chloé J'apprécie les fruits au sirop !\n" + SILENT,
         (50, 50, 50), (25, 50, 50), (25, 50, 68)),
        ("cdc_double.confirm", "false", "3 Ana trois, trois… et trois\n5 Ana Cul De Chouette !\n"
         "8 Ana Les dés : cinq, cinq et cinq\n" + SILENT, (50, 50), (120, 50), (210, 50)),
        ("bleu_rouge.duplicate", "bevue", "3 Ana trois, trois… et quatre\n5 Ana Je relance de dix !\n"
         "6 Bruno Je relance de dix !", (50, 50), (59, 50), (59, 45)),
        ("turn.direction", "left", "3 Ana un, deux… et cinq\n5 Chloé un, quatre… et cinq",
         (0, 0, 0), (0, 0, 0), (0, 0, 50)),
    ],
)  # fmt: skip
def test_setting(
    key: str, value: str, lines: str, start: tuple[int, ...], plain: tuple[int, ...], changed: tuple[int, ...]
) -> None:
    assert scores(lines, start) == plain
    assert scores(lines, start, **{key.replace(".", "__"): value}) == changed


def test_timeout_is_when_the_silent_ones_are_last() -> None:
    lines = SUITE + "4 Ana Grelotte ça picote !\n9 Bruno Grelotte ça picote !\n12 @ tick"
    assert scores(lines, (50, 50, 50)) == (50, 50, 40)
    late = play(table({"Ana": 50, "Bruno": 50, "Chloé": 50}, race__timeout_s="3"), lines)
    assert late.scores == (50, 50, 50)
    assert "suite_egalite" in [event.name for event in late.events]


@pytest.mark.parametrize(("check", "over"), [("sequence", False), ("immediate", True)])
def test_end_in_the_middle_of_a_sequence(check: str, over: bool) -> None:
    played = play(table({"Ana": 336, "Bruno": 300}, 3, end__check=check), "3 Ana trois, trois… et quatre")
    assert played.scores == (345, 300)
    assert played.summary.over is over


@pytest.mark.parametrize("secrets", [True, False])
def test_explaining_the_tichette(secrets: bool) -> None:
    said = rulebook.load("cul-de-chouette", secrets=secrets).explain("la tichette")
    assert said[0].startswith("Expliquer la Tichette") is secrets


@pytest.mark.parametrize(("rate", "most"), [("1/3", 42), ("33/100", 41)])
def test_chouette_rate(rate: str, most: int) -> None:
    lines = (
        "3 Ana Grelottine, Bruno !\n5 Ana Sur une Chouette, max !\n8 Bruno un, trois… et cinq\n"
        "12 Bruno Les dés : un, trois et six"
    )
    seats = table({"Ana": 220, "Bruno": 124}, 1, GRELOTTINES, grelottine__chouette_rate=rate)
    assert play(seats, lines).scores == (220 + most, 124 - most)


@pytest.mark.parametrize(("spends", "left"), [("false", {"grelottine", "immunite"}), ("true", {"immunite"})])
def test_target_spends(spends: str, left: set[str]) -> None:
    lines = "3 Ana Grelottine, Bruno !\n5 Ana Sur une Velute, max !\n8 Bruno un, trois… et quatre\n"
    seats = table({"Ana": 100, "Bruno": 100}, 2, GRELOTTINES, grelottine__target_spends=spends)
    assert play(seats, lines).tokens("Bruno") == left


@pytest.mark.parametrize(("bets", "won"), [("exact", 1 - 20), ("inclusive", 1 + 20)])
def test_bets_match(bets: str, won: int) -> None:
    lines = "3 Ana Civet de vingt sur une Velute !\n6 Ana un, un… et deux\n7 Bruno Pas mou le caillou !\n" + SILENT
    seats = table({"Ana": 100, "Bruno": 100}, 1, {"Ana": ("civet",)}, bets__match=bets)
    assert play(seats, lines).scores == (99 + won, 108)


@pytest.mark.parametrize(("needs", "won"), [("true", -30), ("false", 30)])
def test_civet_on_bleu_rouge(needs: str, won: int) -> None:
    lines = (
        "3 Ana Civet de trente sur un Bleu-Rouge !\n6 Ana trois, trois… et quatre\n7 Ana Je relance de dix !\n"
        "8 Bruno Je relance de onze !\n10 Ana La relance : un, deux, cinq"
    )
    seats = table({"Ana": 100, "Bruno": 100}, 3, {"Ana": ("civet",)}, civet__bleu_rouge_needs_relance=needs)
    assert play(seats, lines).scores == (109 + won, 100)


@pytest.mark.parametrize(("counts", "won"), [("true", 20), ("false", -20)])
def test_civet_counts_the_sirop(counts: str, won: int) -> None:
    lines = (
        "3 Ana Civet de vingt sur un Cul de Chouette !\n6 Ana cinq, cinq… et deux\n7 Ana Je sirote !\n"
        "8 Bruno File-Sirop !\n10 Ana Le sirop fait cinq\n" + SILENT
    )
    seats = table({"Ana": 100, "Bruno": 100}, 1, {"Ana": ("civet",)}, civet__count_sirop=counts)
    assert play(seats, lines).scores == (190 + won, 100)


@pytest.mark.parametrize(("tied", "winner"), [("false", "Ana"), ("true", None)])
def test_pelican_bettor(tied: str, winner: str | None) -> None:
    lines = "3 Ana trois, trois… et quatre\n4 Ana Je relance de dix-huit !\n5 Bruno Je relance de dix !\n"
    lines += "6 Chloé Je relance de neuf !\n8 Ana La relance : six, six, six\n"
    for t, cry in ((9, "Pélican !"), (11, "Passe-Montagne !"), (13, "Zbradaraldjan !")):
        lines += f"{t} Bruno {cry}\n{t}.05 Chloé {cry}\n"
    seats = table({"Ana": 0, "Bruno": 0, "Chloé": 0}, 3, pelican__bettor_must_be_tied=tied)
    paid = [event.data["joueur"] for event in play(seats, lines + "14 @ tick").events if event.name == "pelican"]
    assert paid == ([winner] if winner else [])


@pytest.mark.parametrize(("also", "held"), [("false", set()), ("true", {"grelottine"})])
def test_jarret_also_grelottine(also: str, held: set[str]) -> None:
    lines = (
        "3 Ana trois, trois… et quatre\n4 Ana Je relance de dix-huit !\n5 Bruno Je relance de dix !\n"
        "8 Ana La relance : un, deux, cinq\n" + SILENT
    )
    assert play(table({"Ana": 50, "Bruno": 50}, 3, jarret__also_grelottine=also), lines).tokens("Ana") == held


@pytest.mark.parametrize(("auto", "held"), [("false", set()), ("true", {"grelottine"})])
def test_neant_souffle_roller(auto: str, held: set[str]) -> None:
    seats = table({"Ana": 50, "Bruno": 50}, 3, neant_souffle__roller_auto=auto)
    assert play(seats, "3 Ana un, quatre… et six\n" + SILENT).tokens("Ana") == held


@pytest.mark.parametrize(("tokens", "count"), [("1", 1), ("2", 2)])
def test_immunity_tokens(tokens: str, count: int) -> None:
    lines = "3 Ana Grelottine, Bruno !\n5 Ana Sur une Velute, max !\n8 Bruno un, trois… et quatre\n"
    played = play(table({"Ana": 100, "Bruno": 100}, 2, GRELOTTINES, immunity__tokens=tokens), lines)
    assert played.summary.tokens["Bruno"].count("immunite") == count


@pytest.mark.parametrize(("race_value", "won"), [("nominal", 72), ("thrower", 0)])
def test_filoche_on_a_race(race_value: str, won: int) -> None:
    lines = (
        "3 Bruno Civet-Filoché de dix sur une Chouette-Velute !\n7 Ana trois, trois… et six\n"
        "8 Chloé Pas mou le caillou !\n" + SILENT
    )
    seats = table({"Ana": 0, "Bruno": 0, "Chloé": 0}, 4, {"Bruno": ("civet-filoche",)}, filoche__race_value=race_value)
    assert play(seats, lines).scores == (0, 10 + won, 72)


@pytest.mark.parametrize(("excess", "others"), [("false", 40), ("true", 47)])
def test_floor_excess(excess: str, others: int) -> None:
    lines = SUITE + "4 Bruno Grelotte ça picote !\n5 Ana Grelotte ça picote !\n" + SILENT
    settings = {"negative": "false", "floor__redistribute_excess": excess}
    assert play(table({"Ana": 3, "Bruno": 40}, 1, **settings), lines).scores == (0, others)


@pytest.mark.parametrize(("keeps", "score"), [("true", 25), ("false", 0)])
def test_illegal_sirop(keeps: str, score: int) -> None:
    lines = "3 Ana cinq, cinq… et deux\n5 Ana Je sirote !\n" + SILENT
    settings = {"negative": "false", "sirop__illegal_keeps_chouette": keeps}
    assert play(table({"Ana": 20, "Bruno": 40}, 1, **settings), lines).scores[0] == 20 + score


@pytest.mark.parametrize(("strict_floor", "challenges"), [("false", True), ("true", False)])
def test_soufflette_floor(strict_floor: str, challenges: bool) -> None:
    lines = "3 Ana quatre, deux… et un\n5 Ana En garde ma mignonne, Bruno !"
    settings = {"negative": "false", "soufflette__strict_floor": strict_floor}
    played = play(table({"Ana": 35, "Bruno": 60}, 2, **settings), lines)
    assert (played.summary.turn == "Bruno" and not played.refusals) is challenges


@pytest.mark.parametrize(("allowed", "score"), [("true", 120), ("false", 55)])
def test_sirop_at_the_end_of_a_soufflette(allowed: str, score: int) -> None:
    lines = (
        "3 Ana quatre, deux… et un\n5 Ana En garde ma mignonne, Bruno !\n8 Bruno un, deux… et six\n"
        "10 Bruno Les dés : un, deux et six\n12 Bruno Les dés : cinq, cinq et deux\n14 Bruno Je sirote !\n"
        "15 Ana File-Sirop !\n"
    )
    lines += "17 Bruno Le sirop fait cinq\n" if allowed == "true" else ""
    seats = table({"Ana": 100, "Bruno": 60}, 2, soufflette__final_sirop=allowed)
    assert play(seats, lines + SILENT).scores[1] == score


@pytest.mark.parametrize(("required", "scores_after"), [("trust", (0, 32)), ("contest", (32, 0))])
def test_contested_gesture(required: str, scores_after: tuple[int, int]) -> None:
    lines = PAS_MOU + "5 Bruno Pas mou le caillou !\n5.1 Ana Bruno n'a pas tapé !\n5.2 Ana Pas mou le caillou !\n"
    assert play(table({"Ana": 0, "Bruno": 0}, 1, gesture__required=required), lines + "6 @ tick").scores == scores_after


@pytest.mark.parametrize(("rounding", "score"), [("floor", 19), ("ceil", 21)])
def test_sloubi_rounding(rounding: str, score: int) -> None:
    lines = "".join(f"{3 + i} ? un, deux… et cinq\n" for i in range(6))
    lines += "20 ? Chante-Sloubi ! Je m'appelle Nora.\n22 ? " + ", ".join(f"Sloubi {n}" for n in range(1, 15))
    seats = table({"Ana": 145, "Bruno": 100}, 1, sloubi__round=rounding)
    assert play(seats, lines).scores[2] == score


@pytest.mark.parametrize(("turns", "base"), [("rounds", 10), ("player_turns", 20)])
def test_sloubi_turns(turns: str, base: int) -> None:
    lines = "3 ? un, deux… et cinq\n4 ? un, deux… et cinq\n5 ? un, deux… et cinq\n6 ? un, deux… et cinq\n"
    lines += "9 ? Chante-Sloubi ! Je m'appelle Nora.\n11 ? Je refuse de chanter"
    assert play(table({"Ana": 150, "Bruno": 100}, 1, sloubi__turns=turns), lines).scores[2] == base


def test_unit_of_the_sips() -> None:
    for unit, follows in (("gorgées d'eau", " d'eau"), ("gorgées", "")):
        played = play(
            table({"Ana": 0, "Bruno": 0}, 1, aquitaine="true", aquitaine__unit=unit), "3 Ana un, trois… et quatre"
        )
        assert next(e for e in played.events if e.name == "gorgees_a_donner").data["unite"] == follows


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_a_rule_switched_off_is_never_open(family: str) -> None:
    off = table({"Ana": 50, "Bruno": 50}, **{f"rule__{family}": "false"})
    for dice in ("un, deux… et trois", "quatre, quatre… et trois", "quatre, deux… et un", "trois, trois… et quatre",
                 "six, cinq… et deux", "un, quatre… et six", "cinq, cinq… et deux", "cinq, cinq… et cinq"):  # fmt: skip
        state = play(off, f"3 Ana {dice}").state
        assert not {opening.phrase for opening in GAME.openings(state)} & set(FAMILIES[family])


def test_a_team_cannot_begin_with_two_scores() -> None:
    with pytest.raises(ValueError, match="n'a qu'un score"):
        GAME.start(Table(("Ana", "Bruno"), scores={"Ana": 10, "Bruno": 20}, teams=(("Ana", "Bruno"),)))


@pytest.mark.parametrize(
    ("points", "settings", "told"),
    [
        (343, {}, "Ana a déjà gagné"),
        (400, {"negative": "false"}, "Ana a déjà gagné"),
        (-4, {"negative": "false"}, "-4"),
    ],
)
def test_a_score_that_no_game_goes_on_from_is_refused(points: int, settings: dict[str, str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        GAME.start(Table(("Ana", "Bruno"), scores={"Ana": points}, settings=settings))


@pytest.mark.parametrize(("points", "settings"), [(342, {}), (-4, {}), (400, {"aquitaine": "true"})])
def test_any_other_score_is_taken(points: int, settings: dict[str, str]) -> None:
    begun = GAME.start(Table(("Ana", "Bruno"), scores={"Ana": points}, settings=settings))
    assert GAME.summary(begun.state).scores["Ana"] == points
