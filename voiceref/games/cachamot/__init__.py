"""The rules of Cachamot: secret words, two hourglasses, one answer each."""

from voiceref.games.cachamot.game import SCHEMA, Cachamot

__all__ = ["SCHEMA", "Cachamot"]
