-- JSON that is deep, long or patched, whose functions take the square of its length.
-- expect: time or error "took longer" or error "memory" or error "not for scripts"
local db = store.open("attack.db")
assert(not pcall(db.value, db, "SELECT json(?)", { ("["):rep(100000) .. ("]"):rep(100000) }))
local keys = {}
for index = 1, 30000 do keys[index] = ('"k%d":%d'):format(index, index) end
local text = "{" .. table.concat(keys, ",") .. "}"
while true do
  db:value("SELECT count(*) FROM json_tree(?)", { text })
  db:value("SELECT length(json_set(?, '$.k29999', 1, '$.k29998', 2))", { text })
  db:value("SELECT json_patch(?, ?)", { text, text })
end
