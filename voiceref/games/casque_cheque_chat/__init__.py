"""The rules of Casque Chèque Chat: two teams, slates on the line, one expression to say aloud."""

from voiceref.games.casque_cheque_chat.game import SCHEMA, CasqueChequeChat

__all__ = ["SCHEMA", "CasqueChequeChat"]
