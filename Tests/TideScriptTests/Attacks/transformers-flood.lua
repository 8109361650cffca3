-- Transformers without end.
-- expect: memory
local n = 0
while true do n = n + 1 transformer("c" .. n, function() end) end
