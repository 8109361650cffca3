-- Statements that are long, deep or have many parts.
-- expect: fine
local db = store.open("attack.db")
for _, sql in ipairs { "SELECT " .. ("("):rep(100000) .. "1" .. (")"):rep(100000), "SELECT " .. ("-"):rep(1999) .. "1", "SELECT 1" .. (" + 1"):rep(5000),
  "SELECT 1" .. (" UNION ALL SELECT 1"):rep(5000), "SELECT " .. ("1, "):rep(5000) .. "1", "SELECT '" .. ("x"):rep(2000000) .. "'",
  "SELECT max(" .. ("1, "):rep(500) .. "1)" } do
  assert(not pcall(db.value, db, sql), #sql)
end
