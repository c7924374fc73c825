"""One input at work: the state so far, the events and refusals it has caused, the casts still to take effect.

A `Play` lives inside one call of `reduce` and is the only thing that changes; states and items stay frozen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from voiceref.games.cul_de_chouette import aquitaine
from voiceref.games.cul_de_chouette.settings import Rules
from voiceref.games.cul_de_chouette.state import Bag, Cast, Item, State
from voiceref.games.cul_de_chouette.values import FLOOR
from voiceref.games.engine import Event, Refusal, Said


class Play:
    """The work on one input."""

    def __init__(self, state: State, t: float) -> None:
        self.state = state
        self.t = max(t, state.now)
        self.events: list[Event] = []
        self.refusals: list[Refusal] = []
        self.casts: list[Cast] = []
        self.checkpoint = False

    @property
    def rules(self) -> Rules:
        """The rules in play."""
        return self.state.rules

    # --- what is open ------------------------------------------------------------------------------------------------

    def open(self, *items: Item) -> None:
        """Open items; the newest hears first."""
        self.state = self.state.but(items=(*self.state.items, *items))

    def drop(self, item: Item) -> None:
        """Take an item away."""
        self.state = self.state.but(items=tuple(i for i in self.state.items if i is not item))

    def swap(self, item: Item, new: Item) -> None:
        """Put `new` in the place of `item`."""
        self.state = self.state.but(items=tuple(new if i is item else i for i in self.state.items))

    def missed(self, *phrases: str) -> None:
        """These cries are settled: whoever cries them late does so for free."""
        self.state = self.state.but(late=self.state.late | frozenset(phrases))

    # --- what is told ------------------------------------------------------------------------------------------------

    def tell(self, rule: str, name: str, /, **data: object) -> None:
        """An event that moves no points."""
        self.events.append(Event(self.t, rule, name, data))

    def refuse(self, said: Said, reason: str, rule: str | None = None, /, **data: object) -> None:
        """Words that change nothing, and why."""
        whole = {"joueur": said.speaker, **data}
        self.refusals.append(Refusal(said.t, said.text, reason, rule, said.speaker, whole))

    def fault(self, said: Said, reason: str, rule: str, /, **data: object) -> None:
        """Words that the book punishes (CDC-274): refused, and a Bévue when the table is strict (D-70)."""
        self.refuse(said, reason, rule, **data)
        culprit = said.speaker
        if self.rules.strict and culprit is not None and culprit in self.state.alive:
            self.bevue(culprit, reason)

    # --- what is scored ----------------------------------------------------------------------------------------------

    def score(self, rule: str, name: str, changes: Mapping[str, int], /, **data: object) -> Mapping[str, int]:
        """An event that moves points: what each change comes to under teams, floor and Aquitaine."""
        if self.rules.aquitaine:
            self._sips(rule, name, changes, data)
            return {}
        deltas = self._deltas(changes)
        floor = () if self.rules.negative else self._floor(changes)
        scores = dict(self.state.scores)
        for player, change in deltas.items():
            scores[player] += change
        self.state = self.state.but(scores=scores)
        self.events += [Event(self.t, rule, name, _told(data, changes, deltas), deltas), *floor]
        if not self.rules.negative:
            self._drop_grelottines(deltas)
        return deltas

    def gain(self, rule: str, name: str, player: str, points: int, /, **data: object) -> Mapping[str, int]:
        """An event that moves the points of one player."""
        return self.score(rule, name, {player: points}, joueur=player, points=points, **data)

    def undone(self, rule: str, name: str, deltas: Mapping[str, int], /, **data: object) -> None:
        """An event whose points have been moved by hand."""
        self.events.append(Event(self.t, rule, name, data, deltas))

    def bevue(self, player: str, reason: str) -> None:
        """A Bévue: five points, once for each (CDC-271, CDC-273)."""
        data = {"joueur": player, "points": self.rules.bevue, "raison": reason}
        deltas = self.score("CDC-271", "bevue", {player: -self.rules.bevue}, **data)
        self.state = self.state.but(last_bevue=(player, deltas))
        if self.rules.aquitaine and self.state.sequence:
            self.state = self.state.but(wrong=self.state.wrong | {player})

    def _deltas(self, changes: Mapping[str, int]) -> dict[str, int]:
        """Changes by player, shared by team-mates (CDC-285) and stopped at zero where that is the rule."""
        totals = self._shared(changes)
        if not self.rules.negative:
            totals = self._floored(totals)
        return {player: change for player, change in totals.items() if change}

    def _shared(self, changes: Mapping[str, int]) -> dict[str, int]:
        """What each player is to gain or lose, team-mates alike (CDC-285)."""
        totals: dict[str, int] = {}
        for player, change in changes.items():
            for member in self.rules.team(player):
                totals[member] = totals.get(member, 0) + change
        return totals

    def _floored(self, totals: Mapping[str, int]) -> dict[str, int]:
        """No score falls below zero (CDC-012); a loss at zero is a gain for all the others (CDC-013, D-61)."""
        floored = {player: max(change, -self.state.scores[player]) for player, change in totals.items()}
        for giver, points in self._given(totals).items():
            for other in self.state.alive:
                if other not in self.rules.team(giver):
                    floored[other] = floored.get(other, 0) + points
        return floored

    def _floor(self, changes: Mapping[str, int]) -> tuple[Event, ...]:
        """Told behind a loss that is not what it seems: who stays at zero, and what that gives to all the others."""
        totals = self._shared(changes)
        given = self._given(totals)
        stopped = [player for player, change in totals.items() if change < -self.state.scores[player]]
        captains = dict.fromkeys(self.rules.team(player)[0] for player in stopped)
        return tuple(
            Event(self.t, "CDC-013", "plancher_donne", {"joueurs": self.rules.team(one), "points": given[one]})
            if one in given
            else Event(self.t, "CDC-012", "plancher", {"joueurs": self.rules.team(one)})
            for one in captains
        )

    def _given(self, totals: Mapping[str, int]) -> dict[str, int]:
        """Who loses below zero, the first of a team, and how much that gives to all the others (CDC-013, D-61)."""
        given: dict[str, int] = {}
        for player, change in totals.items():
            score = self.state.scores[player]
            if change < -score and (score == 0 or self.rules.on("floor.redistribute_excess")):
                given.setdefault(self.rules.team(player)[0], -change - score)
        return given

    def _drop_grelottines(self, deltas: Mapping[str, int]) -> None:
        """Who falls under thirty loses his Grelottine (CDC-093)."""
        for player, change in deltas.items():
            if change < 0 and self.state.scores[player] < FLOOR and self.bag(player).grelottines:
                self.keep(player, grelottines=0)
                self.tell("CDC-093", "grelottine_perdue", joueur=player)

    def _sips(self, rule: str, name: str, changes: Mapping[str, int], data: Mapping[str, object]) -> None:
        """Points become sips: given when won, drunk when lost (CDC-290, CDC-291)."""
        self.events.append(Event(self.t, rule, "aquitaine_compte", {**data, "evenement": name}))
        for player, change in changes.items():
            sips = aquitaine.sips(change)
            if sips > 0 and player in self.state.wrong and name not in aquitaine.UNAFFECTED:
                self.tell("CDC-298", "gorgees_perdues", joueur=player)
            elif sips > 0:
                self.tell("CDC-290", "gorgees_a_donner", joueur=player, gorgees=sips, unite=self.rules.unit)
                self._to_give(player, sips)
            elif sips < 0:
                self.tell("CDC-291", "gorgees_a_boire", joueur=player, gorgees=-sips, unite=self.rules.unit)

    def _to_give(self, player: str, sips: int) -> None:
        """Keep in mind what a winner may give; sips of earlier turns have been drunk or forgotten (CDC-290)."""
        state = self.state
        kept = state.to_give if state.given_turn == state.turns else {}
        due = {**kept, player: kept.get(player, 0) + sips}
        self.state = state.but(to_give=due, given_turn=state.turns)

    # --- what is held ------------------------------------------------------------------------------------------------

    def bag(self, player: str) -> Bag:
        """What a player holds."""
        return self.state.bags[player]

    def keep(self, player: str, **changes: object) -> None:
        """Change what a player holds."""
        bag = replace(self.state.bags[player], **changes)  # type: ignore[arg-type]
        self.state = self.state.but(bags={**self.state.bags, player: bag})

    def enough(self, player: str, points: int) -> bool:
        """Whether a player has the points asked for; at Aquitaine nobody needs any (CDC-292)."""
        return self.rules.aquitaine or self.state.scores[player] >= points

    def lacks(self, players: Iterable[str], points: int) -> bool:
        """[NN] Whether one of these has too few points for an action (CDC-011)."""
        return not self.rules.negative and not all(self.enough(player, points) for player in players)


def _told(data: Mapping[str, object], changes: Mapping[str, int], deltas: Mapping[str, int]) -> Mapping[str, object]:
    """The data of an event about one player, told with the points that really moved (CDC-012, CDC-013)."""
    player, points = data.get("joueur"), data.get("points")
    wanted, moved = changes.get(str(player)), deltas.get(str(player), 0)
    if len(changes) > 1 or wanted == moved or points not in (wanted, -(wanted or 0)):
        return data
    return {**data, "points": moved if points == wanted else -moved}
