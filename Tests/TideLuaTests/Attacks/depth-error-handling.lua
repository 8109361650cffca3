-- An overflow in the handler of an overflow.
-- expect: fine
local function deep() return 1 + deep() end
local ok, message = xpcall(deep, function() return 1 + deep() end)
assert(not ok)
