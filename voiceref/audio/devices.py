"""The sound devices of this machine through PortAudio, found by name; imported only when a device is wanted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Protocol

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
        and wanted in (device.name, f"{device.name} @ {device.host}")
    ]
    if len(fits) == 1:
        return fits[0]
    if fits:
        choices = " ou ".join(f"« {known[i].name} @ {known[i].host} »" for i in fits)
        raise AudioError(f"Plusieurs appareils s'appellent « {wanted} » : précisez {choices}.")
    raise AudioError(f"Aucun appareil ({kind}) ne s'appelle « {wanted} » : « voiceref devices » les montre tous.")


class PortAudioInput:
    """A microphone through PortAudio at its own rate (the ear resamples)."""

    def __init__(self, name: str | None = None, channels: int = 1) -> None:
        """`name` None is the system's default input. Raises AudioError when there is none."""
        sd = portaudio()
        self._name = name
        try:
            index = None if name is None else find(devices(), name, "micro")
            info = sd.query_devices(index, "input")
        except (sd.PortAudioError, ValueError) as error:
            raise AudioError(
                "Aucun micro n'est branché : branchez-en un, ou donnez un fichier avec « --input »."
            ) from error
        self.rate = round(info["default_samplerate"])
        self.channels = min(channels, int(info["max_input_channels"]))

    def open(self, deliver: Deliver) -> Stream:
        sd = portaudio()

        def callback(data: Samples, _frames: int, time: object, status: object) -> None:
            first = float(getattr(time, "inputBufferAdcTime", 0.0))
            deliver(np.array(data, np.float32), first, bool(getattr(status, "input_overflow", False)))

        try:
            index = None if self._name is None else find(devices(), self._name, "micro")
            stream = sd.InputStream(
                samplerate=self.rate, channels=self.channels, device=index, dtype="float32", callback=callback
            )
            stream.start()
        except (sd.PortAudioError, ValueError) as error:
            raise AudioError("Le micro ne s'ouvre pas : vérifiez qu'il est branché et autorisé.") from error
        return _OpenInput(stream, self.rate)


class _OpenInput:
    """A running PortAudio input stream."""

    def __init__(self, stream: object, rate: int) -> None:
        self._stream = stream
        self.rate = rate

    def close(self) -> None:
        self._stream.abort()  # type: ignore[attr-defined]
        self._stream.close()  # type: ignore[attr-defined]
