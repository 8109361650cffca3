-- A batch that edits an observed list for ever, and whose end is then to tell of each edit.
-- expect: time
local list = list { 1, 2 }
list:observe(function() end)
pcall(batch, function()
  while true do list:replace(1, 5) list:replace(1, 6) end
end)
