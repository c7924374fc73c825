"""The sound devices of this machine through PortAudio, found by name; imported only when a device is wanted."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from threading import Lock
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from voiceref.audio.source import AudioError, Samples

Deliver = Callable[[Samples, float, bool], None]
"""What an open input calls: samples (n, channels), stream time of the first one in seconds, whether some were lost."""


class Stream(Protocol):
    """An open input; samples arrive through the Deliver it was opened with."""

    @property
    def rate(self) -> int: ...

    def close(self) -> None: ...


class InputDevice(Protocol):
    """Something that can be opened (again and again) for capture."""

    @property
    def rate(self) -> int: ...

    @property
    def channels(self) -> int: ...

    def open(self, deliver: Deliver) -> Stream:
        """Raises AudioError when the device is not there now."""


@dataclass(frozen=True)
class DeviceInfo:
    """A device as people know it: its name and host interface; numbers change after a replug."""

    name: str
    host: str
    inputs: int
    outputs: int
    rate: int


def portaudio() -> ModuleType:
    """The sounddevice module. Raises AudioError when PortAudio is not installed."""
    try:
        import sounddevice
    except (OSError, ImportError) as error:
        raise AudioError(
            "La bibliothèque PortAudio manque, donc ni micro ni haut-parleurs : installez-la "
            "(Debian et Ubuntu : « apt install libportaudio2 »), ou utilisez des fichiers WAV."
        ) from error
    module: ModuleType = sounddevice
    return module


class Output(Protocol):
    """A loudspeaker that is open, as the sound system sees it."""

    @property
    def sounding(self) -> bool:
        """Whether something is to be heard from it now."""

    def cut(self) -> None:
        """Let the stream go; it is opened again when there is something to play."""


class SoundSystem:
    """PortAudio in this process. It reads the list of devices once, as it starts, and what is plugged in later is not
    there for it until it is started anew; that ends every stream, so it is done between sentences only.
    """

    def __init__(self) -> None:
        self._outputs: list[Output] = []
        self._lock = Lock()

    def join(self, output: Output) -> None:
        """Remember a loudspeaker that is open."""
        with self._lock:
            self._outputs.append(output)

    def leave(self, output: Output) -> None:
        """Forget it; harmless when it is not known."""
        with self._lock:
            self._outputs = [known for known in self._outputs if known is not output]

    def look_again(self) -> bool:
        """Start PortAudio anew to see what is plugged in now; no input may be open. False while somebody speaks."""
        with self._lock:
            if any(output.sounding for output in self._outputs):
                return False
            outputs, self._outputs = self._outputs, []
            for output in outputs:
                output.cut()
            sd = portaudio()
            sd._terminate()
            sd._initialize()
            return True


@cache
def sound_system() -> SoundSystem:
    """The one of this process, as there is one PortAudio."""
    return SoundSystem()


def devices() -> tuple[DeviceInfo, ...]:
    """Every device with its host interface. Raises AudioError without PortAudio."""
    sd = portaudio()
    hosts = [host["name"] for host in sd.query_hostapis()]
    return tuple(
        DeviceInfo(
            device["name"],
            hosts[device["hostapi"]],
            int(device["max_input_channels"]),
            int(device["max_output_channels"]),
            round(device["default_samplerate"]),
        )
        for device in sd.query_devices()
    )


def find(known: tuple[DeviceInfo, ...], wanted: str, kind: str) -> int:
    """Index of the one device whose « name » or « name @ host » is `wanted`. `kind` is "micro" or "sortie".

    Raises AudioError when none or several fit: the wrong microphone is never taken in silence.
    """
    fits = [
        index
        for index, device in enumerate(known)
        if (device.inputs if kind == "micro" else device.outputs) > 0
        and _folded(wanted) in (_folded(device.name), _folded(f"{device.name} @ {device.host}"))
    ]
    if len(fits) == 1:
        return fits[0]
    if fits:
        choices = " ou ".join(f"« {known[i].name} @ {known[i].host} »" for i in fits)
        raise AudioError(f"Plusieurs appareils s'appellent « {wanted} » : précisez {choices}.")
    raise AudioError(f"Aucun appareil ({kind}) ne s'appelle « {wanted} » : « voiceref devices » les montre tous.")


def started(make: Callable[[], Any], shut: str) -> Any:
    """The PortAudio stream that `make` gives, running. Raises AudioError(`shut`) and leaves nothing open."""
    sd = portaudio()
    try:
        stream = make()
    except (sd.PortAudioError, ValueError) as error:
        raise AudioError(shut) from error
    try:
        stream.start()
    except sd.PortAudioError as error:
        stream.close()
        raise AudioError(shut) from error
    return stream


def _folded(name: str) -> str:
    """One form for all the ways to write a name: macOS decomposes its accents."""
    return unicodedata.normalize("NFC", name).casefold().strip()


_SHUT = "Le micro ne s'ouvre pas : vérifiez qu'il est branché et autorisé."


class PortAudioInput:
    """A microphone through PortAudio at its own rate (the ear resamples)."""

    def __init__(self, name: str | None = None, channels: Callable[[int], int] = lambda there: 1) -> None:
        """`name` None is the system's default input; `channels` says how many to open of those that are there.

        Raises AudioError when there is no such microphone, or it has fewer channels than that.
        """
        sd = portaudio()
        self._name = name
        self._opened: _OpenInput | None = None
        try:
            index = None if name is None else find(devices(), name, "micro")
            info = sd.query_devices(index, "input")
        except (sd.PortAudioError, ValueError) as error:
            raise AudioError(
                "Aucun micro n'est branché : branchez-en un, ou donnez un fichier avec « --input »."
            ) from error
        self.rate = round(info["default_samplerate"])
        self.there = int(info["max_input_channels"])
        """How many channels the device has."""
        self.channels = channels(self.there)
        if self.channels > self.there:
            raise AudioError(
                f"Le micro « {info['name']} » n'a que {self.there} {'canal' if self.there == 1 else 'canaux'}, pas "
                f"{self.channels} : branchez une interface qui les a, ou changez « --channels »."
            )

    def open(self, deliver: Deliver) -> Stream:
        """Open it; once more after a failure, in the list of devices as it is then. It must be closed before."""
        sd = portaudio()
        if self._opened is not None and self._opened.closed:
            sound_system().look_again()

        def callback(data: Samples, _frames: int, time: object, status: object) -> None:
            first = float(getattr(time, "inputBufferAdcTime", 0.0))
            deliver(np.array(data, np.float32), first, bool(getattr(status, "input_overflow", False)))

        def made() -> Any:
            index = None if self._name is None else find(devices(), self._name, "micro")
            return sd.InputStream(
                samplerate=self.rate, channels=self.channels, device=index, dtype="float32", callback=callback
            )

        self._opened = _OpenInput(started(made, _SHUT), self.rate)
        return self._opened


class _OpenInput:
    """A running PortAudio input stream."""

    def __init__(self, stream: Any, rate: int) -> None:
        self._stream = stream
        self.rate = rate
        self.closed = False
        """Whether the driver has really let it go: some never return."""

    def close(self) -> None:
        self._stream.abort()
        self._stream.close()
        self.closed = True
