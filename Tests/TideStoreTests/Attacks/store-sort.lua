-- Sorting more than there is time or memory for.
-- expect: time or error "took longer" or error "memory"
local db = store.open("attack.db")
while true do
  db:value("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 5000000) SELECT x FROM n ORDER BY x * 7919 % 3000017")
end
