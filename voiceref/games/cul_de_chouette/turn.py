"""Between two turns: who throws next, and what may be announced first (CDC-003, CDC-005, CDC-131, CDC-191)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from voiceref.games.cul_de_chouette import civet, cries, flan, grelottine, jarret, tokens
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import dice_of_players
from voiceref.games.cul_de_chouette.roll import Roll
from voiceref.games.cul_de_chouette.state import State
from voiceref.games.cul_de_chouette.values import ANSWER_S
from voiceref.games.engine import Opening, Said

MOVES_ON = (
    cries.LES_CHOUETTES, cries.TROIS_DES, cries.LES_DES, cries.GRELOTTINE, *jarret.USES,
)  # fmt: skip
"""What begins a new sequence and so closes the windows of the last one."""

GIFTS_AND_FLANS = (cries.TATAN, *tokens.GIFTS)
DOUBLINGS = (cries.CIVET_DOUBLE, cries.FILOCHE_DOUBLE)
ASIDES = (*GIFTS_AND_FLANS, *DOUBLINGS, cries.FILOCHE, cries.CIVET)
"""What may be announced without ending anything."""


@dataclass(frozen=True)
class Turn:
    """The throw of a turn: one, or two with a Mi-Jarret or Jarret-Sifflet (CDC-192, CDC-201)."""

    jarret: str = ""
    rule: str = "CDC-005"
    counts: bool = True
    barred_buyer: str = ""

    def landed(self, play: Play, roll: Roll, dice: tuple[int, int, int]) -> None:
        """Take effect, or offer the second throw; « Bjarret ! » stops after the first (CDC-193)."""
        if self.jarret in jarret.TWO_THROWS and roll.number == 1:
            play.tell("CDC-192", "jarret_encore", joueur=roll.player, des=dice)
            again = replace(roll, number=2, table=dice, chouettes=(), kept=(), stop=cries.BJARRET, verdier=())
            play.open(again)
            return
        play.casts.append(roll.cast(dice, "tour"))


def begin(play: Play, said: Said, thrower: str) -> bool:
    """The next player's dice: a new sequence (CDC-005)."""
    state = play.state
    starter = state.starter or thrower
    play.state = state.but(sequence="tour", begun=True, starter=starter, late=frozenset(), jarret="")
    roll = Roll(
        thrower,
        Turn(state.jarret),
        flannable=True,
        buyable=True,
        factor=2 if state.jarret in jarret.DOUBLED else 1,
        jarret=state.spent_jarret,
    )
    play.state = play.state.but(spent_jarret=0)
    play.open(roll)
    return roll.hear(play, said)


def allowed(play: Play, said: Said) -> bool:
    """Whether this phrase begins a new sequence for who says it, so that open windows may close for it."""
    if said.phrase in cries.DICE:
        return said.speaker in (None, play.state.upcoming)
    if said.phrase == cries.GRELOTTINE:
        return grelottine.why_not(play, said) is None
    return jarret.why_not(play, said, play.state.upcoming) is None


def between(play: Play, said: Said) -> bool:
    """A phrase that begins something, the windows of the last turn being closed; else it is refused."""
    thrower = play.state.upcoming
    if said.phrase in (cries.LES_CHOUETTES, *cries.ALL_THREE):
        if said.speaker not in (None, thrower):
            play.fault(said, "pas_ton_tour", "CDC-272", attendu=thrower)
            return True
        if said.t < play.state.bidding:
            play.fault(replace(said, speaker=thrower), "mise_en_cours", "CDC-149")
            return True
        return begin(play, said, thrower)
    if said.phrase in cries.ONE_DIE:
        play.fault(said, "cul_avant_chouettes", "CDC-272", attendu=thrower)
        return True
    if said.phrase == cries.TOMBE and said.speaker in (None, thrower):
        begin(play, said, thrower)
        return True
    if not play.rules.plays(said.phrase):
        return False
    if said.phrase == cries.GRELOTTINE:
        return grelottine.cried(play, said)
    if said.phrase in jarret.USES:
        return jarret.use(play, said, thrower)
    if said.phrase in (cries.DES_DE_JOUEURS, cries.MON_DE) and not play.state.begun and play.state.starter is None:
        return _start_dice(play, said)
    return False


def aside(play: Play, said: Said) -> bool:
    """Bets, Flans and gifts: they stop nothing that is going on."""
    if said.phrase not in ASIDES or not play.rules.plays(said.phrase) or said.speaker is None:
        return False
    if said.phrase in DOUBLINGS:
        return civet.double(play, said)
    if said.phrase == cries.FILOCHE:
        return civet.filoche(play, said, _next_to_throw(play.state))
    if said.phrase == cries.CIVET:
        return _civet(play, said)
    named = said.slots.get("joueur")
    if named is None and _holds(play.state, said):
        return _ask_target(play, said)
    pointed(play, said, str(named or ""))
    return True


def _holds(state: State, said: Said) -> bool:
    """Whether the speaker has the token that he names."""
    bag = state.bags.get(said.speaker or "")
    token = "flan" if said.phrase == cries.TATAN else tokens.GIFTS[said.phrase][0]
    return bag is not None and bool(getattr(bag, token))


def _civet(play: Play, said: Said) -> bool:
    """A Civet before one's own chouettes, or before the first throw of a challenge (CDC-131); never in a Soufflette."""
    roll = next((item for item in play.state.items if isinstance(item, Roll)), None)
    if roll is not None and (not roll.purpose.counts or roll.loaded):
        play.fault(said, "civet_interdit", "CDC-138" if roll.purpose.rule == "CDC-054" else "CDC-131")
        return True
    return civet.civet(play, said, roll.player if roll is not None else play.state.upcoming)


def _next_to_throw(state: State) -> str:
    """Whose chouettes come next: a défié about to throw, else the next player."""
    for item in state.items:
        if isinstance(item, Roll) and not item.loaded and item.purpose.counts:
            return item.player
    return state.upcoming


def pointed(play: Play, said: Said, target: str) -> None:
    """A Flan or a gift with its target."""
    if said.phrase == cries.TATAN:
        flan.flan(play, said, target)
    else:
        tokens.give(play, said, target)


def _ask_target(play: Play, said: Said) -> bool:
    """Who is pointed at? With two players there is only one answer."""
    others = play.state.others(said.speaker or "")
    if len(others) == 1:
        pointed(play, said, others[0])
    else:
        play.tell("CDC-240" if said.phrase == cries.TATAN else "CDC-136", "demande_cible", joueur=said.speaker)
        play.open(Pointing(said, play.t + ANSWER_S))
    return True


@dataclass(frozen=True)
class Pointing:
    """« Qui ? » after a Flan or a gift."""

    said: Said
    until: float | None
    soft: bool = True

    def openings(self, state: State) -> Iterable[Opening]:
        """A name."""
        return (Opening(cries.CIBLE, None, self.until),)

    def hear(self, play: Play, said: Said) -> bool:
        """The target."""
        if said.phrase != cries.CIBLE:
            return False
        play.drop(self)
        pointed(play, replace(self.said, t=said.t), str(said.slots.get("joueur")))
        return True

    def close(self, play: Play) -> None:
        """No answer: nothing is done."""
        play.drop(self)


# --- who starts ------------------------------------------------------------------------------------------------------


def _start_dice(play: Play, said: Said) -> bool:
    """One die each before the first throw: the lowest starts, tied ones throw again (CDC-003)."""
    told = dice_of_players(said) or {}
    asked = play.state.start_tied or frozenset(play.state.alive)
    mine = {player: face for player, face in told.items() if player in asked}
    if not mine:
        play.refuse(said, "des_des_autres", "CDC-003", joueurs=tuple(p for p in play.state.alive if p in asked))
        return True
    play.checkpoint = True
    rolls = {**play.state.start_dice, **mine}
    if set(rolls) < asked:
        play.state = play.state.but(start_dice=rolls)
        return True
    lowest = min(rolls.values())
    tied = tuple(player for player in play.state.players if rolls.get(player) == lowest)
    if len(tied) > 1:
        play.state = play.state.but(start_dice={}, start_tied=frozenset(tied))
        play.tell("CDC-003", "des_encore", joueurs=tied)
    else:
        play.state = play.state.but(turn=tied[0], starter=tied[0], start_dice={}, start_tied=frozenset())
        play.tell("CDC-003", "commence", joueur=tied[0])
    return True


def openings(state: State) -> Iterable[Opening]:
    """What may be said with nothing open."""
    thrower = frozenset({state.turn})
    yield from (Opening(phrase) for phrase in (cries.LES_CHOUETTES, cries.TROIS_DES, cries.LES_DES, cries.TOMBE))
    challengers = frozenset(p for p in state.alive if state.bags[p].grelottines and grelottine.targets(state, p))
    if challengers and state.rules.plays(cries.GRELOTTINE):
        yield Opening(cries.GRELOTTINE, challengers)
    held = state.bags[state.turn].jarret
    if held and state.rules.plays(cries.MI_JARRET):
        yield Opening(cries.MI_JARRET, thrower)
        yield Opening(cries.BI_JARRET, thrower)
        if held == 2:
            yield Opening(cries.JARRET_SIFFLET, thrower)
    if not state.begun and state.starter is None:
        yield Opening(cries.DES_DE_JOUEURS)
        yield Opening(cries.MON_DE, state.start_tied or frozenset(state.alive))
    if state.rules.plays(cries.CHANTE_SLOUBI):
        yield Opening(cries.CHANTE_SLOUBI)


def aside_openings(state: State) -> Iterable[Opening]:
    """What may be announced aside, by those who hold the tokens."""
    alive, bags = state.alive, state.bags
    loaded = any(isinstance(item, Roll) and item.loaded for item in state.items)
    target = _next_to_throw(state)
    if bags[target].civet and not loaded and state.rules.plays(cries.CIVET):
        yield Opening(cries.CIVET, frozenset({target}))
    if state.bets:
        doublers = frozenset(p for p in alive if bags[p].civet or bags[p].filoche)
        for own, phrase in ((True, cries.CIVET_DOUBLE), (False, cries.FILOCHE_DOUBLE)):
            owners = {bet.owner for bet in state.bets if (bet.owner == bet.target) == own}
            if owners and doublers - owners and state.rules.plays(phrase):
                yield Opening(phrase, doublers - owners)
    holders = {
        cries.FILOCHE: frozenset(p for p in alive if bags[p].filoche and p != target),
        cries.TATAN: frozenset(p for p in alive if bags[p].flan),
        cries.LANCE_FLAN: frozenset(p for p in alive if bags[p].flan),
        cries.LANCE_FILOCHE: frozenset(p for p in alive if bags[p].filoche),
        cries.LANCE_JARRET: frozenset(p for p in alive if bags[p].jarret),
        cries.LANCE_CIVET: frozenset(p for p in alive if bags[p].civet),
    }
    for phrase, who in holders.items():
        if who and state.rules.plays(phrase):
            yield Opening(phrase, who)
