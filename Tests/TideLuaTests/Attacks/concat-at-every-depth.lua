-- Functions join at every depth of the stack, with more and less of it in use.
-- expect: fine
local joined = setmetatable({}, { __concat = function(a, b) return type(a) == "table" and a or b end })
local function join(n, ...)
  local a, b, c = "a", joined, "c"
  local s = a .. b .. c .. a
  assert(s == joined)
  if n > 0 then return join(n - 1, n, ...) end
end
for n = 1, 120 do coroutine.wrap(join)(n) end
