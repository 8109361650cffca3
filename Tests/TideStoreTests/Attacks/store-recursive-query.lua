-- A query that never ends.
-- expect: time or error "took longer"
local db = store.open("attack.db")
db:value("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n")
