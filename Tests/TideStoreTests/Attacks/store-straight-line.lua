-- Rows whose expressions each go through long values, with no jump between them.
-- expect: time or memory or error "took longer" or error "values may have" or error "memory"
local db = store.open("attack.db")
local function all(expression, count)
  local columns = {}
  for index = 1, count do columns[index] = expression end
  return "SELECT " .. table.concat(columns, ", ") .. " FROM (SELECT ? AS x, ? AS y)"
end
local long = ("1"):rep(3000000)
while true do
  for _, expression in ipairs { "x = y", "x + y", "-x", "NOT x", "x AND y", "x IS TRUE", "x < y COLLATE NOCASE", "CAST(x AS INTEGER)",
    "x & y", "max(x, y, x, y)", "nullif(x, y)", "abs(x)", "round(x)", "date(x)", "julianday(0, x, x)", "strftime(x, 0)", "json_valid(x)",
    "json_array(x, y)", "json_extract(x, '$.a', '$.b')", "soundex(x)", "unicode(x)", "x BETWEEN y AND y", "(x, y) = (y, x)",
    "CASE x WHEN 1 THEN 2 WHEN y THEN 3 END", "x IN (y, 1, 2)", "instr(x, y)", "length(x)", "substr(x, -1)", "printf('%d', x)" } do
    local done, why = pcall(db.value, db, all(expression, 450), { long, long })
    if not done and not tostring(why):find("values may have", 1, true) then error(why, 0) end
  end
end
