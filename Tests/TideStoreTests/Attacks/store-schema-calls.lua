-- A schema calls what a statement may not: in views, triggers, checks, defaults, generated columns and indexes.
-- expect: fine
local db = store.open("attack.db")
local evil = "load_extension('evil')"
for _, sql in ipairs { "CREATE VIEW v AS SELECT " .. evil, "CREATE TABLE t (n CHECK (" .. evil .. "))",
  "CREATE TABLE t (n, m AS (" .. evil .. "))" } do
  if pcall(db.run, db, sql) then
    assert(not pcall(db.run, db, "INSERT INTO t (n) VALUES (1)"), sql)
    assert(not pcall(db.value, db, "SELECT * FROM v"), sql)
    pcall(db.run, db, "DROP TABLE IF EXISTS t")
    pcall(db.run, db, "DROP VIEW IF EXISTS v")
  end
end
db:run("CREATE TABLE u (n)")
assert(not pcall(db.run, db, "CREATE INDEX i ON u (fts3_tokenizer(n))"))
assert(not pcall(db.run, db, "CREATE INDEX i ON u (n) WHERE fts3_tokenizer(n)"))
db:run("CREATE TRIGGER g AFTER INSERT ON u BEGIN SELECT fts3_tokenizer('a', new.n); END")
local done, why = pcall(db.run, db, "INSERT INTO u VALUES ('AAAAAAAA')")
assert(not done and tostring(why):find("fts3_tokenizer", 1, true), why)
