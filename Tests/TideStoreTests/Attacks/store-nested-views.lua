-- Views of views, of which each shows the one before twice: the text of a query doubles with each.
-- expect: time or error "took longer" or error "memory" or error "at most"
local db = store.open("attack.db")
db:run("CREATE VIEW v0 AS SELECT 1 AS n UNION ALL SELECT 2")
for index = 1, 40 do
  local before = "v" .. index - 1
  db:run(("CREATE VIEW v%d AS SELECT a.n + b.n AS n FROM %s a, %s b GROUP BY 1"):format(index, before, before))
end
db:value("SELECT count(*) FROM v40")
