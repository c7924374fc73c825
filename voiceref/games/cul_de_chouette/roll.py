"""A throw to come: two chouettes then the cul, or the dice not kept; the windows between them (CDC-005, CDC-007)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from voiceref.games.cul_de_chouette import achat, cries, verdier
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, dice, die
from voiceref.games.cul_de_chouette.state import Bet, Cast, FlanMark, State
from voiceref.games.engine import Opening, Said


class Purpose(Protocol):
    """Why dice are thrown, and what follows."""

    @property
    def rule(self) -> str:
        """The rule that has them thrown."""
        ...

    @property
    def counts(self) -> bool:
        """Whether Civets and Civets-Filochés may stand on this throw."""
        ...

    @property
    def barred_buyer(self) -> str:
        """Who may never buy this cul: the grelottin of the challenge; "" for nobody (CDC-181)."""
        ...

    def landed(self, play: Play, roll: Roll, dice: tuple[int, int, int]) -> None:
        """Take the three dice; the roll has left the table."""
        ...


@dataclass(frozen=True)
class Roll:
    """Dice that `player` must throw now. Hard: the game waits for them."""

    player: str
    purpose: Purpose
    number: int = 1
    """Which throw of a challenge this is."""
    chouettes: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    table: tuple[int, ...] = ()
    """The dice of the throw before, which may be kept (CDC-054, CDC-090, CDC-192)."""
    at_once: bool = False
    """Whether three dice at once are the rule here (D-67)."""
    stop: str = ""
    """The cry that ends a Mi-Jarret after the first throw (CDC-193)."""
    flannable: bool = False
    buyable: bool = False
    loaded: bool = False
    factor: int = 1
    jarret: int = 0
    flans: tuple[FlanMark, ...] = ()
    bets: tuple[Bet, ...] = ()
    seller: str | None = None
    """Who threw the chouettes of a cul that was bought (CDC-175)."""
    buyers: tuple[Cry, ...] = ()
    verdier: tuple[str, ...] = ()
    until: float | None = None
    soft: bool = False

    @property
    def missing(self) -> int:
        """How many dice are still to be told."""
        return 3 - len(self.kept) - len(self.chouettes)

    @property
    def rolling(self) -> bool:
        """Whether dice are on their way, so that a cry may come early (CDC-014)."""
        return bool(self.chouettes) or self.at_once or self.number > 1 or bool(self.kept)

    @property
    def owner(self) -> str:
        """Who threw the chouettes."""
        return self.seller or self.player

    def cast(self, dice: tuple[int, int, int], origin: str) -> Cast:
        """The dice with what bends them."""
        return Cast(self.player, dice, origin, self.factor, self.flans, self.bets, self.jarret)

    def openings(self, state: State) -> Iterable[Opening]:
        """The dice expected, what may be kept, and the windows before the cul."""
        mine = frozenset({self.player})
        if self.missing == 1:
            yield Opening(cries.LE_CUL)
            yield Opening(cries.LE_SIROP)
        else:
            yield Opening(cries.LES_CHOUETTES)
        yield from (Opening(phrase) for phrase in (cries.TROIS_DES, cries.LES_DES))
        if self.purpose.rule == "CDC-059":
            yield Opening(cries.LA_RELANCE)
        if self.table and not self.chouettes:
            yield Opening(cries.JE_GARDE)
        if self.stop:
            yield Opening(self.stop, mine)
        yield Opening(cries.TOMBE)
        yield from achat.openings(state, self)
        yield from verdier.openings(state, self)

    def hear(self, play: Play, said: Said) -> bool:
        """Dice, dice kept, dice on the floor, an Achat or a Verdier."""
        if said.phrase in cries.DICE:
            return self._dice(play, said)
        if said.phrase == cries.JE_GARDE and self.table:
            return self._keep(play, said)
        if said.phrase == cries.TOMBE:
            return self._fallen(play, said)
        if self.stop and said.phrase == self.stop and said.speaker == self.player:
            play.drop(self)
            play.tell("CDC-193", "bjarret", joueur=self.player)
            self.purpose.landed(play, replace(self, stop=""), _three(self.table))
            return True
        return achat.hear(play, self, said) or verdier.hear(play, self, said)

    def close(self, play: Play) -> None:
        """The tie window of an Achat is over."""
        achat.settle(play, self)

    # --- dice --------------------------------------------------------------------------------------------------------

    def _dice(self, play: Play, said: Said) -> bool:
        """Dice told by whoever must throw himself (CDC-286), or by nobody in particular."""
        if self.buyers:
            return _heard_by_new_roll(play, self, said)
        if said.speaker is not None and said.speaker != self.player:
            play.fault(said, "pas_ton_lancer", "CDC-272", attendu=self.player)
            return True
        if self.purpose.counts and not self.loaded and said.t < play.state.bidding:
            play.fault(said, "mise_en_cours", "CDC-149")
            return True
        told = (die(said),) if said.phrase in cries.ONE_DIE else dice(said)
        known = (*self.kept, *self.chouettes)
        if len(told) == 3:
            return self._all_three(play, said, told)
        if len(told) == self.missing:
            self._land(play, _three((*known, *told)))
        elif len(told) == 2 and self.missing == 3:
            self._chouettes(play, said, told)
        elif len(told) == 1 and self.missing == 3:
            play.fault(said, "cul_avant_chouettes", "CDC-272", attendu=self.player)
        else:
            play.refuse(said, "cul_attendu" if self.missing == 1 else "des_attendus", self.purpose.rule)
        return True

    def _chouettes(self, play: Play, said: Said, told: tuple[int, ...]) -> None:
        """Two dice down; the window before the cul is open (CDC-005)."""
        play.checkpoint = True
        new = replace(self._loaded(play), chouettes=told)
        play.swap(self, new)
        play.tell("CDC-005", "chouettes", joueur=self.player, des=told)

    def _all_three(self, play: Play, said: Said, told: tuple[int, ...]) -> bool:
        """The whole triple: in one breath, thrown at once, or with the dice kept."""
        if Counter((*self.kept, *self.chouettes)) - Counter(told):
            play.refuse(said, "des_gardes_absents", self.purpose.rule, des=(*self.kept, *self.chouettes))
            return True
        thrown_at_once = said.text.strip().lower().startswith("les d") and not self.kept and not self.chouettes
        if thrown_at_once and not self.at_once and not self.table and play.rules.strict:
            play.bevue(self.player, "trois_des_a_la_fois")
        known = (*self.kept, *self.chouettes)
        rest = list(told)
        for face in known:
            rest.remove(face)
        self._land(play, _three((*known, *rest)))
        return True

    def _land(self, play: Play, three: tuple[int, int, int]) -> None:
        """All dice are down: settle what was bet or bought between chouettes and cul, then follow the purpose."""
        if not self.chouettes:
            play.checkpoint = True
        roll = self._loaded(play)
        play.drop(self)
        verdier.settle(play, roll, three)
        achat.pay_seller(play, roll)
        roll.purpose.landed(play, roll, three)

    def _loaded(self, play: Play) -> Roll:
        """The roll with the Flans and bets that were waiting for it."""
        if self.loaded:
            return self
        bets, flans = self.bets, self.flans
        if self.purpose.counts:
            bets = tuple(bet for bet in play.state.bets if bet.target == self.player)
            others = tuple(bet for bet in play.state.bets if bet.target != self.player)
            play.state = play.state.but(bets=others)
        if self.flannable:
            flans = tuple(mark for mark in play.state.flans if mark.target == self.player)
            play.state = play.state.but(flans=tuple(m for m in play.state.flans if m.target != self.player))
        play.state = play.state.but(late=frozenset())
        return replace(self, loaded=True, bets=bets, flans=flans)

    # --- other words -------------------------------------------------------------------------------------------------

    def _keep(self, play: Play, said: Said) -> bool:
        """« Je garde le quatre et le un »: what stays on the table (CDC-054)."""
        if said.speaker is not None and said.speaker != self.player:
            play.fault(said, "pas_ton_lancer", "CDC-272", attendu=self.player)
            return True
        kept = said.slots.get("garde", ())
        if kept == "tout" or (isinstance(kept, tuple) and len(kept) > 2):
            play.refuse(said, "crie_bjarret" if self.stop else "lancer_obligatoire", self.purpose.rule)
        elif not isinstance(kept, tuple) or Counter(kept) - Counter(self.table):
            play.refuse(said, "des_non_lances", self.purpose.rule, des=self.table)
        else:
            play.swap(self, replace(self, kept=kept, chouettes=()))
            play.tell(self.purpose.rule, "des_gardes" if kept else "relance_tout", joueur=self.player, des=kept)
        return True

    def _fallen(self, play: Play, said: Said) -> bool:
        """A die on the floor: both chouettes again, or the cul alone (CDC-015); at Aquitaine a lost turn (CDC-299)."""
        if play.rules.aquitaine and self.purpose.rule == "CDC-005":
            play.drop(self)
            play.bevue(self.player, "des_tombes")
            play.tell("CDC-299", "tour_perdu", joueur=self.player)
            return True
        cul = said.slots.get("objet") == "cul" or (said.slots.get("objet") == "de" and self.chouettes)
        if not cul:
            play.swap(self, replace(self, chouettes=(), seller=None, player=self.owner, verdier=()))
        play.tell("CDC-015", "cul_tombe" if cul else "chouettes_tombees", joueur=self.player)
        return True


def _heard_by_new_roll(play: Play, roll: Roll, said: Said) -> bool:
    """The dice come with an Achat still in its tie window: settle it first."""
    achat.settle(play, roll)
    item = play.state.items[-1]
    return item.hear(play, said)


def _three(faces: tuple[int, ...]) -> tuple[int, int, int]:
    """Three faces in the order they were told, the cul last."""
    first, second, third = faces
    return first, second, third
