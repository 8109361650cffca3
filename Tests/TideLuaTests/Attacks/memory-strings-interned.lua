-- A flood of short texts, all of them kept.
-- expect: memory
local t, i = {}, 0
while true do i = i + 1 t["k" .. i] = true end
