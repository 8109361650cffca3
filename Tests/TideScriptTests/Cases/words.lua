-- Words on screen: the locale of numbers, dates and plurals, and texts in other languages.

local function through(value, transformers)
  local source, target = object { v = property { default = value } }, object { v = property {} }
  bind("v -> v | " .. transformers, source, target)
  return target.v
end

case("numbers, dates and plurals follow the locale", function()
  local o = object { n = 1234.5, share = 0.256, size = 1536, day = 86400 * 31 }
  local label = view.label {}
  local shown = {}
  for i, expression in ipairs { "n | number(2)", "n | number(2, grouped)", "share | percent(1)", "size | bytes",
    "day | date('!%A %d %B')", "n | plural(one, many)" } do
    shown[i] = object { text = "" }
    bind((expression:gsub("^(%w+)", "%1 -> text")), o, shown[i])
  end
  local function all() return joined(shown, "text") end
  same(app.locale, "en")
  same(all(), "1234.50,1,234.50,25.6%,1.5 KiB,Sunday 01 February,1234.5 many")
  app.locale = "de_DE.UTF-8"
  same(app.locale, "de-DE")
  same(all(), "1234,50,1.234,50,25,6\u{a0}%,1,5 KiB,Sonntag 01 Februar,1234,5 many")
  app.locale = "fr"
  same(shown[2].text, "1\u{202f}234,50")
  app.locale = "ja"
  same(shown[5].text, "日曜日 01 2月")
  app.locale = "en"
  same(all(), "1234.50,1,234.50,25.6%,1.5 KiB,Sunday 01 February,1234.5 many")
  same(label.text, "")
end)

case("what a person enters is read as the locale writes it", function()
  local o, field = object { n = 0.5 }, view.field {}
  app.locale = "de"
  bind("n <> text | number(2)", o, field)
  same(field.text, "0,50")
  for _, pair in ipairs { { "2,25", 2.25 }, { "1.234,5", 1234.5 }, { "-3", -3 }, { "2.5", 2.5 }, { " 7 ", 7 } } do
    field.text = pair[1]
    same(o.n, pair[2])
  end
  field.text = "1,2,3"
  same(o.n, 7)
  same(field.error ~= nil, true)
  app.locale = "fr"
  field.text = "12 345,5"
  same(o.n, 12345.5)
  app.locale = "de"
  local p, entry = object { share = 0 }, view.field {}
  bind("share <> text | percent(1)", p, entry)
  entry.text = "12,5 %"
  same(p.share, 0.125)
  local d, day = object { time = 0 }, view.field {}
  bind("time <> text | date('!%d. %B %Y')", d, day)
  day.text = "2. März 1970"
  same(d.time, 86400 * 60)
end)

case("plurals have as many forms as the language", function()
  app.locale = "pl"
  local forms = "plural(one: plik, few: pliki, many: 'plików', other: pliku)"
  local function of(n) return through(n, forms) end
  same(of(1), "1 plik")
  same(of(2), "2 pliki")
  same(of(5), "5 plików")
  same(of(12), "12 plików")
  same(of(22), "22 pliki")
  same(of(1.5), "1,5 pliku")
  app.locale = "fr"
  same(through(0, "plural(jour, jours)"), "0 jour")
  app.locale = "ru"
  same(through(21, "plural(one: a, few: b, many: c, other: d)"), "21 a")
  same(through(11, "plural(one: a, few: b, many: c, other: d)"), "11 c")
  app.locale = "ja"
  same(through(1, "plural(a, b)"), "1 b")
  fails("plural takes zero, one, two, few, many, other, not", bind, wrong "a -> b | plural(eins: x, other: y)", object { a = 1 }, object { b = 1 })
  fails('"other" among them', bind, wrong "a -> b | plural(one: x)", object { a = 1 }, object { b = 1 })
end)

case("an unknown locale is listed, and English", function()
  app.locale = "xx-YY"
  same(app.locale, "xx-YY")
  same(through(1.5, "number(1)"), "1.5")
  local list = errors()
  same(#list, 1)
  same(tostring(list[1]):find('nothing is known of the locale "xx-YY"', 1, true) ~= nil, true)
  app.locale = "de-CH"
  same(through(1234.5, "number(1, grouped)"), "1’234.5")
end)

case("texts follow the language", function()
  strings { de = { ["Save"] = "Sichern", ["%d files"] = { one = "%d Datei", other = "%d Dateien" } },
    en = { ["%d files"] = { one = "%d file", other = "%d files" } } }
  local o = object { title = "Save", count = 1 }
  local a, b = view.label {}, view.label {}
  bind("title -> text | translated", o, a)
  bind("count -> text | translated('%d files')", o, b)
  local live = view.label { text = function() return translate("%d files", o.count) end }
  same(a.text .. b.text .. live.text, "Save1 file1 file")
  app.locale = "de-AT"
  same(a.text .. b.text .. live.text, "Sichern1 Datei1 Datei")
  o.count = 1200
  same(b.text, "1\u{a0}200 Dateien")
  app.locale = "it"
  same(a.text, "Save")
  same(translate "Save", "Save")
end)

case("texts end with their context, and later ones come first", function()
  app.locale = "de"
  strings { de = { Save = "Sichern" } }
  local label = view.label { text = function() return translate "Save" end }
  context.begin "more"
  strings { de = { Save = "Speichern" } }
  context.finish()
  same(label.text, "Speichern")
  context.clear "more"
  same(label.text, "Sichern")
end)

case("relative dates speak the language that has words for them", function()
  strings { de = { ["%d minutes ago"] = { one = "vor %d Minute", other = "vor %d Minuten" }, now = "jetzt" } }
  app.locale = "de"
  same(through(now() - 185, "relativeDate"), "vor 3 Minuten")
  same(through(now(), "relativeDate"), "jetzt")
  same(through(now() - 7300, "relativeDate"), "2 hours ago")
end)

case("what is wrong in strings says so", function()
  fails("strings maps locales to tables", strings, { de = 1 })
  fails("found a table for 1", strings, { {} })
  fails('the texts of "de" have texts as keys', strings, { de = { "x" } })
  fails('"Save" in "de" is a text, or a table', strings, { de = { Save = 1 } })
  fails('has no option "oher"; did you mean "other"?', strings, { de = { x = { oher = "" } } })
  fails('lacks "other"', strings, { de = { x = { one = "" } } })
  fails("number expected", translate, "x", "y")
  fails("string expected", translate)
  fails("the word grouped", bind, wrong "a -> b | number(2, groupd)", object { a = 1 }, object { b = 1 })
end)
