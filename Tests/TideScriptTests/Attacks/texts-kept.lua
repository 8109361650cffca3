-- Names, paths, expressions and literals that are long, of which the engine is made to keep many.
-- expect: fine or memory or error "has no property"
local s = ("x"):rep(40000)
local a, b = object { a = "", o = object {} }, object { b = "" }
for _, make in ipairs {
  function(i) return bind("a -> b | prefix('" .. i .. s .. "')", a, b) end,
  function(i) return bind("a -> b", a, b, { transform = "prefix('" .. i .. s .. "')" }) end,
  function(i) return bind("a -> b", a, b, { name = i .. s, null = i .. s }) end,
  function(i) return bind("a -> b", a, b, { when = "o.b" .. i .. s }) end,
  function(i) return binding("a -> b | prefix('" .. i .. s .. "')") end,
  function(i) return observe(a, "o.b" .. i .. s, print) end,
  function(i) return notification.observe(i .. s, print) end,
  function(i) return trigger.notification(i .. s) end,
  function(i) return trigger.change(a, "o.b" .. i .. s) end,
  function(i) return ref(a, "a", "prefix('" .. i .. s .. "')") end,
  function(i) return list {}:sorted("a" .. i .. s) end,
  function(i) return list {}:group("a" .. i .. s) end,
  function(i) return controller.list { content = list {}, sort = "a" .. i .. s } end,
  function(i) return object { [i .. s] = 1 } end,
  function(i) return class("C" .. i) { [i .. s] = 1 } end,
  function(i) return class("D" .. i) { a = property { default = 1, message = i .. s } } end,
  function(i) return view.component("c" .. i, { properties = { p = i .. s }, view = print }) end,
  function(i) view.placeholders("label", { text = { null = i .. s } }) end,
  function(i) return view.label { bindTo = { text = "zz" .. i .. s .. ".b" } } end,
  function(i) return bind("zz" .. i .. "." .. s .. " -> yy.b") end,
  function(i) return bind({ "zz" .. i .. "." .. s, "zz.a" }, "yy.b", { format = "%s %s" }) end,
  function(i) return model("m" .. i .. s) end,
} do
  local kept = {}
  pcall(function()
    for i = 1, 120 do kept[i] = make(i) or false end
  end)
  for i = 1, #kept do
    local made = kept[i]
    if made then pcall(function() made:unbind() end) end
    if made then pcall(function() made:cancel() end) end
  end
end
