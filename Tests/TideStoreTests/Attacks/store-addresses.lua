-- What tells where memory is: the steps of a statement, which name objects by their addresses.
-- expect: fine
local db = store.open("attack.db")
db:run("CREATE TABLE t (n)")
for _, sql in ipairs { "EXPLAIN SELECT * FROM json_each('[1]')", "explain SELECT n FROM t", " /* a */ EXPLAIN INSERT INTO t VALUES (1)",
  "EXPLAIN DELETE FROM t", "EXPLAIN PRAGMA user_version", "SELECT * FROM bytecode('SELECT 1')", "SELECT * FROM tables_used('SELECT 1')" } do
  for _, read in ipairs { "run", "list", "value", "row" } do
    local done, why = pcall(db[read], db, sql)
    assert(not done, sql)
  end
end
assert(not pcall(db.migrate, db, { "EXPLAIN SELECT 1" }))
local plan = db:list("EXPLAIN QUERY PLAN SELECT n FROM t WHERE n = 1")
assert(#plan == 1 and plan[1].detail:find("t", 1, true))
local done, why = pcall(db.run, db, "SELECT nothing(1)")
assert(not tostring(why):find("0x", 1, true))
