-- A linked list that grows for ever.
-- expect: memory
local t = {}
while true do t = { t } end
