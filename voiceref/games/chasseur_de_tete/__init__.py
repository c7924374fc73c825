"""The rules of Chasseur de tête: one guesses a job from characters, all win or lose together."""

from voiceref.games.chasseur_de_tete.game import SCHEMA, ChasseurDeTete

__all__ = ["SCHEMA", "ChasseurDeTete"]
