"""Which voice speaks, and what is told when it is not the one asked for."""

from collections.abc import Callable

import pytest

from voiceref.voice.synthesis import NORMAL, Manner, SilentVoice, Sound, Synthesiser, VoiceError
from voiceref.voice.voices import open_voice


class Named(SilentVoice):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def speak(self, text: str, manner: Manner = NORMAL) -> Sound:
        return super().speak(text, manner)


def pico() -> Synthesiser:
    return Named("pico")


def no_pico() -> Synthesiser:
    raise VoiceError("Pico manque.")


def system(wanted: str | None) -> Synthesiser:
    if wanted not in (None, "Hortense"):
        raise VoiceError(f"La voix « {wanted} » n'existe pas ici.")
    return Named(wanted or "système")


def no_system(wanted: str | None) -> Synthesiser:
    raise VoiceError("Aucune voix française.")


@pytest.mark.parametrize(
    ("wanted", "pico_voice", "system_voice", "name", "warning"),
    [
        (None, pico, system, "pico", None),
        (None, no_pico, system, "système", None),
        (None, no_pico, no_system, "silence", "Aucune voix française. L'arbitre écrit ses phrases à l'écran."),
        ("pico", no_pico, system, "système", "Pico manque. La voix est maintenant : système."),
        ("système", pico, system, "système", None),
        ("Hortense", pico, system, "Hortense", None),
        ("zz", pico, system, "pico", "La voix « zz » n'existe pas ici. La voix est maintenant : pico."),
        ("silence", no_pico, no_system, "silence", None),
    ],
)
def test_choice(
    wanted: str | None,
    pico_voice: Callable[[], Synthesiser],
    system_voice: Callable[[str | None], Synthesiser],
    name: str,
    warning: str | None,
) -> None:
    opened = open_voice(wanted, pico_voice, system_voice)
    assert (opened.voice.name, opened.warning) == (name, warning)
