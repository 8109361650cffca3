-- The metatable of the globals, which all modules share, is nobody's to change or to take away.
-- expect: fine
assert(getmetatable(_G) == false)
assert(not pcall(setmetatable, _G, nil))
assert(not pcall(setmetatable, _G, { __index = function() return 1 end }))
assert(undefined_name == nil)
for _, name in ipairs { "models", "views", "view", "hot", "context", "arg", "tidelock" } do
  assert(not pcall(rawset, _G[name], "x", 1), name)
  assert(not pcall(rawset, _G[name], 1, 1), name)
end
assert(not pcall(function() context.begin = print end))
assert(not pcall(function() arg[1] = "x" end))
-- A script may still take a name for itself.
local given = bind
bind = nil
assert(bind == nil and tidelock.bind)
bind = given
