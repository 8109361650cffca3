-- German texts of failed assertions. Loading this module makes German the current language.

local say = require "say"
local both, one = require("luassert.languages.en")("de")

say:set_namespace "de"

both(
  "same",
  "Der Inhalt sollte gleich sein.\nBekommen:\n%s\nErwartet:\n%s",
  "Der Inhalt sollte nicht gleich sein.\nBekommen:\n%s\nNicht erwartet:\n%s"
)
both(
  "equals",
  "Es sollte derselbe Wert sein.\nBekommen:\n%s\nErwartet:\n%s",
  "Es sollte nicht derselbe Wert sein.\nBekommen:\n%s\nNicht erwartet:\n%s"
)
both(
  "near",
  "Die Werte sollten nahe beieinander sein.\nBekommen:\n%s\nErwartet:\n%s +/- %s",
  "Die Werte sollten nicht nahe beieinander sein.\nBekommen:\n%s\nNicht erwartet:\n%s +/- %s"
)
both(
  "unique",
  "Jeder Wert sollte nur einmal vorkommen:\n%s",
  "Ein Wert sollte mehrmals vorkommen:\n%s"
)
both(
  "error",
  "Ein anderer Fehler wurde erwartet.\nAufgetreten:\n%s\nErwartet:\n%s",
  "Kein Fehler wurde erwartet, aufgetreten ist:\n%s"
)
both(
  "truthy",
  "Der Wert sollte als wahr gelten, war aber:\n%s",
  "Der Wert sollte nicht als wahr gelten, war aber:\n%s"
)
both(
  "falsy",
  "Der Wert sollte als falsch gelten, war aber:\n%s",
  "Der Wert sollte nicht als falsch gelten, war aber:\n%s"
)
both(
  "matches",
  "Der Text sollte zum Muster passen.\nBekommen:\n%s\nErwartet:\n%s",
  "Der Text sollte nicht zum Muster passen.\nBekommen:\n%s\nNicht erwartet:\n%s"
)
both(
  "array_holes",
  "Die Liste sollte Lücken haben, hat aber keine.\n",
  "Die Liste sollte keine Lücken haben, hat aber eine an der Stelle: %s\n"
)
both(
  "called",
  "%s Aufrufe wurden erwartet, es waren %s",
  "Nicht genau %s Aufrufe wurden erwartet, es waren aber so viele."
)
both("called_at_least", "Mindestens %s Aufrufe wurden erwartet, es waren %s")
both("called_at_most", "Höchstens %s Aufrufe wurden erwartet, es waren %s")
both("called_more_than", "Mehr als %s Aufrufe wurden erwartet, es waren %s")
both("called_less_than", "Weniger als %s Aufrufe wurden erwartet, es waren %s")
both(
  "called_with",
  "Kein Aufruf hatte passende Argumente.\nLetzter Aufruf:\n%s\nErwartet:\n%s",
  "Ein Aufruf hatte passende Argumente.\nLetzter passender Aufruf:\n%s\nNicht erwartet:\n%s"
)
both(
  "returned_with",
  "Kein Aufruf gab passende Werte zurück.\nLetzter Aufruf:\n%s\nErwartet:\n%s",
  "Ein Aufruf gab passende Werte zurück.\nLetzter passender Aufruf:\n%s\nNicht erwartet:\n%s"
)
both(
  "returned_arguments",
  "%s Werte wurden erwartet, es waren %s",
  "Nicht %s Werte wurden erwartet, es waren aber %s"
)
one(
  "assertion.internal.argtolittle",
  "die Funktion '%s' braucht mindestens %s Argumente, bekommen: %s"
)
one("assertion.internal.badargtype", "falsches Argument #%s für '%s' (%s erwartet, bekommen: %s)")

return true
