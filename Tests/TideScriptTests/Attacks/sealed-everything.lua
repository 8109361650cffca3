-- Whatever can be reached from the globals and from what the API makes is written to in every way;
-- none may change what another module sees of the API.
-- expect: fine
-- leaves: other views
local Person = class "Person" {
  name = "", greet = function(self) return self.name end, loud = computed(function(self) return self.name end),
}
local fruit = model "fruit" { name = "fig", items = { 1, 2 } }
local o, l, d, label = object { a = 1 }, list { 1, 2 }, dict { a = 1 }, view.label { id = "label", text = "x" }
show(label)
local task = spawn(function() sleep(1000) end)
local own = {
  Person = Person, person = Person { name = "Ada" }, fruit = fruit, o = o, l = l, d = d, label = label,
  binding = bind("name -> text", fruit, label), loose = binding "name <> text",
  filtered = l:filter(function() return true end), sorted = l:sorted(function(a, b) return tostring(a) < tostring(b) end),
  mapped = l:map(function(v) return v end), grouped = list { { k = 1 } }:group("k"), slice = l:slice(1, 1),
  ref = ref(o, "a"), observation = observe(o, "a", function() end), effect = effect(function() end),
  objectController = controller.object { content = o }, listController = controller.list { content = l },
  treeController = controller.tree {}, dictionaryController = controller.dictionary { content = d },
  trigger = trigger.change(o, "a"), timer = after(1000, function() end), task = task,
  notification = notification.observe("x", function() end), feed = feed { fetch = function() return {} end },
  null = null, unchanged = unchanged, none = NoSelection, many = MultipleValues, not_any = NotApplicable,
  property = property { default = 1 }, computed = computed(function() end),
  err = select(2, pcall(bind, 3)), thread = coroutine.create(print), iterator = properties(o),
}

-- What the API is, by names and members; reading it must give the same at the end.
local function picture()
  local all = {}
  for _, name in ipairs {
    "tidelock", "notification", "trigger", "controller", "log", "context", "string", "table", "math", "utf8",
    "coroutine", "os", "io",
  } do
    for _, holder in ipairs { _G[name], tidelock[name] or _G[name] } do
      for key, value in pairs(holder) do all[name .. "." .. tostring(key)] = value end
    end
  end
  for _, name in ipairs { "begin", "finish", "clear", "enable", "disable", "list" } do
    all["context." .. name] = context[name]
  end
  for _, name in ipairs { "label", "button", "component", "placeholders" } do all["view." .. name] = view[name] end
  for _, name in ipairs { "dispose", "accept" } do all["hot." .. name] = hot[name] end
  all["models.fruit"], all["views.label"] = models.fruit, views.label
  for name, value in pairs(own) do
    if type(value) == "userdata" and value ~= d then
      for _, member in ipairs {
        "append", "remove", "connect", "unbind", "cancel", "fire", "add", "selectNext", "fetchMore", "greet", "insert",
      } do
        local isThere, found = pcall(function() return value[member] end)
        if isThere then all[name .. "." .. member] = found end
      end
    end
  end
  all["string method"] = ("").upper
  all.arg = arg[0]
  return all
end
local before = picture()

-- Reach everything.
local seen, order = {}, {}
local function add(value)
  local kind = type(value)
  if (kind == "table" or kind == "userdata" or kind == "function" or kind == "thread") and not seen[value] then
    seen[value] = true
    order[#order + 1] = value
  end
end
local mine = { [seen] = true, [order] = true, [own] = true, [before] = true, [_G] = true }
add(_G) add(getmetatable "") add(tidelock)
for _, value in pairs(own) do add(value) end
local index = 1
while index <= #order do
  local value = order[index]
  index = index + 1
  if not mine[value] or value == _G or value == own then
    if type(value) == "table" then
      for key, member in next, value do add(key) add(member) end
    end
    if type(value) == "table" or type(value) == "userdata" then
      pcall(function() for key, member in pairs(value) do add(key) add(member) end end)
      for _, name in ipairs { "__index", "__newindex", "__call", "__metatable", "data", "content", "superview",
        "selection", "subviews", "dataObject", "source", "target" } do
        pcall(function() add(value[name]) end)
      end
    end
    pcall(function() add((getmetatable(value))) end)
  end
end
assert(#order > 150, #order)

-- Write to all of it: what is the script's own may change.
local function evil() return "evil" end
local keys = { "bind", "append", "upper", "insert", "fruit", "label", "begin", "data", 1, 0, "zzz", "__index",
  "__newindex", "__call", "__metatable", "__gc", "__mode", "__pairs", "info", "post", "connect", "greet" }
local unsealed = {}
for _, value in ipairs(order) do
  if not mine[value] then
    local metatable = getmetatable(value)
    assert(type(metatable) ~= "table" or value ~= _G)
    pcall(setmetatable, value, { __index = evil, __newindex = evil, __call = evil })
    if type(value) == "table" then
      for _, key in ipairs(keys) do
        if pcall(rawset, value, key, evil) then unsealed[value] = true end
      end
      pcall(table.insert, value, evil)
      pcall(table.insert, value, 1, evil)
      pcall(table.sort, value, evil)
      pcall(table.remove, value)
      pcall(table.move, { evil, evil }, 1, 2, 1, value)
    end
    if type(value) ~= "function" and seen[value] then
      for _, key in ipairs(keys) do
        pcall(function() if value ~= fruit and value ~= o then value[key] = evil end end)
      end
    end
    pcall(coroutine.close, value)
  end
end
assert(getmetatable(_G) == false and not pcall(setmetatable, _G, nil))
for _, name in ipairs {
  "tidelock", "models", "views", "view", "hot", "context", "notification", "trigger", "controller", "log", "arg",
  "string", "table", "math", "utf8", "coroutine", "os", "io",
} do
  assert(not unsealed[_G[name]], name .. " can be written")
end
local after_all = picture()
for name, value in pairs(before) do
  assert(rawequal(after_all[name], value), name .. " was changed")
end
for name in pairs(after_all) do assert(before[name] ~= nil, name .. " was added") end
