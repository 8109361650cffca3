-- A search whose every place almost matches.
-- expect: time or error "took longer"
local db = store.open("attack.db")
db:value([[SELECT instr(x, substr(x, 1, 400000) || '1') FROM (SELECT hex(zeroblob(500000)) AS x)]])
while true do db:value([[SELECT instr(x, substr(x, 1, 400000) || '1') FROM (SELECT hex(zeroblob(500000)) AS x)]]) end
