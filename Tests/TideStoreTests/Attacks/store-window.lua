-- Window functions over more rows than there is time or memory for.
-- expect: time or error "took longer" or error "memory"
local db = store.open("attack.db")
while true do
  db:value([[WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 3000000)
    SELECT group_concat(x) OVER (ORDER BY x ROWS BETWEEN 100000 PRECEDING AND CURRENT ROW) FROM n]])
end
