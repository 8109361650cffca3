-- Views that a function of children makes anew for shown views: what the function connects to them
-- apart from their tables, and what people have entered in them for another record.

case("bind, on and observe of a view made anew hold for the shown view", function()
  for _, depth in ipairs { "top", "inside" } do
    local m = model("anew" .. depth) { count = 0, text = "hello", title = "t" }
    local heard = {}
    local root = view.column { function()
      local count = m.count
      local field = view.field { key = "a", id = "a" }
      bind("text <> text", m, field)
      on(field, "editingChanged", function(sender) heard[#heard + 1] = count .. sender.text end)
      observe(field, "text", function(new) heard[#heard + 1] = "o" .. count .. new end)
      local label = view.label { id = "lab" }
      bind("title -> text", m, label)
      local shout = view.label { id = "shout" }
      bind(shout, "text", function() return m.title:upper() end)
      local both = view.label { id = "both" }
      bind({ "title", "text" }, "text", m, both, { format = "%s %s" })
      local late = binding("title -> text"):connect(m, view.label {})
      late:connect(m, view.label { id = "unused" })
      if depth == "top" then return { field, label, shout, both } end
      return view.row { key = "row", field, label, shout, both }
    end }
    show(root)
    local first = views.a
    first:focus()
    keys "1"
    same(m.text, "hello1")
    m.count = 1
    same(views.a, first)
    same(first.focused, true)
    heard = {}
    keys "2"
    same(m.text, "hello12")
    same(table.concat(heard, " "), "o1hello12 1hello12")
    m.text, m.title = "new", "bye"
    same(first.text, "new")
    same(views.lab.text, "bye")
    same(views.shout.text, "BYE")
    same(views.both.text, "bye new")
    same(#errors(), 0)
  end
end)

case("a binding or handler that the function has ended is not made again", function()
  local m, told = model "ended" { count = 0, text = "hello" }, 0
  local root = view.column { function()
    local label = view.label { id = "l", text = "own " .. m.count }
    bind("text -> text", m, label):unbind()
    on(label, "click", function() told = told + 1 end):cancel()
    return label
  end }
  show(root)
  m.count = 1
  m.text = "other"
  same(views.l.text, "own 1")
  send(views.l, "click")
  same(told, 0)
end)

case("a command made anew acts once, and enables the shown button", function()
  local m = model "anewcommand" { count = 0 }
  local executed = 0
  local save = object { canExecute = false, execute = function() executed = executed + 1 end }
  show(view.column { function()
    local button = view.button { key = "b", id = "b", title = "n" .. m.count }
    on(button, "touchUpInside", save)
    return button
  end })
  m.count = 1
  same(views.b.enabled, false)
  save.canExecute = true
  same(views.b.enabled, true)
  send(views.b, "touchUpInside")
  same(executed, 1)
end)

case("what bind holds of an edit goes on, or is entered when its view goes for good", function()
  local m = model "anewdraft" { count = 0, shown = true, text = "t" }
  show(view.column { function()
    local _ = m.count
    if not m.shown then return end
    local field = view.field { key = "f", id = "kept" }
    bind("text <> text", m, field, { continuous = false })
    return field
  end, view.button { id = "next" } })
  views.kept:focus()
  keys "a"
  m.count = 1
  same(views.kept.text, "ta")
  same(m.text, "t")
  keys "b"
  same(views.kept.text, "tab")
  m.shown = false
  same(m.text, "tab")
end)

case("what was entered for one record is written to it when the view shows another", function()
  local kinds = {
    field = "text", textArea = "text", numberField = "value", slider = "value", stepper = "value",
  }
  for kind, property in pairs(kinds) do
    for _, option in ipairs { "continuous", "delay" } do
      for _, way in ipairs { "roots", "dataObject", "key" } do
        local isText = property == "text"
        local ann = object { name = "ann", age = 1 }
        local bob = object { name = "bob", age = 2 }
        local chosen = model("other" .. kind .. option .. way) { who = ann }
        show(view.column { function()
          local who = chosen.who
          local name = isText and ".name" or ".age"
          local path = { path = "<> " .. (way == "dataObject" and "dataObject" or "w") .. name }
          if way ~= "dataObject" then path.roots = { w = who } end
          if option == "delay" then path.delay = 1 else path.continuous = false end
          local made = { id = "either", bindTo = { [property] = path } }
          if way == "dataObject" then made.dataObject = who end
          if way == "key" then made.key = who.name end
          if kind == "slider" or kind == "stepper" then made.maximum, made.step = 100, 1 end
          return view[kind](made)
        end, view.button { id = "aside" } })
        views.either:focus()
        if isText or kind == "numberField" then keys "End 7" else keys "Right" end
        chosen.who = bob
        same(isText and ann.name or ann.age, isText and "ann7" or kind == "numberField" and 17 or 2)
        same(isText and views.either.text or views.either.value, isText and "bob" or 2)
        advance(2)
        views.aside:focus()
        same(isText and bob.name or bob.age, isText and "bob" or 2)
        same(#errors() + #errors { editing = true }, 0)
      end
    end
  end
end)

case("a refused entry of one record is told when the view shows another", function()
  for _, kind in ipairs { "field", "numberField" } do
    local ann, bob = object { name = "ann", age = 1 }, object { name = "bob", age = 2 }
    local chosen, before = model("refused" .. kind) { who = ann }, #errors { editing = true }
    show(view.column { function()
      local path = { path = "<> w.age", roots = { w = chosen.who } }
      return view[kind] { id = "kept", bindTo = { [kind == "field" and "text" or "value"] = path } }
    end })
    views.kept:focus()
    keys "End x"
    same(views.kept.text, "1x")
    chosen.who = bob
    same(views.kept.text, "2")
    same(views.kept.error, nil)
    local told = errors { editing = true }
    same(#told, before + 1)
    same(told[#told].number, "E0112")
    same(told[#told].message:find("1x", 1, true) ~= nil, true)
    same(ann.age .. " " .. bob.age, "1 2")
    keys "End 5"
    same(bob.age, 25)
  end
end)
