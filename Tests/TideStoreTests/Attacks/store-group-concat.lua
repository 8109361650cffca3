-- An aggregate that grows without end.
-- expect: time or error "took longer" or error "memory" or error "too big"
local db = store.open("attack.db")
while true do
  db:value("WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT group_concat(hex(zeroblob(1000))) FROM n")
end
