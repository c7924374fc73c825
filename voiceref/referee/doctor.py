"""`voiceref doctor` and `devices`: what works on this machine and what does not, one French line each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from voiceref import resources
from voiceref.audio.source import Samples
from voiceref.board.stream import GuardedStream
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.graph import word_graph
from voiceref.phrases.slots import Context
from voiceref.referee import roster
from voiceref.referee.hearings import MICROPHONE, input_device
from voiceref.referee.outlets import write_line

_MODELS: Mapping[str, tuple[str, ...]] = {
    "fr": ("am/final.mdl", "lexicon.tsv", "first_names.txt"),
    "judge": ("judge.onnx",),
    "voice_print": ("encoder.onnx",),
    "overlap": ("overlap.onnx",),
}

SOUND = frozenset({"micro", "haut-parleur"})
"""What a table needs to hear and to speak, and a game from files does not."""

LISTEN_S = 3.0
"""How long the microphone is listened to for its level."""


class State(Enum):
    """How a part of the referee is."""

    GOOD = "bien"
    POOR = "à voir"
    BAD = "en panne"


@dataclass(frozen=True)
class Finding:
    """One line of the report. `essential`: without it no game can be played by voice at the table."""

    part: str
    state: State
    message: str
    essential: bool = False


@dataclass(frozen=True)
class Micro:
    """The microphone to look at, as `--input` and `--channels` name it."""

    given: str = MICROPHONE
    channels: int | None = None


def examine(players: tuple[str, ...], out: GuardedStream, micro: Micro | None = None) -> int:
    """Print every finding as it is made; 1 when something essential is missing."""
    failed: dict[str, None] = {}
    for finding in findings(players, micro or Micro()):
        write_line(out, f"{finding.part:<12} {finding.state.value:<9} {finding.message}")
        if finding.essential and finding.state is State.BAD:
            failed[finding.part] = None
    write_line(out, _sum(failed))
    return int(bool(failed))


def _sum(failed: Collection[str]) -> str:
    """The last line: whether the referee can play, and what is left to him without a microphone or loudspeakers."""
    if not failed:
        return "L'arbitre peut jouer."
    if set(failed) <= SOUND:
        return f"L'arbitre ne joue que par fichiers ou au clavier ; en panne : {' et '.join(failed)}."
    return "Il manque l'essentiel : voyez ci-dessus."


def findings(players: tuple[str, ...], micro: Micro) -> Iterator[Finding]:
    """Everything that can be wrong, in the order in which sound travels."""
    for part, check, essential in (
        ("micro", lambda: _microphone(players, micro), True),
        ("haut-parleur", _speakers, True),
        ("voix", _voice, False),
        ("modèle", _model, True),
    ):
        yield _checked(part, check, essential)
    yield from _names(players)
    yield _checked("qui crie", lambda: who_is_known(players), False)
    for name, entry in roster.GAMES.items():
        yield from _vocabulary(name, entry.title, players)
    yield _checked("journal", _journal, False)


def devices(out: GuardedStream) -> int:
    """Print every sound device. Raises AudioError without PortAudio."""
    from voiceref.audio.devices import devices as known

    found = known()
    for device in found:
        ways = [word for word, count in (("micro", device.inputs), ("sortie", device.outputs)) if count]
        write_line(out, f"{device.name} @ {device.host}  ({' et '.join(ways)}, {device.rate} Hz)")
    if not found:
        write_line(out, "Aucun appareil de son n'est branché.")
    return 0 if found else 1


def models(out: GuardedStream) -> int:
    """Print every shipped model file with its size, and where it comes from; 1 when one is missing."""
    folder = resources.models()
    missing = 0
    for part, needed in _MODELS.items():
        for name in needed:
            path = folder / part / name
            there = path.is_file()
            missing += not there
            size = f"{path.stat().st_size / 1e6:.1f} Mo" if there else "absent"
            write_line(out, f"{path}  {size}")
        origin = folder / part / "ORIGIN.md"
        if origin.is_file():
            write_line(out, f"  origine et licence : {origin}")
    return int(missing > 0)


def _checked(part: str, check: Callable[[], tuple[State, str]], essential: bool) -> Finding:
    """One check; whatever it raises is bad news, told by its own French sentence where it is ours."""
    try:
        state, message = check()
    except Exception as error:
        ours = type(error).__module__.split(".")[0] == "voiceref"
        state, message = State.BAD, str(error) if ours else f"{type(error).__name__} : {error}"
    return Finding(part, state, message, essential)


def _microphone(players: tuple[str, ...], micro: Micro) -> tuple[State, str]:
    import numpy as np

    from voiceref.audio.microphone import MicrophoneSource
    from voiceref.audio.source import Block

    device = input_device(micro.given, players, micro.channels)
    source = MicrophoneSource(device)
    heard = []
    for block in source.blocks():
        if isinstance(block, Block):
            heard.append(block.samples)
        if source.now() > LISTEN_S:
            source.close()
    state, told = levels_told(np.concatenate(heard), source.rate)
    return state, f"{told} ; {setup(players, device.channels, device.there)}"


def levels_told(sound: Samples, rate: int) -> tuple[State, str]:
    """How loud each channel of (n, channels) is; of several, the first that is not well is named."""
    from voiceref.audio.levels import measure

    each = [measure(channel, rate) for channel in sound.T]
    poor = [number for number, level in enumerate(each) if level.silent or level.clipped > 0.001]
    number = poor[0] if poor else int(max(range(len(each)), key=lambda k: -each[k].peak_db))
    which = f"canal {number + 1} : " if poor and len(each) > 1 else ""
    peaks = ", ".join(f"{level.peak_db:.0f}" for level in each)
    return State.POOR if poor else State.GOOD, f"{which}{each[number].advice} (pointe {peaks} dB, {rate} Hz)"


def setup(players: tuple[str, ...], opened: int, there: int) -> str:
    """How many channels are used of those that are `there`, and as what."""
    count = f"{opened} {'canal' if opened == 1 else 'canaux'} sur {there}"
    if opened == 1:
        each = there > 1 and (there >= len(players) if players else True)
        wanted = len(players) or there
        hint = f" (un micro par joueur : ajoutez « --channels {wanted} »)" if each and wanted > 1 else ""
        return f"{count}, un micro pour tous{hint}"
    if len(players) == opened:
        return f"{count}, un micro par joueur dans cet ordre : {', '.join(players)}"
    return f"{count}, une paire ou un réseau de micros pour tous"


def _speakers() -> tuple[State, str]:
    from voiceref.audio.speakers import SpeakerPlayer

    player = SpeakerPlayer(lambda seconds: seconds)
    player.close()
    return State.GOOD, f"ouvert à {player.rate} Hz"


def _voice() -> tuple[State, str]:
    from voiceref.voice.voices import open_voice

    opened = open_voice()
    sound = opened.voice.speak("Bonjour, c'est l'arbitre.")
    opened.voice.close()
    if not len(sound.samples):
        return State.POOR, opened.warning or "L'arbitre écrit ses phrases à l'écran."
    return State.GOOD, f"{opened.voice.name} ({sound.seconds:.1f} s de parole d'essai)"


def _model() -> tuple[State, str]:
    import numpy as np

    from voiceref.audio.source import Block, ListSource
    from voiceref.ear.opening import EarModels, open_ear, second_opinion
    from voiceref.ear.word_graph import PhraseList

    models = EarModels(resources.models())
    open_ear(ListSource([Block(0, np.zeros((16_000, 1), np.float32), 16_000)]), models).close()
    second = second_opinion(models, models.lexicon())(PhraseList.of([("essai", "oui")]))
    second.hear(np.zeros(16_000, np.float32))
    second.close()
    return State.GOOD, str(models.folder)


def _names(players: tuple[str, ...]) -> Iterator[Finding]:
    """How each name will be listened for, where that is only a guess."""
    from voiceref.ear.opening import EarModels
    from voiceref.ear.vocabulary import audit_words
    from voiceref.phrases.normalise import tokens

    if not players:
        return
    try:
        words = [token.text for name in players for token in tokens(name)]
        found = audit_words(words, EarModels(resources.models()).lexicon())
    except Exception as error:
        yield Finding("noms", State.BAD, str(error))
        return
    for finding in found:
        yield Finding("noms", State.BAD if finding.grave else State.POOR, finding.message)
    if not found:
        yield Finding("noms", State.GOOD, "tous les noms sont au lexique")


def who_is_known(players: tuple[str, ...]) -> tuple[State, str]:
    """How the referee will know who cried on one microphone. Raises ProfileError for a broken profile."""
    from voiceref.referee import voices
    from voiceref.table import find

    known = voices.profiles().names()
    strangers = [name for name in players if find(known, name) is None]
    if known and not strangers:
        voices.listeners()
        named = ", ".join(players or known)
        channels = next((count for count in (3, 2) if voices.places().load(players or known, count)), 1)
        array = f" ; avec {channels} micros, par les voix et la direction" if channels > 1 else ""
        return State.GOOD, f"avec un seul micro, par les voix apprises{array} : {named}"
    missing = ",".join(strangers or ["A", "B"])
    return (
        State.POOR,
        f"avec un seul micro, l'arbitre demandera « Qui ? » : lancez « voiceref enroll --players {missing} »",
    )


def _vocabulary(name: str, title: str, players: tuple[str, ...]) -> Iterator[Finding]:
    """Whether every phrase of a game can be heard; words without any sound are named."""
    from voiceref.ear.opening import EarModels
    from voiceref.ear.vocabulary import audit_words

    try:
        catalogue = catalogues.load(name)
        graph = word_graph(catalogue, Context(players), catalogue.phrases)
        lexicon = EarModels(resources.models()).lexicon()
        for word, spoken in graph.says.items():
            lexicon.override(word, spoken)
        found = audit_words(graph.words, lexicon)
    except Exception as error:
        yield Finding("phrases", State.BAD, f"{title} : {error}", essential=True)
        return
    deaf = [finding.message for finding in found if finding.grave]
    for message in deaf:
        yield Finding("phrases", State.BAD, f"{title} : {message}", essential=True)
    if not deaf:
        count, guessed = len(set(graph.finals.values())), len(found)
        message = f"{title} : les {count} phrases peuvent être entendues ({guessed} mots prononcés par règle)"
        yield Finding("phrases", State.GOOD, message)


def _journal() -> tuple[State, str]:
    from voiceref.referee.play import games_folder

    folder = games_folder()
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / ".essai"
    probe.write_bytes(b"")
    probe.unlink()
    return State.GOOD, f"les parties sont gardées dans {folder}"
