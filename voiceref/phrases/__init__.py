"""Words to Match or Rejection: catalogue, patterns, slots, matcher, and the word graph for the ear.

catalogue.load("cul-de-chouette") -> Catalogue            catalogue.load([Path("maison.toml")]) -> Catalogue
slots.Context(players=("Ana", "Bruno"), spoken={"Ana": ("Anouchka",)}, words={"metier": ("pompier",)})
matcher.match(text, catalogue, context, legal=("CDC-P002", …)) -> Match | Rejection
graph.word_graph(catalogue, context, phrase_ids) -> WordGraph
normalise.normalise("Patte de canaaard !") -> "patte de canard"      numbers.parse("quatre-vingt-dix-neuf") -> 99
"""
