-- What a script does to its globals stays with the script.
-- expect: fine
-- leaves: no globals
local keep = { pcall = pcall, tostring = tostring, setmetatable = setmetatable, pairs = pairs }
local G, assert, error, type = _G, assert, error, type
for name in pairs(G) do G[name] = nil end
assert(next == nil and print == nil)
assert(keep.tostring(5) == "5")
keep.setmetatable(G, { __index = function() error("looked up") end })
assert(not keep.pcall(function() return missing end))
keep.setmetatable(G, { __newindex = function() while keep do end end, __metatable = false })
