"""The open ear of Cachamot and Casque Chèque Chat on people: `python benchmarks/open_ear.py` prints what README quotes.

A trial is one recorded word (or expression) and one secret. Half the trials seek the word that was said, half another
word of the same length. The secret, its near words and the phrases of a running glass are what the ear expects; what it
makes of the sound goes through the rules, so that « right » is a round won. `alone`: the clip with silence around it;
`inside`: between two other clips of the same speaker without a pause. Test half only.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from ear_material import Clip, Samples, Stream, clips

from voiceref import resources
from voiceref.ear.decision import Sensitivity
from voiceref.ear.hearing import AudioHearing, EarSettings
from voiceref.ear.hypothesis import Hypothesis
from voiceref.ear.opening import EarModels, open_ear
from voiceref.games import words
from voiceref.games.cachamot.answers import judge, understood
from voiceref.games.casque_cheque_chat.guess import best_likeness
from voiceref.games.engine import Said, Secret, Table
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.graph import word_graph
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.slots import Context
from voiceref.referee import roster, tongue
from voiceref.referee.hearings import meanings

FOLDERS = ("gcompris_voices", "tuxpaint_stamps", "ktuberling")
PLAYERS = ("Ana", "Bruno", "Chloé", "David")
MODES = ("alone", "inside")
THRESHOLD = 85.0
_EDGE = 0.01
"""Of its loudest sample (amplitude): quieter edges of a clip are silence and cut off before splicing."""


@dataclass(frozen=True)
class Trial:
    """A recording, what is said in it, and the secret that the ear is ready for."""

    sound: Samples
    said: str
    secret: str

    @property
    def same(self) -> bool:
        """Whether the secret was said."""
        return self.said == self.secret


def trials(chosen: list[Clip], count: int, mode: str) -> Iterator[Trial]:
    """`count` trials, every other one with a secret that was not said; always the same ones."""
    rng = random.Random(f"{mode} {len(chosen)}")
    order = chosen[:]
    rng.shuffle(order)
    for place in range(count):
        clip = order[place % len(order)]
        others = [other for other in chosen if other.folder == clip.folder and _word(other) != _word(clip)]
        rng.shuffle(others)
        said = _word(clip)
        like = [other for other in others if abs(len(_word(other)) - len(said)) <= 1] or others
        secret = said if place % 2 == 0 else _word(like[0])
        parts = [_trimmed(clip.samples())]
        if mode == "inside":
            apart = [other for other in others if _word(other) != secret]
            parts = [_trimmed(apart[0].samples()), *parts, _trimmed(apart[1].samples())]
        silence = np.zeros(12_800, np.float32)
        yield Trial(np.concatenate([silence, *parts, silence, np.zeros(3_200, np.float32)]), said, secret)


def _word(clip: Clip) -> str:
    return words.bare(clip.text)


def _trimmed(sound: Samples) -> Samples:
    loud = np.flatnonzero(np.abs(sound) > _EDGE * np.abs(sound).max())
    return sound[loud[0] : loud[-1] + 1]


class Game:
    """What a game expects while its secret is sought, and whether what was heard wins."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.entry = roster.GAMES[name]
        folder = resources.grammars()
        file = f"{name.replace('-', '_')}.toml"
        self.catalogue = catalogues.load([folder / file, folder / "table.toml"])
        self.sounds_alike = tongue.aids(("sounds_alike",))["sounds_alike"]

    def expect(self, ear: AudioHearing, secret: str) -> None:
        """Make the ear ready for `secret`, as the session does while a glass runs or clues are given."""
        game = self.entry.load()
        state = game.start(Table(PLAYERS)).state
        state = game.reduce(state, Secret(1.0, secret, ())).state
        opener = (
            Said(2.0, "Ana", "CACH-Q005", {}, "Sablier !")
            if self.name == "cachamot"
            else Said(2.0, None, "CCC-Q004", {"equipe": "bleu"}, "Ardoise bleue")
        )
        state = game.reduce(state, opener).state
        self.context = Context(PLAYERS, words=game.words(state))
        self.legal = tuple(opening.phrase for opening in game.openings(state))
        wanted = (*self.legal, *self.catalogue.commands())
        phrases = self.catalogue.phrases
        names = tuple(name for name, phrase in phrases.items() if name in wanted or not phrase.has_slots)
        meaning = meanings(self.catalogue, self.context, self.legal)
        ear.expect(word_graph(self.catalogue, self.context, names), wanted, meaning)

    def wins(self, text: str, secret: str) -> bool:
        """Whether the rules take `text` for the secret."""
        found = match(text, self.catalogue, self.context, self.legal)
        if not isinstance(found, Match):
            return False
        if self.name == "casque-cheque-chat":
            return best_likeness(text, (secret,)) >= THRESHOLD
        heard = understood(str(found.slots.get("mot", "")), text)
        return heard is not None and judge(heard.word, secret, (), False, self.sounds_alike).right


def run(game: Game, chosen: list[Clip], count: int, mode: str, sensitivity: Sensitivity) -> Counter[str]:
    """Counts of `said`, `accepted`, `other`, `refused`, `taken` (for the secret), and of the reasons of misses."""
    todo = list(trials(chosen, count, mode))
    ear: AudioHearing | None = None

    def sounds() -> Iterator[Samples]:
        for trial in todo:
            assert ear is not None
            game.expect(ear, trial.secret)
            yield trial.sound

    stream = Stream(sounds())
    ear = open_ear(stream, EarModels(resources.models()), EarSettings(sensitivity=sensitivity))
    won: set[int] = set()
    why: dict[int, str] = {}
    for event in ear.events():
        if not isinstance(event, Hypothesis):
            continue
        place = stream.playing
        if not event.accepted:
            why.setdefault(place, event.reason)
        elif game.wins(event.text, todo[place].secret):
            won.add(place)
        else:
            why[place] = "autre mot"
    count_of: Counter[str] = Counter()
    for place, trial in enumerate(todo):
        if trial.same:
            count_of["said"] += 1
            count_of["accepted" if place in won else f"missed: {why.get(place, 'rien entendu')}"] += 1
        else:
            count_of["other"] += 1
            count_of["taken" if place in won else "refused"] += 1
    return count_of


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, default=root / "../shared/speech_fr")
    parser.add_argument("--trials", type=int, default=250, help="of each mode")
    parser.add_argument("--game", choices=("cachamot", "casque-cheque-chat"), default="cachamot")
    parser.add_argument("--mode", choices=MODES, action="append")
    parser.add_argument("--sensitivity", type=Sensitivity, default=Sensitivity.NORMAL)
    parser.add_argument("--tuning", action="store_true", help="the tuning half instead, for choices")
    options = parser.parse_args()
    if not (options.speech / "manifest.tsv").is_file():
        raise SystemExit(f"no recordings in {options.speech}: give their folder with --speech")
    every = [clip for clip in clips(options.speech) if clip.tuning == options.tuning and clip.folder in FOLDERS]
    single = options.game == "cachamot"
    chosen = [c for c in every if (n := len(_word(c).split())) and len(_word(c)) > 2 and (n == 1 if single else n >= 2)]
    for mode in options.mode or MODES:
        started = time.process_time()
        found = run(Game(options.game), chosen, options.trials, mode, options.sensitivity)
        print(f"{options.game} {mode}: right word accepted {found['accepted']} of {found['said']},", end=" ")
        print(f"another word refused {found['refused']} of {found['other']};", end=" ")
        missed = ", ".join(f"{name[8:]} {n}" for name, n in sorted(found.items()) if name.startswith("missed"))
        print(f"missed because: {missed} ({time.process_time() - started:.0f} s of processor time)", flush=True)


if __name__ == "__main__":
    main()
