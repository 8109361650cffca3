-- A database in memory that is filled until the budget ends it.
-- expect: time or error "took longer" or error "memory" or error "full"
local db = store.open("attack.db")
db:run("CREATE TABLE t (n, b)")
while true do db:run("INSERT INTO t VALUES (1, zeroblob(1000000))") end
