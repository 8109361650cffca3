-- Names, paths and expressions of megabytes, wherever one is taken: refused before they are read.
-- expect: fine
local big = ("a"):rep(3000000)
local path = ("a."):rep(1000000) .. "a"
local pipes = "a -> b" .. (" | upper"):rep(300000)
-- One character to a person, and so short by that measure.
local heap = "a" .. ("\u{301}"):rep(1000000)
local o, made = object { a = 1, b = 2 }, 0

local function refused(what, f, ...)
  local ok, why = pcall(f, ...)
  assert(not ok, what)
  why = tostring(why)
  assert(#why < 10000 and why:find(what, 1, true), why:sub(1, 200))
end

for _, text in ipairs { big, path, pipes, big .. " -> b", "a -> " .. path, ("("):rep(3000000) } do
  refused("make it shorter", binding, text)
  refused("make it shorter", bind, text, o, o)
  refused("make it shorter", observe, o, text, print)
  refused("make it shorter", function() return view.label { text = bind(text) } end)
end
refused("make it shorter", ref, o, path)

local body = function() made = made + 1 end
for _, name in ipairs { big, heap, ("x"):rep(65537) } do
  refused("make it shorter", transformer, name, body)
  refused("make it shorter", model, name)
  refused("make it shorter", class, name)
  refused("make it shorter", context, name, body)
  refused("make it shorter", context.begin, name)
  refused("make it shorter", view.component, name, { view = body })
  refused("make it shorter", view.component, "named" .. #name, { events = { name }, view = body })
end
for _, name in ipairs { big, heap } do
  refused("make it shorter", object, { [name] = 1 })
  refused("make it shorter", view.label, { keys = { [name] = body } })
  refused("make it shorter", view.menu, { items = { { title = "a", key = name } } })
  refused("make it shorter", model "m", { [name] = 1 })
  refused("has no property", function() return o[name] end)
  refused("has no property", function() o[name] = 1 end)
  refused("there is no model", function() return models[name] end)
  refused("there is no view class", function() return view[name] end)
  refused("no shown view", function() return views[name] end)
  refused("has no event", function() return view.button { on = { [name] = body } } end)
  refused("has no property", function() return view.label { [name] = 1 } end)
  refused("is one of", function() return view.label { align = name } end)
  refused("has no", function() return hot[name] end)
  refused("there is no type", property, { type = name })
end
assert(made == 0)
