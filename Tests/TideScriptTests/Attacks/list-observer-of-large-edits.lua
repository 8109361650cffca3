-- Edits of thousands of rows, which wait for the end of a batch.
-- expect: fine
local rows = {}
for i = 1, 20000 do rows[i] = i end
local list = list {}
list:observe(function() end)
batch(function()
  for _ = 1, 60 do list:set(rows) list:clear() end
end)
