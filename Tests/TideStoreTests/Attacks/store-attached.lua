-- Other databases, by every way to attach one.
-- expect: fine
local db = store.open("attack.db")
for _, sql in ipairs { "ATTACH '/tmp/other.db' AS other", "ATTACH '' AS other", "ATTACH ':memory:' AS other",
  "ATTACH ('/tmp/' || 'x') AS other", "DETACH main", "DETACH vacuum_db", "ATTACH NULL AS vacuum_db", "VACUUM INTO '/tmp/stolen.db'",
  "VACUUM main INTO 'file:/tmp/stolen.db'" } do
  assert(not pcall(db.run, db, sql), sql)
end
for _, sql in ipairs { "ATTACH ? AS other", "VACUUM INTO ?" } do
  assert(not pcall(db.run, db, sql, { "/tmp/stolen.db" }), sql)
end
db:run("VACUUM")
