"""The Tichette challenge as a machine of its own (CDC-210…230): bids on three hidden dice.

How the game uses it, when a ticheur has been named and the turn's windows are closed (CDC-048):

    step = start(ticheur, tichants, pot, settings, t)  # tichants from the ticheur's right on; pot: |S| when he declared
    step = say(step.state, said)                       # for every phrase of `PHRASES` while `not step.state.over`
    openings(step.state)                               # what may be said, by whom

Nothing here runs out on the clock: an announcement is compulsory (CDC-218) and a silent player is pointed at with
« Quichage ! ». `Event.deltas` are what the rule says; any floor of the scores (CDC-012, CDC-013) is the game's work.
The scores of the game are not needed: quiches depend on the tiches said, the pot is fixed when the ticheur declares.

Events (name, data): `tichette_debut` {joueur, joueurs, mise} · `michette_dite`, `tichette_dite`, `bichette_dite`
{joueur, tiche, suivant} · `resine_dite`, `tichage`, `dernier_tichant` {joueur, tiche} · `quichette` {joueur, points} ·
`quichage` {joueur, points, par} · `demande_quichage` {joueur} · `demande_des_caches` {joueur} · `tichage_reussi`,
`tichage_rate` {joueur, points, tiche, des} · `tichette_sans_joueur` {joueur}.

A refused announcement is a fault that stays open to « Quichage ! » until the next valid one. Words that the referee
could not understand as an announcement never reach these rules, so the player in turn may always be pointed at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from voiceref.games.engine import Event, Opening, Refusal, Said

MICHETTE, TICHETTE, BICHETTE = "CDC-P059", "CDC-P060", "CDC-P061"
RESINE, QUICHETTE, TICHAGE, QUICHAGE = "CDC-P062", "CDC-P063", "CDC-P064", "CDC-P065"
REVEALS = ("CDC-Q009", "CDC-Q003")
"""How the hidden dice are told: « Les dés : quatre, quatre, deux », with or without the first words."""

NAMING = "CDC-Q028"
"""« Bruno », when the referee asks at whom a Quichage is cried."""

PHRASES = (MICHETTE, TICHETTE, BICHETTE, RESINE, QUICHETTE, TICHAGE, QUICHAGE, *REVEALS)
"""Every phrase that belongs to the challenge."""

FORMS = {
    MICHETTE: (1, "michette_dite"),
    TICHETTE: (2, "tichette_dite"),
    BICHETTE: (3, "bichette_dite"),
    RESINE: (3, "resine_dite"),
}
"""Number of digits of each announcement (CDC-215), and the name of its event."""

MIN_SCORE = 6
"""|S| below which one may not be ticheur (CDC-050)."""

GREATEST = 666
"""Only a Bichette résiné may say it (CDC-228)."""


@dataclass(frozen=True)
class Bet:
    """Who ticks, and the tiche he stands by."""

    player: str
    tiche: int


@dataclass(frozen=True)
class Tichette:
    """The state of a challenge. `seats` starts with the ticheur and goes to the right; `turn` is who must announce."""

    seats: tuple[str, ...]
    pot: int
    zero_sum: bool = False
    active: tuple[str, ...] = ()
    turn: str = ""
    tiche: int = 0
    own: Mapping[str, int] = field(default_factory=dict)
    faulty: frozenset[str] = frozenset()
    accuser: str | None = None
    """Who cried « Quichage ! » without a name and is asked for one (CDC-229)."""
    bet: Bet | None = None
    over: bool = False

    @property
    def ticheur(self) -> str:
        """Who threw the hidden dice."""
        return self.seats[0]

    @property
    def alone(self) -> bool:
        """One player left: he must tich (CDC-224)."""
        return len(self.active) == 1


@dataclass(frozen=True)
class TichetteStep:
    """What one phrase did."""

    state: Tichette
    events: tuple[Event, ...] = ()
    refusals: tuple[Refusal, ...] = ()


def may_tich(score: int) -> bool:
    """Whether a player with this score may become ticheur (CDC-050)."""
    return abs(score) >= MIN_SCORE


def quiche(tiche: int) -> int:
    """What it costs to leave after this last tiche of one's own, 0 for none (CDC-220, CDC-221, D-50)."""
    return tiche if tiche < 100 else 100 + tiche // 10


def holds(tiche: int, dice: Sequence[int]) -> bool:
    """Whether the digits of a tiche are among the dice, each die serving once (CDC-214)."""
    return not Counter(int(digit) for digit in str(tiche)) - Counter(dice)


def start(ticheur: str, tichants: Sequence[str], pot: int, settings: Mapping[str, str], t: float) -> TichetteStep:
    """The challenge as it begins: the ticheur hides his dice and opens with a Michette (CDC-211…213, CDC-216)."""
    seats = (ticheur, *tichants)
    zero_sum = settings.get("tichette.zero_sum", "false") == "true"
    state = Tichette(seats, pot, zero_sum, active=seats, turn=ticheur)
    data = {"joueur": ticheur, "joueurs": tuple(tichants), "mise": pot}
    return TichetteStep(state, (Event(t, "CDC-211", "tichette_debut", data),))


def openings(state: Tichette) -> tuple[Opening, ...]:
    """What may be said now and by whom; any number is offered, the rules judge it."""
    if state.over:
        return ()
    if state.bet is not None:
        return tuple(Opening(phrase) for phrase in REVEALS)
    who = frozenset({state.turn})
    if state.alone:
        return (Opening(TICHAGE, who),)
    announcements = [phrase for phrase in FORMS if _form_fault(state, state.turn, phrase) is None]
    quichettes = [QUICHETTE] if _quichette_fault(state, state.turn) is None else []
    mine = tuple(Opening(phrase, who) for phrase in announcements + quichettes)
    named = (Opening(NAMING),) if state.accuser is not None else ()
    return (*named, *mine, Opening(QUICHAGE, frozenset(state.active)))


def say(state: Tichette, said: Said) -> TichetteStep:
    """The next state after one phrase of the challenge; what is out of place is refused with its reason."""
    if state.over:
        return _refuse(state, said, "tichette_finie", "CDC-225")
    if said.phrase in REVEALS:
        return _reveal(state, said)
    if said.phrase == NAMING:
        return _quichage(state, replace(said, speaker=state.accuser))
    if state.bet is not None:
        return _refuse(state, said, "tichette_des_attendus", "CDC-224", {"joueur": state.ticheur})
    if said.speaker not in state.active:
        return _refuse(state, said, "tichette_hors_defi", "CDC-220")
    if said.phrase == QUICHAGE:
        return _quichage(state, said)
    if said.phrase == TICHAGE:
        return _tichage(state, said)
    if said.phrase == QUICHETTE:
        return _quichette(state, said)
    return _announce(state, said)


def _announce(state: Tichette, said: Said) -> TichetteStep:
    """Michette, Tichette, Bichette or Bichette résiné (CDC-215…219, CDC-226…228)."""
    player, tiche = said.speaker or "", _number(said, "tiche")
    fault = (
        _turn_fault(state, player) or _form_fault(state, player, said.phrase) or _value_fault(state, said.phrase, tiche)
    )
    if fault is not None:
        return _fault(state, said, *fault)
    own = {**state.own, player: tiche}
    name = FORMS[said.phrase][1]
    valid = replace(state, tiche=tiche, own=own, faulty=frozenset(), accuser=None)
    if said.phrase == RESINE:
        event = Event(said.t, "CDC-226", name, {"joueur": player, "tiche": tiche})
        return _to_reveal(replace(valid, bet=Bet(player, tiche)), said.t, (event,))
    after = replace(valid, turn=_next(valid, player))
    data = {"joueur": player, "tiche": tiche, "suivant": after.turn}
    return TichetteStep(after, (Event(said.t, "CDC-215", name, data),))


def _quichette(state: Tichette, said: Said) -> TichetteStep:
    """A player leaves and pays his own last tiche (CDC-220, CDC-221, CDC-223)."""
    player = said.speaker or ""
    fault = _turn_fault(state, player) or _quichette_fault(state, player)
    if fault is not None:
        return _fault(state, said, *fault)
    price = quiche(state.own.get(player, 0))
    if _number(said, "tiche") != price:
        return _fault(state, said, "quichette_fausse", "CDC-220")
    rule = "CDC-220" if price else "CDC-221"
    event = Event(said.t, rule, "quichette", {"joueur": player, "points": price}, _paid(player, price))
    return _leave(replace(state, faulty=frozenset(), accuser=None), player, said.t, event)


def _quichage(state: Tichette, said: Said) -> TichetteStep:
    """A culprit is pointed at: he leaves and pays his last valid quiche (CDC-229); unless plain, one is asked whom."""
    culprits = (state.faulty | {state.turn}) & set(state.active) - {said.speaker}
    named = said.slots.get("joueur")
    if named is None and culprits:
        faulty = state.faulty & culprits
        if len(faulty) != 1 and len(state.active) > 2:
            asked = Event(said.t, "CDC-229", "demande_quichage", {"joueur": said.speaker})
            return TichetteStep(replace(state, accuser=said.speaker), (asked,))
        (named,) = faulty or culprits
    if named is None or named not in culprits:
        data = {"joueur": named or state.turn}
        return _refuse(replace(state, accuser=None), said, "quichage_sans_faute", "CDC-229", data)
    player = str(named)
    price = quiche(state.own.get(player, 0))
    data = {"joueur": player, "points": price, "par": said.speaker}
    event = Event(said.t, "CDC-229", "quichage", data, _paid(player, price))
    return _leave(replace(state, faulty=frozenset(), accuser=None), player, said.t, event)


def _tichage(state: Tichette, said: Said) -> TichetteStep:
    """The last player left stands by his last tiche (CDC-224)."""
    player = said.speaker or ""
    if not state.alone:
        return _fault(state, said, "tichage_trop_tot", "CDC-224")
    tiche = state.own[player]
    event = Event(said.t, "CDC-224", "tichage", {"joueur": player, "tiche": tiche})
    return _to_reveal(replace(state, bet=Bet(player, tiche)), said.t, (event,))


def _to_reveal(state: Tichette, t: float, events: tuple[Event, ...]) -> TichetteStep:
    """The same state, the ticheur being asked to show his dice."""
    return TichetteStep(state, (*events, Event(t, "CDC-224", "demande_des_caches", {"joueur": state.ticheur})))


def _reveal(state: Tichette, said: Said) -> TichetteStep:
    """The hidden dice decide (CDC-225); they score nothing themselves (CDC-230)."""
    if state.bet is None:
        return _refuse(state, said, "tichette_des_caches", "CDC-213")
    dice = said.slots.get("des")
    assert isinstance(dice, tuple)
    player, tiche = state.bet.player, state.bet.tiche
    right = holds(tiche, dice)
    deltas = {player: state.pot if right else -state.pot}
    if right and state.zero_sum and player != state.ticheur:
        deltas[state.ticheur] = -state.pot
    name = "tichage_reussi" if right else "tichage_rate"
    data = {"joueur": player, "points": state.pot, "tiche": tiche, "des": dice}
    return TichetteStep(replace(state, over=True), (Event(said.t, "CDC-225", name, data, deltas),))


def _leave(state: Tichette, player: str, t: float, event: Event) -> TichetteStep:
    """A player goes out; the turn passes, or the last one must tich, or nobody ever bid and it is over (CDC-222)."""
    turn = _next(state, player) if state.turn == player else state.turn
    left = replace(state, active=tuple(p for p in state.active if p != player), turn=turn)
    if not left.alone:
        return TichetteStep(left, (event,))
    last = left.active[0]
    unopposed = last == state.ticheur and not any(p in state.own for p in state.seats[1:])
    if unopposed or last not in state.own:
        done = Event(t, "CDC-222", "tichette_sans_joueur", {"joueur": last})
        return TichetteStep(replace(left, turn=last, over=True), (event, done))
    must = Event(t, "CDC-224", "dernier_tichant", {"joueur": last, "tiche": state.own[last]})
    return TichetteStep(replace(left, turn=last), (event, must))


Fault = tuple[str, str]
"""The reason of a refusal and its rule."""


def _turn_fault(state: Tichette, player: str) -> Fault | None:
    """Not this player's turn to announce (CDC-217), or nobody is left to answer him (CDC-224)."""
    if state.alone:
        return "dernier_doit_ticher", "CDC-224"
    return None if player == state.turn else ("tichette_pas_ton_tour", "CDC-217")


def _form_fault(state: Tichette, player: str, phrase: str) -> Fault | None:
    """The word is not allowed now, whatever the number: first Michette, no way down, no jump, résiné."""
    digits, now = FORMS[phrase][0], len(str(state.tiche)) if state.tiche else 0
    if now == 0:
        return None if digits == 1 else ("tichette_commence_michette", "CDC-216")
    if phrase == RESINE and player == state.ticheur:
        return "resine_interdit_ticheur", "CDC-227"
    if phrase == RESINE and now < 3:
        return "resine_sans_bichette", "CDC-226"
    if digits < now:
        return "tichette_descend", "CDC-219"
    if digits > now + 1:
        return "tichette_saut", "CDC-219"
    greatest = GREATEST if phrase == RESINE else {1: 6, 2: 66, 3: GREATEST - 1}[digits]
    return ("tichette_plus_haut", "CDC-218") if state.tiche >= greatest else None


def _value_fault(state: Tichette, phrase: str, tiche: int) -> Fault | None:
    """The number is not one of this announcement: digits 1 to 6, as many as its name says, higher than the last."""
    figures = str(tiche)
    if len(figures) != FORMS[phrase][0] or not set(figures) <= set("123456"):
        return "tiche_impossible", "CDC-215"
    if tiche == GREATEST and phrase != RESINE:
        return "bichette_666", "CDC-228"
    return None if tiche > state.tiche else ("tichette_plus_haut", "CDC-218")


def _quichette_fault(state: Tichette, player: str) -> Fault | None:
    """The ticheur is held until his quiche passes half the pot (CDC-223, D-49), unless only 666 is left (CDC-228)."""
    if player != state.ticheur or state.tiche >= GREATEST - 1:
        return None
    half = (state.pot + 1) // 2
    return None if quiche(state.own.get(player, 0)) > half else ("ticheur_tenu", "CDC-223")


def _next(state: Tichette, player: str) -> str:
    """The next player still in, to the right of `player` (CDC-217)."""
    place = state.seats.index(player)
    around = state.seats[place + 1 :] + state.seats[:place]
    return next((p for p in around if p in state.active), player)


def _paid(player: str, price: int) -> dict[str, int]:
    """The change of score of a quiche."""
    return {player: -price} if price else {}


def _number(said: Said, slot: str) -> int:
    """A slot that the phrase declares as a number."""
    value = said.slots.get(slot)
    assert isinstance(value, int)
    return value


def _fault(state: Tichette, said: Said, reason: str, rule: str) -> TichetteStep:
    """An announcement refused: it changes nothing but may be pointed at (CDC-229)."""
    return _refuse(replace(state, faulty=state.faulty | {said.speaker or ""}), said, reason, rule)


def _refuse(
    state: Tichette, said: Said, reason: str, rule: str, data: Mapping[str, object] | None = None
) -> TichetteStep:
    """Words that are not taken, and why."""
    whole = {"joueur": said.speaker, "tiche": state.tiche, **(data or {})}
    return TichetteStep(state, (), (Refusal(said.t, said.text, reason, rule, said.speaker, whole),))
