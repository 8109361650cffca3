-- Iterators are called by hand with the ends of what an integer holds, which they count on from.
-- expect: fine
local most, least = math.maxinteger, math.mininteger
local step = ipairs({})
local index, value = step({ [least] = 10 }, most)
assert(index == least and value == 10)
assert(step({ [least] = 10 }, index) == nil)
local next_code = utf8.codes("aäb")
for _, at in ipairs { most, most - 1, least, least + 1, -1, -2, 4, 5, 1 << 32, -(1 << 32) } do
  pcall(next_code, "aäb", at)
  pcall(next_code, "", at)
  pcall(next_code, "\x80\x80\x80", at)
  pcall(step, {}, at)
  pcall(step, setmetatable({}, { __index = function(_, i) return i end }), at)
  local t = setmetatable({}, { __len = function() return at end })
  for _, position in ipairs { most, 0 } do pcall(table.insert, t, position, 1) end
  for _, position in ipairs { most, 0 } do pcall(table.remove, t, position) end
end
