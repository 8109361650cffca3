-- A comparator that sorts the table itself.
-- expect: depth or error "stack overflow" or error "C stack overflow" or time
local t = { 5, 4, 3, 2, 1 }
local function less(a, b)
  table.sort(t, less)
  return a < b
end
table.sort(t, less)
