-- Components without end: each has a copy of all that a column has.
-- expect: memory
local n = 0
while true do
  n = n + 1
  view.component("c" .. n, { properties = { t = "" }, view = function() end })
end
