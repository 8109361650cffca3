-- Fills a database: in memory until the budget ends it, in a file with 300 MB. The turn does not count
-- the time in which the script waits for the file.
-- expect: time or error "took longer" or error "memory" or error "full"
local db = store.open("attack.db")
db:run("CREATE TABLE t (n, b)")
for i = 1, 300 do db:run("INSERT INTO t VALUES (1, zeroblob(1000000))") end
error("the file is full")
