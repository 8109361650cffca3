-- A yield across C functions that cannot be left.
-- expect: fine
local y = coroutine.yield
for _, body in ipairs {
  function() table.sort({ 3, 2, 1 }, y) end,
  function() ("x"):gsub("x", y) end,
  function() table.concat(setmetatable({}, { __len = function() return 1 end, __index = y })) end,
  function() load(y) end,
  function() tostring(setmetatable({}, { __tostring = y })) end,
  function() print(setmetatable({}, { __tostring = y })) end,
  function() string.format("%s", setmetatable({}, { __tostring = y })) end,
  function() table.insert(setmetatable({}, { __newindex = y }), 1) end,
  function() table.move({ 1 }, 1, 1, 2, setmetatable({}, { __newindex = y })) end,
  function() table.unpack(setmetatable({}, { __index = y }), 1, 3) end,
  function() for _ in pairs(setmetatable({}, { __pairs = y })) do end end,
} do
  local ok, message = coroutine.resume(coroutine.create(body))
  assert(ok or message:find("yield"), message)
end
