"""What a session hears with, and the ear on real sound: source, endpointer, judge, second opinion, decision."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from voiceref.audio.resampling import Resampled
from voiceref.audio.source import EAR_RATE, AudioSource, Block, Samples, Trouble, between
from voiceref.ear.crosstalk import Naming, Own, Ownership, by_level
from voiceref.ear.decision import SPOTTED, Sensitivity, Weights
from voiceref.ear.endpoint import HOP, LAST, QUICK, Cut, Endpointer, EndpointSettings
from voiceref.ear.features import FRAME, MARGIN
from voiceref.ear.finding import Expected, Finder, Finding
from voiceref.ear.hypothesis import Clock, Hypothesis, Utterance, Word
from voiceref.ear.interruption import Interruption
from voiceref.ear.judge import Judge, Meaning, verbatim
from voiceref.ear.network import Network
from voiceref.ear.own_voice import OwnVoice
from voiceref.ear.posteriors import PhoneModel
from voiceref.ear.recogniser import Recogniser
from voiceref.ear.spotting import SPOTTING_THRESHOLDS, Spotted, Spotter, Talk
from voiceref.ear.word_graph import PhraseList, WordGraph

_UNDECIDED = 0.1
"""Seconds that the endpointer may need to see that speech has begun."""
_NETWORKS = 16
"""How many sets of phrases stay ready."""
_KEPT = 9.0
"""Seconds of each channel kept for comparing microphones."""
_SEAM, _OVERLAP = 0.05, 2.0
"""Seconds between two cuts of the same talk at most, and of the first that are looked at again with the second."""
_BEFORE = 0.6
"""Seconds before an utterance that show how loud the room is."""


@dataclass(frozen=True)
class EarSettings:
    """`microphones` > 1: that many channels, one for each player. `tail`: seconds of room after the referee's voice.

    `illegal`: log score that a phrase which is not legal now has to make up for.
    """

    sensitivity: Sensitivity = Sensitivity.NORMAL
    microphones: int = 1
    tail: float = 0.25
    illegal: float = 4.0
    latest: float = 3.0
    endpoint: EndpointSettings = field(default_factory=EndpointSettings)
    weights: Weights = field(default_factory=Weights)


class AudioHearing:
    """The ear on sound. Everything runs in the thread that iterates `events`."""

    def __init__(
        self,
        source: AudioSource,
        judge: Judge,
        phones: PhoneModel,
        second: Callable[[WordGraph], Recogniser] | None = None,
        settings: EarSettings | None = None,
        ownership: Ownership = by_level,
        voices: Naming | None = None,
    ) -> None:
        """`second` makes the recogniser whose opinion is asked in cases of doubt; None: the judge alone.

        `ownership` decides whose shout it was where each player has a microphone; with one microphone or an array for
        all, `voices` names the player whose voice begins it, and times it.
        """
        self._settings = settings or EarSettings()
        self._source = Resampled(source)
        self._judge = judge
        self._phones = phones
        self._finder = Finder(judge, phones, second, self._settings.sensitivity, self._settings.weights)
        self._ownership = ownership
        self._voices = voices
        nothing = PhraseList.of(())
        self._expected = Expected(nothing, 0, Network.compile(nothing, judge.lexicon))
        self._networks: OrderedDict[int, tuple[Network, Talk | None]] = OrderedDict()
        self._spotter = Spotter(judge.lexicon)
        self._searched: tuple[int, float] | None = None
        self._unfinished: dict[int, Cut] = {}
        self.own = OwnVoice(self._settings.tail)
        self._interruption: Interruption | None = None
        count = self._settings.microphones if self._settings.microphones == source.channels else 1
        self._endpointers = [Endpointer(self._settings.endpoint) for _ in range(count)]
        self._past: deque[Block] = deque()
        self._judged: tuple[int, float, Finding] | None = None
        self._told: deque[tuple[str, float, int | None]] = deque(maxlen=8)

    def expect(
        self, graph: WordGraph, legal: Collection[str] | None = None, meaning: Callable[[str], Hashable] | None = None
    ) -> None:
        """From now on listen for `graph`; phrases not in `legal` (None: all are) need to be clearer to be heard.

        `meaning` tells which texts come to the same; without it every text stands for itself.
        """
        costs = {
            phrase: self._settings.illegal
            for phrase in set(graph.finals.values())
            if legal is not None and phrase not in legal
        }
        sense: Meaning = verbatim if meaning is None else lambda reading: meaning(_readable(reading.words))
        before = self._expected
        if graph is not before.graph or costs != before.costs:
            self._judged = self._searched = None
        if graph is before.graph:
            self._expected = replace(before, costs=costs, meaning=sense)
            return
        inside = graph.inside
        key = hash((_shape(graph), None if inside is None else (_shape(inside.sought), _shape(inside.rivals))))
        if key not in self._networks:
            for word, spoken in graph.says.items():
                self._judge.lexicon.override(word, spoken)
            talk = None if inside is None else Talk.of(inside.sought, inside.rivals, self._judge.lexicon)
            self._networks[key] = (Network.compile(graph, self._judge.lexicon), talk)
            while len(self._networks) > _NETWORKS:
                self._networks.popitem(last=False)
        self._networks.move_to_end(key)
        self._expected = Expected(graph, key, *self._networks[key], costs, sense)

    def mute(self, start: float, end: float) -> None:
        """The referee speaks from `start` to `end` seconds; a later call with the same start corrects the end."""
        self.own.mute(start, end)

    def interruptible(self, graph: WordGraph) -> None:
        """While the referee speaks through `own`, the orders of `graph` are heard all the same."""
        settings = self._settings
        self._interruption = Interruption(graph, self._judge, self._phones, self.own, settings.sensitivity)

    def close(self) -> None:
        self._source.close()

    def now(self) -> float:
        """Seconds on the capture clock."""
        return self._source.now()

    def events(self) -> Iterator[Hypothesis | Clock | Trouble]:
        """What is heard, and the watermark in between, until the sound ends or `close`."""
        told = 0.0
        for item in self._source.blocks():
            if isinstance(item, Trouble):
                yield item
                continue
            if len(item.samples):
                yield from self._block(item)
                now = min(self._watermark(channel) for channel in range(len(self._endpointers)))
            else:
                now = item.start / EAR_RATE
            if now >= told + 0.05:
                told = now
                yield Clock(now)
        for channel, endpointer in enumerate(self._endpointers):
            yield from self._cuts(endpointer.finish(), channel)
        yield Clock(max(told, self._source.now()))

    def _watermark(self, channel: int) -> float:
        """Second before which nothing is still to come from a channel, the end of cut talk excepted."""
        watermark = self._endpointers[channel].watermark / EAR_RATE
        before = self._unfinished.get(channel)
        if before is not None:
            end = (before.first + len(before.samples)) / EAR_RATE
            if watermark <= end + _SEAM:
                watermark = min(watermark, end - _OVERLAP)
        return watermark - _UNDECIDED

    def _block(self, block: Block) -> Iterator[Hypothesis]:
        if block.samples.shape[1] > 1:
            self._past.append(block)
            while block.end - self._past[0].start > _KEPT * EAR_RATE:
                self._past.popleft()
        if len(self._endpointers) == 1:
            block = Block(block.start, block.samples.mean(axis=1, keepdims=True, dtype=np.float32), block.rate)
        mono = block.samples.mean(axis=1, dtype=np.float32)
        self.own.hears(block.start, mono)
        heard = not self.own.closed(block.start / EAR_RATE, block.end / EAR_RATE)
        if self._interruption is not None:
            if heard or not self.own.plays_known_sound:
                self._interruption.open()
            else:
                yield from self._interruption.push(block.start, mono, self._endpointers[0].floor)
        for channel, endpointer in enumerate(self._endpointers):
            yield from self._cuts(endpointer.push(block.start, block.samples[:, channel], heard), channel)

    def _cuts(self, cuts: Iterator[Cut], channel: int) -> Iterator[Hypothesis]:
        for cut in cuts:
            hypothesis = self._hear(cut, channel)
            if hypothesis is not None:
                if cut.stage != LAST:
                    self._endpointers[channel].settle()
                yield hypothesis

    def _hear(self, cut: Cut, channel: int) -> Hypothesis | None:
        """The hypothesis to give out now, None to wait for more sound (for good: another microphone owns it)."""
        finding = self._find(cut, channel)
        judgement, decision = finding.judgement, finding.decision
        inside = None if decision.accepted or cut.stage == QUICK else self._inside(cut, channel)
        if cut.stage != LAST and inside is None:
            if not decision.accepted or judgement is None:
                return None
            unsure = judgement.reading.phrase in self._expected.costs
            if (cut.stage == QUICK or unsure) and self._expected.network.continues(judgement.spoken):
                return None
        heard = inside or self._hypothesis(cut, finding)
        if len(self._endpointers) == 1:
            return self._checked(self._named(heard, cut))
        own = self._own(heard, channel)
        if own is None:
            if cut.stage != LAST:
                self._endpointers[channel].settle()
            return None
        onset = max(own.onset, cut.utterance.start - _UNDECIDED)
        return self._checked(replace(heard, onset=onset, uncertainty=own.uncertainty, channel=channel))

    def _named(self, heard: Hypothesis, cut: Cut) -> Hypothesis:
        """With the name of the player whose voice it is, where that can be told."""
        if self._voices is None or not heard.accepted:
            return heard
        first, sound = self._around(cut)
        zero = first / EAR_RATE
        voice = self._voices(sound, heard.onset - zero, heard.phrase)
        onset = max(zero + voice.onset, cut.utterance.start - _UNDECIDED)
        named = replace(heard, speaker=voice.player, onset=onset, uncertainty=voice.uncertainty)
        return replace(named, together=voice.together)

    def _around(self, cut: Cut) -> tuple[int, Samples]:
        """The sound of a cut with every channel, (n, channels), and the capture index of its first sample."""
        if not self._past:
            return cut.first, cut.samples[:, None]
        return between(self._past, cut.first, cut.first + len(cut.samples))

    def _checked(self, heard: Hypothesis) -> Hypothesis | None:
        """Refuse what comes too late or was the referee; drop what was given out before."""
        if heard.accepted and self._source.now() - heard.utterance.end > self._settings.latest:
            return replace(heard, accepted=False, reason="trop_tard")
        if heard.accepted and self.own.covers(heard.onset, heard.utterance.end):
            return replace(heard, accepted=False, reason="voix_arbitre")
        if not heard.accepted:
            return heard
        told = [onset for text, onset, channel in self._told if (text, channel) == (heard.text, heard.channel)]
        if any(abs(onset - heard.onset) < 0.05 for onset in told):
            return None
        self._told.append((heard.text, heard.onset, heard.channel))
        return heard

    def _find(self, cut: Cut, channel: int) -> Finding:
        """What the cut says; remembered while no new speech has come."""
        if self._judged is not None and self._judged[:2] == (channel, cut.utterance.end):
            return self._judged[2]
        found = self._finder.find(cut, self._expected)
        self._judged = (channel, cut.utterance.end, found)
        return found

    def _inside(self, cut: Cut, channel: int) -> Hypothesis | None:
        """What is sought, where the cut holds it among other talk; looked for once while no new speech has come."""
        talk = self._expected.talk
        if talk is None or self._searched == (channel, cut.utterance.end):
            return None
        self._searched = (channel, cut.utterance.end)
        before = self._unfinished.pop(channel, None)
        joined = cut if before is None else _continued(before, cut)
        spotted = self._spotter.spot(self._finder.posteriors(joined), talk)
        if spotted is not None and spotted.score >= SPOTTING_THRESHOLDS[self._settings.sensitivity]:
            return _spotted(joined, spotted)
        self._unfinished[channel] = cut
        return None

    def _own(self, heard: Hypothesis, channel: int) -> Own | None:
        """The shout on the capture clock, or None when another player's microphone owns it."""
        start, end = round((heard.onset - _BEFORE) * EAR_RATE), round(heard.utterance.end * EAR_RATE)
        kept = [block for block in self._past if block.end > start and block.start < end]
        zero = kept[0].start / EAR_RATE
        own = self._ownership(np.concatenate([block.samples for block in kept]), channel, heard.onset - zero)
        return None if own is None else replace(own, onset=zero + own.onset)

    def _hypothesis(self, cut: Cut, finding: Finding) -> Hypothesis:
        utterance = Utterance(finding.start, cut.utterance.end, cut.utterance.level_db)
        judgement, decision = finding.judgement, finding.decision
        if judgement is None:
            return Hypothesis(utterance, utterance.start, "", 0.0, False, decision.reason)
        zero = cut.first / EAR_RATE
        words = tuple(Word(word.text, zero + word.start, zero + word.end) for word in judgement.words)
        spoken = zero + judgement.onset
        near = abs(spoken - utterance.start) < 0.12
        plausible = decision.accepted or decision.reason not in ("autre_parole", "silence")
        runner_up = judgement.runner_up
        return Hypothesis(
            utterance=utterance,
            onset=utterance.start if near else spoken,
            text=_readable(judgement.reading.words) if plausible else "",
            score=decision.score,
            accepted=decision.accepted,
            reason=decision.reason,
            phrase=judgement.reading.phrase if plausible else None,
            words=words if plausible else (),
            runner_up=_readable(runner_up.words) if runner_up else "",
            margin=judgement.evidence.margin / max(judgement.evidence.phones * judgement.evidence.pace, 1.0),
        )


def _continued(before: Cut, cut: Cut) -> Cut:
    """`cut` with the end of the one before it, where talk without a pause was only cut because it was long."""
    if abs(before.first + len(before.samples) - cut.first) > _SEAM * EAR_RATE:
        return cut
    kept = min(len(before.samples) // HOP, round(_OVERLAP * EAR_RATE / HOP))
    return replace(
        cut,
        first=cut.first - kept * HOP,
        samples=np.concatenate([before.samples[-kept * HOP :], cut.samples]),
        excess=np.concatenate([before.excess[-kept:], cut.excess]),
    )


def _spotted(cut: Cut, spotted: Spotted) -> Hypothesis:
    """The sought phrase with its own onset; it ends with the cut, since nothing could be told before."""
    zero = cut.first / EAR_RATE - MARGIN
    words = tuple(Word(text, zero + start * FRAME, zero + end * FRAME) for text, start, end in spotted.words())
    onset = words[0].start
    return Hypothesis(
        utterance=Utterance(onset, cut.utterance.end, cut.utterance.level_db),
        onset=onset,
        text=_readable(spotted.reading.words),
        score=spotted.score,
        accepted=True,
        reason=SPOTTED,
        phrase=spotted.reading.phrase,
        words=words,
    )


def _shape(graph: WordGraph) -> Hashable:
    return tuple(graph.arcs), tuple(sorted(graph.finals.items())), tuple(sorted(graph.says.items()))


def _readable(words: tuple[str, ...]) -> str:
    return " ".join(words).replace("' ", "'")
