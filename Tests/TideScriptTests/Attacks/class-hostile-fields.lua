-- Fields with hostile metatables and names.
-- expect: fine
pcall(object, setmetatable({}, { __pairs = function() while true do end end }))
pcall(object, setmetatable({}, { __index = function() while true do end end, __len = function() return 1 << 40 end }))
pcall(list, setmetatable({ 1 }, { __len = function() return 1 << 40 end, __index = function() return 1 end }))
for _, name in ipairs { "", " ", "a.b", "__index", "__gc", "__call", ("x"):rep(10000), "\0", "\xff" } do
  pcall(object, { [name] = 1 })
  pcall(model(name), { x = 1 })
  pcall(class(name), { x = 1 })
end
