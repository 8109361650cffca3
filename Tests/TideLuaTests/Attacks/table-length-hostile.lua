-- Lengths that are no lengths.
-- expect: fine
for _, length in ipairs { "x", {}, 1.5, -1, math.mininteger, math.maxinteger, true } do
  local t = setmetatable({ 1, 2 }, { __len = function() return length end })
  pcall(table.insert, t, 1)
  if length ~= math.maxinteger then
    pcall(table.remove, t)
    pcall(table.concat, t)
    pcall(table.unpack, t)
    pcall(table.sort, t)
  end
end
