-- Jumps out of and around variables that are to be closed.
-- expect: fine
local closed = 0
for i = 1, 100 do
  local t <close> = setmetatable({}, { __close = function() closed = closed + 1 end })
  if i % 2 == 0 then goto continue end
  if i > 90 then break end
  ::continue::
end
assert(closed == 91)
assert(not load("goto x local a ::x:: print(a)"))
assert(not load("goto nowhere"))
assert(not load("break"))
assert(not load("::x:: ::x::"))
