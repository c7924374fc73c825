"""Official models: fetched from a local server, resumed, verified, unpacked whole, found by name or path."""

from __future__ import annotations

import hashlib
import io
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from voiceref.ear.official import KNOWN, Official, fetch, find, wanted
from voiceref.ear.posteriors import ModelError

FILES = {"am/final.mdl": b"m" * 5000, "conf/model.conf": b"--beam=10\n", "graph/Gr.fst": b"g" * 200_000}


def archive(around: str = "vosk-model-x/", files: dict[str, bytes] | None = None) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        for name, content in (files or FILES).items():
            packed.writestr(around + name, content)
    return held.getvalue()


class Server(ThreadingHTTPServer):
    """Serves one file; `cut` bytes are sent at most when set, and Range is obeyed when `ranges`."""

    content = b""
    cut: int | None = None
    ranges = True
    asked: list[str | None]


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        wanted_range = self.headers.get("Range")
        self.server.asked.append(wanted_range)
        begin = int(wanted_range.removeprefix("bytes=").rstrip("-")) if wanted_range and self.server.ranges else 0
        body = self.server.content[begin:]
        self.send_response(206 if begin else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: self.server.cut])

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server(("127.0.0.1", 0), Handler)
    running.content, running.asked = archive(), []
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


def model(server: Server, md5: str | None = None) -> Official:
    address = f"http://127.0.0.1:{server.server_port}/model.zip"
    content = server.content
    return Official("vosk-model-x", address, len(content), md5 or hashlib.md5(content).hexdigest())


def test_fetched_with_progress_and_found_by_name_and_path(server: Server, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    folder = fetch(model(server), tmp_path, lambda held, size: seen.append((held, size)))
    assert (folder / "graph/Gr.fst").read_bytes() == FILES["graph/Gr.fst"]
    assert seen[-1] == (len(server.content), len(server.content))
    assert len(seen) > 1
    assert find("vosk-model-x", tmp_path) == folder
    assert find(str(folder), tmp_path / "elsewhere") == folder
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vosk-model-x"]


def test_what_is_there_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    fetch(model(server), tmp_path, lambda held, size: None)
    fetch(model(server), tmp_path, lambda held, size: None)
    assert len(server.asked) == 1


@pytest.mark.parametrize("ranges", [True, False])
def test_a_broken_download_goes_on(server: Server, tmp_path: Path, ranges: bool) -> None:
    server.cut, server.ranges = 70_000, ranges
    with pytest.raises(ModelError):
        fetch(model(server), tmp_path, lambda held, size: None)
    assert (tmp_path / "vosk-model-x.zip.part").stat().st_size == 70_000
    server.cut = None
    fetch(model(server), tmp_path, lambda held, size: None)
    assert server.asked == [None, "bytes=70000-"]
    assert (find("vosk-model-x", tmp_path) / "am/final.mdl").read_bytes() == FILES["am/final.mdl"]


def test_a_wrong_file_is_thrown_away(server: Server, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="MD5"):
        fetch(model(server, "0" * 32), tmp_path, lambda held, size: None)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "content",
    [
        archive("../"),
        archive(files={"README": b"nothing"}),
        b"PK no archive at all",
    ],
)
def test_a_bad_archive_leaves_nothing(server: Server, tmp_path: Path, content: bytes) -> None:
    server.content = content
    with pytest.raises(ModelError):
        fetch(model(server), tmp_path / "home", lambda held, size: None)
    assert not (tmp_path / "home" / "vosk-model-x").exists()
    assert not (tmp_path / "am").exists()


def test_no_server_is_one_sentence(tmp_path: Path) -> None:
    unreachable = Official("vosk-model-x", "http://127.0.0.1:9/model.zip", 10, "0")
    with pytest.raises(ModelError, match="connexion"):
        fetch(unreachable, tmp_path, lambda held, size: None)


def test_names() -> None:
    assert wanted("vosk-model-small-fr-0.22") == KNOWN["vosk-model-small-fr-0.22"]
    with pytest.raises(ModelError, match="vosk-model-small-fr"):
        wanted("vosk-model-klingon")
    with pytest.raises(ModelError, match="voiceref models fetch"):
        find("vosk-model-small-fr-0.22", Path("/nowhere"))
    with pytest.raises(ModelError, match="dossier"):
        find("/nowhere/at/all", Path("/nowhere"))
