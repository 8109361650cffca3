-- Triggers that set off one another.
-- expect: fine
local db = store.open("attack.db")
db:run("CREATE TABLE a (n)")
db:run("CREATE TABLE b (n)")
db:run("CREATE TRIGGER ga AFTER INSERT ON a BEGIN INSERT INTO b VALUES (new.n + 1); END")
db:run("CREATE TRIGGER gb AFTER INSERT ON b BEGIN INSERT INTO a VALUES (new.n + 1); END")
pcall(db.run, db, "INSERT INTO a VALUES (1)")
assert(db:value("SELECT count(*) FROM a").value < 2000)
