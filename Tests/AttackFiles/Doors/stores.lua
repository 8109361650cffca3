--- transaction: the function of a transaction
db = store.open("door.db")
function enter() db:transaction(step) end

--- query-observer: an observer of a list that follows a query
db = store.open("door.db")
db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, n INTEGER)" }
all = db:list("SELECT * FROM entry")
all:observe(step)
function enter() db:run("INSERT INTO entry (n) VALUES (1)") end

--- query-bound: a transformer of what follows a query
db = store.open("door.db")
db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, n INTEGER)" }
count, shown = db:value("SELECT count(*) FROM entry"), object { n = 0 }
transformer("counted", function(n) step() return n end)
bind("value -> n | counted", count, shown)
function enter() db:run("INSERT INTO entry (n) VALUES (1)") end

--- row-taken: an observer of a row of a class that takes what the database holds
class "entry" { id = 0, n = 0 }
db = store.open("door.db")
db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, n INTEGER)", "INSERT INTO entry (n) VALUES (1)" }
all = db:list("SELECT id, n FROM entry", nil, { class = "entry" })
observe(all[1], "n", step)
function enter() db:run("UPDATE entry SET n = n + 1") end

--- row-written: an observer of the database when a row is written by itself
class "entry" { id = 0, n = 0 }
db = store.open("door.db")
db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, n INTEGER)", "INSERT INTO entry (n) VALUES (1)" }
all = db:list("SELECT id, n FROM entry", nil, { class = "entry", writes = true })
sum = db:value("SELECT sum(n) FROM entry")
observe(sum, "value", step)
function enter() all[1].n = all[1].n + 1 end

--- kept-restored: an observer of what keeping gives back
db = store.open("door.db")
round = object { n = 0 }
function enter()
  round.n = round.n + 1
  local first = object { n = round.n }
  db:keep(first, "kept " .. round.n)
  db:flush()
  db:run("UPDATE tide_kept SET object = 'again ' || object")
  again = object { n = 0 }
  observe(again, "n", step)
  db:keep(again, "again kept " .. round.n)
end

--- query-of-view: an observer of a list that follows a view of a view
db = store.open("door.db")
db:migrate { [[
  CREATE TABLE entry (id INTEGER PRIMARY KEY, n INTEGER);
  CREATE VIEW large AS SELECT id, n * 10 AS n FROM entry;
  CREATE VIEW summed AS SELECT count(*) AS n, sum(n) AS total FROM large;
]] }
sums = db:list("SELECT * FROM summed")
sums:observe(step)
function enter() db:run("INSERT INTO entry (n) VALUES (1)") end

--- query-of-trigger: an observer of a list that follows what triggers write
db = store.open("door.db")
db:migrate { [[
  CREATE TABLE entry (id INTEGER PRIMARY KEY, n INTEGER);
  CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT);
  CREATE VIEW door AS SELECT n FROM entry;
  CREATE TRIGGER enters INSTEAD OF INSERT ON door BEGIN INSERT INTO entry (n) VALUES (new.n); END;
  CREATE TRIGGER notes AFTER INSERT ON entry BEGIN INSERT INTO log (text) VALUES ('entered ' || new.n); END;
]] }
log = db:list("SELECT * FROM log")
log:observe(step)
function enter() db:run("INSERT INTO door (n) VALUES (1)") end

--- query-parameter: a computed value that is read for a statement's parameter
db = store.open("door.db")
round = object { n = 0, asked = computed(function(self) local n = self.n step() return n end) }
function enter()
  round.n = round.n + 1
  shown = db:row("SELECT :n AS n", { n = round.asked })
end

--- query-of-other-writer: an observer of a list, of which another connection writes what it shows
db = store.open("door.db")
db:migrate { "CREATE TABLE entry (id INTEGER PRIMARY KEY, n INTEGER)" }
all = db:list("SELECT * FROM entry")
all:observe(step)
function enter() spawn(function() db:run("INSERT INTO entry (n) VALUES (1)") end) end
