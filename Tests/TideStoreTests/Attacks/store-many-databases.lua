-- Databases without end, each with something in it.
-- expect: time or memory or error "memory"
local kept = {}
for index = 1, 100000 do
  local db = store.open("attack" .. index .. ".db")
  db:run("CREATE TABLE t (n)")
  db:run("INSERT INTO t VALUES (zeroblob(500000))")
  kept[index] = db
end
