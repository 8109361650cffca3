-- Virtual tables read and write what is not in the database, or are whole programs of their own.
-- expect: fine
local db = store.open("attack.db")
for _, name in ipairs { "fts3", "fts4", "fts4aux", "fts5", "fts5vocab", "rtree", "rtree_i32", "dbstat", "sqlite_stmt", "csv", "zipfile" } do
  local done, why = pcall(db.run, db, "CREATE VIRTUAL TABLE v USING " .. name .. "(x)")
  assert(not done and tostring(why):find("virtual tables of " .. name, 1, true), why)
end
for _, name in ipairs { "dbstat", "sqlite_stmt", "sqlite_dbpage", "bytecode('SELECT 1')", "tables_used('SELECT 1')", "fts3tokenize",
  "generate_series(1, 2)", "carray(1, 2)" } do
  assert(not pcall(db.value, db, "SELECT * FROM " .. name), name)
end
assert(db:value("SELECT sum(value) FROM json_each('[1, 2]')").value == 3)
assert(db:value("SELECT count(*) FROM json_tree('[1, [2]]')").value == 4)
