"""The open ear of Cachamot and Casque Chèque Chat on people: `python benchmarks/open_ear.py` prints what README quotes.

A trial is one recorded word (or expression) and one secret. Half the trials seek the word that was said; the others
another word of the same length or, every second time in Cachamot, a word of the lexicon that sounds almost like it.
The secret, its near words and the phrases of a running glass are what the ear expects; what it makes of the sound goes
through the rules, so that « right » is a round won. `alone`: the clip with silence around it; `inside`: between two
other clips of the same speaker without a pause; `talk`: readers who never say the secret, in English, as cut by the
corpus. Test half only. Recordings of lone letters, whose transcripts say more than is spoken, are left out.
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
from ear_material import Clip, Samples, Stream, clips, read

from voiceref import resources
from voiceref.audio.source import EAR_RATE
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
MODES = ("alone", "inside", "talk")
THRESHOLD = 85.0
SAME, NEAR, OTHER = "said", "near", "other"
_EDGE = 0.01
"""Of its loudest sample (amplitude): quieter edges of a clip are silence and cut off before splicing."""


@dataclass(frozen=True)
class Trial:
    """A recording, what is said in it ("" when that is not known), and the secret that the ear is ready for."""

    sound: Samples
    said: str
    secret: str
    kind: str

    @property
    def same(self) -> bool:
        """Whether the secret was said."""
        return self.kind == SAME


def trials(game: Game, chosen: list[Clip], count: int, mode: str) -> Iterator[Trial]:
    """`count` trials, every other one with a secret that was not said; always the same ones."""
    rng = random.Random(f"{mode} {len(chosen)}")
    order = chosen[:]
    rng.shuffle(order)
    for place in range(count):
        clip = order[place % len(order)]
        said = _word(clip)
        others = [other for other in chosen if other.folder == clip.folder and not game.same(_word(other), said)]
        rng.shuffle(others)
        kind = SAME if place % 2 == 0 else (NEAR if place % 4 == 1 and game.name == "cachamot" else OTHER)
        like = [other for other in others if abs(len(_word(other)) - len(said)) <= 1] or others
        near = game.near(said) if kind == NEAR else ()
        secret = said if kind == SAME else rng.choice(near) if near else _word(like[0])
        parts = [_trimmed(clip.samples())]
        if mode == "inside":
            apart = [other for other in others if not game.same(_word(other), secret)]
            parts = [_trimmed(apart[0].samples()), *parts, _trimmed(apart[1].samples())]
        yield Trial(_between_silence(parts), said, secret, kind if near or kind == SAME else OTHER)


def talk(chosen: list[Clip], readers: Path) -> Iterator[Trial]:
    """Each reader once, with a secret of the clips that nobody says."""
    rng = random.Random(len(chosen))
    for path in sorted(readers.glob("*.flac")):
        yield Trial(_between_silence([read(path)]), "", _word(rng.choice(chosen)), OTHER)


def _between_silence(parts: list[Samples]) -> Samples:
    return np.concatenate([np.zeros(12_800, np.float32), *parts, np.zeros(16_000, np.float32)])


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
        aids = tongue.aids(("sounds_alike", "near"))
        self.sounds_alike, self._near = aids["sounds_alike"], aids["near"]

    def near(self, word: str) -> list[str]:
        """Words that sound almost like `word` and are not right for it."""
        return [other for other in self._near(word) if not self.same(other, word)]

    def same(self, said: str, secret: str) -> bool:
        """Whether `said` is right where `secret` is sought."""
        if self.name == "casque-cheque-chat":
            return best_likeness(said, (secret,)) >= THRESHOLD
        return judge(said, secret, (), False, self.sounds_alike).right

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
        self.context = Context(PLAYERS, words=game.words(state), sought=game.sought(state))
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
            return self.same(text, secret)
        heard = understood(str(found.slots.get("mot", "")), text)
        return heard is not None and self.same(heard.word, secret)


def run(game: Game, todo: list[Trial], sensitivity: Sensitivity) -> Counter[str]:
    """Counts of each kind of trial, of those taken for the secret (`said won`, …), and of the reasons of misses."""
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
        count_of[trial.kind] += 1
        if place in won:
            count_of[f"{trial.kind} won"] += 1
        elif trial.same:
            count_of[f"missed: {why.get(place, 'rien entendu')}"] += 1
    return count_of


def main() -> None:
    root = Path(__file__).resolve().parents[1]
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--speech", type=Path, default=root / "../shared/speech_fr")
    parser.add_argument("--readers", type=Path, default=root / "../shared/speech_unlabelled")
    parser.add_argument("--trials", type=int, default=250, help="of each mode; talk has one for each reader")
    parser.add_argument("--game", choices=("cachamot", "casque-cheque-chat"), default="cachamot")
    parser.add_argument("--mode", choices=MODES, action="append")
    parser.add_argument("--sensitivity", type=Sensitivity, default=Sensitivity.NORMAL)
    parser.add_argument("--tuning", action="store_true", help="the tuning half instead, for choices")
    options = parser.parse_args()
    if not (options.speech / "manifest.tsv").is_file():
        raise SystemExit(f"no recordings in {options.speech}: give their folder with --speech")
    game = Game(options.game)
    chosen = material(options.speech, game, options.tuning)
    for mode in options.mode or MODES:
        started = time.process_time()
        found = talk(chosen, options.readers) if mode == "talk" else trials(game, chosen, options.trials, mode)
        todo = list(found)
        _tell(f"{options.game} {mode}", todo, run(game, todo, options.sensitivity))
        print(f"  ({time.process_time() - started:.0f} s of processor time)", flush=True)


def material(speech: Path, game: Game, tuning: bool) -> list[Clip]:
    """The clips of one half that make words (Cachamot) or expressions (Casque Chèque Chat)."""
    every = [clip for clip in clips(speech) if clip.tuning == tuning and clip.folder in FOLDERS]
    plain = [clip for clip in every if len(_word(clip)) > 2 and "lettre" not in _word(clip).split()]
    single = game.name == "cachamot"
    return [clip for clip in plain if (len(_word(clip).split()) == 1) == single]


def _tell(title: str, todo: list[Trial], found: Counter[str]) -> None:
    if found[SAME]:
        missed = ", ".join(f"{name[8:]} {n}" for name, n in sorted(found.items()) if name.startswith("missed"))
        print(f"{title}: right word accepted {found['said won']} of {found[SAME]} (missed because: {missed})")
    for kind, what in ((OTHER, "another word"), (NEAR, "a word that sounds almost like it")):
        if found[kind]:
            print(f"{title}: {what} refused {found[kind] - found[f'{kind} won']} of {found[kind]}")
    print(f"{title}: {sum(len(trial.sound) for trial in todo) / EAR_RATE / 3600:.2f} h of sound", end="")


if __name__ == "__main__":
    main()
