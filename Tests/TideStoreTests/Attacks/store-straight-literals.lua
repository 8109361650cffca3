-- Blobs that stand in the text of a statement, which no limit of a value's length holds for.
-- expect: error "at once"
local db = store.open("attack.db")
local parts = {}
for index = 1, 450 do parts[index] = "x < y" end
local blob = "x'" .. ("31"):rep(100000) .. "'"
db:value("SELECT " .. table.concat(parts, ", ") .. " FROM (SELECT " .. blob .. " AS x, " .. blob .. " AS y)")
