"""Which voice speaks: Pico where it is, else the system's French voice, else none, and then it is said on screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from voiceref.voice.synthesis import PicoVoice, SilentVoice, Synthesiser, VoiceError
from voiceref.voice.system_voice import SystemVoice

PICO = "pico"
SYSTEM = "système"
SILENCE = "silence"


@dataclass(frozen=True)
class OpenedVoice:
    """A voice that works, and what must be said on screen when it is not the one that was asked for."""

    voice: Synthesiser
    warning: str | None = None


def open_voice(
    wanted: str | None = None,
    pico: Callable[[], Synthesiser] = PicoVoice,
    system: Callable[[str | None], Synthesiser] = SystemVoice,
) -> OpenedVoice:
    """The voice called `wanted`: `pico`, `silence`, `système` or a pyttsx3 voice by id or name; None for the best.

    Always gives a voice. One that was asked for and does not work is replaced, with a warning (B59, B61).
    """
    if wanted == SILENCE:
        return OpenedVoice(SilentVoice())
    troubles: list[str] = []
    for make in _attempts(wanted, pico, system):
        try:
            voice = make()
        except VoiceError as error:
            troubles.append(str(error))
            continue
        asked_in_vain = troubles and wanted is not None
        return OpenedVoice(voice, f"{troubles[0]} La voix est maintenant : {voice.name}." if asked_in_vain else None)
    return OpenedVoice(SilentVoice(), f"{troubles[-1]} L'arbitre écrit ses phrases à l'écran.")


def _attempts(
    wanted: str | None, pico: Callable[[], Synthesiser], system: Callable[[str | None], Synthesiser]
) -> tuple[Callable[[], Synthesiser], ...]:
    if wanted in (None, PICO):
        return (pico, lambda: system(None))
    if wanted in (SYSTEM, "systeme"):
        return (lambda: system(None), pico)
    return (lambda: system(wanted), pico, lambda: system(None))
