-- French texts of failed assertions. Loading this module makes French the current language.

local say = require "say"
local both, one = require("luassert.languages.en")("fr")

say:set_namespace "fr"

both(
  "same",
  "Le contenu devait être le même.\nReçu :\n%s\nAttendu :\n%s",
  "Le contenu ne devait pas être le même.\nReçu :\n%s\nNon attendu :\n%s"
)
both(
  "equals",
  "La valeur devait être égale.\nReçu :\n%s\nAttendu :\n%s",
  "La valeur ne devait pas être égale.\nReçu :\n%s\nNon attendu :\n%s"
)
both(
  "near",
  "Les valeurs devaient être proches.\nReçu :\n%s\nAttendu :\n%s +/- %s",
  "Les valeurs ne devaient pas être proches.\nReçu :\n%s\nNon attendu :\n%s +/- %s"
)
both(
  "unique",
  "Chaque valeur ne devait figurer qu'une fois :\n%s",
  "Une valeur devait figurer plusieurs fois :\n%s"
)
both(
  "error",
  "Une autre erreur était attendue.\nSurvenue :\n%s\nAttendue :\n%s",
  "Aucune erreur n'était attendue, mais voici ce qui est survenu :\n%s"
)
both(
  "truthy",
  "La valeur devait compter pour vraie, mais c'était :\n%s",
  "La valeur ne devait pas compter pour vraie, mais c'était :\n%s"
)
both(
  "falsy",
  "La valeur devait compter pour fausse, mais c'était :\n%s",
  "La valeur ne devait pas compter pour fausse, mais c'était :\n%s"
)
both(
  "matches",
  "Le texte devait correspondre au motif.\nReçu :\n%s\nAttendu :\n%s",
  "Le texte ne devait pas correspondre au motif.\nReçu :\n%s\nNon attendu :\n%s"
)
both(
  "array_holes",
  "La liste devait avoir des trous, mais n'en a aucun.\n",
  "La liste ne devait pas avoir de trous, mais en a un à la position : %s\n"
)
both(
  "called",
  "%s appel(s) attendu(s), il y en a eu %s",
  "Un autre nombre d'appels que %s était attendu, mais c'est celui qu'il y a eu."
)
both("called_at_least", "Au moins %s appel(s) attendu(s), il y en a eu %s")
both("called_at_most", "Au plus %s appel(s) attendu(s), il y en a eu %s")
both("called_more_than", "Plus de %s appel(s) attendus, il y en a eu %s")
both("called_less_than", "Moins de %s appel(s) attendus, il y en a eu %s")
both(
  "called_with",
  "Aucun appel n'avait ces arguments.\nDernier appel :\n%s\nAttendu :\n%s",
  "Un appel avait ces arguments.\nDernier appel concerné :\n%s\nNon attendu :\n%s"
)
both(
  "returned_with",
  "Aucun appel n'a rendu ces valeurs.\nDernier appel :\n%s\nAttendu :\n%s",
  "Un appel a rendu ces valeurs.\nDernier appel concerné :\n%s\nNon attendu :\n%s"
)
both(
  "returned_arguments",
  "%s valeur(s) attendue(s), il y en a eu %s",
  "Un autre nombre de valeurs que %s était attendu, mais il y en a eu %s"
)
one("assertion.internal.argtolittle", "la fonction '%s' demande au moins %s arguments, reçus : %s")
one("assertion.internal.badargtype", "mauvais argument #%s pour '%s' (%s attendu, reçu : %s)")

return true
