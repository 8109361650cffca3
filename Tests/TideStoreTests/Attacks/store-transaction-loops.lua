-- A transaction whose function never ends, and one that the end of the turn leaves open.
-- expect: time or error "took longer"
local db = store.open("attack.db")
db:run("CREATE TABLE t (n)")
db:transaction(function()
  while true do db:run("INSERT INTO t VALUES (1)") db:run("DELETE FROM t") end
end)
