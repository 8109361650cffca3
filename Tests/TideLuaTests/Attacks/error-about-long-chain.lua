-- An error tells about the end of a chain of 90,000 fields, link by link.
-- expect: fine
local function check(source)
  local f, message = load(source)
  if not f then assert(message:find "chain" or message:find "long" or message:find "overflow", message) return end
  local t = setmetatable({}, { __index = function(t, k) if k ~= "e" then return t end end })
  assert(not pcall(f, t))
end
check("local a = ... return a" .. (".b"):rep(90000) .. ".e.x")
check("local a = ... return a" .. (".b"):rep(90000) .. ".e()")
check("local a = ... return a" .. (".b"):rep(90000) .. ":e()")
check("local a, k = ... return (a.b)" .. ("[k]"):rep(90000) .. ".e.x")
check("local a = ... return (a.b)" .. ("[1]"):rep(90000) .. ".e.x")
check("local a = ... return a." .. ("b[a."):rep(150) .. "e" .. ("]"):rep(150) .. ".e.x.x")
check("local a = ... local b = a.e return -a" .. (".b"):rep(999) .. ".e.x.x")
