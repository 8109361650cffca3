-- Comparisons that sort again and swallow what comes of it.
-- expect: time or given up or depth
local function compare(a, b)
  while true do pcall(table.sort, { 3, 1, 2 }, compare) end
end
table.sort({ 3, 1, 2 }, compare)
