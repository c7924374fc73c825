"""A stand-in for the `sounddevice` module, with the ways of PortAudio that hurt:

the list of devices is read once at its start (`_initialize`); `_terminate` ends every stream, and touching one of those
afterwards is a crash; a device that is pulled out raises nothing, its callback just is not called any more; times are
given by `inputBufferAdcTime` and `outputBufferDacTime`; flags are attributes of `status`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np


class PortAudioError(Exception):
    """What sounddevice raises."""


@dataclass
class FakePortAudio:
    """`plugged`: names of devices that are there now, with their input and output channels."""

    plugged: dict[str, tuple[int, int]] = field(default_factory=lambda: {"Micro": (1, 0), "HP": (0, 2)})
    rate: float = 48_000.0
    starts: int = 0
    known: dict[str, tuple[int, int]] = field(default_factory=dict)
    streams: list[FakeStream] = field(default_factory=list)
    PortAudioError: type[Exception] = PortAudioError

    def __post_init__(self) -> None:
        self._initialize()

    def _initialize(self) -> None:
        self.known = dict(self.plugged)
        self.starts += 1

    def _terminate(self) -> None:
        for stream in self.streams:
            stream.gone = True
        self.streams.clear()

    def query_hostapis(self) -> list[dict[str, Any]]:
        return [{"name": "ALSA"}]

    def query_devices(self, device: int | None = None, kind: str | None = None) -> Any:
        every = [
            {
                "name": name,
                "hostapi": 0,
                "max_input_channels": ins,
                "max_output_channels": outs,
                "default_samplerate": self.rate,
            }
            for name, (ins, outs) in self.known.items()
        ]
        if kind is None:
            return every
        way = f"max_{kind}_channels"
        fits = [entry for entry in every if entry[way]] if device is None else [every[device]]
        if not fits:
            raise PortAudioError("Error querying device -1")
        return fits[0]

    def InputStream(self, **options: Any) -> FakeStream:  # noqa: N802
        return self._stream("input", **options)

    def OutputStream(self, **options: Any) -> FakeStream:  # noqa: N802
        return self._stream("output", **options)

    def _stream(
        self, kind: str, samplerate: int, channels: int, device: int | None, dtype: str, callback: Callable[..., None]
    ) -> FakeStream:
        assert dtype == "float32"
        if samplerate != self.rate:
            raise PortAudioError("Invalid sample rate [PaErrorCode -9997]")
        name = str(self.query_devices(device, kind)["name"])
        if name not in self.plugged:
            raise PortAudioError("Device unavailable [PaErrorCode -9985]")
        if channels > self.plugged[name][0 if kind == "input" else 1]:
            raise PortAudioError("Invalid number of channels [PaErrorCode -9998]")
        stream = FakeStream(self, name, channels, callback)
        self.streams.append(stream)
        return stream


@dataclass(eq=False)
class FakeStream:
    """An open stream; `run` calls back once, if the device is still plugged in."""

    system: FakePortAudio
    name: str
    channels: int
    callback: Callable[..., None]
    running: bool = False
    gone: bool = False

    def start(self) -> None:
        self._alive()
        self.running = True

    def abort(self) -> None:
        self._alive()
        self.running = False

    def close(self) -> None:
        self._alive()
        self.gone = True
        self.system.streams.remove(self)

    def run(self, stream_time: float, frames: int = 960, overflow: bool = False, sound: Any = None) -> Any:
        """`sound` (frames, channels of the device): what an input hears; the stream gives out those that are open."""
        if not self.running or self.gone or self.name not in self.system.plugged:
            return None
        if sound is None:
            data = np.full((frames, self.channels), 0.1, np.float32)
        else:
            data, frames = sound[:, : self.channels], len(sound)
        times = SimpleNamespace(
            inputBufferAdcTime=stream_time, outputBufferDacTime=stream_time, currentTime=stream_time
        )
        self.callback(data, frames, times, SimpleNamespace(input_overflow=overflow))
        return data

    def _alive(self) -> None:
        if self.gone:
            raise AssertionError("a stream that PortAudio has freed: the real one crashes")
