-- Rows that take more memory than the app has, in a list, a value and a row.
-- expect: fine
local db = store.open("attack.db")
local many = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000) SELECT x, randomblob(1000000) AS b FROM n"
local done, why = pcall(db.list, db, many)
assert(not done and tostring(why):find("memory", 1, true), why)
done, why = pcall(db.list, db, many .. " ORDER BY b")
assert(not done and tostring(why):find("memory", 1, true), why)
assert(db:value("SELECT 1").value == 1)
