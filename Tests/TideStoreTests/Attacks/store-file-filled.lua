-- A database that is filled: one in memory until the budget ends it, one in a file with 300 MB. The
-- waits for a file are no work of the script's.
-- expect: time or error "took longer" or error "memory" or error "full"
local db = store.open("attack.db")
db:run("CREATE TABLE t (n, b)")
for i = 1, 300 do db:run("INSERT INTO t VALUES (1, zeroblob(1000000))") end
error("the file is full")
