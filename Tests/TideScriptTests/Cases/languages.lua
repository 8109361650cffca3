-- Texts in the order and the letters of the app's language.

local words = { "Zoo", "apfel", "zebra", "Äpfel", "Ast" }

case("texts are sorted as the language has them, and anew when it changes", function()
  local sorted = list(words):sorted()
  app.locale = "de"
  same(joined(sorted), "apfel,Äpfel,Ast,zebra,Zoo")
  app.locale = "sv"
  same(joined(sorted), "apfel,Ast,zebra,Zoo,Äpfel")
  app.locale = "en"
  same(joined(sorted), "apfel,Äpfel,Ast,zebra,Zoo")
end)

case("a sort key says another order", function()
  same(joined(list(words):sorted { order = "binary" }), "Ast,Zoo,apfel,zebra,Äpfel")
  local items = list { "item 10", "item 9", "Item 1" }
  same(joined(items:sorted { order = "natural" }), "Item 1,item 9,item 10")
  local rows = list { { n = "b 10", k = 1 }, { n = "b 9", k = 1 }, { n = "a", k = 2 } }
  same(joined(rows:sorted { key = "n", order = "natural" }, "n"), "a,b 9,b 10")
  same(joined(rows:sorted { "-k", { key = "n", order = "natural" } }, "n"), "a,b 9,b 10")
  fails("the order of a sort key is \"language\", \"natural\", \"binary\"", function()
    rows:sorted { key = "n", order = "random" }
  end)
end)

case("every language puts its letters where its dictionaries do", function()
  for locale, order in pairs {
    en = "cote,coté,côte,côté,Zürich", de = "Ähre,Arm,Ofen,Öl,Straße,Strauß,über,Ufer",
    es = "nube,ñandú,oso", fr = "cœur,corps,école,été,zèbre", it = "caffè,città,perché",
    pt = "ação,água,avó,avô", nl = "ijs,ik,zee", pl = "car,ćma,las,łoś,noc,źle,żaba",
    sv = "zon,åka,äta,öga", da = "zone,ære,øl,å", nb = "zone,ære,øl,å", fi = "zoo,äiti,öljy",
    cs = "cena,čas,duha,had,chata,ind", sk = "auto,äon,cena,čas,had,chata",
    hu = "cukor,csak,gomba,gyár,oda,öt,szó,tol,tyúk", ru = "еда,ёж,жук,яма",
    uk = "гора,ґанок,дім,ікра,їжак,йод", tr = "cam,çam,gaz,ğaz,ısı,iz,oya,öz,sal,şal",
    ja = "あお,かき,がき,さくら",
  } do
    app.locale = locale
    local shuffled, parts = {}, {}
    for word in order:gmatch "[^,]+" do parts[#parts + 1] = word end
    for index = #parts, 1, -1 do shuffled[#shuffled + 1] = parts[index] end
    same(locale .. " " .. joined(list(shuffled):sorted()), locale .. " " .. order)
  end
end)

case("capital and small letters follow the language", function()
  local o, l = object { t = "istanbul ıI" }, view.label {}
  local b = bind("t -> text | uppercase", o, l)
  app.locale = "tr"
  same(l.text, "İSTANBUL II")
  b:unbind()
  bind("t -> text | lowercase", o, l)
  o.t = "ISTANBUL İ"
  same(l.text, "ıstanbul i")
  app.locale = "en"
  o.t = "ΟΔΟΣ ΣΑΣ Σ"
  same(l.text, "οδος σας σ")
end)

case("numbers are written and read as the language has them", function()
  local o, l = object { n = 1234.5 }, view.label {}
  bind("n -> text | number(2, grouped)", o, l)
  for locale, text in pairs {
    it_CH = "1’234.50", es = "1234,50", pl = "1234,50", pt_PT = "1234,50", de = "1.234,50",
  } do
    app.locale = locale
    same(locale .. l.text, locale .. text)
  end
  app.locale = "tr"
  local m, f = model "share" { p = 0.25 }, view.field { bindTo = { text = "<> share.p | percent" } }
  same(f.text, "%25")
  f.text = "%40"
  same(m.p, 0.4)
end)

case("numbers of other programs are read, and what is none is refused", function()
  local o = object { n = 1.5 }
  local s = object { t = "" }
  bind("t !-> n", s, o)
  for text, number in pairs {
    ["−5"] = -5, ["１２"] = 12, ["1'000"] = 1000, ["1\u{a0}000"] = 1000, ["1\u{202f}234.5"] = 1234.5,
  } do
    s.t = text
    same(o.n, number)
  end
  for _, text in ipairs { "nan", "inf", "-inf", "1e400", "-1e400", "1'00" } do
    o.n = 1.5
    s.t = text
    same(o.n, 1.5)
  end
  local a, b = object { n = 0 / 0 }, object { n = 1.0 }
  bind("n -> n | clamp(0, 10)", a, b)
  same(b.n, 1.0)
end)

case("a day that is none is refused", function()
  local s, o = object { t = "" }, object { d = 0 }
  local function read(pattern, text)
    local b = bind(("t !-> d | !date('!%s')"):format(pattern), s, o)
    o.d, s.t = 0, ""
    s.t = text
    b:unbind()
    return o.d
  end
  same(read("%Y-%m-%d", "2024-02-29"), 1709164800)
  for _, text in ipairs { "2023-02-29", "2023-04-31", "2023-13-01" } do
    same(read("%Y-%m-%d", text), 0)
  end
  same(read("%a %Y-%m-%d", "Wed 2023-03-01"), 1677628800)
  same(read("%a %Y-%m-%d", "Mon 2023-03-01"), 0)
  same(read("%G-W%V-%u", "2023-W09-3"), 1677628800)
  same(read("%Y-W%W-%u", "2023-W09-3"), 1677628800)
  same(read("%Y-%j", "2023-060"), 1677628800)
  same(read("%Y-%j", "2023-366"), 0)
  for pattern, text in pairs {
    ["%G-W%V"] = "2023-W09", ["%Y"] = "2023", ["%Y-%m"] = "2023-03", ["%H:%M"] = "01:30",
    ["%C-%m-%d"] = "20-03-01",
  } do
    same(read(pattern, text), 0)
  end
end)

case("a field of a two-way binding is written anew in a new language", function()
  app.locale = "en"
  local m = model "spoken" { cents = 1234, part = 12.5 }
  for _, way in ipairs { "model first", "view first" } do
    app.locale = "en"
    m.cents, m.part = 1234, 12.5
    local money, number = view.field { id = "money" }, view.textArea { id = "number" }
    if way == "model first" then
      bind("cents <> text | currency(EUR)", m, money)
      bind("part <> text | number(3)", m, number)
    else
      money.text, number.text = "€12.34", "12.500"
      bind("text <> cents | !currency(EUR)", money, m)
      bind("text <> part | !number(3)", number, m)
    end
    show(view.column { money, number })
    number:focus()
    app.locale = "de"
    same(money.text, "12,34 €")
    same(number.text, "12,500")
    same(m.cents .. " " .. m.part, "1234 12.5")
    money:focus()
    same(m.part, 12.5)
    keys "Home 5"
    same(money.text, "512,34 €")
    same(m.cents, 51234)
    same(#errors(), 0)
  end
end)

case("a refused text stays as it was typed in a new language", function()
  app.locale = "en"
  local m = model "spokenwrong" { part = 12.5 }
  local number = view.field { bindTo = { text = "<> spokenwrong.part | number(1)" } }
  show(number)
  number:focus()
  keys "End x"
  app.locale = "de"
  same(number.text, "12.5x")
  same(m.part, 12.5)
end)

case("a number that was copied from a page may have no-break spaces in and around it", function()
  local spaces = { " ", "\u{A0}", "\u{202F}", "\u{2007}", "\u{2009}", "\u{3000}" }
  for _, space in ipairs(spaces) do
    local m, field = object { n = 0, i = property { default = 0, type = "integer" } }, object { text = "" }
    bind("n <> text", m, field)
    field.text = space .. "12" .. space
    same(m.n, 12)
    field = object { text = "" }
    bind("i <> text", m, field)
    field.text = space .. "7" .. space
    same(m.i, 7)
    -- A plain space is no separator where the language has none.
    if space ~= " " and space ~= "\u{3000}" then
      field.text = "1" .. space .. "234"
      same(m.i, 1234)
    end
    for _, language in ipairs { "fr", "nb", "ru" } do
      app.locale = language
      local input = view.numberField {}
      bind("n <> value", m, input)
      show(input)
      input:focus()
      keys "Ctrl-A"
      for _, code in utf8.codes("2" .. space .. "345") do
        keys(code == 32 and "Space" or utf8.char(code))
      end
      keys "Enter"
      same(m.n, 2345)
    end
    app.locale = "en"
  end
  same(#errors(), 0)
end)
