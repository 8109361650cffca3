-- Replacing in texts of which every place almost matches.
-- expect: time or error "took longer"
local db = store.open("attack.db")
while true do db:value([[SELECT length(replace(x, substr(x, 1, 250000) || '1', '2')) FROM (SELECT hex(zeroblob(500000)) AS x)]]) end
