"""Where the recipe keeps its work: everything below one folder, nothing in the repository but the finished models."""

from __future__ import annotations

import os
from pathlib import Path

HERE = Path(__file__).resolve().parent
MODELS = HERE.parent
WORK = Path(os.environ.get("VOICEREF_RECIPE", HERE.parents[1] / "build" / "ear")).resolve()
SOURCES = WORK / "sources"
KOKORO = SOURCES / "kokoro"
WHISPER = SOURCES / "whisper-base" / "model.bin"
KOREAN = SOURCES / "ko" / "am" / "final.mdl"
SPEECH = WORK / "speech"  # synthetic speech, in shards
STATES = WORK / "states"  # what the judge's frozen layers make of varied speech
TARGETS = WORK / "targets"  # what the judge thinks of varied speech, for the student
CHECKPOINTS = WORK / "checkpoints"
OUT = WORK / "out"
