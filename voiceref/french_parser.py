"""An argument parser whose help and complaints are French."""

from __future__ import annotations

import argparse
import re
from typing import Any, NoReturn

WRONG_USE = 2
"""Exit code of a command that was typed wrongly."""


class FrenchParser(argparse.ArgumentParser):
    """An argument parser that helps and complains in French, a complaint in one sentence."""

    def __init__(self, **options: Any) -> None:
        super().__init__(add_help=False, **options)
        self.add_argument("-h", "--help", action="help", help="montrer cette aide")

    def error(self, message: str) -> NoReturn:
        self.exit(WRONG_USE, f"{_in_french(message)} Voyez « {self.prog} --help ».\n")


_FRENCH = (
    (r"the following arguments are required: (.*)", r"Il manque : \1."),
    (r"unrecognized arguments: (.*)", r"Argument inconnu : \1."),
    (r"argument (.*): expected (?:one|at least one) argument", r"Il manque une valeur après \1."),
    (r"argument (.*): invalid choice: (.*) \(choose from (.*)\)", r"\2 n'est pas possible ici ; choisissez : \3."),
    (r"argument (.*): invalid int value: (.*)", r"\1 : \2 n'est pas un nombre."),
    (r"ambiguous option: (.*) could match (.*)", r"\1 peut être : \2."),
)


def _in_french(message: str) -> str:
    for pattern, french in _FRENCH:
        if re.fullmatch(pattern, message):
            return re.sub(pattern, french, message)
    return f"Commande incomprise : {message}."
