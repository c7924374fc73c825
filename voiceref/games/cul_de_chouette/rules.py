"""Le Cul de chouette as a game for the session: start, reduce, openings, deadline, summary."""

from __future__ import annotations

from collections.abc import Iterable

from voiceref.games.cul_de_chouette import combinations, cries, desk, end, newcomer, turn
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import LastRace
from voiceref.games.cul_de_chouette.roll import Roll
from voiceref.games.cul_de_chouette.settings import rules
from voiceref.games.cul_de_chouette.sirop import Sirop
from voiceref.games.cul_de_chouette.state import State, bag_of
from voiceref.games.cul_de_chouette.values import GOAL
from voiceref.games.engine import Event, Input, Opening, Refusal, Said, Secret, Step, Summary, Table

HARMLESS = (cries.JE_PRENDS, cries.REPONSE, cries.CIBLE, cries.ROI, cries.TOMBE, cries.QUI_A_LE_DE, cries.GORGEES)
"""Words to the referee that mean nothing when nothing was asked."""

PLAYERS = range(2, 17)


class CulDeChouette:
    """The rules of Le Cul de chouette (CDC-001…301); holds nothing between calls."""

    name = "cul-de-chouette"

    def start(self, table: Table) -> Step[State]:
        """The table before the first throw. Raises ValueError with a French sentence."""
        if len(table.players) not in PLAYERS:
            raise ValueError("Le Cul de chouette se joue de deux à seize joueurs.")
        players = table.players
        state = State(
            rules=rules(table.level, table.settings, table.teams, len(players)),
            players=players,
            scores=_first_scores(table),
            bags={player: bag_of(table.tokens.get(player, ())) for player in players},
            turn=table.turn or players[0],
            starter=table.turn,
        )
        return Step(state, (Event(0.0, "CDC-003", "debut", {"joueur": state.turn, "joueurs": players}),))

    def reduce(self, state: State, said: Input) -> Step[State]:
        """The next state; words out of place become refusals."""
        if isinstance(said, Secret):
            refusal = Refusal(said.t, said.text, "pas_de_secret")
            return Step(state.but(now=max(state.now, said.t)), (), (refusal,))
        play = Play(state, state.now)
        advance(play, said.t)
        play.t = max(said.t, play.state.now)
        if isinstance(said, Said):
            hear(play, said)
            drain(play)
            if play.state.scores is not state.scores and not play.state.items and not play.state.over:
                end.judge(play)
        play.state = play.state.but(now=play.t)
        return Step(play.state, tuple(play.events), tuple(play.refusals), play.checkpoint)

    def openings(self, state: State) -> tuple[Opening, ...]:
        """Every phrase that would be accepted now; the newest windows first."""
        if state.over:
            return ()
        found: list[Opening] = []
        for item in reversed(state.items):
            found.extend(item.openings(state))
        if all(item.soft for item in state.items) and state.sequence in ("", "tour", "defi", "sloubi"):
            found.extend(turn.openings(state if not state.items else _as_if_closed(state)))
        found.extend(turn.aside_openings(state))
        found.extend(_early(state))
        if state.standing:
            found.append(Opening(cries.GRAINES, frozenset(state.standing)))
        if state.begun and len(state.alive) > 1:
            found.append(Opening(cries.DES_DE_JOUEURS))
        if state.rules.aquitaine:
            found.extend((Opening(cries.GORGEES), Opening(cries.ON_ARRETE)))
        reports = desk.REPORTS if state.begun else (*desk.REPORTS, *desk.SETTING_UP)
        found.extend(Opening(phrase) for phrase in reports)
        return tuple(found)

    def deadline(self, state: State) -> float | None:
        """When the next window closes by itself."""
        return min((item.until for item in state.items if item.until is not None), default=None)

    def summary(self, state: State) -> Summary:
        """Scores, tokens, who throws next, and how the game stands."""
        return Summary(
            scores=dict(state.scores),
            turn=_throws_next(state),
            phase=_phase(state),
            tokens={player: state.bags[player].names() for player in state.players},
            over=state.over,
            winners=state.winners,
        )


def _first_scores(table: Table) -> dict[str, int]:
    """Scores to begin with; a team has one, given for any of its members (CDC-285). Raises ValueError in French."""
    scores = {player: table.scores.get(player, 0) for player in table.players}
    for team in table.teams:
        given = {table.scores[player] for player in team if player in table.scores}
        if len(given) > 1:
            raise ValueError(f"L'équipe {' et '.join(team)} n'a qu'un score : donnez le même à tous ses joueurs.")
        scores.update(dict.fromkeys(team, given.pop() if given else 0))
    for player, points in scores.items():
        _check_score(player, points, table)
    return scores


def _check_score(player: str, points: int, table: Table) -> None:
    """A score that a game can go on from (CDC-009, CDC-018). Raises ValueError in French."""
    if points >= GOAL and table.settings.get("aquitaine") != "true":
        raise ValueError(f"{player} a déjà gagné avec {points} points : donnez un score de moins de {GOAL}.")
    if points < 0 and table.settings.get("negative") == "false":
        raise ValueError(f"{player} ne peut pas avoir {points} points : enlevez negative=false, ou donnez 0 ou plus.")


# --- time ------------------------------------------------------------------------------------------------------------


def advance(play: Play, t: float) -> None:
    """Close, in order, every window whose time is up at `t`."""
    while not play.state.over:
        due = [item for item in play.state.items if item.until is not None and item.until <= t]
        if not due:
            return
        item = min(due, key=lambda item: item.until or 0.0)
        play.t = max(play.t, item.until or 0.0)
        item.close(play)
        drain(play)


def drain(play: Play) -> None:
    """Let casts take effect, give early cries to the windows that opened, end the sequence when nothing is open."""
    while not play.state.over:
        if play.rules.get("end.check") == "immediate" and end.reached(play) and end.win(play):
            play.casts.clear()
        elif play.casts and play.state.early and combinations.silent(play, play.casts[0]):
            _judge_early(play)
        elif play.casts:
            combinations.take_effect(play, play.casts.pop(0))
        elif play.state.early and not rolling(play.state):
            _judge_early(play)
        elif play.state.sequence and not play.state.items:
            end.end_sequence(play)
        else:
            return


def rolling(state: State) -> bool:
    """Whether dice are on their way (CDC-014)."""
    return any(isinstance(item, Roll | Sirop) and item.rolling for item in state.items)


def _judge_early(play: Play) -> None:
    """Préventives: good if what they awaited has come, else a Bévue (CDC-014, D-68)."""
    waiting = play.state.early
    play.state = play.state.but(early=())
    for said in waiting:
        if not any(item.hear(play, said) for item in reversed(play.state.items)):
            play.fault(said, "preventive_ratee", "CDC-014")


# --- words -----------------------------------------------------------------------------------------------------------


def hear(play: Play, said: Said) -> None:
    """Give a phrase to whatever it concerns; what concerns nothing is out of place."""
    if play.state.over:
        play.refuse(said, "partie_finie", "CDC-018")
        return
    in_play = play.rules.plays(said.phrase)
    if in_play and any(item.hear(play, said) for item in reversed(play.state.items)):
        return
    handler = desk.HANDLERS.get(said.phrase)
    if handler is not None and in_play and handler(play, said):
        return
    if _early_cry(play, said) or turn.aside(play, said) or _moves_on(play, said):
        return
    _out_of_place(play, said)


def _early_cry(play: Play, said: Said) -> bool:
    """A cry while the dice roll waits for them."""
    early = said.phrase in cries.EARLY and play.rules.plays(said.phrase) and said.speaker in play.state.alive
    if not early or not play.rules.on("preventive") or not rolling(play.state):
        return False
    play.state = play.state.but(early=(*play.state.early, said))
    return True


def _moves_on(play: Play, said: Said) -> bool:
    """Words that begin the next sequence: close the windows first, if the game may go on."""
    if said.phrase == cries.CHANTE_SLOUBI and play.rules.plays(said.phrase):
        return _newcomer(play, said)
    if play.state.items:
        if not all(item.soft for item in play.state.items):
            return _waiting(play, said)
        if not _begins(play, said):
            return _waiting(play, said) or (said.phrase in turn.MOVES_ON and turn.between(play, said))
        if said.phrase not in cries.DICE and any(isinstance(item, LastRace) for item in play.state.items):
            play.refuse(said, "attends", "CDC-036", phase=_phase(play.state))
            return True
        close_windows(play)
        if play.state.over:
            play.refuse(said, "partie_finie", "CDC-018")
            return True
        if play.state.items:
            if not any(item.hear(play, said) for item in reversed(play.state.items)):
                play.refuse(said, "attends", "CDC-007", phase=_phase(play.state))
            return True
    return turn.between(play, said)


def _begins(play: Play, said: Said) -> bool:
    """Whether these words may close what is open: the next throw, a challenge, the Tichette that is due."""
    if play.state.ticheur is not None and said.phrase in cries.TICHETTE:
        return True
    return said.phrase in turn.MOVES_ON and play.rules.plays(said.phrase) and turn.allowed(play, said)


def _waiting(play: Play, said: Said) -> bool:
    """Dice that come while something else must be settled first, or from the wrong hand."""
    if said.phrase not in cries.DICE:
        return False
    if all(item.soft for item in play.state.items):
        play.fault(said, "pas_ton_tour", "CDC-272", attendu=play.state.upcoming)
    else:
        play.refuse(said, "attends", "CDC-007", phase=_phase(play.state))
    return True


def _newcomer(play: Play, said: Said) -> bool:
    """Somebody wants to enter: only when a turn has ended (CDC-275)."""
    why = newcomer.why_not(play, said)
    if why is not None:
        play.refuse(said, *why, joueur=said.slots.get("joueur") or said.speaker)
        return True
    if not any(isinstance(item, LastRace) for item in play.state.items):
        close_windows(play)
    if play.state.items or play.state.sequence or play.state.over:
        play.refuse(said, "sloubi_fin_de_tour", "CDC-275")
        return True
    taken = newcomer.cried(play, said)
    play.checkpoint = bool(play.state.sequence)
    return taken


def close_windows(play: Play) -> None:
    """The next throw ends every window that was open (D-11, D-16…)."""
    while play.state.items and all(item.soft for item in play.state.items):
        play.state.items[0].close(play)
        drain(play)


def _out_of_place(play: Play, said: Said) -> None:
    """Nothing awaits these words: free when late or harmless, else a Bévue where the table is strict (D-70)."""
    if said.phrase in play.state.late:
        play.refuse(said, "trop_tard")
    elif said.phrase in HARMLESS:
        return
    elif said.phrase == cries.SANS_FIN:
        play.fault(said, "bretonnes", "CDC-040")
    elif cries.is_cry(said.phrase):
        reason = "hors_fenetre" if play.rules.plays(said.phrase) else "hors_niveau"
        play.fault(said, reason, "CDC-271")
    else:
        play.refuse(said, "rien_a_rapporter")


# --- what shows ------------------------------------------------------------------------------------------------------


def _as_if_closed(state: State) -> State:
    """The state as it will be for the next thrower, to show what he may already say."""
    return state.but(turn=state.upcoming)


def _early(state: State) -> Iterable[Opening]:
    """Préventives (CDC-014)."""
    if not rolling(state) or not state.rules.on("preventive"):
        return ()
    who = frozenset(state.alive)
    return (Opening(phrase, who) for phrase in cries.EARLY if state.rules.plays(phrase))


def _throws_next(state: State) -> str | None:
    """Who throws next: of the throw that is awaited, else of the next turn."""
    if state.over:
        return None
    for item in state.items:
        if isinstance(item, Roll | Sirop):
            return item.player
    return state.upcoming


PHASES = {
    "Roll": "lancer",
    "Sirop": "sirop",
    "Relances": "relances",
    "Claims": "defi",
    "Staking": "mise",
    "Challenge": "tichette",
    "DiceDuel": "des",
    "Singing": "sloubi",
}


def _phase(state: State) -> str:
    """One word for what is going on."""
    if state.over:
        return "fin"
    for item in state.items:
        if not item.soft:
            return PHASES.get(type(item).__name__, "question")
    return "fenetres" if state.items else "entre_deux_tours"
