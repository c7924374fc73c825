"""`voiceref replay`: a journal told again, event by event, with the words that were said."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from voiceref.board.stream import GuardedStream
from voiceref.games.engine import Said
from voiceref.phrases import catalogue as catalogues
from voiceref.referee import course as courses
from voiceref.referee import footage, replay, roster
from voiceref.referee import journal as journals
from voiceref.referee.clock import GameClock
from voiceref.referee.desk import Desk
from voiceref.referee.outlets import JsonOutlet, TextOutlet
from voiceref.referee.showing import Showing, show
from voiceref.referee.telling import Teller
from voiceref.voice.wording import Wording


def retell(path: Path, out: GuardedStream, *, json: bool, showing: Showing | None = None) -> int:
    """Tell the game of `path` in French or in JSON lines, then show the races that were kept of it.

    Raises JournalError when it is none, or does not fit the rules any more; AudioError as `showing.show`.
    """
    recorded = journals.read(path)
    found = replay.replay(recorded, lambda name: roster.GAMES[name].load())
    wording = Wording.load()
    teller = Teller(found.game, wording)
    teller.join(JsonOutlet(out) if json else TextOutlet(out, partial(wording.label, found.game)))
    course, opened = courses.begin(roster.GAMES[found.game].load(), found.table)
    desk = Desk(course, teller, None, GameClock())
    desk.opened(opened, 0.0)
    rules = {phrase.command: phrase.rule for phrase in catalogues.load(found.game).phrases.values()}
    for record in recorded.records[1:]:
        said = replay.given(record)
        if isinstance(said, Said):
            teller.heard(said.t, said.speaker, said.text)
        if said is not None:
            desk.rule(said, said.t)
        elif record["kind"] == "undo":
            desk.undo(record["t"], rules["undo"])
        elif record["kind"] == "overrule":
            change, by = replay.overruling(desk.course, record)
            teller.heard(by.t, None, by.text)
            desk.overrule(change, by, by.t, rules["overrule"])
    teller.close(desk.summary)
    if not json or showing is not None:
        show(footage.races(path.stem), showing or Showing(), out)
    return 0
