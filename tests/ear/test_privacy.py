"""Listening leaves nothing behind: newer onnxruntime releases keep usage reports in the home folder and send them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from voiceref.resources import models

JUDGE = models() / "judge" / "judge.onnx"

LISTEN = """
import sys
from pathlib import Path
import numpy as np
from voiceref.ear.posteriors import OnnxPhones
print(OnnxPhones(Path(sys.argv[1])).posteriors(np.zeros(16000, np.float32)).shape)
"""


@pytest.mark.skipif(not JUDGE.exists(), reason="the judge's network is not here")
def test_the_judge_writes_nothing_into_the_home_folder(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LISTEN, str(JUDGE)]
    done = subprocess.run(command, env=os.environ | {"HOME": str(tmp_path)}, capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith(", 36)")
    assert list(tmp_path.rglob("*")) == []
