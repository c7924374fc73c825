"""`voiceref race`: who shouted first in a recording, in which order, and whether the referee may say so."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from voiceref import resources
from voiceref.audio.resampling import resample
from voiceref.audio.source import EAR_RATE, Block, ListSource, Samples, Trouble
from voiceref.audio.wave_file import read_wave
from voiceref.board.stream import GuardedStream
from voiceref.ear.hypothesis import Hypothesis
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.graph import word_graph
from voiceref.phrases.slots import Context
from voiceref.race.attribution import SURE
from voiceref.race.channels import own_onsets
from voiceref.race.knocks import UNCERTAINTY_S, Knock, near
from voiceref.race.picture import picture
from voiceref.race.verdict import Claim, Verdict, judge
from voiceref.referee import voices
from voiceref.referee.doubts import DOUBTFUL
from voiceref.referee.enrolling import cuts_of
from voiceref.referee.outlets import write_line
from voiceref.referee.ownership import owned
from voiceref.referee.voices import KnownVoices
from voiceref.table import fold

SHORTEST_S = 0.3
TIE_EACH_S = 0.05
"""With one microphone each, one in ten measured closer than this stands in the wrong order (`verdict.before`)."""
TIE_ONE_S = 0.3
"""On one microphone, voices nearer than this are not told apart (who_was_first, section 3)."""
TIE_ARRAY_S = 0.05
"""Onsets of separate cries at an array, nearer than this, are not told apart."""
_LIKELY = 0.25
"""In a recording of one race, a phrase that the ear finds this probable was shouted: voices drown each other."""
_BLOCK = EAR_RATE // 50


class RaceError(Exception):
    """A race that cannot be judged; one French sentence with the remedy."""


@dataclass(frozen=True)
class Asked:
    """What `voiceref race` was asked: `phrase` is an id of a game or of `phrases`; `tie_ms` None: as measured.

    `picture`: where to draw the race, as SVG.
    """

    file: Path
    phrase: str | None = None
    phrases: Path | None = None
    players: tuple[str, ...] = ()
    tie_ms: int | None = None
    json: bool = False
    picture: Path | None = None


def race(asked: Asked, out: GuardedStream, err: GuardedStream) -> int:
    """Judge a recording and print the verdict. Raises RaceError, AudioError or PhraseFileError."""
    if asked.tie_ms is not None and asked.tie_ms < 0:
        raise RaceError(f"« --tie {asked.tie_ms} » : il faut zéro ou plus, en millisecondes.")
    if asked.picture is not None and asked.picture.suffix.lower() != ".svg":
        raise RaceError(f"Le dessin {asked.picture} sera du SVG : donnez-lui un nom qui finit par « .svg ».")
    sound, rate = read_wave(asked.file)
    samples = resample(sound, rate, EAR_RATE)
    if len(samples) < SHORTEST_S * EAR_RATE:
        seconds = f"{len(samples) / EAR_RATE:.2f}".replace(".", ",")
        raise RaceError(f"Le fichier {asked.file} est trop court ({seconds} s) : il faut au moins 0,3 s.")
    wanted = _wanted(asked)
    verdict, tie = _verdict(asked, samples, wanted, err)
    if asked.picture is not None:
        _draw(asked.picture, picture(samples, verdict, tie))
    beside = near(samples, [claim.onset for claim in verdict.order])
    for line in _as_json(verdict, beside, out) if asked.json else _as_text(verdict, beside):
        write_line(out, line)
    return 0


def _draw(path: Path, drawing: str) -> None:
    try:
        path.write_text(drawing, encoding="utf-8")
    except OSError as error:
        raise RaceError(
            f"Le dessin {path} ne peut pas être écrit : choisissez un fichier d'un dossier à vous."
        ) from error


def _verdict(asked: Asked, samples: Samples, wanted: _Wanted | None, err: GuardedStream) -> tuple[Verdict, float]:
    """The verdict and its tie window in seconds: by channels when there are as
    many as players (or several and no names), else by voices and directions."""
    _check_names(asked.players)
    channels = samples.shape[1]
    names = asked.players or tuple(f"Micro {number}" for number in range(1, channels + 1))
    given = None if asked.tie_ms is None else asked.tie_ms / 1000
    if channels > 1 and len(names) == channels:
        tie = TIE_EACH_S if given is None else given
        return judge(list(_each(samples, names, wanted, err)), tie, SURE), tie
    named = asked.players or voices.profiles().names()
    if channels > 2 and voices.places().load(named, channels) is None:
        players = f"{len(names)} joueur{'s' if len(names) > 1 else ''}"
        raise RaceError(
            f"{asked.file} a {channels} canaux pour {players} : il faut un canal par joueur, un seul, ou "
            "avoir lancé « voiceref enroll » avec ces micros."
        )
    known = voices.known(named, channels)
    if not known.voices:
        raise RaceError("Aucune voix n'est connue : lancez d'abord « voiceref enroll --players A,B,… ».")
    measured = TIE_ONE_S if known.seats is None else TIE_ARRAY_S
    tie = measured if given is None else given
    verdict = judge(list(_shared(samples, known, wanted, err)), tie, SURE)
    return (verdict if len(verdict.order) > 1 else replace(verdict, last=None)), tie


def _check_names(names: tuple[str, ...]) -> None:
    for place, name in enumerate(names):
        if not name:
            raise RaceError("Un nom de joueur est vide : donnez-les par exemple ainsi, --players Ana,Bruno.")
        if any(fold(name) == fold(other) for other in names[:place]):
            raise RaceError(f"Deux joueurs ont le même nom, « {name} » : donnez-leur des noms différents.")


# --- the phrase ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Wanted:
    """The phrases that count, in the catalogue that has them."""

    catalogue: Catalogue
    ids: tuple[str, ...]


def _wanted(asked: Asked) -> _Wanted | None:
    """None when any shout counts."""
    if asked.phrases is not None:
        catalogue = catalogues.load(asked.phrases)
        if asked.phrase is None:
            return _Wanted(catalogue, tuple(catalogue.phrases))
        if asked.phrase not in catalogue.phrases:
            raise RaceError(f"La phrase « {asked.phrase} » n'est pas dans {asked.phrases} : vérifiez son identifiant.")
        return _Wanted(catalogue, (asked.phrase,))
    if asked.phrase is None:
        return None
    for game in catalogues.GAMES:
        catalogue = catalogues.load(game)
        if asked.phrase in catalogue.phrases:
            return _Wanted(catalogue, (asked.phrase,))
    raise RaceError(
        f"La phrase « {asked.phrase} » n'est dans aucun jeu : vérifiez son identifiant, par exemple CDC-P001."
    )


def _heard(
    samples: Samples, players: Iterable[str], wanted: _Wanted | None, err: GuardedStream
) -> Iterator[Hypothesis] | None:
    """Each wanted phrase that was said; None when any shout counts, or no model recognises words (told to `err`)."""
    from voiceref.ear.hearing import EarSettings
    from voiceref.ear.lexicon import LexiconError
    from voiceref.ear.opening import EarModels, listen, open_ear
    from voiceref.ear.posteriors import ModelError

    if wanted is None:
        return None
    settings = EarSettings(microphones=samples.shape[1])
    try:
        ear = open_ear(_source(samples), EarModels(resources.models()), settings, owned)
    except (LexiconError, ModelError) as error:
        write_line(err, f"{error} Les paroles ne sont pas vérifiées : chaque cri compte.")
        return None
    graph = word_graph(wanted.catalogue, Context(tuple(players)), wanted.ids)
    return (said for said in listen(ear, graph) if said.phrase in wanted.ids and _counts(said))


def _source(samples: Samples) -> ListSource:
    blocks: list[Block | Trouble] = [
        Block(start, samples[start : start + _BLOCK], EAR_RATE) for start in range(0, len(samples), _BLOCK)
    ]
    return ListSource(blocks)


def _counts(said: Hypothesis) -> bool:
    return said.accepted or (said.score >= _LIKELY and said.reason in DOUBTFUL)


# --- one microphone each ---------------------------------------------------------------------------------------------


def _each(samples: Samples, players: tuple[str, ...], wanted: _Wanted | None, err: GuardedStream) -> Iterator[Claim]:
    """The shouts of the players, each on his own channel."""
    heard = _heard(samples, players, wanted, err)
    if heard is None:
        for channel, onset in enumerate(own_onsets(samples)):
            if onset is not None:
                yield Claim(players[channel], onset.t, onset.uncertainty, channel=channel)
        return
    for said in heard:
        if said.channel is not None and said.uncertainty is not None:
            name = players[said.channel]
            yield Claim(name, said.onset, said.uncertainty, channel=said.channel, phrase=said.phrase)


# --- one microphone or an array for all ------------------------------------------------------------------------------


class Place(NamedTuple):
    """Where a shout lies in a recording, in seconds."""

    start: float
    end: float
    phrase: str | None = None


def _shared(samples: Samples, known: KnownVoices, wanted: _Wanted | None, err: GuardedStream) -> Iterator[Claim]:
    """The shouts, each named by the voice that begins it; voices at once are one shout, the first's or a tie."""
    mono = samples.mean(axis=1, dtype=np.float32)
    heard = _heard(mono[:, None], known.voices, wanted, err)
    if heard is None:
        found = [Place(cut.utterance.start, cut.utterance.end) for cut, _ in cuts_of(_source(samples))]
    else:
        found = [Place(said.onset, said.utterance.end, said.phrase) for said in heard]
    for start, end, phrase in found:
        onset = voices.rise(mono, start)
        guess = known.guess(samples[: round(end * EAR_RATE)], onset.t)
        player, confidence, together = (
            (None, 0.0, 0.0) if guess is None else (guess.sure, guess.confidence, guess.together)
        )
        yield Claim(player, onset.t, onset.uncertainty, confidence, phrase=phrase, together=together)


# --- the verdict in words --------------------------------------------------------------------------------------------

_REASONS = {
    "net": "L'ordre est net.",
    "egalite": "Égalité.",
    "qui_a_crie": "Qui a crié ?",
    "personne": "Personne n'a crié.",
}


def _as_json(verdict: Verdict, beside: Sequence[Knock], out: GuardedStream) -> Iterator[str]:
    """A line for each clap or hit near the cries, which decide nothing, then the verdict."""
    for knock in beside:
        yield json.dumps({"type": "knock", "t": round(knock.t, 4), "uncertainty": UNCERTAINTY_S})
    content = {
        "type": "verdict",
        "phrase": next((claim.phrase for claim in verdict.order), None),
        "order": [
            {
                "player": claim.player,
                "onset": round(claim.onset, 4),
                "uncertainty": round(claim.uncertainty, 4),
                "channel": None if claim.channel is None else claim.channel + 1,
            }
            for claim in verdict.order
        ],
        "first": verdict.first,
        "last": verdict.last,
        "ties": [list(group) for group in verdict.ties],
        "confidence": round(verdict.confidence, 3),
        "reason": verdict.reason,
    }
    yield json.dumps(content, ensure_ascii=not out.shows_everything)


def _as_text(verdict: Verdict, beside: Sequence[Knock]) -> Iterator[str]:
    for place, claim in enumerate(verdict.order, 1):
        onset, margin = f"{claim.onset:.3f}".replace(".", ","), round(claim.uncertainty * 1000)
        yield f"{place}. {claim.player or '?'} à {onset} s (± {margin} ms)"
    for knock in beside:
        yield f"Coup (main ou table) à {knock.t:.3f} s, noté sans compter.".replace(".", ",", 1)
    yield _REASONS[verdict.reason]
    if verdict.first is not None:
        yield f"Premier : {verdict.first}. Sûr à {round(verdict.confidence * 100)} %."
