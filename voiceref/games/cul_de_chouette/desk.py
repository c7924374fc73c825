"""What is said to the referee at any moment: Bévues, corrections, who stands up, how the table is set."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from voiceref.games.cul_de_chouette import cries, settings
from voiceref.games.cul_de_chouette.play import Play
from voiceref.games.cul_de_chouette.race import FirstRace, LastRace, dice_of_players
from voiceref.games.cul_de_chouette.values import OPTION_S
from voiceref.games.engine import Said


def bevue(play: Play, said: Said) -> bool:
    """« Bévue, Bruno ! » costs the points without confirmation (CDC-017, CDC-271, D-70)."""
    named = said.slots.get("joueur")
    if play.rules.get("bevue.mode") == "off":
        play.refuse(said, "bevue_hors_jeu", "CDC-017")
    elif named not in play.state.alive:
        play.refuse(said, "cible_impossible", "CDC-271", cible=named)
    else:
        play.checkpoint = True
        play.bevue(str(named), "annoncee")
    return True


def take_back_bevue(play: Play, said: Said) -> bool:
    """« Annule la Bévue » (CDC-271)."""
    last = play.state.last_bevue
    if last is None:
        play.refuse(said, "aucune_bevue", "CDC-271")
        return True
    play.checkpoint = True
    player, deltas = last
    scores = {p: s - deltas.get(p, 0) for p, s in play.state.scores.items()}
    play.state = play.state.but(scores=scores, last_bevue=None)
    play.undone("CDC-271", "bevue_annulee", {p: -d for p, d in deltas.items()}, joueur=player)
    return True


def correct(play: Play, said: Said) -> bool:
    """« Ajoute dix points à Bob »: the scribe's correction, by hand and so without floor (CDC-016)."""
    named, points = said.slots.get("joueur"), said.slots.get("points")
    if named not in play.state.scores or not isinstance(points, int):
        play.refuse(said, "cible_impossible", "CDC-016", cible=named)
        return True
    play.checkpoint = True
    player = str(named)
    change = points if said.slots.get("signe") == "ajoute" else -points
    if not play.rules.negative:
        change = max(change, -play.state.scores[player])
    team = play.rules.team(player)
    deltas = {member: change for member in team if change}
    scores = {p: s + deltas.get(p, 0) for p, s in play.state.scores.items()}
    play.state = play.state.but(scores=scores)
    play.undone("CDC-016", "correction", deltas, joueur=player, points=change)
    return True


def stand(play: Play, said: Said) -> bool:
    """« Bob se lève », « Bob se rassoit »: without « Je ne mange pas de graines ! » a Bévue (CDC-270)."""
    player = str(said.slots.get("joueur") or said.speaker)
    if not play.rules.plays(cries.GRAINES) or player not in play.state.scores:
        return True
    standing = dict(play.state.standing)
    if said.slots.get("action") == "leve":
        standing[player] = False
        play.tell("CDC-270", "debout", joueur=player)
    elif player in standing and not standing.pop(player):
        play.tell("CDC-270", "graines_oubliees", joueur=player)
        if play.rules.strict:
            play.bevue(player, "graines")
    play.state = play.state.but(standing=standing)
    return True


def seeds(play: Play, said: Said) -> bool:
    """« Je ne mange pas de graines ! » by one who stands (CDC-270)."""
    if said.speaker is None or said.speaker not in play.state.standing:
        return False
    play.state = play.state.but(standing={**play.state.standing, said.speaker: True})
    play.tell("CDC-270", "graines", joueur=said.speaker)
    return True


def youngest(play: Play, said: Said) -> bool:
    """« Le plus jeune, c'est Carole », told once and kept (CDC-049)."""
    named = said.slots.get("joueur")
    if named not in play.state.players:
        return False
    play.state = play.state.but(youngest=str(named))
    play.tell("CDC-049", "plus_jeune", joueur=named)
    return True


def gesture(play: Play, said: Said) -> bool:
    """« Il n'a pas tapé ! »: gestures are taken on trust, or a contested cry is struck out (D-13)."""
    named = said.slots.get("joueur")
    if play.rules.get("gesture.required") != "contest":
        play.refuse(said, "geste_sur_parole", "CDC-036")
        return True
    for item in reversed(play.state.items):
        if isinstance(item, FirstRace | LastRace) and item.heard:
            culprit = str(named) if named is not None else item.heard[-1].player
            if any(cry.player == culprit for cry in item.heard):
                heard = tuple(cry for cry in item.heard if cry.player != culprit)
                until = item.until if heard or isinstance(item, LastRace) else play.t + OPTION_S
                play.swap(item, replace(item, heard=heard, until=until))
                play.tell("CDC-036", "geste_manquant", joueur=culprit)
                return True
    play.refuse(said, "rien_a_contester", "CDC-036")
    return True


def sips(play: Play, said: Said) -> bool:
    """« Deux pour Bruno, une pour Chloé »: who drinks what was won, no more than that and not oneself (CDC-290)."""
    given, due = said.slots.get("gorgees"), play.state.to_give
    if not play.rules.aquitaine or not isinstance(given, tuple):
        return False
    total = sum(number for number, _ in given)
    giver = said.speaker if said.speaker in due else next(iter(due)) if len(due) == 1 else None
    if not due:
        play.refuse(said, "attends" if play.state.items else "gorgees_aucune", "CDC-290")
    elif giver is None:
        play.refuse(said, "gorgees_de_qui", "CDC-290", joueurs=tuple(due))
    elif giver in (name for _, name in given):
        play.refuse(said, "gorgees_a_soi", "CDC-290", joueur=giver)
    elif total > due[giver]:
        play.refuse(said, "gorgees_trop", "CDC-290", joueur=giver, gorgees=due[giver], unite=play.rules.unit)
    elif said.slots.get("total") not in (None, total):
        play.refuse(said, "gorgees_compte", "CDC-290", joueur=giver, gorgees=total)
    else:
        _give(play, giver, given)
    return True


def _give(play: Play, giver: str, given: tuple[tuple[int, str], ...]) -> None:
    """Who drinks, and what is left to give."""
    due = dict(play.state.to_give)
    left = due.pop(giver) - sum(number for number, _ in given)
    play.checkpoint = True
    play.state = play.state.but(to_give={**due, giver: left} if left else due)
    for number, name in given:
        play.tell("CDC-290", "gorgees_recues", joueur=name, gorgees=number, unite=play.rules.unit)
    if left:
        play.tell("CDC-290", "gorgees_restent", joueur=giver, gorgees=left, unite=play.rules.unit)


def set_rules(play: Play, said: Said) -> bool:
    """Level, negative scores, Aquitaine and the strictness of Bévues, before the first throw (CDC-008, 009, 017)."""
    state = play.state
    if state.begun:
        play.refuse(said, "partie_commencee", "CDC-008")
        return True
    level, changed = state.rules.level, dict(state.rules.settings)
    if isinstance(said.slots.get("niveau"), int):
        level = int(str(said.slots["niveau"]))
    if said.slots.get("negatifs") is not None:
        changed["negative"] = "true" if said.slots["negatifs"] in (True, "true", "avec", "oui") else "false"
    if said.slots.get("aquitaine"):
        changed["aquitaine"] = "true"
    agreed = said.slots.get("bevue")
    if agreed is not None:
        changed["bevue.mode"] = str(agreed)
    rules = settings.rules(level, changed, state.rules.teams, len(state.players))
    play.state = state.but(rules=rules)
    play.checkpoint = True
    if agreed is not None:
        play.tell("CDC-017", f"bevues_{agreed}")
    else:
        play.tell("CDC-008", "regles", niveau=level, negatifs=rules.negative, aquitaine=rules.aquitaine)
    return True


def seat(play: Play, said: Said) -> bool:
    """« Dans l'ordre, vers la droite : Anne, Bob, Carole » (CDC-004): the same players in another order."""
    named = said.slots.get("joueurs")
    names = tuple(str(name) for name in named) if isinstance(named, tuple) else ()
    if play.state.begun:
        play.refuse(said, "partie_commencee", "CDC-004")
    elif sorted(names) != sorted(play.state.players):
        play.refuse(said, "autres_joueurs", "CDC-002", joueurs=play.state.players)
    else:
        turn = play.state.turn if play.state.starter else names[0]
        play.state = play.state.but(players=names, turn=turn)
        play.checkpoint = True
        play.tell("CDC-004", "ordre", joueurs=names)
    return True


def team_up(play: Play, said: Said) -> bool:
    """« Anne et Carole sont ensemble » before the first throw (CDC-285): one score, so theirs must be the same."""
    named = said.slots.get("joueurs")
    names = tuple(str(name) for name in named) if isinstance(named, tuple) else ()
    state = play.state
    if state.begun:
        play.refuse(said, "partie_commencee", "CDC-285")
    elif len(names) < 2 or not set(names) <= set(state.players):
        play.refuse(said, "autres_joueurs", "CDC-285", joueurs=state.players)
    elif len({state.scores[name] for name in names}) > 1:
        play.refuse(said, "scores_differents", "CDC-285", joueurs=names)
    else:
        old = (tuple(p for p in team if p not in names) for team in state.rules.teams)
        teams = (*(team for team in old if team), names)
        rules = settings.rules(state.rules.level, state.rules.settings, teams, len(state.players))
        play.state = state.but(rules=rules)
        play.checkpoint = True
        play.tell("CDC-285", "equipe", joueurs=names)
    return True


def dispute(play: Play, said: Said) -> bool:
    """One die each in a dispute: the lowest decides (CDC-016), the king of Excalibur like anybody (CDC-295)."""
    told = dice_of_players(said) or {}
    if len(told) < 2 or not (play.state.begun or play.state.starter):
        return False
    lowest = min(told.values())
    tied = tuple(player for player, face in told.items() if face == lowest)
    if len(tied) > 1:
        play.tell("CDC-016", "des_encore", joueurs=tied)
    else:
        play.tell("CDC-295" if tied[0] == play.state.king else "CDC-016", "decision", joueur=tied[0])
    return True


def stop(play: Play, said: Said) -> bool:
    """« On arrête »: at Aquitaine the game ends when the players like (CDC-301)."""
    if not play.rules.aquitaine:
        return False
    play.checkpoint = True
    play.state = play.state.but(over=True, items=(), sequence="")
    play.tell("CDC-301", "arret")
    return True


HANDLERS: dict[str, Callable[[Play, Said], bool]] = {
    cries.BEVUE: bevue,
    cries.ANNULE_BEVUE: take_back_bevue,
    cries.CORRECTION: correct,
    cries.DEBOUT: stand,
    cries.GRAINES: seeds,
    cries.PLUS_JEUNE: youngest,
    cries.GESTE: gesture,
    cries.GORGEES: sips,
    cries.DES_DE_JOUEURS: dispute,
    cries.ON_ARRETE: stop,
    cries.REGLES: set_rules,
    cries.ON_JOUE: seat,
    cries.ENSEMBLE: team_up,
}
"""Heard after what is open, whatever is going on."""

REPORTS = (
    cries.BEVUE, cries.ANNULE_BEVUE, cries.CORRECTION, cries.DEBOUT, cries.PLUS_JEUNE, cries.GESTE,
)  # fmt: skip
"""Open at any moment, to anyone."""

SETTING_UP = (cries.REGLES, cries.ON_JOUE, cries.ENSEMBLE)
"""Open before the first throw."""
