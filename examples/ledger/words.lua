-- The app in other languages: what is not here shows as it is written in app.lua.
strings {
  de = {
    ["Ledger"] = "Haushaltsbuch", ["Entries"] = "Einträge", ["Report"] = "Auswertung",
    ["Settings"] = "Einstellungen", ["Date"] = "Datum", ["Category"] = "Kategorie",
    ["Amount"] = "Betrag", ["Note"] = "Notiz", ["Save"] = "Sichern", ["Cancel"] = "Abbrechen",
    ["New"] = "Neu", ["Remove"] = "Entfernen", ["Import"] = "Einlesen", ["Undo"] = "Zurück",
    ["Redo"] = "Vor", ["Edit"] = "Ändern", ["Total"] = "Summe",
    ["By month"] = "Nach Monaten", ["By category"] = "Nach Kategorien", ["Read"] = "Lesen",
    ["Currency"] = "Währung", ["Months start on day"] = "Monate beginnen am", ["Theme"] = "Thema",
    ["Language"] = "Sprache", ["New entry"] = "Neuer Eintrag", ["Change"] = "Änderung",
    ["search"] = "suchen", ["Food"] = "Essen", ["Home"] = "Wohnen", ["Transport"] = "Verkehr",
    ["Health"] = "Gesundheit", ["Fun"] = "Freizeit", ["Other"] = "Anderes",
    ["Remove this entry?"] = "Diesen Eintrag entfernen?",
    ["Enter a date"] = "Ein Datum fehlt", ["Enter a date such as %s"] = "Ein Datum, etwa %s",
    ["Enter an amount, such as 12.50"] = "Ein Betrag, etwa 12,50",
    ["%d entries"] = { one = "%d Eintrag", other = "%d Einträge" },
    ["%d entries imported"] = { one = "%d Eintrag eingelesen", other = "%d Einträge eingelesen" },
  },
  en = {
    ["%d entries"] = { one = "%d entry", other = "%d entries" },
    ["%d entries imported"] = { one = "%d entry imported", other = "%d entries imported" },
  },
}
