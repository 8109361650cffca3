-- A loop with few steps, each of which goes through long values.
-- expect: time or error "took longer" or error "values may have" or error "memory"
local db = store.open("attack.db")
local long = ("1"):rep(2000000)
local numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
while true do
  for _, column in ipairs { "count(x = y)", "count(x + i)", "sum(x = y)", "max(x)", "total(x)", "count(x < y COLLATE NOCASE)", "count(DISTINCT x || i)" } do
    db:value(numbers .. "SELECT " .. column .. " FROM n, (SELECT ? AS x, ? AS y)", { long, long })
  end
end
