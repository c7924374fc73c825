"""The rules of Le Cul de chouette, one module a family of the rulebook."""

from voiceref.games.cul_de_chouette.rules import CulDeChouette
from voiceref.games.cul_de_chouette.settings import SCHEMA

__all__ = ["SCHEMA", "CulDeChouette"]
