"""A text stream that never stops the game: closed, or unable to show a letter, it loses that text only (B73)."""

from __future__ import annotations

from typing import TextIO

_SIMPLER = str.maketrans({"−": "-", "→": "->", "’": "'", "\u202f": " ", "œ": "oe", "Œ": "Oe"})


class GuardedStream:
    """What `print`, the plain board and rich need of a file, over a stream that may be closed, strict or absent."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._fault: OSError | None = None

    @property
    def full(self) -> bool:
        """Whether text was lost for want of room; a reader that left (a closed pipe) wanted no more of it."""
        return self._fault is not None and not isinstance(self._fault, BrokenPipeError)

    @property
    def encoding(self) -> str:
        return getattr(self._stream, "encoding", None) or "utf-8"

    @property
    def shows_everything(self) -> bool:
        """Whether every letter can be written."""
        return self.encoding.lower().replace("-", "").startswith("utf")

    def write(self, text: str) -> int:
        """Write what can be written; letters unknown to the encoding become simpler ones, or « ? »."""
        if self._stream is None:
            return len(text)
        try:
            self._stream.write(self._writable(text))
        except (OSError, ValueError) as error:
            self._lose(error)
        return len(text)

    def flush(self) -> None:
        if self._stream is None:
            return
        try:
            self._stream.flush()
        except (OSError, ValueError) as error:
            self._lose(error)

    def isatty(self) -> bool:
        try:
            return self._stream is not None and self._stream.isatty()
        except ValueError:
            return False

    def fileno(self) -> int:
        """Raises OSError when there is no stream any more."""
        if self._stream is None:
            raise OSError("no stream")
        return self._stream.fileno()

    def _lose(self, error: OSError | ValueError) -> None:
        self._stream = None
        self._fault = error if isinstance(error, OSError) else None

    def _writable(self, text: str) -> str:
        try:
            text.encode(self.encoding)
        except UnicodeEncodeError:
            return text.translate(_SIMPLER).encode(self.encoding, "replace").decode(self.encoding)
        return text
