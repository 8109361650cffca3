-- One row whose expressions each go through a long text: SQLite asks whether to go on between rows.
-- expect: time or error "took longer" or error "memory" or error "values may have"
local db = store.open("attack.db")
local calls = {}
for index = 1, 400 do calls[index] = "upper(x) < lower(x)" end
local sql = "SELECT " .. table.concat(calls, " + ", 1, 100) .. " FROM (SELECT hex(zeroblob(1000000)) AS x)"
while true do db:value(sql) end
