-- Bindings with `restore` that share a target.

local function run(steps, arrow)
  local on = object { a = false, b = false, c = false }
  local t, log = object { t = "orig" }, {}
  for _, name in ipairs { "a", "b", "c" } do
    bind("v " .. (arrow or "->") .. " t", object { v = name:upper() }, t,
      { when = function() return on[name] end, restore = true })
  end
  for step in steps:gmatch "%S+" do
    if step:sub(1, 1) == "-" then on[step:sub(2)] = false else on[step] = true end
    log[#log + 1] = t.t
  end
  return table.concat(log, " ")
end

case("the value of the latest active one shows, in whatever order they end", function()
  same(run "a b -a -b", "A B B orig")
  same(run "a b -b -a", "A B A orig")
  same(run "a b c -a -b -c", "A B C C C orig")
  same(run "a b c -b -a -c", "A B C C C orig")
  same(run "a b c -c -a -b", "A B C B B orig")
  same(run "a b -a a -b -a", "A B B A A orig")
  same(run("a b -a -b", "<>"), "A B B orig")
end)

case("so it is when they are unbound, disabled or cleared", function()
  local kept = {}
  local function two()
    local A, B, t = object { v = "A" }, object { v = "B" }, object { t = "orig" }
    local options = { when = function() return true end, restore = true }
    kept[#kept + 1] = { A, B }
    return bind("v -> t", A, t, options), bind("v -> t", B, t, options), t
  end
  local x, y, t = two()
  x:unbind()
  same(t.t, "B")
  y:unbind()
  same(t.t, "orig")
  x, y, t = two()
  x:disable()
  same(t.t, "B")
  y:disable()
  same(t.t, "orig")
  y:enable()
  same(t.t, "B")
  x:enable()
  same(t.t, "A")
  y:disable()
  same(t.t, "A")
  x:disable()
  same(t.t, "orig")
end)
