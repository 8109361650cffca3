-- French texts of reports. Loading this module makes French the current language.

local say = require "say"

say:set_namespace "fr"

local forms = {
  success = { "réussites", "réussite", "réussites" },
  failure = { "échecs", "échec", "échecs" },
  error = { "erreurs", "erreur", "erreurs" },
  pending = { "en attente", "en attente", "en attente" },
}

for word, words in pairs(forms) do
  for i, count in ipairs { "zero", "single", "plural" } do
    say:set(("output.%s_%s"):format(word, count), words[i])
  end
end

say:set("output.success", "Réussite")
say:set("output.failure", "Échec")
say:set("output.error", "Erreur")
say:set("output.pending", "En attente")
say:set("output.seconds", "secondes")
say:set("output.no_test_files_match", "Aucun fichier de test ne correspond au motif Lua : %s")
say:set("output.file_not_found", "Fichier ou dossier introuvable : %s")

return {
  failure_messages = { "%d tests ont échoué" },
  success_messages = { "Tous les tests sont passés" },
}
