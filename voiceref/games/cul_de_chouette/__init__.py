"""The rules of Le Cul de chouette, one module a family of the rulebook; every transition names its rule id.

| module | what of the book | rules |
|---|---|---|
| `values`, `settings`, `cries` | its tables: points, stakes, windows; switches; phrases | CDC-001, 008, 086, 109 |
| `dice` | what three dice are | CDC-030…073, 294 |
| `turn`, `roll` | whose turn, what is announced first, chouettes and cul, dice kept | CDC-003…007, 015 |
| `combinations` | Velute, Chouette-Velute, and the way of every other combination | CDC-006, 031…034 |
| `suite`, `velutee` | Suite and its tie-breaks; Suite-Velutée | CDC-036…044 |
| `artichette`, `tichette`, `challenge` | Artichette; the way to the Tichette, and Tichette | CDC-045…051, 210…230 |
| `soufflette` | Soufflette | CDC-052…056 |
| `bleu_rouge` | Bleu-Rouge, relance, Pélican | CDC-057…065 |
| `neant` | Néant, Néant Soufflé, Flan obtained, Excalibur | CDC-066…073, 293…296 |
| `grelottine`, `grelot` | challenge, stake, Poulette, Passe-Grelot, Rigodon; its verdict | CDC-080…100 |
| `sirop`, `fruits` | Chouette, Sirop, Attrape-Oiseau, bets; what follows the die | CDC-030, 105…125, 178 |
| `civet`, `tokens` | Civet, Civet-Filoché, their doubling; tokens given away | CDC-130…156, 198, 242 |
| `doubles` | Cul de Chouette, Doublé, Diminué, Unisson | CDC-035, 160…171 |
| `achat`, `verdier` | the windows between chouettes and cul | CDC-175…189 |
| `jarret`, `flan` | Jarret; Flan, Double and Contre-Flan | CDC-190…202, 240…268 |
| `desk` | Bévues claimed, corrections, Graines, how the table is set | CDC-002, 016, 017, 270…273, 285 |
| `newcomer`, `sloubi` | Chante-Sloubi | CDC-275…280 |
| `aquitaine` | points into sips | CDC-290…301 |
| `end` | elimination, victory, next turn | CDC-009, 018, 019 |
| `race` | who was first, last, tied; dice that decide | D-10, D-12 |
| `state`, `play`, `rules` | what is known; one input at work; the game for the session | |
"""

from voiceref.games.cul_de_chouette.rules import CulDeChouette
from voiceref.games.cul_de_chouette.settings import SCHEMA

__all__ = ["SCHEMA", "CulDeChouette"]
