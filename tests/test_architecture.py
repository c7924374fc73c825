"""The rooms' arrows point one way: cli -> referee -> {ear, phrases, race, games, voice, board} -> audio (design)."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent / "voiceref"
MAY_IMPORT: dict[str, set[str]] = {
    "": set(),
    "__main__": {"cli"},
    "cli": {"", "referee", "table", "board", "ending", "french_parser"},
    "french_parser": set(),
    "ending": set(),
    "referee": {"", "table", "resources", "ear", "phrases", "race", "games", "voice", "board", "audio"},
    "table": {"games"},
    "resources": set(),
    "ear": {"audio"},
    "phrases": {"audio"},
    "race": {"audio"},
    "voice": {"audio"},
    "board": {"audio"},
    "games": set(),
    "audio": set(),
}
"""Each room, and which others of ours it may import; "" is the package itself, which names its version."""

# fmt: off
IMPURE = frozenset({
    "asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "socket", "subprocess", "sys",
    "threading", "time",
})
# fmt: on
"""What the rules may not know: files, clocks, threads and chance."""


def imported(source: str, module: str) -> set[str]:
    """Every module that `source` imports, at its head or inside a function, with relative imports resolved against
    the dotted name `module` of the file (packages end in `.__init__`)."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            found |= {f"{base}.{name.name}" for name in node.names}
    return found


def modules() -> dict[str, str]:
    """Dotted names of our modules, with their text."""
    return {
        ".".join(("voiceref", *path.relative_to(ROOT).with_suffix("").parts)): path.read_text(encoding="utf-8")
        for path in sorted(ROOT.rglob("*.py"))
    }


def room(dotted: str) -> str:
    """The room of `voiceref.room.module.name`; "" where a name is taken from the package itself."""
    second = (dotted.split(".") + [""])[1]
    return second if second in MAY_IMPORT else ""


def broken(source: str, module: str) -> list[str]:
    """The imports of `source` that go against the arrows."""
    here = room(module)
    ours = (name for name in imported(source, module) if name.split(".")[0] == "voiceref")
    return sorted(name for name in ours if room(name) != here and room(name) not in MAY_IMPORT[here])


def test_every_room_is_known() -> None:
    rooms = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert rooms - {"__init__"} == set(MAY_IMPORT) - {""}


@pytest.mark.parametrize("module", modules())
def test_imports_follow_the_arrows(module: str) -> None:
    assert broken(modules()[module], module) == []


def test_rules_know_no_files_no_clock_and_no_chance() -> None:
    heads = {
        (module, name.split(".")[0])
        for module, source in modules().items()
        if room(module) == "games"
        for name in imported(source, module)
    }
    assert {(module, head) for module, head in heads if head in IMPURE} == set()


@pytest.mark.parametrize(
    ("module", "source", "bad"),
    [
        ("voiceref.ear.judge", "from voiceref.phrases import matcher", ["voiceref.phrases.matcher"]),
        ("voiceref.ear.judge", "def f():\n    import voiceref.race.onset", ["voiceref.race.onset"]),
        ("voiceref.ear.judge", "from ..board import view", ["voiceref.board.view"]),
        ("voiceref.games.cachamot.game", "from voiceref.audio.levels import x", ["voiceref.audio.levels.x"]),
        ("voiceref.audio.levels", "from voiceref.ear.hypothesis import Word", ["voiceref.ear.hypothesis.Word"]),
        ("voiceref.voice.spoken", "from voiceref.referee import desk", ["voiceref.referee.desk"]),
        ("voiceref.ear.judge", "from . import search\nfrom voiceref.audio import levels", []),
        ("voiceref.ear.__init__", "from . import search", []),
    ],
)
def test_an_import_against_the_arrows_is_found(module: str, source: str, bad: list[str]) -> None:
    assert broken(source, module) == bad
