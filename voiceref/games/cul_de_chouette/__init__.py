"""The rules of Le Cul de chouette, one module a family of the rulebook."""
