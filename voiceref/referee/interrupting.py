"""What players may say while the referee speaks: that it is to stop."""

from __future__ import annotations

from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.graph import WordGraph, word_graph
from voiceref.phrases.slots import Context

STOP = "stop"


def interruptions() -> WordGraph:
    """The words that stop the referee, for an ear that is closed to everything else."""
    orders = catalogues.load([catalogues.grammar_folder() / catalogues.TABLE_FILE])
    stops = tuple(name for name, phrase in orders.phrases.items() if phrase.command == STOP)
    return word_graph(orders, Context(), stops)
