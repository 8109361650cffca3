-- German texts of reports. Loading this module makes German the current language.

local say = require "say"

say:set_namespace "de"

local forms = {
  success = { "Erfolge", "Erfolg", "Erfolge" },
  failure = { "Fehlschläge", "Fehlschlag", "Fehlschläge" },
  error = { "Fehler", "Fehler", "Fehler" },
  pending = { "ausstehend", "ausstehend", "ausstehend" },
}

for word, words in pairs(forms) do
  for i, count in ipairs { "zero", "single", "plural" } do
    say:set(("output.%s_%s"):format(word, count), words[i])
  end
end

say:set("output.success", "Erfolg")
say:set("output.failure", "Fehlschlag")
say:set("output.error", "Fehler")
say:set("output.pending", "Ausstehend")
say:set("output.seconds", "Sekunden")
say:set("output.no_test_files_match", "Keine Testdatei passt zum Lua-Muster: %s")
say:set("output.file_not_found", "Datei oder Verzeichnis nicht gefunden: %s")

return {
  failure_messages = { "%d Tests sind fehlgeschlagen" },
  success_messages = { "Alle Tests sind bestanden" },
}
