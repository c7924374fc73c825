"""`voiceref listen`: no game, just what is heard, with the phrase that it would be."""

from __future__ import annotations

import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from voiceref import resources
from voiceref.audio.source import Trouble
from voiceref.board.stream import GuardedStream
from voiceref.ear.hypothesis import Hypothesis
from voiceref.phrases import catalogue as catalogues
from voiceref.phrases.catalogue import Catalogue
from voiceref.phrases.graph import word_graph
from voiceref.phrases.matcher import Match, match
from voiceref.phrases.normalise import normalise
from voiceref.phrases.slots import Context
from voiceref.referee.hearings import Attention, meanings, open_ear
from voiceref.referee.outlets import plain, write_line

DEFAULT_GAME = "cul-de-chouette"


@dataclass(frozen=True)
class Wanted:
    """What to listen for: a game's phrases or those of a file, said by players of these names."""

    input: str
    game: str | None
    phrases: Path | None
    players: tuple[str, ...]
    json: bool
    channels: int | None = None


def listen(wanted: Wanted, out: GuardedStream, err: GuardedStream) -> int:
    """Print every utterance until the sound ends. Raises as `hearings.open_ear` and `catalogue.load` do."""
    source = wanted.phrases if wanted.phrases is not None else wanted.game or DEFAULT_GAME
    catalogue = catalogues.load(source)
    context = Context(wanted.players)
    if wanted.phrases is not None:
        for finding in _audited(catalogue):
            write_line(err, finding)
    with ExitStack() as stack:
        ear = open_ear(wanted.input, wanted.players, stack, Attention(channels=wanted.channels))
        if ear.by_sound:
            meaning = meanings(catalogue, context, tuple(catalogue.phrases))
            ear.hearing.expect(word_graph(catalogue, context, catalogue.phrases), None, meaning)
        for heard in ear.hearing.events():
            if isinstance(heard, Trouble):
                write_line(err, heard.message)
            elif isinstance(heard, Hypothesis):
                found = _meaning(heard, catalogue, context)
                write_line(out, _as_json(heard, found, wanted.players, out) if wanted.json else _as_text(heard, found))
    return 0


def _audited(catalogue: Catalogue) -> list[str]:
    """What to know about the words of one's own phrases: mute or guessed ones, and phrases that sound alike.

    Raises LexiconError where the lexicon or one of their pronunciations cannot be used.
    """
    from voiceref.ear.opening import EarModels
    from voiceref.ear.vocabulary import audit_phrases, audit_words

    lexicon = EarModels(resources.models()).lexicon()
    for phrase in catalogue.phrases.values():
        for word, spoken in phrase.says.items():
            lexicon.override(word, spoken)
    texts = {phrase.id: normalise(phrase.text) for phrase in catalogue.phrases.values() if not phrase.has_slots}
    words = [word for text in texts.values() for word in text.split()]
    findings = (*audit_words(words, lexicon), *audit_phrases(texts, lexicon, [tuple(texts)]))
    return [finding.message for finding in findings]


def _meaning(heard: Hypothesis, catalogue: Catalogue, context: Context) -> Match | str:
    """The phrase, or the reason why there is none."""
    if not heard.accepted:
        return heard.reason
    found = match(heard.text, catalogue, context, tuple(catalogue.phrases))
    return found if isinstance(found, Match) else found.reason


def _as_json(heard: Hypothesis, found: Match | str, players: tuple[str, ...], out: GuardedStream) -> str:
    speaker = heard.speaker
    if speaker is None and heard.channel is not None and heard.channel < len(players):
        speaker = players[heard.channel]
    understood = isinstance(found, Match)
    content = {
        "type": "heard",
        "start": round(heard.onset, 3),
        "end": round(heard.utterance.end, 3),
        "text": heard.text,
        "phrase": found.phrase_id if isinstance(found, Match) else None,
        "slots": dict(found.slots) if isinstance(found, Match) else {},
        "score": round(heard.score, 3),
        "reason": heard.reason if understood else found,
        "speaker": speaker,
    }
    return json.dumps(content, ensure_ascii=not out.shows_everything, default=plain)


def _as_text(heard: Hypothesis, found: Match | str) -> str:
    said = f"« {heard.text} »" if heard.text else "(rien de compris)"
    what = found.phrase_id if isinstance(found, Match) else found
    return f"{heard.onset:8.2f} s  {said}  {what}  {heard.score:.2f}"
