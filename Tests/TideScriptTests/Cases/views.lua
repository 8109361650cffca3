-- Views: children that functions give, and components.

local function texts(view)
  local parts = {}
  for i, subview in ipairs(view.subviews) do parts[i] = tostring(subview.text) end
  return table.concat(parts, ",")
end

case("a function among children adds no subview of its own", function()
  local some = model "some" { list = list { "a", "b" } }
  local column = view.column {
    view.label { text = "first" },
    function()
      local all = {}
      for _, name in ipairs(some.list) do all[#all + 1] = view.label { text = name } end
      return all
    end,
    view.label { text = "last" },
  }
  same(texts(column), "first,a,b,last")
  some.list:append("c")
  same(texts(column), "first,a,b,c,last")
  some.list:set {}
  same(texts(column), "first,last")
  some.list:append("d")
  same(texts(column), "first,d,last")
end)

case("functions side by side keep their places", function()
  local some = model "some" { a = 0, b = 0 }
  local function rows(name)
    return function()
      local all = {}
      for i = 1, some[name] do all[i] = view.label { text = name .. i } end
      return all
    end
  end
  local column = view.column { rows "a", rows "b", view.label { text = "end" } }
  same(texts(column), "end")
  some.b = 2
  same(texts(column), "b1,b2,end")
  some.a = 1
  same(texts(column), "a1,b1,b2,end")
  some.b = 0
  some.a = 2
  same(texts(column), "a1,a2,end")
end)

case("children with the same key are kept, in the new order, with what they show now", function()
  local some = model "some" { names = list { "a", "b", "c" }, suffix = "" }
  local column = view.column {
    function()
      local all = {}
      for i, name in ipairs(some.names) do
        all[i] = view.row { key = name, view.label { text = name .. some.suffix }, view.field { text = "" } }
      end
      return all
    end,
  }
  local a, b = column.subviews[1], column.subviews[2]
  b.subviews[2].text = "typed"
  some.names:move(1, 3)
  some.suffix = "!"
  same(column.subviews[1], b)
  same(column.subviews[3], a)
  same(a.subviews[1].text, "a!")
  same(b.subviews[2].text, "typed")
  some.names:remove(1)
  same(#column.subviews, 2)
  same(b.superview, nil)
end)

case("kept children have the new handlers and bindings, and the old ones no more", function()
  local some = model "some" { n = 1, value = 5 }
  local pressed = {}
  local column = view.column {
    function()
      local n = some.n
      return view.button {
        key = "only", title = "b", on = { touchUpInside = function() pressed[#pressed + 1] = n end },
        bindTo = { tag = "some.value" },
      }
    end,
  }
  local button = column.subviews[1]
  same(button.tag, 5)
  some.n = 2
  same(column.subviews[1], button)
  button:send("touchUpInside")
  same(#pressed, 1)
  same(pressed[1], 2)
  some.value = 6
  same(button.tag, 6)
  some.n = 3
  button:send("touchUpInside")
  same(pressed[2], 3)
  same(#pressed, 2)
end)

case("a property that is no longer given has its default again", function()
  local some = model "some" { bold = true }
  local column = view.column {
    function()
      return some.bold and view.label { key = 1, text = "x", bold = true } or view.label { key = 1, text = "x" }
    end,
  }
  local label = column.subviews[1]
  same(label.bold, true)
  some.bold = false
  same(column.subviews[1], label)
  same(label.bold, false)
end)

case("another class under the same key is another view", function()
  local some = model "some" { edit = false }
  local column = view.column {
    function()
      return some.edit and view.field { key = 1, text = "x" } or view.label { key = 1, text = "x" }
    end,
  }
  local label = column.subviews[1]
  some.edit = true
  same(column.subviews[1].class, "field")
  same(label.superview, nil)
end)

case("functions within kept children are kept as well", function()
  local some = model "some" { outer = 0, inner = list { 1, 2 } }
  local column = view.column {
    function()
      local n = some.outer
      return view.column {
        key = "group",
        function()
          local all = {}
          for i, v in ipairs(some.inner) do all[i] = view.field { key = v, tooltip = n .. ":" .. v } end
          return all
        end,
      }
    end,
  }
  local group = column.subviews[1]
  local field = group.subviews[2]
  some.outer = 1
  same(column.subviews[1], group)
  same(group.subviews[2], field)
  same(field.tooltip, "1:2")
  some.inner:insert(1, 0)
  same(group.subviews[3], field)
  same(#group.subviews, 3)
end)

case("a function that fails leaves what it gave before", function()
  local some = model "some" { bad = false, n = 1 }
  local column = view.column {
    function()
      local n = some.n
      if some.bad then error("no views today") end
      return view.label { key = 1, text = "n " .. n }
    end,
  }
  some.bad = true
  same(texts(column), "n 1")
  some.n = 2
  some.bad = false
  same(texts(column), "n 2")
end)

case("a view from elsewhere may be given again and again", function()
  local some = model "some" { n = 1 }
  local label = view.label { text = "kept" }
  local column = view.column {
    function()
      local n = some.n
      return { view.label { text = "n" .. n }, label }
    end,
  }
  some.n = 2
  same(column.subviews[2], label)
  same(texts(column), "n2,kept")
end)

case("a component has properties and events of its own", function()
  view.component("card", {
    properties = { title = "", count = property { type = "integer", default = 1 } },
    events = { "opened" },
    view = function(self)
      return view.box {
        title = function() return self.title end,
        view.button { title = "open", on = { touchUpInside = function() self:send("opened", self.count) end } },
      }
    end,
  })
  local fruit = model "fruit" { name = "apple" }
  local heard
  local card = view.card { bindTo = { title = "fruit.name" }, count = 3,
    on = { opened = function(sender, event) heard = event.value end } }
  same(card.class, "card")
  same(card.subviews[1].title, "apple")
  fruit.name = "pear"
  same(card.title, "pear")
  same(card.subviews[1].title, "pear")
  card.subviews[1].subviews[1]:send("touchUpInside")
  same(heard, 3)
  same(view.column { card }:find { class = "card" }, card)
end)

case("a component places the subviews that it is given", function()
  view.component("frame", {
    view = function(self, children) return view.box { view.label { text = "top" }, table.unpack(children) } end,
  })
  local frame = view.frame { view.label { text = "a" }, view.label { text = "b" } }
  same(texts(frame.subviews[1]), "top,a,b")
end)

case("a component in a kept place keeps what it shows", function()
  view.component("counter", {
    properties = { step = 1, count = 0 },
    view = function(self)
      return view.button { title = function() return "count " .. self.count end,
        on = { touchUpInside = function() self.count = self.count + self.step end } }
    end,
  })
  local some = model "some" { step = 1 }
  local column = view.column {
    function() return view.counter { key = "c", step = some.step } end,
  }
  local counter = column.subviews[1]
  local button = counter.subviews[1]
  button:send("touchUpInside")
  some.step = 10
  same(column.subviews[1], counter)
  same(counter.subviews[1], button)
  button:send("touchUpInside")
  same(counter.count, 11)
  same(button.title, "count 11")
end)

case("what a component is given wrongly is refused", function()
  fails("already", view.component, "label", { view = function() end })
  fails("no option", view.component, "c1", { veiw = function() end, view = function() end })
  fails("needs view", view.component, "c2", {})
  fails("every view has", view.component, "c3", { properties = { hidden = true }, view = function() end })
  fails("letters", view.component, "a b", { view = function() end })
  fails("no word of Lua's", view.component, "end", { view = function() end })
  view.component("once", { view = function() return 5 end })
  fails("already", view.component, "once", { view = function() end })
  fails("gives views, not 5", view.once, {})
  fails("takes no subviews", function()
    view.component("leaf", { view = function() return view.label {} end })
    view.leaf { view.label {} }
  end)
  fails('no event "opned"', function()
    view.component("opener", { events = { "opened" }, view = function() return view.label {} end })
    view.opener {}:send("opned")
  end)
  fails('did you mean "opener"', function() return view.openr end)
end)

case("a view that is found by its id is followed", function()
  local first = view.field { id = "followed", text = "first" }
  local seen = {}
  show(view.column { first })
  effect(function()
    local isThere, text = pcall(function() return views.followed.text end)
    seen[#seen + 1] = isThere and text or "none"
  end)
  first.text = "changed"
  local second = view.field { id = "followed", text = "second" }
  first:replace(second)
  second.text = "again"
  second:remove()
  same(table.concat(seen, " "), "first changed second again none")
  show(view.column { view.row { view.field { id = "followed", text = "third" } } })
  same(seen[#seen], "third")
  same(#errors(), 0)
end)

case("a view that is not shown yet is waited for", function()
  local label = view.label { text = function() return "sees " .. views.later.text end }
  show(view.column { label, view.field { id = "later", text = "x" } })
  same(label.text, "sees x")
  same(#errors(), 0)
  views.later.text = "y"
  same(label.text, "sees y")
end)

case("who puts views somewhere does not depend on what stands there", function()
  local column, o = view.column { view.label {} }, object { n = 1 }
  effect(function() column:add(view.label { text = "n" .. o.n }, 1) end)
  same(#column.subviews, 2)
  o.n = 2
  same(#column.subviews, 3)
  local last = column.subviews[3]
  effect(function() local _ = o.n last:move(1) end)
  same(column.subviews[1], last)
  same(#errors(), 0)
end)

case("options take effect in one order, whatever order a table has", function()
  local seen, properties, letters = {}, {}, {}
  for letter in ("abcdefghij"):gmatch(".") do
    letters[#letters + 1] = letter
    properties[letter] = property { default = "", validate = function(_, value)
      seen[#seen + 1] = letter
      return value
    end }
  end
  view.component("lettered", { properties = properties, view = function() return view.label {} end })
  for _ = 1, 20 do
    local fields = {}
    for i = #letters, 2, -1 do
      local j = math.random(i)
      letters[i], letters[j] = letters[j], letters[i]
    end
    for _, letter in ipairs(letters) do fields[letter] = "new" end
    seen = {}
    view.lettered(fields)
    same(table.concat(seen), "abcdefghij")
  end
end)

case("a chosen row is in sight at first, whatever order the options have", function()
  local rows = list {}
  for i = 1, 60 do rows:append { name = "row " .. i } end
  local options = { items = rows, selectedIndex = 50, height = 4 }
  local shown = view.row { view.list(options),
    view.table { height = 5, columns = { "name" }, selectedIndex = 50, items = rows },
    view.list { height = 4, selectedObject = rows[50], items = rows } }
  show(shown)
  local found = select(2, shown:snapshot(70, 6):gsub("row 50", ""))
  same(found, 3)
end)

case("a kept field goes on with its draft, its delayed write and its refused text", function()
  local some = model "remade" { round = 1, text = "t", late = "t", number = 5 }
  local root = view.column {
    function()
      local _ = some.round
      return {
        view.field { key = "draft", bindTo = { text = { path = "<> remade.text", continuous = false } } },
        view.field { key = "late", bindTo = { text = { path = "<> remade.late", delay = 0.5 } } },
        view.field { key = "number", bindTo = { text = "<> remade.number" } },
      }
    end,
    view.field {},
  }
  show(root)
  local draft, late, number = table.unpack(root.subviews:totable())
  draft:focus()
  keys "a b"
  some.round = 2
  same(draft.text, "tab")
  same(some.text, "t")
  keys "c"
  same(draft.text, "tabc")
  keys "Tab x"
  same(some.text, "tabc")
  advance(0.3)
  some.round = 3
  same(late.text, "tx")
  same(some.late, "t")
  advance(0.3)
  same(some.late, "tx")
  keys "Tab x"
  local message = number.error
  same(message ~= nil, true)
  some.round = 4
  same(number.text, "5x")
  same(number.error ~= nil, true)
  same(#errors { editing = true }, 1)
  keys "Backspace 6"
  same(some.number, 56)
  same(#errors { editing = true }, 0)
  same(root.subviews[1], draft)
end)

case("a view of a function that goes for good tells, and enters what was typed", function()
  for _, option in ipairs { "continuous", "delay", "plain" } do
    local some = model("gone" .. option) { shown = true, text = "t" }
    local told = {}
    local function tell(name) return function() told[#told + 1] = name end end
    local path = { path = "<> gone" .. option .. ".text" }
    if option == "continuous" then path.continuous = false elseif option == "delay" then path.delay = 0.5 end
    local root = view.column {
      function()
        if not some.shown then return end
        return view.column { key = "k", on = { didDisappear = tell "column" },
          view.field { bindTo = { text = path }, on = {
            editingDidEnd = tell "end", blur = tell "blur", didDisappear = tell "field" } } }
      end,
      view.button { title = "next" },
    }
    show(root)
    root.subviews[1].subviews[1]:focus()
    keys "a b c"
    root:snapshot()
    some.shown = false
    root:snapshot()
    same(some.text, "tabc")
    same(table.concat(told, " "), "end blur column field")
    same(#errors { editing = true }, 0)
  end
end)

case("the focus passes to the next row of a function when its row goes", function()
  for _, kind in ipairs { "button", "toggle", "list", "field" } do
    for _, keyed in ipairs { true, false } do
      local rows = list { "a", "b", "c" }
      local column = view.column { function()
        local made = {}
        for i, name in ipairs(rows) do
          local control = kind == "list" and view.list { id = name, items = { 1, 2 }, height = 1 }
            or view[kind] { id = name }
          made[i] = view.row { key = keyed and name or nil, control }
        end
        return made
      end }
      local root = view.column { view.button { id = "before" }, column, view.button { id = "after" } }
      show(root)
      local function focused()
        root:snapshot()
        for _, row in ipairs(column.subviews) do
          if row.subviews[1].focused then return row.subviews[1].id end
        end
        return views.before.focused and "before" or views.after.focused and "after" or nil
      end
      views.b:focus()
      same(focused(), "b")
      rows:remove(2)
      same(focused(), kind ~= "field" and "c" or nil)
      views.c:focus()
      rows:remove(2)
      same(focused(), kind ~= "field" and "a" or nil)
    end
  end
end)
