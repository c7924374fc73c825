"""The commands of VoiceRef, their options and their French help. No logic: each command calls one function."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn

import voiceref
from voiceref.french_parser import FrenchParser

INTERRUPTED = 130


def _mended(argument: str) -> str:
    """An argument as typed, also where the system took the terminal for an ASCII one (B72)."""
    try:
        argument.encode()
    except UnicodeEncodeError:
        return os.fsencode(argument).decode("utf-8", "replace")
    return argument


def _parser() -> FrenchParser:
    parser = FrenchParser(prog="voiceref", description="L'arbitre à la voix de quatre jeux.")
    parser.add_argument(
        "--version", action="version", version=f"VoiceRef {voiceref.__version__}", help="montrer la version"
    )
    commands = parser.add_subparsers(title="commandes", dest="command", metavar="COMMANDE")
    parser.add_argument("--players", type=_mended, default="", metavar="A,B,…", help="sans commande : les joueurs")
    _ends(parser)
    parser.set_defaults(run=_begin)

    play = commands.add_parser("play", help="arbitrer une partie")
    play.add_argument(
        "game", metavar="JEU", type=_mended, help="cul-de-chouette, cachamot, casque-cheque-chat ou chasseur-de-tete"
    )
    play.add_argument("--players", type=_mended, metavar="A,B,…", help="les joueurs, dans l'ordre des tours")
    play.add_argument("--level", type=int, metavar="1..4", help="niveau de règles du Cul de chouette (4)")
    play.add_argument(
        "--set", type=_mended, action="append", default=[], metavar="clé=valeur", dest="settings", help="un réglage"
    )
    play.add_argument(
        "--scores", type=_mended, default="", metavar="A=220,B=124", help="reprendre une partie notée sur papier"
    )
    play.add_argument("--tokens", type=_mended, default="", metavar="A:grelottine,…", help="les jetons déjà gagnés")
    play.add_argument("--turn", type=_mended, metavar="A", help="à qui de jouer")
    play.add_argument("--table", type=Path, metavar="FICHIER.toml", help="joueurs et réglages dans un fichier")
    play.add_argument("--deck", type=Path, metavar="FICHIER.toml", help="les cartes du jeu (voir grammars/decks)")
    play.add_argument("--challenges", action="store_true", help="Cachamot : les quatre défis, pour s'entraîner")
    play.add_argument("--journal", type=Path, metavar="FICHIER", help="où enregistrer la partie")
    _ends(play)
    play.set_defaults(run=_play)

    resume = commands.add_parser("resume", help="reprendre une partie enregistrée")
    resume.add_argument("file", nargs="?", type=Path, metavar="FICHIER", help="la partie (sinon la dernière)")
    _ends(resume)
    resume.set_defaults(run=_resume)

    replay = commands.add_parser("replay", help="raconter une partie enregistrée")
    replay.add_argument("file", type=Path, metavar="FICHIER", help="la partie")
    replay.add_argument("--json", action="store_true", help="une ligne JSON par évènement")
    replay.add_argument("--pictures", type=Path, metavar="DOSSIER", help="y dessiner les courses gardées")
    replay.add_argument("--sound", metavar="speakers|FICHIER.wav", help="faire entendre les courses gardées")
    replay.set_defaults(run=_replay)

    listen = commands.add_parser("listen", help="montrer ce qui est entendu, sans jeu")
    listen.add_argument(
        "--input", default="mic", metavar="mic|clavier|FICHIER", help="micro, clavier, fichier .wav ou table .txt"
    )
    listen.add_argument("--game", metavar="JEU", help="les phrases de ce jeu (cul-de-chouette)")
    listen.add_argument("--phrases", type=Path, metavar="FICHIER.toml", help="les phrases de ce fichier")
    listen.add_argument("--players", type=_mended, default="", metavar="A,B,…", help="les noms qui peuvent être dits")
    listen.add_argument("--json", action="store_true", help="une ligne JSON par phrase")
    _channels(listen)
    listen.set_defaults(run=_listen)

    race = commands.add_parser("race", help="dire qui a crié le premier dans un enregistrement")
    race.add_argument("file", type=Path, metavar="FICHIER.wav", help="l'enregistrement")
    race.add_argument("--phrase", metavar="ID", help="la phrase qui compte, par exemple CDC-P001 (sinon tout cri)")
    race.add_argument("--phrases", type=Path, metavar="FICHIER.toml", help="les phrases de ce fichier")
    race.add_argument("--players", type=_mended, default="", metavar="A,B,…", help="les joueurs, un par canal")
    race.add_argument("--tie", type=int, metavar="MS", help="écart en dessous duquel il y a égalité")
    race.add_argument("--json", action="store_true", help="le verdict en une ligne JSON")
    race.add_argument("--picture", type=Path, metavar="FICHIER.svg", help="dessiner la course")
    race.set_defaults(run=_race)

    enroll = commands.add_parser("enroll", help="apprendre les voix des joueurs, les nommer, les oublier")
    enroll.add_argument("--players", type=_mended, default="", metavar="A,B,…", help="les joueurs, dans cet ordre")
    enroll.add_argument(
        "--input", nargs="+", default=["mic"], metavar="mic|FICHIER.wav", help="un fichier par joueur, ou un pour tous"
    )
    _channels(enroll)
    what = enroll.add_mutually_exclusive_group()
    what.add_argument("--list", action="store_true", help="nommer les voix connues")
    what.add_argument("--delete", type=_mended, metavar="A", help="oublier une voix")
    enroll.set_defaults(run=_enroll)

    demo = commands.add_parser("demo", help="arbitrer une partie enregistrée, pour voir et entendre")
    demo.add_argument(
        "game", nargs="?", type=_mended, default="cul-de-chouette", metavar="JEU", help="le jeu (cul-de-chouette)"
    )
    demo.add_argument("--folder", type=Path, default=Path("demo"), metavar="DOSSIER", help="où mettre les sons (demo)")
    demo.set_defaults(run=_demo)

    doctor = commands.add_parser("doctor", help="dire ce qui marche et ce qui ne marche pas")
    doctor.add_argument("--players", type=_mended, default="", metavar="A,B,…", help="vérifier aussi ces noms")
    doctor.add_argument("--input", type=_mended, default="mic", metavar="mic|mic:NOM", help="le micro à écouter")
    _channels(doctor)
    doctor.set_defaults(run=_doctor)

    devices = commands.add_parser("devices", help="nommer les micros et les haut-parleurs")
    devices.set_defaults(run=_devices)

    models = commands.add_parser("models", help="nommer les modèles d'écoute et leur origine, ou en chercher un")
    models.add_argument("action", nargs="?", choices=("fetch",), metavar="fetch", help="télécharger un modèle Vosk")
    models.add_argument("name", nargs="?", metavar="NOM", help="par exemple vosk-model-small-fr-0.22")
    models.add_argument("--from", dest="url", metavar="ADRESSE", help="télécharger d'ailleurs que de chez Vosk")
    models.set_defaults(run=_models)

    privacy = commands.add_parser("privacy", help="montrer ce qui est gardé sur cette machine, et l'effacer")
    privacy.add_argument(
        "--delete", choices=("parties", "voix", "courses", "reste", "tout"), help="effacer (après confirmation)"
    )
    privacy.add_argument("--yes", action="store_true", help="effacer sans demander")
    privacy.set_defaults(run=_privacy)

    rules = commands.add_parser("rules", help="ce que dit une règle")
    rules.add_argument(
        "id", nargs="*", metavar="RÈGLE", help="son numéro, par exemple CDC-036 (sinon la liste de toutes)"
    )
    rules.set_defaults(run=_rules)
    return parser


def _ends(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--input", default="mic", metavar="mic|clavier|FICHIER", help="micro, clavier, fichier .wav ou table .txt"
    )
    _channels(command)
    command.add_argument("--output", default="speakers", metavar="speakers|FICHIER|none", help="où va la voix")
    command.add_argument(
        "--sensitivity",
        choices=("prudente", "normale", "vive"),
        default="normale",
        help="pièce bruyante, ordinaire ou calme",
    )
    command.add_argument(
        "--model", type=_mended, metavar="NOM|DOSSIER", help="un modèle Vosk français, second avis de l'écoute"
    )
    command.add_argument(
        "--learn",
        choices=("demander", "toujours", "jamais"),
        default="demander",
        help="apprendre mieux une voix d'un cri dont on a dit à qui il est",
    )
    command.add_argument(
        "--keep-races", action="store_true", help="garder sur le disque le son des dix dernières courses"
    )
    command.add_argument(
        "--phrases", type=Path, metavar="FICHIER.toml", help="les phrases maison, et comment se disent mots et noms"
    )
    command.add_argument(
        "--private", type=_mended, metavar="APPAREIL|FICHIER.wav", help="l'écouteur de qui voit la carte"
    )
    command.add_argument("--voice", metavar="VOIX", help="pico, système, silence ou le nom d'une voix de l'ordinateur")
    command.add_argument("--json", action="store_true", help="une ligne JSON par évènement sur la sortie standard")
    _seen(command)


def _seen(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--board", type=Path, metavar="FICHIER.html", help="écrire aussi le tableau dans une page à gros caractères"
    )
    command.add_argument(
        "--push-to-talk", action="store_true", help="n'écouter qu'entre deux appuis sur Entrée (pièce bruyante)"
    )


def _channels(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--channels",
        type=int,
        metavar="N",
        help="canaux du micro à ouvrir : autant que de joueurs s'ils ont chacun le leur (sinon ceux de l'inscription)",
    )


def _begin(options: argparse.Namespace, streams: Any) -> int:
    from voiceref import table
    from voiceref.referee import opening

    return opening.begin(_ends_of_table(options), streams, table.names(options.players))


def _play(options: argparse.Namespace, streams: Any) -> int:
    from voiceref import table
    from voiceref.referee import play

    wishes = table.wishes(
        file=options.table,
        players=options.players,
        level=options.level,
        settings=[*options.settings, *(["cachamot.challenges=true"] if options.challenges else [])],
        scores=options.scores,
        tokens=options.tokens,
        turn=options.turn,
    )
    ends = _ends_of_table(options, wishes.names)
    return play.play(play.Request(options.game, wishes, ends, options.journal, options.deck), streams)


def _resume(options: argparse.Namespace, streams: Any) -> int:
    from voiceref.referee import play

    return play.resume(options.file, _ends_of_table(options), streams)


def _replay(options: argparse.Namespace, streams: Any) -> int:
    from voiceref.referee import retelling
    from voiceref.referee.showing import Showing

    asked = options.pictures is not None or options.sound is not None
    showing = Showing(options.pictures, options.sound) if asked else None
    return retelling.retell(options.file, streams.out, json=options.json, showing=showing)


def _listen(options: argparse.Namespace, streams: Any) -> int:
    from voiceref import table
    from voiceref.referee import listening

    players = table.names(options.players)
    wanted = listening.Wanted(options.input, options.game, options.phrases, players, options.json, options.channels)
    return listening.listen(wanted, streams.out, streams.err)


def _race(options: argparse.Namespace, streams: Any) -> int:
    from voiceref import table
    from voiceref.referee import racing

    players = table.names(options.players)
    asked = racing.Asked(
        options.file, options.phrase, options.phrases, players, options.tie, options.json, options.picture
    )
    return racing.race(asked, streams.out, streams.err)


def _enroll(options: argparse.Namespace, streams: Any) -> int:
    from voiceref import table
    from voiceref.referee import enrolling

    if options.list:
        return enrolling.list_voices(streams.out)
    if options.delete is not None:
        return enrolling.forget(options.delete, streams.out)
    wanted = enrolling.Wanted(table.names(options.players), tuple(options.input), options.channels)
    return enrolling.enroll(wanted, streams.out)


def _demo(options: argparse.Namespace, streams: Any) -> int:
    from voiceref.referee import demo

    return demo.demo(options.game, options.folder, streams)


def _doctor(options: argparse.Namespace, streams: Any) -> int:
    from voiceref import table
    from voiceref.referee import doctor

    micro = doctor.Micro(options.input, options.channels)
    return doctor.examine(table.names(options.players), streams.out, micro)


def _devices(options: argparse.Namespace, streams: Any) -> int:
    from voiceref.referee import doctor

    return doctor.devices(streams.out)


def _models(options: argparse.Namespace, streams: Any) -> int:
    from voiceref.referee import doctor, fetching

    if options.action is not None:
        return fetching.fetch(options.name, options.url, streams)
    return doctor.models(streams.out)


def _privacy(options: argparse.Namespace, streams: Any) -> int:
    from voiceref.referee import privacy

    if options.delete is None:
        return privacy.show(streams.out)
    agreed = privacy.without_asking if options.yes else privacy.asked(streams.out, sys.stdin)
    return privacy.delete(options.delete, agreed, streams.out)


def _rules(options: argparse.Namespace, streams: Any) -> int:
    from voiceref.referee import rulebook
    from voiceref.referee.outlets import write_line

    found = [rulebook.find(wanted).printed for wanted in options.id] or rulebook.titles()
    for text in found:
        write_line(streams.out, text)
    return 0


def _ends_of_table(options: argparse.Namespace, names: Mapping[str, str] = MappingProxyType({})) -> Any:
    from voiceref.referee.house import Manners

    return replace(_chosen_ends(options), manners=Manners(options.phrases, names))


def _chosen_ends(options: argparse.Namespace) -> Any:
    from voiceref.referee.hearings import Attention
    from voiceref.referee.play import Ends

    attention = Attention(options.sensitivity, options.model, options.channels)
    return Ends(
        options.input,
        options.output,
        options.json,
        options.voice,
        attention,
        private=options.private,
        learn=options.learn,
        keep_races=options.keep_races,
        board=options.board,
        push_to_talk=options.push_to_talk,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code. Every fault becomes one French sentence on standard error."""
    from voiceref.board.stream import GuardedStream
    from voiceref.referee.outlets import write_line
    from voiceref.referee.play import Streams

    streams = Streams(GuardedStream(sys.stdout), GuardedStream(sys.stderr), sys.stdout)
    try:
        options = _parser().parse_args(argv)
        run: Callable[[argparse.Namespace, Streams], int] = options.run
        code = run(options, streams)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        write_line(streams.err, _sentence(error))
        return 1
    if not streams.out.full:
        return code
    write_line(
        streams.err, "La sortie n'a pas pu être écrite, il en manque : faites de la place, ou changez de sortie."
    )
    return code or 1


def _sentence(error: Exception) -> str:
    """Our own errors are French sentences; anything else is a fault of the program."""
    if type(error).__module__.split(".")[0] == "voiceref":
        return str(error)
    return f"Erreur interne ({type(error).__name__} : {error}) ; ce qui était joué reste enregistré."


def entry() -> NoReturn:
    """The console script: leave with the exit code, whatever has become of the standard streams."""
    from voiceref.ending import Ending

    ending = Ending()
    try:
        ending.watch()
        code = ending.finish(main())
    except KeyboardInterrupt:
        code = ending.finish(INTERRUPTED)
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    sys.exit(code)
