-- Keys with titles, and the bar that shows them.

case("a key bar shows the keys with titles that do something now", function()
  local done = {}
  local function note(name) return function() done[#done + 1] = name end end
  local one = view.field { keys = { F4 = { title = "Look up", run = note "lookup" } } }
  local two = view.field { keys = { ["Ctrl-T"] = note "untold", F2 = { title = "Mine", run = note "mine" } } }
  show(view.column { keys = { F2 = { title = "New", run = note "new" }, F10 = { title = "Menu", run = note "menu" } },
    one, two, view.keyBar { id = "bar" } })
  local function line() return views.bar.superview:snapshot(60, 3):match "([^\n]*)\n?$" end
  same(line():gsub("%s+$", ""), "F2 New  F10 Menu  Ctrl-C Quit")
  keys "F2"
  same(joined(done), "new")
  two:focus()
  same(line():gsub("%s+$", ""), "F2 Mine  F10 Menu  Ctrl-C Quit")
  keys "F2"
  same(joined(done), "new,mine")
end)

case("a key with a title runs its function, and what is wrong says so", function()
  local count = 0
  local field = view.field { keys = { F2 = { title = "New", run = function() count = count + 1 end } } }
  show(view.column { field })
  field:focus()
  keys "F2"
  same(count, 1)
  fails("field.keys maps names of keys to functions, or to tables such as { title =", function() field.keys = { F2 = wrong(1) } end)
  fails('a key has no option "tilte"; did you mean "title"?', function() field.keys = { F2 = wrong { tilte = "x" } } end)
  fails("a key with a title has a function as well", function() field.keys = { F2 = wrong { title = "x" } } end)
  fails('the option "run" of a key is a function, not 1', function() field.keys = { F2 = wrong { title = "x", run = 1 } } end)
end)
