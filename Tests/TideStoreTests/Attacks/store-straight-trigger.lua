-- A trigger, a view, a check and an index that go through a value many times; the statement itself is short, and was ready before they came.
-- expect: time or error "took longer" or error "values may have" or error "memory"
local db = store.open("attack.db")
local function all(expression, between, count)
  local parts = {}
  for index = 1, count do parts[index] = expression end
  return table.concat(parts, between)
end
local long = ("1"):rep(1000000)
db:run("CREATE TABLE t (a, b)")
db:run("INSERT INTO t VALUES (?, 1)", { "short" })
db:run("CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT " .. all("new.a + new.a", ", ", 400) .. "; END")
local done, why = pcall(db.run, db, "INSERT INTO t VALUES (?, 1)", { long })
assert(not done and tostring(why):find("values may have", 1, true), why)
db:run("DROP TRIGGER g")
db:run("INSERT INTO t VALUES (?, 1)", { "short" })
db:run("CREATE TRIGGER g BEFORE INSERT ON t BEGIN SELECT " .. all("new.a + new.a", ", ", 400) .. "; END")
done, why = pcall(db.run, db, "INSERT INTO t VALUES (?, 1)", { long })
assert(not done and tostring(why):find("values may have", 1, true), why)
db:run("INSERT INTO t VALUES (?, 1)", { "short" })
db:run("DROP TRIGGER g")
db:run("INSERT INTO t VALUES (?, 1)", { long })
db:run("CREATE VIEW v AS SELECT " .. all("a + a", ", ", 400) .. " FROM t")
done, why = pcall(db.list, db, "SELECT * FROM v")
assert(not done and tostring(why):find("values may have", 1, true), why)
db:run("CREATE TABLE u (a, CHECK (" .. all("a + a >= 0", " AND ", 100) .. "))")
db:run("INSERT INTO u SELECT a FROM t")
