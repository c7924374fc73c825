"""Sirop, Attrape-Oiseau and bought Sirop: the option on a Chouette, the bets, the sipped die (CDC-105…121, CDC-178)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from voiceref.games.cul_de_chouette import civet, cries, fruits, grelot, settings
from voiceref.games.cul_de_chouette.dice import Combination, Throw, after_sirop
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import Cry, dice, die, due, duel, first
from voiceref.games.cul_de_chouette.state import Cast, FlanMark, State
from voiceref.games.cul_de_chouette.values import ACHAT, BIRD_STAKE, GRAB_S, OPTION_S
from voiceref.games.engine import Opening, Said

BIRD_OF = {phrase: face for face, phrase in cries.BIRDS.items()}
PASSES = (cries.COUCHE_SIROP, cries.FILE_SIROP)
BETS = (*BIRD_OF, cries.BEAU_SIROP, *PASSES)
STARTS = (cries.JE_SIROTE, cries.ATTRAPE_OISEAU)
BUYS = (cries.J_ACHETE, cries.JE_RACHETE)


def offer(play: Play, cast: Cast, throw: Throw) -> None:
    """A Chouette lies on the table: its maker may sip, others may snatch the die, or he takes the points (CDC-030)."""
    play.tell("CDC-030", "chouette_faite", joueur=cast.player, valeur=throw.value, des=cast.dice)
    play.open(ChouetteOption(cast, throw, play.t + OPTION_S))


@dataclass(frozen=True)
class ChouetteOption:
    """What may still become of a Chouette until the next throw."""

    cast: Cast
    throw: Throw
    until: float | None
    soft: bool = True
    claims: tuple[Cry, ...] = ()

    @property
    def compulsory(self) -> bool:
        """A Sirop-Grelot must be sipped and may not be snatched (CDC-084)."""
        return self.cast.stake is not None

    def openings(self, state: State) -> Iterable[Opening]:
        """Sip, snatch, take."""
        maker = frozenset({self.cast.player})
        if state.rules.plays(cries.JE_SIROTE):
            yield Opening(cries.JE_SIROTE, maker, self.until)
        if self.compulsory:
            yield Opening(cries.LE_SIROP, None, self.until)
        else:
            yield Opening(cries.JE_PRENDS, maker, self.until)
            others = frozenset(state.others(self.cast.player))
            if others and state.rules.plays(cries.ATTRAPE_OISEAU):
                yield Opening(cries.ATTRAPE_OISEAU, others, self.until)

    def hear(self, play: Play, said: Said) -> bool:
        """« Je sirote ! », « Attrape-Oiseau ! », « Je prends »; bets or the die once somebody has claimed it."""
        maker = self.cast.player
        if said.phrase == cries.JE_PRENDS and said.speaker in (None, maker) and not self.compulsory:
            self._take(play)
        elif said.phrase == cries.JE_SIROTE and said.speaker == maker:
            self._claim(play, said)
        elif said.phrase == cries.ATTRAPE_OISEAU and said.speaker in play.state.others(maker):
            if not play.rules.plays(said.phrase) or self.compulsory:
                play.fault(said, "attrape_interdit", "CDC-084")
            else:
                self._claim(play, said)
        elif self.claims or (self.compulsory and said.phrase in (*BETS, cries.LE_SIROP)):
            return self._late_claim(play, said)
        else:
            return False
        return True

    def _claim(self, play: Play, said: Said) -> None:
        """One who wants the die, if he may (CDC-117, CDC-118; D-18 in a Soufflette)."""
        player, risk = said.speaker or "", self.throw.points * self.cast.factor
        if self.cast.origin == "soufflette" and not play.rules.on("soufflette.final_sirop"):
            play.fault(said, "sirop_interdit", "CDC-116")
        elif play.lacks((player,), risk):
            play.fault(said, "sirop_trop_cher", "CDC-117", points=risk)
            play.open(fruits.jeannot(play, player, self.throw.value))
            if not play.rules.on("sirop.illegal_keeps_chouette") and player == self.cast.player:
                play.drop(self)
        else:
            claims = tuple(sorted((*self.claims, Cry(player, said.t, said.phrase)), key=lambda cry: cry.t))
            play.swap(self, replace(self, claims=claims, until=due(claims[0].t, play.rules.tie_s)))

    def _late_claim(self, play: Play, said: Said) -> bool:
        """A bet or the die comes before the tie window is over: the claim stands."""
        if said.phrase not in (*BETS, *cries.DICE, cries.QUI_A_LE_DE, cries.TOMBE):
            return False
        self.close(play)
        return play.state.items[-1].hear(play, said)

    def _take(self, play: Play) -> None:
        """The points of the Chouette (CDC-030), against the maker under a Flan (CDC-244)."""
        play.drop(self)
        play.missed(*STARTS)
        points = self.cast.worth(self.throw.points)
        rule = "CDC-244" if self.cast.flans else "CDC-030"
        play.gain(rule, "chouette", self.cast.player, points, valeur=self.throw.value)
        civet.settle(play, self.cast, civet.names(play, self.throw), points, self.throw.points * self.cast.factor)

    def close(self, play: Play) -> None:
        """Nobody wanted the die, one did, or several at once (CDC-121, D-79)."""
        tied = first(self.claims, play.rules.tie_s)
        if not tied and not self.compulsory:
            self._take(play)
            return
        play.drop(self)
        play.missed(*STARTS)
        if len(tied) > 1:
            play.tell("CDC-121", "demande_qui_a_le_de", joueurs=tuple(cry.player for cry in tied))
            play.open(WhoHasTheDie(self, tied, play.t + GRAB_S))
        else:
            begin(play, self.cast, self.throw, tied[0].player if tied else self.cast.player, self.claims)


@dataclass(frozen=True)
class WhoHasTheDie:
    """Two players seized the die at once: the table says who has it, else the earlier cry (D-79)."""

    option: ChouetteOption
    tied: tuple[Cry, ...]
    until: float | None
    soft: bool = False

    def openings(self, state: State) -> Iterable[Opening]:
        """« C'est moi qui ai le dé »."""
        return (Opening(cries.QUI_A_LE_DE, None, self.until),)

    def hear(self, play: Play, said: Said) -> bool:
        """The answer; a bet or the die means that the table has gone on."""
        if said.phrase == cries.QUI_A_LE_DE:
            holder = said.slots.get("joueur") or said.speaker
            if holder not in {cry.player for cry in self.tied}:
                play.refuse(said, "pas_en_lice", "CDC-121")
                return True
            self._give(play, str(holder))
            return True
        if said.phrase in (*BETS, cries.LE_SIROP, cries.LE_CUL):
            self.close(play)
            return play.state.items[-1].hear(play, said)
        return False

    def _give(self, play: Play, holder: str) -> None:
        play.drop(self)
        begin(play, self.option.cast, self.option.throw, holder, self.tied)

    def close(self, play: Play) -> None:
        """No answer: the earlier cry."""
        self._give(play, self.tied[0].player)


def begin(play: Play, cast: Cast, throw: Throw, player: str, claims: tuple[Cry, ...] = ()) -> None:
    """The die is in the hand of `player`: everybody else must bet or pass (CDC-109, CDC-119)."""
    own = player == cast.player
    rule, name = ("CDC-105", "sirop") if own else ("CDC-119", "attrape_oiseau")
    play.tell(rule, name, joueur=player, valeur=throw.value, joueurs=play.state.others(player))
    deadline = play.t + play.rules.race_s if play.rules.get("sirop.bet_deadline") == "thrown" else None
    play.open(Sirop(cast, throw, player, tuple(cry.player for cry in claims), until=deadline))


@dataclass(frozen=True)
class Sirop:
    """A die about to be sipped and the bets on it. Hard: the game waits for the die."""

    cast: Cast
    throw: Throw
    player: str
    claimants: tuple[str, ...] = ()
    bought: bool = False
    bets: Mapping[str, str] = field(default_factory=dict)
    """Player -> phrase of his bet; "" for a void announcement."""
    closed: bool = False
    buyers: tuple[Cry, ...] = ()
    until: float | None = None
    soft: bool = False
    rolling: bool = True

    def openings(self, state: State) -> Iterable[Opening]:
        """Bets of those who have not bet, the die, an Achat (CDC-178)."""
        yield from (Opening(phrase) for phrase in (cries.LE_SIROP, cries.LE_CUL, cries.TOMBE))
        left = frozenset(p for p in state.others(self.player) if p not in self.bets)
        if left and not self.closed:
            yield from (Opening(phrase, left) for phrase in BETS if BIRD_OF.get(phrase) != self.throw.value)
        if len(self.claimants) > 1:
            yield Opening(cries.QUI_A_LE_DE)
        if self._for_sale(state.rules):
            who = frozenset(p for p in state.others(self.player) if state.rules.aquitaine or state.scores[p] >= ACHAT)
            yield from (Opening(phrase, who) for phrase in BUYS if who)

    def _for_sale(self, rules: settings.Rules) -> bool:
        """Not in a Soufflette nor a Sirop-Grelot, where the challenged player must do it all (CDC-179)."""
        return rules.plays(cries.J_ACHETE) and self.cast.origin != "soufflette" and self.cast.stake is None

    def hear(self, play: Play, said: Said) -> bool:
        """A bet, the die, who holds it, a buyer."""
        if said.phrase in BETS and said.speaker in play.state.others(self.player):
            self._bet(play, said)
        elif said.phrase in cries.DICE:
            return self._die(play, said)
        elif said.phrase == cries.TOMBE:
            play.swap(self, replace(self, closed=True))
        elif said.phrase == cries.QUI_A_LE_DE and said.slots.get("objet") in (None, "de"):
            self._contest(play, said)
        elif said.phrase in BUYS and self._for_sale(play.rules) and said.speaker in play.state.alive:
            self._buy(play, said)
        else:
            return False
        return True

    def _bet(self, play: Play, said: Said) -> None:
        """One announcement a player: a bird, success, or no bet (CDC-109…115)."""
        player = said.speaker or ""
        if player in self.bets and said.phrase in PASSES and not self.bets[player]:
            play.refuse(said, "deja_mise", "CDC-109")  # his bet is void and paid for: to let the die go costs nothing
        elif player in self.bets:
            play.fault(said, "deja_mise", "CDC-109")
        elif self.closed:
            play.fault(said, "de_tombe", "CDC-114")
        elif BIRD_OF.get(said.phrase) == self.throw.value:
            self._void(play, player)
            play.fault(said, "oiseau_sirote", "CDC-112")
        elif said.phrase not in PASSES and play.lacks((player,), BIRD_STAKE):
            self._void(play, player)
            play.fault(said, "pari_cinq_points", "CDC-115")
        else:
            play.swap(self, replace(self, bets={**self.bets, player: said.phrase}))
            face = BIRD_OF.get(said.phrase)
            if face is not None:
                play.tell("CDC-109", "mise_oiseau", joueur=player, oiseau=cries.BIRD_NAMES[face])
            elif said.phrase == cries.BEAU_SIROP:
                play.tell("CDC-112", "mise_beau_sirop", joueur=player)
            else:
                play.tell("CDC-113", "laisse_filer", joueur=player)

    def _void(self, play: Play, player: str) -> None:
        """A void bet is an announcement all the same where it cost a Bévue; else he may bet again."""
        if play.rules.strict:
            play.swap(self, replace(self, bets={**self.bets, player: ""}))

    def _contest(self, play: Play, said: Said) -> None:
        """Another claimant really holds the die (D-79)."""
        holder = str(said.slots.get("joueur") or said.speaker)
        if holder == self.player:
            return
        if holder in self.claimants:
            play.drop(self)
            begin(play, self.cast, self.throw, holder, tuple(Cry(p, play.t, "") for p in self.claimants))
        else:
            play.refuse(said, "pas_en_lice", "CDC-121")

    def _buy(self, play: Play, said: Said) -> None:
        """« J'achète ! » during a Sirop (CDC-178)."""
        buyer = said.speaker or ""
        if buyer == self.player or any(cry.player == buyer for cry in self.buyers):
            play.fault(said, "achat_a_soi", "CDC-178")
        elif not play.enough(buyer, ACHAT):
            play.fault(said, "achat_trente", "CDC-176")
        else:
            buyers = (*self.buyers, Cry(buyer, said.t, said.phrase))
            play.swap(self, replace(self, buyers=buyers, until=due(buyers[0].t, play.rules.tie_s)))

    def close(self, play: Play) -> None:
        """The tie window of an Achat is over, or the time to bet (D-04)."""
        tied = first(self.buyers, play.rules.tie_s)
        if not tied:
            play.swap(self, replace(self, closed=True, until=None))
            return
        play.drop(self)
        if len(tied) == 1:
            self.rolled(play, tied[0].player, 1)
        else:
            duel(play, (cry.player for cry in tied), self, "CDC-180")

    def rolled(self, play: Play, player: str, throws: int) -> None:
        """The buyer sips instead; everybody else must announce again (CDC-178)."""
        play.gain("CDC-178", "achat_sirop", player, -ACHAT, vendeur=self.player)
        others = play.state.others(player)
        play.tell("CDC-119", "attrape_oiseau", joueur=player, valeur=self.throw.value, joueurs=others)
        play.open(replace(self, player=player, bought=True, bets={}, buyers=(), until=None, claimants=()))

    # --- the die -----------------------------------------------------------------------------------------------------

    def _die(self, play: Play, said: Said) -> bool:
        """The sipped die, alone or told with the pair."""
        faces = list((die(said),) if said.phrase in cries.ONE_DIE else dice(said))
        if len(faces) == 3 and faces.count(self.throw.value) >= 2:
            faces.remove(self.throw.value)
            faces.remove(self.throw.value)
        if len(faces) != 1:
            play.refuse(said, "sirop_attendu", "CDC-105", attendu=self.player)
            return True
        play.checkpoint = True
        if self.buyers:
            self.close(play)
            return play.state.items[-1].hear(play, said)
        play.drop(self)
        self._silence(play)
        right = self._losers(play, faces[0])
        self._pay_maker(play)
        self._outcome(play, faces[0], right)
        return True

    def _silence(self, play: Play) -> None:
        """Who announced nothing before the die fell commits a Bévue when the table is strict (CDC-114, D-04)."""
        if play.rules.strict:
            for player in play.state.others(self.player):
                if player not in self.bets:
                    play.bevue(player, "sirop_silence")

    def _losers(self, play: Play, face: int) -> tuple[str, ...]:
        """Wrong bets cost five points (CDC-110); returns who bet right."""
        right = []
        for player, phrase in self.bets.items():
            bird = BIRD_OF.get(phrase)
            if bird == face or (phrase == cries.BEAU_SIROP and face == self.throw.value):
                right.append(player)
            elif bird is not None or phrase == cries.BEAU_SIROP:
                play.gain("CDC-110", "pari_perdu", player, -BIRD_STAKE)
        return tuple(right)

    def _pay_maker(self, play: Play) -> None:
        """Under an Attrape-Oiseau the maker of the Chouette has its points whatever happens (CDC-120, D-39)."""
        maker = self.cast.player
        if self.player == maker:
            return
        points = self.cast.worth(self.throw.points)
        play.gain("CDC-120", "chouette", maker, points, valeur=self.throw.value)
        civet.settle(play, self.cast, civet.names(play, self.throw), points, self.throw.points * self.cast.factor)

    def _outcome(self, play: Play, face: int, right: tuple[str, ...]) -> None:
        """A Cul de Chouette (CDC-106) or a failure, and what the new dice make (CDC-107); no Flan here (CDC-263)."""
        value, new = self.throw.value, (self.throw.value, self.throw.value, face)
        cast = replace(self.cast, player=self.player, dice=new, origin="sirop", flans=(), stake=None)
        if self.player != self.cast.player:
            cast = replace(cast, bets=(), jarret=0, flans=self._catcher_flans(play))
        elif not play.rules.on("civet.count_sirop"):
            civet.settle(play, cast, civet.names(play, self.throw), 0, self.throw.points)  # D-41
            cast = replace(cast, bets=())
        success = face == value
        fruits.gagnant(play, right)
        if self.cast.stake is not None:
            grelot.judge(play, self.cast.stake, success)
        if success:
            play.tell("CDC-106", "sirop_reussi", joueur=self.player)
            play.casts.append(cast)
            return
        lost = self._lose(play, cast)
        fruits.contre(play, self.player, value, right)
        throw = after_sirop(new, play.rules.combinations)
        if throw.combination is Combination.CHOUETTE and throw.value == value:
            if play.rules.get("sirop.failed_same_chouette") == "lose_then_gain":
                play.gain("CDC-030", "chouette", self.player, throw.points, valeur=value)
            civet.settle(play, cast, civet.names(play, throw), lost, lost)
        else:
            play.casts.append(replace(cast, flans=()))

    def _catcher_flans(self, play: Play) -> tuple[FlanMark, ...]:
        """An Attrape-Oiseau by a flanné spends the Flans on it (CDC-255)."""
        if self.bought:
            return ()
        mine = tuple(mark for mark in play.state.flans if mark.target == self.player)
        play.state = play.state.but(flans=tuple(m for m in play.state.flans if m.target != self.player))
        return mine

    def _lose(self, play: Play, cast: Cast) -> int:
        """-v² (CDC-106, CDC-120), turned round for a flanné catcher (CDC-255); a six gives a Civet (CDC-108)."""
        rule = "CDC-106" if self.player == self.cast.player else "CDC-255" if cast.flans else "CDC-120"
        points = -self.throw.points * cast.factor * cast.sign
        play.gain(rule, "sirop_rate", self.player, points, valeur=self.throw.value)
        if self.throw.value == 6:
            play.keep(self.player, civet=True)
            play.tell("CDC-108", "civet_obtenu", joueur=self.player)
        return points
