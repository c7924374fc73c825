"""The report of `ear.py`: its results as the lines of two tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from ear_material import CONDITIONS, RAISED

from voiceref.ear.decision import Sensitivity

BY_COST = (Sensitivity.NORMAL, Sensitivity.PRUDENT, Sensitivity.EAGER)
"""The first one does the work that the others share; its times are those of the product."""
PHASES = {"all": "every phrase of Le Cul de chouette legal", "usual": "a usual phase"}
Result = dict[str, Any]


def share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {100 * part / max(whole, 1):.1f} %"


def table(results: dict[str, Result]) -> Iterator[str]:
    """The lines of the report."""
    yield "| measure | result |"
    yield "|---|---|"
    for name, result in results.items():
        kind = name.split()[0]
        if kind == "forced":
            for stage in ("judge", "vosk", "both"):
                yield f"| {name}, right of 50, {stage} | {share(result[stage], result['clips'])} |"
        elif kind == "numbers":
            yield f"| numbers 0 to 100: exact | {share(result['exact'], result['clips'])} |"
            yield f"| numbers: wrong and taken | {share(len(result['wrong']), result['clips'])} |"
        elif kind == "speed":
            yield f"| cold start | {result['cold_start']:.2f} s |"
            yield f"| memory | {result['memory_mb']:.0f} MB |"
    shouted = {name.removeprefix("misses "): result for name, result in results.items() if name.startswith("misses")}
    usual = [result["by"][BY_COST[0]] for name, result in shouted.items() if "raised" not in name]
    for condition in CONDITIONS if usual else ():
        heard = (result["by"][BY_COST[0]] for name, result in shouted.items() if name.endswith(condition))
        delays = [delay for result in heard for delay in result["delays"]]
        if delays:
            p50, p95 = (1000 * float(np.quantile(delays, q)) for q in (0.5, 0.95))
            yield f"| end of phrase to decision, {condition} | p50 {p50:.0f} ms, p95 {p95:.0f} ms of {len(delays)} |"
    if usual:
        right = share(sum(result["sure_right"] for result in usual), sum(result["sure"] for result in usual))
        yield f"| of decisions stated at 95 % or more, right | {right} |"
        factor = sum(r["cpu"] for r in shouted.values()) / sum(r["seconds"] for r in shouted.values())
        yield f"| processor time a second of sound, 15 phrases legal | {factor:.3f} s |"
    false = [result for name, result in results.items() if name.startswith("false")]
    for phase in ("all", "usual") if false else ():
        factor = sum(result["cpu"][phase] for result in false) / sum(3600 * result["hours"] for result in false)
        yield f"| processor time a second of talk, {PHASES[phase]} | {factor:.3f} s |"
    if shouted or false:
        yield ""
        yield from sensitivities(results, shouted)


def sensitivities(results: dict[str, Result], shouted: dict[str, Result]) -> Iterator[str]:
    """What each sensitivity misses of 15 phrases legal, and takes of other talk."""
    yield f"| | {' | '.join(Sensitivity)} |"
    yield "|---|---|---|---|"
    for name, result in shouted.items():
        label = name.replace("raised", f"played {RAISED} times as fast (a stand-in for children)")
        for what, words in (("missed", "missed"), ("wrong", "taken for another")):
            cells = (share(result["by"][sensitivity][what], result["clips"]) for sensitivity in Sensitivity)
            yield f"| {label}, 15 phrases legal: {words} | {' | '.join(cells)} |"
    groups: dict[str, list[Result]] = {}
    for name, result in results.items():
        if name.startswith("false"):
            _, people, condition, _ = name.split()
            groups.setdefault(f"{people}, {condition}", []).append(result)
    everything = [result for group in groups.values() for result in group]
    for phase in PHASES if everything else ():
        for label, group in {**groups, "all of it": everything}.items():
            hours = sum(result["hours"] for result in group)
            counts = [sum(len(r["taken"][f"{phase} {sensitivity}"]) for r in group) for sensitivity in Sensitivity]
            cells = (f"{count} = {count / hours:.1f} an hour" for count in counts)
            yield f"| false accepts, {PHASES[phase]}, {label}, {hours:.2f} h | {' | '.join(cells)} |"
