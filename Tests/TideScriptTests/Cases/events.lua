-- Events of views, the keys they take, and commands.

local function shown(root)
  show(root)
  root:snapshot()
  return root
end

case("an event that a view does not handle goes up", function()
  local heard = {}
  local function note(name) return function(sender, event) heard[#heard + 1] = name .. ":" .. event.sender.id end end
  local quiet = view.button { id = "quiet" }
  local loud = view.button { id = "loud", on = { touchUpInside = note "button" } }
  local root = view.column { id = "root", view.row { id = "row", quiet, loud } }
  on(root, "touchUpInside", note "root")
  quiet:send "touchUpInside"
  loud:send "touchUpInside"
  same(table.concat(heard, " "), "root:quiet button:loud")
  heard = {}
  on(loud, "touchUpInside", function() return false end)
  on(root.subviews[1], "touchUpInside", function(view, event)
    heard[#heard + 1] = view.id .. " passes on " .. event.sender.id
    return false
  end)
  quiet:send "touchUpInside"
  same(table.concat(heard, ", "), "row passes on quiet, root:quiet")
end)

case("a handler of everything hears each event of a view, and those that come up to it", function()
  local heard = {}
  local field = view.field { id = "field" }
  local root = view.column { id = "root", field }
  on(field, "*", function(view, event) heard[#heard + 1] = event.name end)
  local above = 0
  on(root, "*", function(view, event) if event.sender == field then above = above + 1 end end)
  shown(root)
  heard = {}
  above = 0
  field:focus()
  keys "h i Enter"
  same(table.concat(heard, " "),
    "editingDidBegin focus editingChanged editingChanged editingDidEndOnExit editingDidEnd")
  same(above, 6)
end)

case("a handler ends with its table of handlers and when it is cancelled", function()
  local count = 0
  local button = view.button {}
  local handler = on(button, "touchUpInside", function() count = count + 1 end)
  button:send "touchUpInside"
  handler:cancel()
  handler:cancel()
  button:send "touchUpInside"
  same(count, 1)
  on(button, "touchUpInside", function() count = count + 10 end, { initial = true })
  same(count, 11)
  fails('did you mean "initial"?', function() on(button, "touchUpInside", print, { inital = true }) end)
  fails("function or command expected", function() on(button, "touchUpInside", 5) end)
  fails("view expected", function() on({}, "touchUpInside", print) end)
end)

case("a key that nobody takes goes to the superview", function()
  local heard = {}
  local function note(name, answer)
    return function(view, event)
      heard[#heard + 1] = name .. " " .. event.key
      return answer
    end
  end
  local button = view.button { id = "b", title = "b", keys = { a = note "button", ["Ctrl-S"] = note("button", false) } }
  local row = view.row { keys = { F2 = note "row", Enter = note "row" }, button }
  local root = shown(view.column { keys = { ["Ctrl-S"] = note "root", a = note "root", F2 = note "root" }, row })
  keys "a"
  same(table.concat(heard, ", "), "root a")
  button:focus()
  heard = {}
  keys "a Ctrl-S F2 Enter"
  same(table.concat(heard, ", "), "button a, button Ctrl-S, root Ctrl-S, row F2")
end)

case("every key has its name", function()
  local names = {
    "x", "X", "+", "é", "Enter", "Tab", "Escape", "Space", "Backspace", "Delete", "Insert", "Up", "Down",
    "Left", "Right", "Home", "End", "PageUp", "PageDown", "Shift-Tab", "Ctrl-A", "Alt-X", "Ctrl-Alt-Delete",
    "Shift-Up", "Ctrl-Shift-End",
  }
  for i = 1, 12 do names[#names + 1] = "F" .. i end
  local heard
  local taken = {}
  for _, name in ipairs(names) do taken[name] = function(_, event) heard = event.key end end
  local root = shown(view.view { focusable = true, keys = taken })
  root:focus()
  for _, name in ipairs(names) do
    heard = nil
    keys(name)
    same(heard, name)
  end
  fails('"Entr" is not a key; did you mean "Enter"?', function() view.view { keys = { Entr = print } } end)
  fails('"Ctrl-" is not a key', function() view.view { keys = { ["Ctrl-"] = print } } end)
  fails("keys maps names of keys to functions, or to tables such as", function() view.view { keys = { Enter = 5 } } end)
  fails("keys maps names of keys to functions", function() view.view { keys = 5 } end)
end)

case("the keys of a view can be given anew", function()
  local heard = {}
  local function note(text) return function() heard[#heard + 1] = text end end
  local button = view.button { title = "b", keys = { a = note "first a", b = note "first b" } }
  shown(view.column { button })
  button:focus()
  button.keys = { a = note "second a" }
  keys "a b"
  same(table.concat(heard, ", "), "second a")
  button.keys = nil
  keys "a"
  same(#heard, 1)
  fails("found 5", function() button.keys = { a = 5 } end)
end)

case("Tab goes through what can have the focus, in the order of the tree", function()
  local root = shown(view.column {
    view.button { id = "a" }, view.label { id = "l" },
    view.row { view.field { id = "b" }, view.button { id = "off", enabled = false } },
    view.column { hidden = true, view.button { id = "gone" } },
    view.column { enabled = false, view.button { id = "below" } },
    view.label { id = "c", focusable = true },
  })
  local function focused()
    for _, id in ipairs { "a", "l", "b", "off", "gone", "below", "c" } do
      if views[id].focused then return id end
    end
  end
  same(focused(), nil)
  local order = {}
  for i = 1, 4 do
    keys "Tab"
    order[i] = focused()
  end
  keys "Shift-Tab"
  order[5] = focused()
  same(table.concat(order, " "), "a b c a c")
end)

case("a command decides whether its controls are enabled", function()
  local done = {}
  local save = object {
    isDirty = true, canExecute = computed(function(self) return self.isDirty end),
    execute = function(self, sender)
      done[#done + 1] = sender.id
      self.isDirty = false
    end,
  }
  local button = view.button { id = "save", on = { touchUpInside = save } }
  local second = view.button { id = "second", enabled = false }
  on(second, "touchUpInside", save)
  same(button.enabled, true)
  button:send "touchUpInside"
  same(button.enabled, false)
  button:send "touchUpInside"
  same(#done, 1)
  save.isDirty = true
  same(button.enabled, true)
  fails("a command is a data object with a function execute", function()
    on(button, "touchUpInside", object {})
  end)
end)

case("what fails in a handler is listed with its line, and the others run", function()
  local ran = false
  local button = view.button { on = { touchUpInside = function() error("no luck") end } }
  on(button, "touchUpInside", function() ran = true end)
  local ok = pcall(button.send, button, "touchUpInside")
  same(ok, true)
  same(ran, true)
end)

case("a function for a property follows what it reads, and keeps the value when it fails", function()
  local some = model "some" { n = 1 }
  local label = view.label { text = function()
    if some.n == 2 then error("not today") end
    return "n is " .. some.n
  end, hidden = function() return some.n > 10 end }
  some.n = 2
  same(label.text, "n is 1")
  same(#errors(), 1)
  some.n = 30
  same(label.text, "n is 30")
  same(label.hidden, true)
  same(#errors(), 0)
end)

case("bindTo knows every arrow, and the path is its left side", function()
  local some = model "some" { a = "1", b = "2", c = "3", d = "4", e = "5", f = "6", n = 7 }
  local label = view.label { text = "view", bindTo = { text = "some.a" } }
  same(label.text, "1")
  local function field(arrow, name) return view.field { text = "view", bindTo = { text = arrow .. " some." .. name } } end
  local function type(field, text, name)
    field.text = text
    same(some[name], text)
  end
  local both = field("<>", "a")
  same(both.text, "1")
  type(both, "x", "a")
  same(label.text, "x")
  local out = field("->", "b")
  same(some.b, "view")
  type(out, "y", "b")
  some.b = "z"
  same(out.text, "y")
  local quiet = field("!->", "c")
  same(some.c, "3")
  type(quiet, "q", "c")
  local function change(name, text, field)
    some[name] = text
    same(field.text, text)
  end
  local later = field("<-!", "d")
  same(later.text, "view")
  change("d", "44", later)
  local twoLater = field("<!>", "e")
  same(twoLater.text, "view")
  type(twoLater, "e", "e")
  change("e", "f", twoLater)
  local shouting = view.field { bindTo = { text = "<> some.n | prefix('no. ')" } }
  same(shouting.text, "no. 7")
  shouting.text = "no. 8"
  same(some.n, 8)
  local formatted = view.label { bindTo = { text = { path = "some.n", format = "%03d" } } }
  same(formatted.text, "008")
  local empty = view.label { bindTo = { text = { path = "@superview.dataObject.name", fallback = "nobody" } } }
  view.column { empty }
  same(empty.text, "nobody")
end)

case("what can be known of a binding is said when it is made, though its model is not there", function()
  fails('no transformer "uper"', function() view.label { bindTo = { text = "later.name | uper" } } end)
  fails("reverse", function() view.field { bindTo = { text = "<> later.name | length" } } end)
  fails('no transformer "uper"', function() bind "later.name -> other.text | uper" end)
  fails("reverse", function() bind "later.name <> other.text | length" end)
  fails("expected", function() view.label { bindTo = { text = "<> @superview..x" } } end)
  fails('did you mean "null"?', function() view.label { bindTo = { text = { path = "a.b", nul = "" } } } end)
end)
